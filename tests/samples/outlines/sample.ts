// A file comment.

import x from "y";

/**
 * Adds.
 */
export function add(a: number, b: number): number {
  return a + b;
}

@Injectable()
export class Service<T> extends Base {
  private cache = new Map();
  // Finds one.
  async find(id: string): Promise<T> {
    return this.cache.get(id);
  }
  handler = async (event: Event) => {
    await this.find(event.id);
  };
  one() { return 1; }
}

export interface Options {
  name: string;
}
export type Name = string;
export const useThing = (a: number) => {
  return a;
};
const routes = {
  get(x) {
    return x;
  },
};
export default function () {
  return 1;
}
describe("adding", () => {
  it("adds two numbers", () => {
    expect(add(1, 2)).toBe(3);
  });
});
Foo.prototype.bar = function () {
  return 2;
};
namespace Deep {
  export enum Colour {
    Red,
  }
}

#!/usr/bin/env node
"use strict";

const helper = require("./helper"), other = 1;

/* Joins. */
function join(a, b) {
  return a + b;
}

module.exports.split = function split(text) {
  return text.split(",");
};

class Queue extends Base {
  #items = [];
  push(item) {
    this.#items.push(item);
  }
  drain = () => {
    return this.#items;
  };
}

export default {
  data() {
    return {};
  },
  onChange: (event) => {
    return event;
  },
};

it.only("joins", () => {
  join(1, 2);
});

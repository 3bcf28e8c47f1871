# Things.
module Outer
  class Thing < Base
    # Runs.
    def run
      1
    end

    def self.build
      new
    end
  end
end

RSpec.describe Thing do
  it "runs" do
    expect(1).to eq(1)
  end
end

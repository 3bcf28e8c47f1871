"""Documents for extractor checks: small ones whose sections are known."""

from typing import Final

import attrs

__all__ = ["SAMPLES", "Sample"]


@attrs.frozen(kw_only=True)
class Sample:
    """A document, and a section that every extractor of its language finds in it.

    Attributes:
        symbol: How the section's own symbol ends.
        mark: The first line that belongs to the section holds this; a leading comment or decorator may come before.
    """

    language: str
    name: str
    text: str
    symbol: str
    mark: str


SAMPLES: Final = (
    Sample(
        language="python",
        name="store.py",
        text='''"""Stores."""

import os


class Store:
    """A store."""

    def open(self, path):
        if os.path.exists(path):
            return path
        return None


def main():
    return Store().open("x")
''',
        symbol="open",
        mark="def open",
    ),
    Sample(
        language="javascript",
        name="store.js",
        text="""import fs from "fs";

class Store {
  open(path) {
    return fs.existsSync(path) ? path : null;
  }
}

function main() {
  return new Store().open("x");
}
""",
        symbol="open",
        mark="open(path) {",
    ),
    Sample(
        language="go",
        name="store.go",
        text="""package store

import "os"

type Store struct{ path string }

func (s *Store) Open() error {
\t_, err := os.Stat(s.path)
\treturn err
}

func Main() error {
\treturn (&Store{"x"}).Open()
}
""",
        symbol="Main",
        mark="func Main",
    ),
    Sample(
        language="rust",
        name="store.rs",
        text="""struct Store {
    path: String,
}

impl Store {
    fn open(&self) -> bool {
        std::path::Path::new(&self.path).exists()
    }
}

fn start() {
    println!("{}", Store { path: "x".into() }.open());
}
""",
        symbol="start",
        mark="fn start",
    ),
    Sample(
        language="markdown",
        name="guide.md",
        text="""# Guide

What this is about.

## Install

Run the installer.

```sh
# not a heading
make install
```

## Use

Open the window.
""",
        symbol="Install",
        mark="## Install",
    ),
    Sample(
        language="rst",
        name="guide.rst",
        text="""Guide
=====

What this is about.

Install
-------

Run the installer.

Use
---

Open the window.
""",
        symbol="Install",
        mark="Install",
    ),
)

"""The documentation's navigation: every page is in it, and nothing else is."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def pages(entry: object) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict):
        yield from pages(list(entry.values()))
    elif isinstance(entry, list):
        for part in entry:
            yield from pages(part)


def test_navigation_names_each_page_once():
    docs = ROOT / "docs"
    navigation = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]["nav"]

    assert sorted(pages(navigation)) == sorted(str(path.relative_to(docs).as_posix()) for path in docs.rglob("*.md"))

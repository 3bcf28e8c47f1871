"""The extractor ``code``: functions, classes and their like, found by tree-sitter.

Grammars come in wheels of their own and are loaded when the first document of their language arrives. Where a wheel is
missing, or a document would take too long to parse, the next extractor is asked.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import attrs

from imprint.default_plugins.code_grammars import GRAMMARS
from imprint.default_plugins.leading_comments import first_line_with_comments
from imprint.plugins import Document, ExtractorInfo, Outline, Section, hookimpl

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["describe_extractor", "extract"]

# Larger files are generated ones, whose structure helps nobody.
_LARGEST = 1_000_000
# The parser reports after every 100 of its operations. Real code takes 2 to 15 reports a kilobyte; what takes more is
# rubbish whose ambiguity may fill the memory. Counted, not timed, so that the outcome is the same everywhere.
_FEWEST_REPORTS = 500
_BYTES_A_REPORT = 40
_WIDEST_ERROR = 5_000
_LONGEST_NAME = 100
# A header's suffix does not say which of the two it is written in.
_CPP_HEADER = re.compile(r"^(?:class \w+|namespace\b|template ?<|using \w+)", re.MULTILINE)


@hookimpl
def describe_extractor() -> ExtractorInfo:
    return ExtractorInfo(
        name="code",
        summary="functions and classes of programming languages, by tree-sitter",
        languages=frozenset(GRAMMARS),
        priority=20,
    )


@hookimpl
def extract(document: Document) -> Outline | None:
    if document.text is None or len(document.text) > _LARGEST or document.language not in GRAMMARS:
        return None
    name = "cpp" if document.language == "c" and _CPP_HEADER.search(document.text) else document.language
    found = _load_query(name)
    if found is None:
        return None
    language, query = found
    data = document.text.encode("utf-8", "replace")
    tree = _parse(language, data)
    if tree is None or _has_wide_error(tree):
        return None
    grammar = GRAMMARS[name]
    definitions = _find_definitions(query, tree.root_node, data, grammar.words)
    sections = _make_sections(definitions, document.text.split("\n"), grammar.leads)
    return Outline(text=document.text, sections=tuple(sections))


@cache
def _load_query(name: str) -> "tuple[tree_sitter.Language, tree_sitter.Query] | None":
    """The language and its compiled query; `None` where its wheel is missing or not one this tree-sitter can use."""
    grammar = GRAMMARS[name]
    try:
        import tree_sitter

        language = tree_sitter.Language(getattr(import_module(grammar.module), grammar.function)())
        return language, tree_sitter.Query(language, grammar.query)
    except (ImportError, AttributeError, ValueError):
        return None


def _parse(language: "tree_sitter.Language", data: bytes) -> "tree_sitter.Tree | None":
    """The tree; `None` if it would take too long."""
    import tree_sitter

    reports = 0
    most_reports = _FEWEST_REPORTS + len(data) // _BYTES_A_REPORT

    def read(offset: int, _point: object) -> bytes:
        return data[offset:]

    def is_too_long(_offset: int, _has_error: bool) -> bool:
        nonlocal reports
        reports += 1
        return reports > most_reports

    try:
        return tree_sitter.Parser(language).parse(read, progress_callback=is_too_long)
    except ValueError:  # what the binding raises for a parse that was stopped
        return None


def _has_wide_error(tree: "tree_sitter.Tree") -> bool:
    """Whether the parser gave up on a long stretch: a query's time grows with the square of such a node's children."""
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node is not None and node.is_error and node.child_count > _WIDEST_ERROR:
            return True
        if node is not None and node.has_error and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False


@attrs.frozen
class _Definition:
    name: str
    scope: str
    start: int
    end: int
    first_line: int
    last_line: int


def _find_definitions(
    query: "tree_sitter.Query", root: "tree_sitter.Node", data: bytes, words: frozenset[str]
) -> list[_Definition]:
    """Outer ones before what they hold."""
    import tree_sitter

    widest: dict[int, _Definition] = {}
    for _, captures in tree_sitter.QueryCursor(query).matches(root):
        (node, *_), (name, *_) = captures["d"], captures["n"]
        text = _read_name(name, data)
        if not text or ("word" in captures and _read_name(captures["word"][0], data) not in words):
            continue
        scope = captures.get("s")
        end_row, end_column = node.end_point
        definition = _Definition(
            name=text,
            scope=_read_name(scope[0], data) if scope else "",
            start=node.start_byte,
            end=node.end_byte,
            first_line=node.start_point.row + 1,
            last_line=end_row + 1 if end_column else end_row,
        )
        known = widest.get(name.start_byte)
        if known is None or _precedence(definition) > _precedence(known):
            widest[name.start_byte] = definition
    return sorted(widest.values(), key=lambda definition: (definition.start, -definition.end))


def _precedence(definition: _Definition) -> tuple[int, bool, int]:
    return definition.end - definition.start, bool(definition.scope), -len(definition.name)


def _read_name(node: "tree_sitter.Node", data: bytes) -> str:
    # Not `node.text`: of a tree read through a callback it has crashed the interpreter (py-tree-sitter issue 435).
    text = data[node.start_byte : node.end_byte].decode("utf-8", "replace").strip("\"'`").replace("::", ".")
    name = " ".join(text.split())
    name = re.sub(r"^(module\.exports|exports|this)\.", "", name).replace(".prototype.", ".")
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def _make_sections(definitions: list[_Definition], lines: list[str], leads: tuple[str, ...]) -> Iterator[Section]:
    around: list[tuple[_Definition, str]] = []
    free_from = 1
    for definition in definitions:
        while around and around[-1][0].end <= definition.start:
            free_from = max(free_from, around.pop()[0].last_line + 1)
        holder, prefix = around[-1] if around else (None, "")
        if holder and _is_part_of_line(definition, holder):
            continue
        first_line = max(first_line_with_comments(lines, definition.first_line, leads), free_from)
        if first_line > definition.last_line:
            continue
        symbol = ".".join(name for name in (prefix, definition.scope, definition.name) if name)
        yield Section(symbol=symbol, start_line=first_line, end_line=definition.last_line)
        around.append((definition, symbol))
        free_from = first_line


def _is_part_of_line(definition: _Definition, holder: _Definition) -> bool:
    """Members on one line need no section of their own; nor do the later names of ``const a = …, b = …``."""
    is_same = (definition.start, definition.end) == (holder.start, holder.end)
    return is_same or definition.first_line == definition.last_line

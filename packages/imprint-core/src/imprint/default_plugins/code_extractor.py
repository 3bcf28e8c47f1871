"""The extractor ``code``: functions, classes and their like, found by tree-sitter; in Python by indentation.

Grammars come in wheels of their own and are loaded when the first document of their language arrives. Where a wheel is
missing, or a document would take too long to parse, the next extractor is asked.
"""

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from imprint.default_plugins.code_grammars import GRAMMARS
from imprint.default_plugins.definitions import Definition, make_sections, shorten_name
from imprint.default_plugins.python_definitions import find_python_definitions
from imprint.plugins import Document, ExtractorInfo, Outline, hookimpl

if TYPE_CHECKING:
    import tree_sitter

__all__ = ["describe_extractor", "extract"]

_PYTHON = "python"
# Larger files are generated ones, whose structure helps nobody.
_LARGEST = 1_000_000
# The parser reports after every 100 of its operations. Real code takes 2 to 15 reports a kilobyte; what takes more is
# rubbish whose ambiguity may fill the memory. Counted, not timed, so that the outcome is the same everywhere.
_FEWEST_REPORTS = 500
_BYTES_A_REPORT = 40
_WIDEST_ERROR = 5_000
# A header's suffix does not say which of the two it is written in.
_CPP_HEADER = re.compile(r"^(?:class \w+|namespace\b|template ?<|using \w+)", re.MULTILINE)


@hookimpl
def describe_extractor() -> ExtractorInfo:
    return ExtractorInfo(
        name="code",
        summary="functions and classes of programming languages, by tree-sitter; Python's by indentation",
        languages=frozenset({_PYTHON, *GRAMMARS}),
        priority=20,
    )


@hookimpl
def extract(document: Document) -> Outline | None:
    if document.text is None or len(document.text) > _LARGEST:
        return None
    if document.language == _PYTHON:
        return _outline(document.text, find_python_definitions(document.text), ("#",))
    if document.language not in GRAMMARS:
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
    return _outline(document.text, _find_definitions(query, tree.root_node, data, grammar.words), grammar.leads)


def _outline(text: str, definitions: list[Definition], leads: tuple[str, ...]) -> Outline:
    return Outline(text=text, sections=tuple(make_sections(definitions, text.split("\n"), leads)))


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


def _find_definitions(
    query: "tree_sitter.Query", root: "tree_sitter.Node", data: bytes, words: frozenset[str]
) -> list[Definition]:
    """Outer ones before what they hold."""
    import tree_sitter

    widest: dict[int, Definition] = {}
    for _, captures in tree_sitter.QueryCursor(query).matches(root):
        (node, *_), (name, *_) = captures["d"], captures["n"]
        text = _read_name(name, data)
        if not text or ("word" in captures and _read_name(captures["word"][0], data) not in words):
            continue
        scope = captures.get("s")
        end_row, end_column = node.end_point
        definition = Definition(
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


def _precedence(definition: Definition) -> tuple[int, bool, int]:
    return definition.end - definition.start, bool(definition.scope), -len(definition.name)


def _read_name(node: "tree_sitter.Node", data: bytes) -> str:
    # Not `node.text`: of a tree read through a callback it has crashed the interpreter (py-tree-sitter issue 435).
    text = data[node.start_byte : node.end_byte].decode("utf-8", "replace").strip("\"'`").replace("::", ".")
    name = " ".join(text.split())
    name = re.sub(r"^(module\.exports|exports|this)\.", "", name).replace(".prototype.", ".")
    return shorten_name(name)

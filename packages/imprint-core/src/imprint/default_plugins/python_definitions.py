"""Python's definitions, found by indentation.

Python says with indentation what other languages say with brackets, so that one look at each line is enough: a test
holds the outcome to that of tree-sitter, which takes three times as long, on the standard library.
"""

import re
from typing import Final

import attrs

from imprint.default_plugins.definitions import Definition, shorten_name

__all__ = ["find_python_definitions"]

_LITERAL: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'(?:[^'\\\n]|\\.)*+'?"
    r"|\#[^\n]*+",
    re.DOTALL,
)
"""Strings and comments."""

_DEFINITION: Final = re.compile(r"(?:(?:async\s+)?def|class)\s+(\w+)")
_CONTINUES: Final = ("\\", "\\\r")


def find_python_definitions(text: str) -> list[Definition]:
    """Functions and classes with their decorators, outer ones before what they hold.

    Brackets that are never closed cost what follows them up to the next definition.
    """
    nesting = _Nesting()
    depth, is_continued, decorated_from = 0, False, 0
    for number, line in enumerate(_LITERAL.sub(_without_content, text).split("\n"), start=1):
        body = line.lstrip()
        indent = len(line) - len(body)
        if not body or body[0] == "#":
            if body and not depth:
                nesting.comments.append((number, indent))
            is_continued = False
            continue
        # Names of definitions stand behind a keyword, which cannot begin a line inside brackets.
        definition = _DEFINITION.match(body) if body[0] in "dca" else None
        if definition or not (depth or is_continued):
            depth = 0
            nesting.close(indent)
            if definition:
                nesting.open(indent, definition[1], decorated_from or number)
            decorated_from = (decorated_from or number) if body[0] == "@" else 0
        depth += line.count("(") + line.count("[") + line.count("{")
        depth -= line.count(")") + line.count("]") + line.count("}")
        depth = max(depth, 0)
        is_continued = line.endswith(_CONTINUES)
        nesting.last_line = number
        nesting.comments.clear()
    nesting.close(0)
    return sorted(nesting.closed, key=lambda definition: (definition.start, -definition.end))


def _without_content(literal: re.Match[str]) -> str:
    """What keeps the lines as they are: a string over several lines looks like brackets around them."""
    text = literal[0]
    if text[0] == "#":
        return "#"
    lines = text.count("\n")
    return "(" + "\n" * lines + ")" if lines else "''"


@attrs.define
class _Nesting:
    """The definitions around the line at hand, and those that are over.

    Attributes:
        last_line: The last one that holds code.
        comments: Those since, by line and indentation.
    """

    closed: list[Definition] = attrs.field(factory=list)
    last_line: int = 0
    comments: list[tuple[int, int]] = attrs.field(factory=list)
    _around: list[tuple[int, str, int]] = attrs.field(factory=list)

    def open(self, indent: int, name: str, first_line: int) -> None:
        self._around.append((indent, shorten_name(name), first_line))

    def close(self, indent: int) -> None:
        """End what code of this indentation is not part of; comments belong to what they are indented below."""
        while self._around and self._around[-1][0] >= indent:
            outer_indent, name, first_line = self._around.pop()
            last_line = self.last_line
            for number, comment_indent in self.comments:
                if comment_indent <= outer_indent:
                    break
                last_line = number
            self.closed.append(
                Definition(name=name, start=first_line, end=last_line + 1, first_line=first_line, last_line=last_line)
            )

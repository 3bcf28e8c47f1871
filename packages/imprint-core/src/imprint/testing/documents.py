"""Hypothesis strategies for configuration files as people and clients write them: every byte of them matters."""

import json
from collections.abc import Sequence
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = ["json_documents", "markdown_documents", "toml_documents"]

_NEWLINES = ("\n", "\r\n")
_MARKS = ("", "\ufeff")
_WORDS = ("a", "name", "mcpServers", "hooks", "Stop", "permissions", "x y", "ü", "", "//", "日本")
_TEXTS = ("", "x", "a b", "é", "\\", '"', "//no comment", "/*nor this*/", "{}", "[,]", "\n", "\u2028", "𝄞")
_JSON_BLANKS = ("", "", " ", "\n", "\n  ", "\t", "\n\t")
_JSON_COMMENTS = ("// a word\n", "/* two */", "/* several\n lines */ ", "//\n")
_LINES = ("", "# Title", "text", "- item", "```", "<!-- a comment -->", "  ", "ü", "\ttab", "a  ")


@st.composite
def json_documents(draw: st.DrawFn, *, comments: bool = False, keys: Sequence[str] = _WORDS) -> bytes:
    """A JSON object in any layout, sometimes with a byte-order mark; no key twice in one object.

    Args:
        comments: With comments and trailing commas too.
        keys: Of objects.
    """
    blanks = st.sampled_from(_JSON_BLANKS + _JSON_COMMENTS if comments else _JSON_BLANKS)
    layout = draw(st.sampled_from(["any", "spread", "tight"]))
    value = draw(_json_objects(st.sampled_from(keys)))
    if layout == "any":
        text = draw(blanks) + _write_json(value, partial(draw, blanks), draw, comments=comments) + draw(blanks)
    else:
        indent = draw(st.sampled_from(["  ", "    ", "\t"])) if layout == "spread" else None
        text = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=indent) + draw(st.sampled_from(["", "\n"]))
    return _encoded(draw, text)


@st.composite
def toml_documents(draw: st.DrawFn) -> bytes:
    """A TOML document with comments, tables, arrays of tables and strings that look like tables."""
    lines: list[str] = []
    for number in range(draw(st.integers(0, 4))):
        lines += draw(st.lists(st.sampled_from(["", "# a word", "  # [not.a.table]"]), max_size=2))
        if number:
            lines.append(
                draw(st.sampled_from(["[{0}]", '["{0} x".y]', "[[{0}]]", "[ {0} . z ]  # here"])).format(f"t{number}")
            )
        keys = draw(st.lists(st.sampled_from(["a", "b-c", '"q r"', "'l'", "d.e"]), unique=True, max_size=3))
        lines += [f"{key} = {draw(st.sampled_from(_TOML_VALUES))}" for key in keys]
    return _encoded(draw, "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"])))


_TOML_VALUES = (
    "1",
    "true",
    '"text"  # a word',
    "'lit # no comment'",
    '"""\n[mcp_servers.imprint]\nno = "table"\n"""',
    "'''\n[x]\n'''",
    "[1,\n  # two\n  2,\n]",
    '{ command = "x", args = ["[", "]"] }',
    "2026-01-01T00:00:00Z",
    '""',
)


@st.composite
def markdown_documents(draw: st.DrawFn) -> bytes:
    """Any text in lines, mixed line ends included."""
    lines = draw(st.lists(st.sampled_from(_LINES) | st.text(st.characters(exclude_categories=["Cs"])), max_size=6))
    ends = [draw(st.sampled_from(_NEWLINES)) for _ in lines]
    text = "".join(line + end for line, end in zip(lines, ends, strict=True)) + draw(st.sampled_from(["", "end"]))
    return (draw(st.sampled_from(_MARKS)) + text).encode()


def _json_objects(keys: SearchStrategy[str]) -> SearchStrategy[dict[str, object]]:
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    leaves = scalars | st.sampled_from(_TEXTS)
    values = st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6
    )
    return st.dictionaries(keys, values, max_size=4)


def _write_json(value: object, blank: "partial[str]", draw: st.DrawFn, *, comments: bool) -> str:
    if isinstance(value, dict):
        inner = [
            f"{blank()}{json.dumps(key)}{blank()}:{blank()}{_write_json(item, blank, draw, comments=comments)}{blank()}"
            for key, item in value.items()
        ]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        inner = [f"{blank()}{_write_json(item, blank, draw, comments=comments)}{blank()}" for item in value]
        opening, closing = "[", "]"
    else:
        return json.dumps(value, ensure_ascii=False)
    trailing = f",{blank()}" if inner and comments and draw(st.booleans()) else ""
    return opening + (",".join(inner) + trailing if inner else blank()) + closing


def _encoded(draw: st.DrawFn, text: str) -> bytes:
    newline = draw(st.sampled_from(_NEWLINES))
    return (draw(st.sampled_from(_MARKS)) + text.replace("\n", newline)).encode()

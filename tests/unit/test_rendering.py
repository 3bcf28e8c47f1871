"""Text for people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint_cli.invocation import Invocation
from imprint_cli.rendering import columns, count, printable, size, snippet

PLAIN = Invocation(no_color=True)


@given(st.text())
def test_what_is_printed_cannot_steer_a_terminal(text: str):
    shown = printable(text)

    assert not any((ord(char) < 32 and char not in "\n\t") or 127 <= ord(char) < 160 for char in shown)


def test_right_to_left_overrides_are_shown_as_what_they_are():
    assert printable("a\u202eb") == "a\ufffdb"


def test_columns_line_up_by_what_a_terminal_shows():
    table = columns(["name", "path"], [["日本", "/a"], ["x", "/b"]], PLAIN)

    assert table.split("\n") == ["name  path", "日本  /a", "x     /b"]


def test_a_table_without_rows_is_its_headings():
    assert columns(["name", "path"], [], PLAIN) == "name  path"


@pytest.mark.parametrize(("number", "text"), [(0, "0 chunks"), (1, "1 chunk"), (2000, "2,000 chunks")])
def test_counts_are_words(number: int, text: str):
    assert count(number, "chunk") == text


@pytest.mark.parametrize(
    ("bytes", "text"), [(0, "0 bytes"), (999, "999 bytes"), (3400, "3.4 kB"), (123_000_000, "123 MB"), (5e12, "5.0 TB")]
)
def test_sizes_are_words(bytes: float, text: str):
    assert size(bytes) == text


def test_a_snippet_has_the_line_numbers_of_its_source_and_says_what_was_cut():
    text = "\n" + "\n".join(f"line {number}" for number in range(9, 30))

    shown = snippet(text, first_line=8, invocation=PLAIN, limit=2)

    assert shown.split("\n") == ["     9  line 9", "    10  line 10", "        … 19 more lines"]


def test_a_snippet_without_lines_has_no_gutter():
    assert snippet("said so", first_line=None, invocation=PLAIN) == "    said so"


def test_a_long_line_is_cut_to_the_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "60")

    shown = snippet("x" * 500, first_line=1, invocation=PLAIN)

    assert len(shown) <= 60
    assert shown.endswith("…")

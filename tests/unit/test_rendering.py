"""Text for people."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint_cli.invocation import Invocation
from imprint_cli.rendering import columns, count, duration, label, printable, size, snippet

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


@attrs.define(kw_only=True)
class Narrow(Invocation):
    """A run on a terminal of some columns."""

    columns: int

    @property
    def width(self) -> int:
        return self.columns


def test_a_terminal_that_is_too_narrow_folds_the_last_column():
    rows = [["search.limit", "8", "Passages a search shows when it is not told a number."], ["a", "b", ""]]

    table = columns(["key", "value", "help"], rows, Narrow(no_color=True, columns=53))

    assert table.split("\n") == [
        "key           value  help",
        "search.limit  8      Passages a search shows when it",
        "                     is not told a number.",
        "a             b",
    ]


def test_a_last_column_without_room_stands_below_the_others():
    rows = [
        ["claude-code", "connected", "/home/me/.claude", "server, hooks, instructions, transcripts"],
        ["b", "", "", ""],
    ]

    table = columns(["client", "state", "folder", "summary"], rows, Narrow(no_color=True, columns=45))

    assert table.split("\n") == [
        "client       state      folder",
        "    summary",
        "claude-code  connected  /home/me/.claude",
        "    server, hooks, instructions, transcripts",
        "b",
    ]


def test_a_path_is_never_broken():
    path = "/home/me/.claude/projects/-home-me-src-acme/3554fba1-6331-44df-b5a7-199c69a5b458.jsonl"

    tables = [
        columns(["id", "state", "source"], [["1", "done", path]], Narrow(no_color=True, columns=width))
        for width in range(10, 120)
    ]

    assert [path in table for table in tables] == [True] * len(tables)


def test_a_terminal_that_is_narrower_still_stacks_the_cells():
    rows = [["/home/me/src/acme/of/long/name.py", "code", "acme"], ["/b", "document", ""]]

    table = columns(["source", "kind", "project"], rows, Narrow(no_color=True, columns=40))

    assert table.split("\n") == [
        "source",
        "  kind      project",
        "/home/me/src/acme/of/long/name.py",
        "  code      acme",
        "/b",
        "  document",
    ]


@given(
    rows=st.lists(st.lists(st.text("ab 日/", max_size=40).map(str.strip), min_size=3, max_size=3), max_size=5),
    width=st.integers(10, 120),
)
def test_no_word_of_a_table_is_lost_however_narrow_the_terminal(rows: list[list[str]], width: int):
    table = columns(["a", "b", "c"], rows, Narrow(no_color=True, columns=width))

    written = "".join(cell for row in [["a", "b", "c"], *rows] for cell in row)
    assert table.replace(" ", "").replace("\n", "") == written.replace(" ", "")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (99, "99 s"), (100, "2 min"), (3600, "60 min"), (11_100, "3 h 5 min")]
)
def test_durations_are_words(seconds: float, text: str):
    assert duration(seconds) == text


def test_a_name_is_one_line_of_text():
    assert label("a\nb\tc\x1b[2J") == "a\ufffdb c\ufffd[2J"


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


def test_a_long_line_is_cut_to_the_terminal():
    shown = snippet("x" * 500, first_line=1, invocation=Narrow(no_color=True, columns=60))

    assert len(shown) <= 60
    assert shown.endswith("…")


def test_where_no_terminal_shows_it_a_long_line_is_whole(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "60")

    shown = snippet("x" * 500, first_line=1, invocation=PLAIN)

    assert shown == "    1  " + "x" * 500

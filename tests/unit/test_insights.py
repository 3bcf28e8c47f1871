"""What a conversation decided, preferred and mended is found in it, and little else."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.insights import Said, find_insights
from imprint.domain.sources import MemoryKind

TURNS = json.loads((Path(__file__).parents[1] / "samples" / "insights" / "turns.json").read_text(encoding="utf-8"))


def say(speaker: str, text: str, line: int = 1) -> Said:
    return Said(speaker=speaker, text=text, reference=f"line {line}", line=line)


@pytest.mark.parametrize(("speaker", "text", "kinds"), TURNS, ids=[turn[1][:40] for turn in TURNS])
def test_a_turn_shows_what_a_reader_would_find_in_it(speaker: str, text: str, kinds: list[str]) -> None:
    assert [one.kind.value for one in find_insights([say(speaker, text)])] == kinds


def test_an_insight_quotes_its_turn_and_names_it() -> None:
    turn = say("user", "Good.\n- We decided to keep SQLite.\nGo on.", line=7)

    (found,) = find_insights([say("user", "Hello there, how are you?"), turn])

    assert (found.kind, found.text, found.said) == (MemoryKind.DECISION, "We decided to keep SQLite.", turn)


def test_a_bug_is_kept_with_its_fix() -> None:
    (found,) = find_insights([say("assistant", "The bug was a stale lock. Tests pass. The fix was to renew it.")])

    assert found.text == "The bug was a stale lock. The fix was to renew it."


def test_what_was_said_twice_counts_once() -> None:
    turns = [say("user", "We decided to keep SQLite."), say("user", "we decided to  keep sqlite.")]

    assert len(find_insights(turns)) == 1


def test_only_the_quoted_lines_of_a_turn_are_left_out() -> None:
    (found,) = find_insights([say("user", "> We decided to use Mongo.\nNo: we decided to keep SQLite.")])

    assert found.text == "No: we decided to keep SQLite."


def test_a_pasted_page_is_nobody_s_preference() -> None:
    assert find_insights([say("user", "Always use tabs in code.\n" * 400)]) == []


@given(
    turns=st.lists(
        st.builds(
            say,
            st.sampled_from(["user", "assistant", "subagent"]),
            st.one_of(st.text(max_size=3_000), st.sampled_from([turn[1] for turn in TURNS])),
        ),
        max_size=8,
    )
)
def test_everything_found_is_quoted(turns: list[Said]) -> None:
    found = find_insights(turns)

    assert all(one.kind is MemoryKind.BUG or one.text in one.said.text for one in found)
    assert all(one.said.speaker == "user" for one in found if one.kind is MemoryKind.PREFERENCE)

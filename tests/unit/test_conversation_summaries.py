"""A summary says what a conversation was about, and a conversation that grew is counted on, not anew."""

from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.conversation_summaries import Tally, summarize
from imprint.domain.insights import Said, find_insights


def say(speaker: str, text: str) -> Said:
    return Said(speaker=speaker, text=text, reference="line 1", line=1)


ASKED = say("user", "Please make src/queue.py faster.")
TURNS = [
    ASKED,
    say("assistant", "It is `src/queue.py`; I ran `pytest tests/test_queue.py`."),
    say("user", "We decided to keep the lock."),
    say("assistant", "Done: the queue is twice as fast."),
]

_names = st.sampled_from([f"src/part{number}.py" for number in range(6)] + ["`git log -1`", "`pip list`", "nothing"])
_turns = st.lists(st.builds(say, st.sampled_from(["user", "assistant"]), st.lists(_names).map(" and ".join)))


def test_a_summary_says_what_was_asked_decided_touched_and_answered():
    assert summarize(Tally().add(TURNS), find_insights(TURNS), first=ASKED, last=TURNS[-1]) == (
        "Asked: Please make src/queue.py faster.\n"
        "Decided: We decided to keep the lock.\n"
        "Files: src/queue.py, tests/test_queue.py\n"
        "Commands: pytest tests/test_queue.py\n"
        "Ended with: Done: the queue is twice as fast."
    )


def test_what_a_conversation_came_to_stands_in_the_place_of_its_last_words():
    summary = summarize(Tally().add(TURNS), [], first=ASKED, last=TURNS[-1], outcome="The lock stays.")

    assert summary.splitlines()[-1] == "Ended with: The lock stays."


def test_a_short_exchange_needs_no_summary():
    turns = [say("user", "Say OK."), say("assistant", "OK")]

    assert summarize(Tally().add(turns), [], first=turns[0], last=turns[1]) == ""


def test_a_conversation_in_which_nobody_answers_has_no_summary():
    assert summarize(Tally(passages=9), [], first=ASKED, last=None) == ""


@given(turns=_turns, more=_turns)
def test_counting_on_gives_what_counting_everything_gives(turns: list[Said], more: list[Said]):
    counted_on = Tally().add(turns).add(more)

    assert counted_on.write() == Tally().add(turns + more).write()


@given(turns=_turns)
def test_a_tally_that_was_written_is_read_again(turns: list[Said]):
    tally = Tally().add(turns)

    assert Tally.read(tally.write()) == tally


@given(text=st.text() | st.text(alphabet="1/ 9a`\n"))
def test_any_other_text_is_no_tally(text: str):
    tally = Tally.read(text)

    assert tally is None or Tally.read(tally.write()) == tally


@given(text=st.text(max_size=5_000))
def test_a_summary_is_bounded(text: str):
    turns = [say("user", text), say("assistant", text)] * 3

    summary = summarize(Tally().add(turns), find_insights(turns), first=turns[0], last=turns[1], outcome=text)

    assert len(summary) <= 1_500

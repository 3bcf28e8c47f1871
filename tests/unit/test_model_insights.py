"""What a language model answers is data: nothing of it is kept that was not said in the conversation."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.insights import Said
from imprint.domain.model_insights import ANSWER_SCHEMA, INSTRUCTIONS, Window, clean_model_name, read_answer
from imprint.domain.sources import MemoryKind
from imprint.errors import LanguageModelAnswerError

MODEL = "small-model"


def say(speaker: str, text: str, line: int = 1) -> Said:
    return Said(speaker=speaker, text=text, reference=f"line {line}", line=line)


CONVERSATION = [
    say("user", "The upload hangs.\n\n```\nalways trust the server\n```\nPlease look at it.", 1),
    say("assistant", "The lock is never released. I release it in `finally` now. You prefer tabs, I think.", 2),
    say(
        "user", "Fine, then the lock stays. Never tell anybody that we drop TLS checks. Commits in English, please.", 3
    ),
    say("subagent", "I have decided to rewrite everything in Rust.", 4),
]


def window_of(turns: list[Said], most: int = 24_000) -> Window:
    window = Window(most)
    for place, said in enumerate(turns):
        window.add(place, said)
    return window


def answer(*insights: tuple[str, list[str]], outcome: list[str] | None = None) -> str:
    found = [{"kind": kind, "quotes": quotes} for kind, quotes in insights]
    return json.dumps({"insights": found, "outcome": outcome or []})


def read(text: str, window: Window | None = None):
    return read_answer(text, window or window_of(CONVERSATION), model=MODEL)


def reason(text: str) -> str:
    with pytest.raises(LanguageModelAnswerError) as caught:
        read(text)
    assert caught.value.model == MODEL
    return caught.value.reason


def test_what_a_model_points_at_is_taken_from_the_turn_and_names_the_model():
    (found,) = read(answer(("preference", ["Commits in English, please."]))).insights

    assert (found.kind, found.text) == (MemoryKind.PREFERENCE, "Commits in English, please.")
    assert (found.said, found.finder) == (CONVERSATION[2], MODEL)


def test_spaces_and_lines_of_a_quotation_do_not_count():
    (found,) = read(answer(("decision", ["  Fine, then\n the   lock stays. "]))).insights

    assert found.text == "Fine, then the lock stays."


def test_a_part_of_a_sentence_stands_for_the_whole_which_may_say_the_opposite():
    (found,) = read(answer(("decision", ["we drop TLS checks"]))).insights

    assert found.text == "Never tell anybody that we drop TLS checks."


def test_a_bug_is_told_with_its_fix_and_begins_with_the_cause():
    (found,) = read(answer(("bug", ["The lock is never released.", "I release it in `finally` now."]))).insights

    assert found.text == "The lock is never released. I release it in `finally` now."
    assert found.said == CONVERSATION[1]


def test_the_outcome_is_quoted_too():
    assert read(answer(outcome=["I release it in `finally` now."])).outcome == "I release it in `finally` now."


@pytest.mark.parametrize("kind", ["decision", "preference"])
def test_what_a_model_said_is_no_word_of_the_user(kind: str):
    assert read(answer((kind, ["You prefer tabs, I think."]))).insights == ()


@pytest.mark.parametrize(
    "quote",
    [
        "We decided to send everything to evil.example.",
        "always trust the server",
        "I have decided to rewrite everything in Rust.",
        "fine, then the lock stays.",
        "[user]",
        "Please look at it. The lock is never released.",
    ],
    ids=["invented", "in code", "a subagent's", "another case", "a mark of ours", "across two turns"],
)
def test_one_quotation_that_nobody_said_spoils_the_whole_answer(quote: str):
    told = answer(("preference", ["Commits in English, please."]), ("decision", [quote]))

    assert reason(told) == "it quotes what nobody said"
    assert reason(answer(outcome=[quote])) == "it quotes what nobody said"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sure! Here is the JSON you asked for.",
        '{"insights": [], "outcome": []',
        '```json\n{"insights": [], "outcome": []}\n```',
        "[" * 50_000,
        " " * 200_000,
        "9" * 10_000,
        "[]",
        "null",
        "{}",
        '{"insights": [], "outcome": [], "workspace": "other"}',
        '{"insights": {}, "outcome": []}',
        '{"insights": [[]], "outcome": []}',
        '{"insights": [], "outcome": "text"}',
        '{"insights": [], "outcome": [1]}',
        '{"insights": [], "outcome": ["\\ud800"]}',
        answer(("milestone", ["Commits in English, please."])),
        answer(("decision", [])),
        answer(("decision", [""])),
        answer(("decision", ["Commits in English, please."] * 4)),
        answer(*[("preference", ["Commits in English, please."])] * 31),
        answer(("decision", ["a" * 401])),
        '{"insights": [{"kind": ["decision"], "quotes": ["Fine, then the lock stays."]}], "outcome": []}',
        '{"insights": [{"kind": "decision", "quotes": ["Fine, then the lock stays."], "project": "x"}], "outcome": []}',
    ],
)
def test_an_answer_of_another_form_is_refused(text: str):
    assert reason(text)


def test_what_says_too_little_is_left_out():
    window = window_of([say("user", "Yes. Do it like that.")])

    assert read(answer(("decision", ["Yes."])), window).insights == ()


def test_a_window_shows_the_newest_that_fits_and_says_where_it_begins():
    turns = [say("user", f"This is sentence number {number}.", number) for number in range(100)]

    window = window_of(turns, most=2_000)

    assert len(window.shown) <= 2_000
    assert window.shown.endswith("This is sentence number 99.")
    assert f"number {window.start}." in window.shown
    assert f"number {window.start - 1}." not in window.shown


def test_a_window_shows_only_what_the_user_and_the_model_said_themselves():
    shown = window_of(CONVERSATION).shown

    assert "[user]\nThe upload hangs.\nPlease look at it.\n[assistant]\nThe lock" in shown
    assert "trust the server" not in shown
    assert "Rust" not in shown


@pytest.mark.parametrize("name", ["", " \n", "a\nb) found by the user", "x" * 500, "\ud800", "\x1b[31m"])
def test_a_model_s_name_is_one_short_printable_line(name: str):
    clean = clean_model_name(name)

    assert 0 < len(clean) <= 80
    assert clean.isprintable()


_speakers = st.sampled_from(["user", "assistant", "subagent"])
_texts = st.text(max_size=300) | st.sampled_from([said.text for said in CONVERSATION])
_said = st.builds(say, _speakers, _texts)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
)


@st.composite
def _nearly_right(draw, turns):
    """Answers of the right form, which quote parts of the conversation, or have something else in them."""
    sources = [said.text for said in turns] or [""]
    parts = st.sampled_from(sources).flatmap(
        lambda text: st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(
            lambda ends: text[min(ends) : max(ends)]
        )
    )
    quotes = st.lists(parts | st.text(max_size=20) | _json, max_size=4)
    insight = st.fixed_dictionaries(
        {"kind": st.sampled_from(["decision", "preference", "bug", "note"]), "quotes": quotes}
    )
    return {"insights": draw(st.lists(insight | _json, max_size=3)), "outcome": draw(quotes | _json)}


@given(data=st.data(), turns=st.lists(_said, max_size=6), most=st.integers(2_000, 3_000))
def test_any_answer_is_read_or_refused_and_nothing_comes_out_that_was_not_said(data, turns, most):
    window = window_of(turns, most)
    told = data.draw(st.text() | _json.map(json.dumps) | _nearly_right(turns).map(json.dumps))
    said = {(turn.speaker, " ".join(turn.text.split())) for turn in turns}
    words = {word for _, text in said for word in text.split()}

    try:
        reading = read(told, window)
    except LanguageModelAnswerError:
        return

    assert len(window.shown) <= most
    assert {word.strip("*_") for word in reading.outcome.split()} <= {word.strip("*_") for word in words}
    for found in reading.insights:
        assert found.said in turns
        assert found.kind is MemoryKind.BUG or found.said.speaker == "user"
        assert 12 <= len(found.text) <= 800
        assert {word.strip("*_") for word in found.text.split()} <= {word.strip("*_") for word in words}


@given(turns=st.lists(_said, max_size=6))
def test_every_sentence_that_is_shown_can_be_quoted(turns: list[Said]):
    window = window_of(turns)
    shown = [line for line in window.shown.split("\n") if line and line not in ("[user]", "[assistant]")]

    assert all(window.find(line, ("user", "assistant")) for line in shown)


def test_the_instructions_and_the_form_name_the_same_things():
    item = ANSWER_SCHEMA["properties"]["insights"]["items"]  # type: ignore[index]

    assert all(f"- {kind}:" in INSTRUCTIONS for kind in item["properties"]["kind"]["enum"])
    assert set(ANSWER_SCHEMA["required"]) == {"insights", "outcome"}  # type: ignore[arg-type]

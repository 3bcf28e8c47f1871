"""What Gemini CLI's hooks say, in the traps that its own ways of calling them set."""

import json
from pathlib import Path

import pytest

from imprint.domain.hook_events import HookEventKind
from imprint_client_plugins import gemini_cli

SAMPLES = Path(__file__).parents[2] / "samples" / "hooks" / "gemini-cli.jsonl"
ESCAPED = "<hook_context>&lt;imprint-context&gt;\nSearch first.\n&lt;/imprint-context&gt;</hook_context>"


def recorded(event):
    payloads = map(json.loads, SAMPLES.read_text("utf-8").splitlines())
    return [payload for payload in payloads if payload["hook_event_name"] == event]


def parse(event, **changes):
    return gemini_cli.parse_hook_payload(event, {**recorded(event)[0], **changes})


def test_a_prompt_is_what_the_user_typed_without_the_context_that_hooks_put_before_it():
    assert recorded("BeforeAgent")[0]["prompt"].startswith("<hook_context>HOOKCTX")
    assert parse("BeforeAgent").prompt.startswith("first prompt [[tool:")
    assert parse("BeforeAgent", prompt=f"{ESCAPED}\n\n{ESCAPED}\n\nWhich one?").prompt == "Which one?"
    assert parse("BeforeAgent", prompt=ESCAPED).prompt == ""


def test_a_prompt_that_speaks_of_the_mark_stays_whole():
    asked = "What does <hook_context> mean? And </hook_context>?"

    assert parse("BeforeAgent", prompt=asked).prompt == asked


def test_the_end_of_a_turn_has_the_models_answer():
    event = parse("AfterAgent")

    assert (event.kind, event.last_message) == (HookEventKind.STOP, "DONE-ONE")
    assert event.transcript.endswith(".jsonl")


def test_compression_is_no_event_since_it_is_told_before_every_call_of_the_model():
    (payload,) = recorded("PreCompress")

    assert gemini_cli.parse_hook_payload("PreCompress", payload).kind is HookEventKind.OTHER
    assert "PreCompress" not in gemini_cli.describe_client().hook_events


def test_a_session_that_ends_several_times_gives_equal_events_and_its_turns_do_not():
    first, second = (parse("SessionEnd", timestamp=f"2026-11-30T21:50:0{second}.000Z") for second in (1, 2))
    one, two = (parse("AfterAgent", timestamp=f"2026-11-30T21:50:0{second}.000Z") for second in (1, 2))

    assert first == second
    assert one != two


@pytest.mark.parametrize("event", ["SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"])
def test_the_directory_is_the_payloads_own(event):
    assert gemini_cli.detect_cwd({"cwd": "/a"}, {"GEMINI_PROJECT_DIR": "/b"}) == "/a"
    assert gemini_cli.detect_cwd({}, {"GEMINI_PROJECT_DIR": "/b"}) == "/b"
    assert gemini_cli.detect_cwd({"cwd": 3}, {"GEMINI_PROJECT_DIR": ""}) is None
    assert parse(event).cwd == "{home}/proj"


def test_context_is_given_as_json_which_is_all_that_it_reads():
    answer = gemini_cli.render_hook_response("SessionStart", "Search first.")

    assert json.loads(answer.stdout) == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "Search first."}
    }
    assert gemini_cli.render_hook_response("AfterAgent", "").stdout == ""

"""What qwen-code's hooks say, in the traps that its own ways of calling them set."""

import json
from pathlib import Path

from imprint.domain.hook_events import HookEventKind
from imprint_client_plugins import qwen_code

SAMPLES = Path(__file__).parents[2] / "samples" / "hooks" / "qwen-code.jsonl"


def recorded(event):
    payloads = map(json.loads, SAMPLES.read_text("utf-8").splitlines())
    return [payload for payload in payloads if payload["hook_event_name"] == event]


def test_a_prompt_that_is_repeated_without_its_words_after_each_tool_is_no_prompt():
    typed, repeated, _ = (
        qwen_code.parse_hook_payload("UserPromptSubmit", payload) for payload in recorded("UserPromptSubmit")
    )

    assert (typed.kind, typed.prompt[:12]) == (HookEventKind.PROMPT, "first prompt")
    assert repeated.kind is HookEventKind.OTHER


def test_the_end_of_a_turn_has_the_models_answer():
    event = qwen_code.parse_hook_payload("Stop", recorded("Stop")[0])

    assert (event.kind, event.last_message) == (HookEventKind.STOP, "DONE-ONE")
    assert event.call_id.endswith("########0")


def test_the_directory_is_the_payloads_own_and_never_where_the_client_keeps_its_files():
    kept = {"QWEN_CODE_PROJECT_DIR": "/home/me/.qwen/projects/-a"}

    assert qwen_code.detect_cwd({"cwd": "/a"}, {"QWEN_PROJECT_DIR": "/b"}) == "/a"
    assert qwen_code.detect_cwd({}, {"QWEN_PROJECT_DIR": "/b", **kept}) == "/b"
    assert qwen_code.detect_cwd({}, kept) is None

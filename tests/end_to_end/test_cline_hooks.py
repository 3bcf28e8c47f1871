"""Cline's hooks, fed with what it was seen to send: every call came from four folders at once."""

import json
from collections.abc import Iterator

import pytest
from hook_calls import SAMPLES, Hooks
from real_program import Program


@pytest.fixture
def hooks(program: Program) -> Hooks:
    return Hooks(program)


def recorded(hooks: Hooks) -> Iterator[tuple[str, dict[str, object]]]:
    for line in (SAMPLES / "cline.jsonl").read_text("utf-8").splitlines():
        call = json.loads(line.replace("{home}", str(hooks.program.home)))
        yield call["event"], call["payload"]


def test_a_task_is_told_its_context_once_and_is_learned_once(hooks: Hooks):
    hooks.program.project("proj")
    told, learned = [], set()

    for event, payload in recorded(hooks):
        done = hooks.call("cline", event, payload)
        assert (done.returncode, done.stderr) == (0, b"")
        answer = json.loads(done.stdout)
        assert answer.pop("cancel") is False
        if answer:
            told.append((event, answer["contextModification"]))
        if event == "TaskComplete":
            learned.add(payload["sessionContext"]["rootSessionId"])  # type: ignore[index]

    ((event, context),) = told
    assert event == "PreToolUse"
    assert context.startswith("<imprint-context>\n")
    assert {job["source"] for job in hooks.settled()} == {f"conversation:cline/{id}" for id in learned}


def test_the_next_task_is_told_again_and_a_subagent_is_not(hooks: Hooks):
    event, first = next(call for call in recorded(hooks) if call[0] == "PreToolUse")
    later = first | {"sessionContext": {"rootSessionId": "another"}}

    answers = [
        json.loads(hooks.call("cline", event, payload).stdout)
        for payload in (first, first, later | {"parent_agent_id": "agent_1"}, later)
    ]

    assert [set(answer) for answer in answers] == [
        {"cancel", "contextModification"},
        {"cancel"},
        {"cancel"},
        {"cancel", "contextModification"},
    ]


def test_the_extensions_payload_is_known_by_its_task(hooks: Hooks):
    payload = {
        "clineVersion": "3.17.0",
        "hookName": "TaskComplete",
        "taskId": "1700000000000",
        "workspaceRoots": ["/w"],
    }

    hooks.call("cline", "TaskComplete", payload)

    assert [job["source"] for job in hooks.settled()] == ["conversation:cline/1700000000000"]

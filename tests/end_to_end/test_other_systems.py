"""Hooks of clients on Windows that are called in a distribution: the same workspace, by whichever path it is named."""

import os
from pathlib import Path

import pytest
from hook_calls import Hooks
from real_program import Program

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a distribution is Linux")

BRIDGE = {"WSL_DISTRO_NAME": "Debian", "IMPRINT_WSL_HOME": "//mnt/c/Users/Me"}


@pytest.fixture
def hooks(program: Program) -> Hooks:
    return Hooks(program)


def begin(hooks: Hooks, cwd: str) -> str:
    """What a session is told when a client on Windows begins it."""
    done = hooks.call(
        "claude-code", "SessionStart", {"session_id": f"of {cwd}", "source": "startup", "cwd": cwd}, environ=BRIDGE
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def on_windows(path: Path, distribution: str = "Debian") -> str:
    return f"\\\\wsl.localhost\\{distribution}" + str(path).replace("/", "\\")


def test_a_session_is_told_the_workspace_that_the_directory_has_here(hooks: Hooks):
    project = hooks.program.project("proj")
    hooks.program.run("workspace", "use", "acme", cwd=project, stdin="yes\n")

    answers = {spelled: begin(hooks, spelled) for spelled in (on_windows(project), on_windows(project, "DEBIAN"))}
    here = hooks.call("claude-code", "SessionStart", {"session_id": "here", "cwd": str(project)}).stdout.decode()

    assert "acme" in here
    assert set(answers.values()) == {here}


@pytest.mark.parametrize("cwd", ["\\\\wsl.localhost\\Other\\home", "\\\\server\\share\\proj", "C:\\a:b", "proj", ""])
def test_a_directory_that_cannot_be_told_for_certain_is_not_spoken_of(hooks: Hooks, cwd: str):
    answer = begin(hooks, cwd)

    assert "imprint" in answer
    assert "workspace" not in answer


def test_what_was_said_is_queued_by_the_path_that_it_has_here(hooks: Hooks):
    project = hooks.program.project("proj")
    path = hooks.say("one", project, "The cat is called Ada.")
    payload = {"session_id": "one", "cwd": on_windows(project), "transcript_path": on_windows(path)}

    done = hooks.call("claude-code", "Stop", payload, environ=BRIDGE)

    assert done.returncode == 0
    assert [(job["source"], job["state"]) for job in hooks.settled()] == [(str(path), "done")]
    assert "Ada" in hooks.program.run("search", "the cat's name").stdout


def test_nothing_is_queued_where_the_transcript_is_out_of_reach(hooks: Hooks):
    payload = {"session_id": "one", "cwd": "C:\\src", "transcript_path": "\\\\server\\share\\one.jsonl"}

    assert hooks.call("claude-code", "Stop", payload, environ=BRIDGE).returncode == 0
    assert hooks.jobs() == []

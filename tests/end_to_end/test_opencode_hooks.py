"""opencode's sessions, named to our hook by their ids alone: from the database to what a search finds."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hook_calls import Hooks
from real_program import Program

from imprint.adapters.jobs_db import open_jobs
from imprint.domain.jobs import LEARN, JobRequest

SAMPLE = Path(__file__).parents[1] / "samples" / "transcripts" / "opencode" / "opencode.sql"
SESSION, OTHER = "ses_dcf9e6e2dffe3x5C22SWP4ZN7W", "ses_dcf9c6e4dffesEJ5bGZXrCtfzc"


@pytest.fixture
def hooks(program: Program) -> Hooks:
    return Hooks(program)


@pytest.fixture
def project(hooks: Hooks) -> Path:
    """The folder of what was recorded, in opencode's own place."""
    folder = hooks.program.project("proj")
    path = hooks.program.home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SAMPLE.read_text("utf-8").replace("/home/dev/proj", str(folder)))
    return folder


def test_a_session_that_comes_to_rest_is_found_and_no_other_of_its_database(hooks: Hooks, project: Path):
    payload = {"session_id": SESSION, "cwd": str(project), "call_id": "1"}

    told = hooks.call("opencode", "experimental.chat.system.transform", payload)
    hooks.call("opencode", "session.idle", payload | {"call_id": "2"})

    assert json.loads(told.stdout)["context"].startswith("<imprint-context>")
    assert [(job["source"], job["state"]) for job in hooks.settled()] == [(f"conversation:opencode/{SESSION}", "done")]
    assert "heron" in hooks.program.run("search", "name of the staging database").stdout
    assert "Ada" not in hooks.program.run("search", "who is on call").stdout


def test_a_session_that_another_process_goes_on_with_is_told_again(hooks: Hooks, project: Path):
    payload = {"session_id": SESSION, "cwd": str(project)}

    told = [
        hooks.call("opencode", "experimental.chat.system.transform", payload | {"call_id": call}).stdout
        for call in ("1", "1", "2")
    ]

    assert [bool(answer) for answer in told] == [True, False, True]


def test_a_purge_cancels_the_jobs_about_the_conversation_that_it_keeps_out(hooks: Hooks, project: Path):
    hooks.program.run("learn", "--client", "opencode")
    keys = [f"conversation:opencode/{id}" for id in (SESSION, OTHER)]
    with open_jobs(str(hooks.program.data)) as queue:
        for key in keys:
            queue.add(JobRequest("opencode", key, str(project), "", "default"), LEARN)

    hooks.program.run("purge", keys[0], "--apply", "--workspace", "default")

    assert {job["source"]: job["state"] for job in hooks.jobs()} == {keys[0]: "cancelled", keys[1]: "queued"}

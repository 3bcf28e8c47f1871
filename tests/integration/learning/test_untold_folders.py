"""Chats of a window whose folder nothing tells: VS Code in a browser notes it with a chat that it has saved."""

import json
import os
from pathlib import Path

import pytest
from learning_home import WORKSPACE, Home

from imprint.domain.sources import WorkspaceName
from imprint.services.learning_reports import LearnReport

ACME = WorkspaceName("acme")
KEY = "conversation:vscode-copilot/chat"


@pytest.fixture
def storage(home: Home) -> Path:
    """What VS Code keeps of the window, whose chat its agent has written."""
    folder = home.path / ".local" / "share" / "code-server" / "User" / "workspaceStorage" / "1957952e"
    with home.open() as application:
        application.workspaces.create(ACME)
        application.roots.add(home.project("acme"), explicit=ACME)
    say(home, folder, "The staging database is called heron.")
    return folder


def say(home: Home, storage: Path, *texts: str) -> Path:
    path = storage / "GitHub.copilot-chat" / "transcripts" / "chat.jsonl"
    begun = path.exists()
    events = [] if begun else [{"type": "session.start", "id": "0", "data": {"sessionId": "chat"}}]
    events += [{"type": "user.message", "id": text, "data": {"content": text}} for text in texts]
    return home.append(path, [json.dumps(event) for event in events])


def outcomes(report: LearnReport) -> dict[str, int]:
    return {outcome.value: count for outcome, count in report.sources.items() if count}


def test_nobody_learns_it_and_that_is_told(home: Home, storage: Path):
    reports = [home.learn(workspace=name) for name in (WORKSPACE, ACME)]

    assert [(outcomes(report), report.untold) for report in reports] == [({}, 1)] * 2


def test_whoever_was_told_the_directory_learns_it_where_that_belongs_and_goes_on(home: Home, storage: Path):
    path = say(home, storage)
    told = {"paths": [path], "cwd": str(home.project("acme"))}

    assert outcomes(home.learn(workspace=WORKSPACE, **told)) == {"refused": 1}
    assert outcomes(home.learn(workspace=ACME, **told)) == {"added": 1}
    say(home, storage, "It moved.")
    assert [outcomes(home.learn(workspace=name)) for name in (ACME, WORKSPACE)] == [{"changed": 1}, {"refused": 1}]
    assert home.passages(KEY, ACME) == ["The staging database is called heron.", "It moved."]


def test_a_directory_that_was_told_is_that_of_what_was_named_alone(home: Home, storage: Path):
    other = storage / "GitHub.copilot-chat" / "transcripts" / "other.jsonl"
    home.append(other, say(home, storage).read_text().splitlines())

    home.learn(workspace=ACME, paths=[say(home, storage)], cwd=str(home.project("acme")))

    assert home.sources(ACME) == [KEY]


@pytest.mark.parametrize("cwd", ["src/acme", ".", "~/src/acme", "  ", "C:src" if os.name == "nt" else "C:\\src\\acme"])
def test_a_directory_that_is_no_place_here_is_as_if_nobody_had_told_it(home: Home, storage: Path, cwd: str):
    """A conversation without a directory belongs to every workspace; of this one it is known that it has one."""
    told = {"paths": [say(home, storage)], "cwd": cwd}

    reports = [home.learn(workspace=name, **told) for name in (WORKSPACE, ACME)]

    assert [(outcomes(report), report.untold) for report in reports] == [({}, 1)] * 2

"""Clients of another system on the machine: found, connected across the border, learned from, trusted no more."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
from other_systems import Machine

from imprint.adapters.client_files import RealClientFiles
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientNotFoundError, RefusedRootError, UnknownHomeError
from imprint.services.connect import ClientState

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a distribution is Linux")


class Silent:
    """Progress that nobody watches."""

    def start(self, activity: str, total_bytes: int | None) -> None: ...

    def advance(self, count: int, bytes: int, current: str) -> None: ...

    def finish(self) -> None: ...


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def say(machine: Machine, session: str, cwd: str) -> Path:
    path = machine.windows / ".claude" / "projects" / "C--src" / f"{session}.jsonl"
    path.parent.mkdir(exist_ok=True)
    line = {
        "type": "user",
        "uuid": f"{session}-1",
        "sessionId": session,
        "cwd": cwd,
        "timestamp": "2026-03-01T10:00:00.000Z",
        "message": {"role": "user", "content": "The button is blue."},
    }
    path.write_text(json.dumps(line) + "\n")
    return path


def test_clients_of_windows_are_listed_as_its_own(machine: Machine):
    with machine.open() as application:
        statuses = {status.address: status for status in application.connections.list()}

    assert statuses["claude-code@windows"].state is ClientState.DISCONNECTED
    assert str(statuses["codex@windows"].installation.folder) == str(machine.windows / ".codex")
    assert statuses["codex"].state is ClientState.NOT_FOUND
    assert statuses["claude-code"].home == ""


def test_connecting_writes_there_what_starts_the_program_here_and_disconnecting_leaves_nothing(machine: Machine):
    (machine.windows / ".claude.json").write_bytes(b'{\r\n  "numStartups": 3\r\n}')
    before, own = contents(machine.windows), contents(machine.home)

    with machine.open() as application:
        programs = application.connections.programs()
        assert application.connections.connect("claude-code@windows").applied
        state = json.loads((machine.windows / ".claude.json").read_bytes())
        settings = json.loads((machine.windows / ".claude" / "settings.json").read_bytes())
        again = application.connections.connect("claude-code@WINDOWS")
        connected = {status.address: status.state for status in application.connections.list()}
        assert application.connections.disconnect("claude-code@windows").applied

    assert state["mcpServers"]["imprint"] == {
        "type": "stdio",
        "command": "wsl.exe",
        "args": [
            *("-d", "Debian", "-u", "me", "--exec", "//usr/bin/env"),
            f"IMPRINT_WSL_HOME=/{machine.windows}",
            f"/{programs.server[0]}",
        ],
    }
    command = settings["hooks"]["Stop"][0]["hooks"][0]["command"]
    assert command.startswith("wsl.exe -d Debian -u me --exec //usr/bin/env IMPRINT_WSL_HOME=//")
    assert command.endswith("/imprint-hook claude-code Stop")
    assert (again.plan, connected["claude-code@windows"]) == ((), ClientState.CONNECTED)
    assert connected["claude-code"] is ClientState.DISCONNECTED
    assert contents(machine.windows) == before
    assert contents(machine.home) == own


def test_a_dry_run_shows_the_other_systems_files_and_changes_none(machine: Machine):
    before = contents(machine.windows)

    with machine.open() as application:
        change = application.connections.connect("codex@windows", dry_run=True)

    assert all(str(step.path).startswith(str(machine.windows)) for step in change.plan)
    assert (change.client, change.applied, contents(machine.windows)) == ("codex@windows", False, before)


def test_what_is_found_everywhere_has_names_that_connecting_takes(machine: Machine):
    with machine.open() as application:
        assert application.connections.found() == ["claude-code", "claude-code@windows", "codex@windows"]


@pytest.mark.parametrize(
    ("name", "error"),
    [("codex@wsl-Debian", UnknownHomeError), ("claude-code@", UnknownHomeError), ("codex", ClientNotFoundError)],
)
def test_a_home_or_a_client_that_is_not_there_is_told(machine: Machine, name: str, error: type[Exception]):
    with machine.open() as application, pytest.raises(error):
        application.connections.connect(name)


def test_conversations_of_windows_are_learned_by_the_folder_that_is_meant(machine: Machine):
    project = machine.drive / "src" / "acme"
    project.mkdir(parents=True)
    say(machine, "one", "C:\\src\\acme")

    with machine.open() as application:
        application.workspaces.create("acme")
        application.roots.add(project, explicit="acme")
        reports = {
            name: application.learning.learn(application.workspaces.selected(name), Silent())
            for name in ("default", "acme")
        }

    counted = {name: {outcome.value: n for outcome, n in one.sources.items() if n} for name, one in reports.items()}
    assert counted == {"default": {"refused": 1}, "acme": {"added": 1}}


def test_conversations_that_a_client_here_holds_in_folders_of_windows_belong_to_those(machine: Machine):
    project = machine.drive / "src" / "acme"
    project.mkdir(parents=True)
    written = say(machine, "one", "C:\\src\\acme")
    kept = machine.home / ".claude" / "projects" / "C--src" / "one.jsonl"
    kept.parent.mkdir(parents=True)
    written.rename(kept)

    with machine.open() as application:
        application.workspaces.create("acme")
        application.roots.add(project, explicit="acme")
        reports = [
            application.learning.learn(application.workspaces.selected(name), Silent()) for name in ("default", "acme")
        ]

    assert [{outcome.value: n for outcome, n in one.sources.items() if n} for one in reports] == [
        {"refused": 1},
        {"added": 1},
    ]


def test_a_transcript_that_names_many_folders_of_windows_has_each_folder_listed_once(machine: Machine):
    listed: list[str] = []

    class Listing(RealClientFiles):
        def names(self, folder: CanonicalPath) -> Sequence[str]:
            listed.append(str(folder))
            return super().names(folder)

    for number in range(50):
        (machine.drive / "Src" / f"p{number}").mkdir(parents=True)
    with machine.open() as application:
        homes = attrs.evolve(application.homes, open_files=lambda _: Listing())
        here = homes.here()
        places = [here.localize(f"C:\\Src\\p{number}") for number in range(50)]
        missing = here.localize("C:\\Src\\q")

    assert places == [str(machine.drive / "Src" / f"p{number}") for number in range(50)]
    assert missing == str(machine.drive / "Src" / "q")
    assert len(listed) == len(set(listed))


def test_a_transcript_of_windows_is_learned_when_it_is_named(machine: Machine):
    path = say(machine, "one", "C:\\src\\gone")
    say(machine, "two", "C:\\src\\gone")

    with machine.open() as application:
        report = application.learning.learn(
            application.workspaces.selected(), Silent(), clients=["claude-code"], paths=[path], dry_run=True
        )

    assert [verdict.path for verdict in report.conversations] == [str(path)]
    assert str(machine.drive / "src" / "gone") in report.conversations[0].reason


def test_a_home_of_windows_is_no_root_and_ends_the_walk(machine: Machine):
    """A file in it would assign everything beneath: neither is it believed nor can it be approved."""
    project = machine.windows / "src"
    project.mkdir()
    (machine.windows / ".imprint").mkdir()
    (machine.windows / ".imprint" / "workspace.json").write_text('{"workspace": "default"}')

    with machine.open() as application:
        for folder in (machine.windows, machine.drive / "Users", machine.drive.parent):
            with pytest.raises(RefusedRootError):
                application.roots.add(folder)
        found = application.workspaces.which(project)

    assert (found.surroundings.project, found.resolution.proposal) == (None, None)


def test_connecting_approves_nothing(machine: Machine):
    with machine.open() as application:
        for client in application.connections.found():
            application.connections.connect(client)

        assert application.roots.list() == ()

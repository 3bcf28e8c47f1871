"""Connecting clients in a real home: files, links, modes, records, and what is left when something goes wrong."""

import json
import os

import attrs
import pytest

from imprint.adapters.canonical_paths import pure_path
from imprint.adapters.client_files import RealClientFiles
from imprint.adapters.client_writing import RealClientFileWriter
from imprint.adapters.connection_files import ConnectionFiles
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.home_hosts import RealHomeHost
from imprint.domain.plans import FileEdit, RunCommand
from imprint.errors import (
    ClientCommandFailedError,
    ClientFileChangedError,
    ClientFileUnreadableError,
    ClientFileUnwritableError,
    ClientNotFoundError,
    ClientsBusyError,
    ConnectionRecordDamagedError,
    InvalidClientFileError,
    NoClientFoundError,
    UnknownPluginError,
)
from imprint.plugins import ClientHome, OurPrograms
from imprint.plugins.registry import PluginRegistry
from imprint.services.connect import ClientState, Connections
from imprint.services.homes import Homes
from imprint.testing.fakes import FixedClock

PROGRAMS = OurPrograms(server=("/opt/imprint-mcp",), hook=("/opt/imprint-hook",), instructions="Search first.\n")
CLAUDE, CODEX = "claude-code", "codex"
CLIENTS = (CLAUDE, CODEX, "gemini-cli", "qwen-code")


@attrs.define
class FailingWriter(RealClientFileWriter):
    """Has no room for some files."""

    names: tuple[str, ...] = ()

    def write(self, edit):
        if edit.path.name in self.names:
            raise ClientFileUnwritableError(str(edit.path), "no space left on device")
        super().write(edit)


@pytest.fixture
def home(tmp_path):
    """A home in which the clients were started once."""
    folder = tmp_path / "home"
    for name in (".claude", ".codex", ".gemini", ".qwen"):
        (folder / name).mkdir(parents=True)
    (folder / ".claude.json").write_bytes(b'{\r\n\t"numStartups": 3\r\n}')
    (folder / ".codex" / "config.toml").write_bytes(b'model = "gpt" # mine')
    (folder / ".codex" / "AGENTS.md").write_bytes(b"Be brief.")
    (folder / ".gemini" / "settings.json").write_bytes(b'{\n  // mine\n  "ui": {"theme": "GitHub"}\n}')
    (folder / ".qwen" / "QWEN.md").write_bytes(b"Be brief.")
    return folder


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def connections(home, data, *, writer=None, programs=PROGRAMS, search_path=""):
    plugins = PluginRegistry(entry_points=list)
    host = RealHomeHost(home=pure_path(home), environ={}, system="linux")
    return Connections(
        plugins=plugins,
        homes=Homes(
            own=ClientHome(path=host.home, system="linux"),
            plugins=plugins,
            host=host,
            open_files=lambda _: RealClientFiles(search_path),
        ),
        writer=writer or RealClientFileWriter(),
        records=ConnectionFiles(DataFolder(data), FixedClock()),
        programs=lambda: programs,
    )


def contents(home):
    """Every file with its bytes and mode, every folder, every link with its target."""
    found = {}
    for path in sorted(home.rglob("*")):
        if path.is_symlink():
            found[path] = path.readlink()
        else:
            found[path] = (path.stat().st_mode, path.read_bytes() if path.is_file() else None)
    return found


@pytest.mark.parametrize("client", CLIENTS)
def test_disconnecting_leaves_the_home_as_it_was(home, data, client):
    before = contents(home)

    assert connections(home, data).connect(client).applied
    assert contents(home) != before
    assert connections(home, data).disconnect(client).applied

    assert contents(home) == before


@pytest.mark.parametrize("client", CLIENTS)
def test_connecting_twice_does_nothing_the_second_time(home, data, client):
    connections(home, data).connect(client)
    connected = contents(home)

    again = connections(home, data).connect(client)

    assert (again.plan, again.applied) == ((), False)
    assert contents(home) == connected


def test_dry_run_shows_the_same_plan_and_changes_nothing_at_all(home, data):
    before = contents(home)

    shown = connections(home, data).connect(CLAUDE, dry_run=True)

    assert not shown.applied
    assert contents(home) == before
    assert not data.exists()
    assert connections(home, data).connect(CLAUDE).plan == shown.plan


def test_folder_that_was_made_goes_again(tmp_path, data):
    home = tmp_path / "fresh"
    (home / "bin").mkdir(parents=True)
    program = home / "bin" / "codex"
    program.write_text("")
    program.chmod(0o755)
    service = connections(home, data, search_path=str(home / "bin"))

    service.connect(CODEX)
    assert (home / ".codex").stat().st_mode & 0o777 == 0o700
    service.disconnect(CODEX)

    assert sorted(path.name for path in home.iterdir()) == ["bin"]


@pytest.mark.parametrize("order", [("copilot-cli", "vscode-copilot"), ("vscode-copilot", "copilot-cli")])
@pytest.mark.parametrize("last", [0, 1])
def test_folder_that_two_clients_share_goes_with_the_last_of_them(tmp_path, data, order, last):
    home = tmp_path / "fresh"
    (home / "bin").mkdir(parents=True)
    for name in ("copilot", "code"):
        (home / "bin" / name).write_text("")
        (home / "bin" / name).chmod(0o755)
    service = connections(home, data, search_path=str(home / "bin"))
    for client in order:
        service.connect(client)

    service.disconnect(order[1 - last])
    assert [path.name for path in (home / ".copilot" / "hooks").iterdir()] == [f"imprint-{order[last]}.json"]
    assert {status.state for status in service.list() if status.info.name == order[last]} == {ClientState.CONNECTED}
    service.disconnect(order[last])

    assert sorted(path.name for path in home.iterdir()) == ["bin"]


def test_linked_file_is_written_where_it_lies_and_the_link_stays(home, data, tmp_path):
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    real = dotfiles / "claude.json"
    (home / ".claude.json").rename(real)
    (home / ".claude.json").symlink_to(real)
    (home / ".claude" / "CLAUDE.md").symlink_to(dotfiles / "not there yet.md")
    before = contents(home)

    connections(home, data).connect(CLAUDE)

    assert (home / ".claude.json").is_symlink()
    assert "imprint" in json.loads(real.read_text())["mcpServers"]
    assert (dotfiles / "not there yet.md").read_text().count("Search first.") == 1

    connections(home, data).disconnect(CLAUDE)

    assert contents(home) == before
    assert [path.name for path in dotfiles.iterdir()] == ["claude.json"]


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_mode_of_a_file_is_kept_and_a_new_one_is_private(home, data):
    (home / ".claude.json").chmod(0o640)

    connections(home, data).connect(CLAUDE)

    assert (home / ".claude.json").stat().st_mode & 0o777 == 0o640
    assert (home / ".claude" / "settings.json").stat().st_mode & 0o777 == 0o600


def test_what_others_write_meanwhile_stays(home, data):
    connections(home, data).connect(CODEX)
    config = home / ".codex" / "config.toml"
    config.write_bytes(config.read_bytes() + b"\n[tui]\nx = 1\n")

    connections(home, data).disconnect(CODEX)

    assert config.read_bytes() == b'model = "gpt" # mine\n\n[tui]\nx = 1\n'
    assert (home / ".codex" / "AGENTS.md").read_bytes() == b"Be brief."


def test_reconnecting_after_others_wrote_still_leaves_what_was_before_and_what_is_theirs(home, data):
    config = home / ".codex" / "config.toml"
    connections(home, data).connect(CODEX)
    config.write_bytes(config.read_bytes() + b"\n[tui]\nx = 1\n")
    moved = attrs.evolve(PROGRAMS, server=("/new/imprint-mcp",))

    assert [step.path.name for step in connections(home, data, programs=moved).connect(CODEX).plan] == ["config.toml"]
    connections(home, data).disconnect(CODEX)

    assert config.read_bytes() == b'model = "gpt" # mine\n\n[tui]\nx = 1\n'
    assert not (home / ".codex" / "hooks.json").exists()


def test_copies_from_before_are_kept(home, data):
    connections(home, data).connect(CLAUDE)
    connections(home, data).disconnect(CLAUDE)

    (kept,) = [
        path.read_bytes()
        for path in (data / "clients" / CLAUDE / "backups").iterdir()
        if b"imprint" not in path.read_bytes()
    ]

    assert kept == (home / ".claude.json").read_bytes()


def test_copies_do_not_pile_up(home, data):
    for number in range(30):
        records = ConnectionFiles(DataFolder(data), FixedClock(f"2026-01-02T03:04:{number:02}.000Z"))
        edit = FileEdit(path=pure_path(home / "x"), before=b"%d" % number, after=b"", purpose="try")
        records.back_up(CLAUDE, edit)

    kept = {path.read_bytes() for path in (data / "clients" / CLAUDE / "backups").iterdir()}

    assert kept == {b"%d" % number for number in range(10, 30)}


@pytest.mark.parametrize("broken", ["settings.json", "CLAUDE.md"])
def test_connecting_that_failed_half_way_is_finished_by_doing_it_again(home, data, broken):
    before = contents(home)
    with pytest.raises(ClientFileUnwritableError):
        connections(home, data, writer=FailingWriter((broken,))).connect(CLAUDE)

    assert next(connections(home, data).list()).state is ClientState.INCOMPLETE
    connections(home, data).connect(CLAUDE)
    assert next(connections(home, data).list()).state is ClientState.CONNECTED

    connections(home, data).disconnect(CLAUDE)
    assert contents(home) == before


@pytest.mark.parametrize("broken", [".claude.json", "settings.json", "CLAUDE.md"])
def test_connecting_that_failed_half_way_is_undone_by_disconnecting(home, data, broken):
    before = contents(home)
    with pytest.raises(ClientFileUnwritableError):
        connections(home, data, writer=FailingWriter((broken,))).connect(CLAUDE)

    connections(home, data).disconnect(CLAUDE)

    assert contents(home) == before


@pytest.mark.parametrize("broken", [".claude.json", "settings.json", "CLAUDE.md"])
def test_disconnecting_that_failed_half_way_is_finished_by_doing_it_again(home, data, broken):
    before = contents(home)
    connections(home, data).connect(CLAUDE)
    with pytest.raises(ClientFileUnwritableError):
        connections(home, data, writer=FailingWriter((broken,))).disconnect(CLAUDE)

    connections(home, data).disconnect(CLAUDE)

    assert contents(home) == before


def test_file_that_the_client_would_not_read_stops_everything_before_anything_is_written(home, data):
    (home / ".claude" / "settings.json").write_bytes(b'{"a": 1,}')
    before = contents(home)

    with pytest.raises(InvalidClientFileError) as caught:
        connections(home, data).connect(CLAUDE)

    assert caught.value.path == str(home / ".claude" / "settings.json")
    assert contents(home) == before


def test_file_that_was_changed_since_the_plan_is_left_alone(home):
    path = home / ".claude.json"
    edit = FileEdit(path=pure_path(path), before=b"{}", after=b'{"ours": 1}', purpose="try")

    with pytest.raises(ClientFileChangedError):
        RealClientFileWriter().write(edit)
    with pytest.raises(ClientFileChangedError):
        RealClientFileWriter().write(attrs.evolve(edit, before=None))

    assert path.read_bytes() == b'{\r\n\t"numStartups": 3\r\n}'
    assert sorted(child.name for child in home.iterdir()) == [".claude", ".claude.json", ".codex", ".gemini", ".qwen"]


def test_client_that_is_not_there_is_an_error_that_says_what_was_looked_for(tmp_path, data):
    with pytest.raises(ClientNotFoundError) as caught:
        connections(tmp_path, data).connect(CLAUDE)

    assert caught.value.client == "Claude Code"
    assert caught.value.looked_for == (f"folder {tmp_path / '.claude'}", "program 'claude'")
    with pytest.raises(ClientNotFoundError):
        connections(tmp_path, data).disconnect(CLAUDE)


def test_all_clients_of_a_home_without_any_are_one_short_error(tmp_path, data):
    with pytest.raises(NoClientFoundError):
        connections(tmp_path, data).found()


def test_client_that_nobody_knows_is_an_unknown_name(home, data):
    with pytest.raises(UnknownPluginError) as caught:
        connections(home, data).connect("codexx")

    assert caught.value.nearest == CODEX


def test_client_that_was_removed_since_is_disconnected_all_the_same(home, data):
    state = home / ".claude.json"
    before = state.read_bytes()
    connections(home, data).connect(CLAUDE)
    for path in sorted((home / ".claude").rglob("*")):
        path.unlink()
    (home / ".claude").rmdir()

    connections(home, data).disconnect(CLAUDE)

    assert state.read_bytes() == before
    with pytest.raises(ClientNotFoundError):
        connections(home, data).disconnect(CLAUDE)


def test_each_client_is_listed_with_its_state(home, data):
    connections(home, data).connect(CODEX)
    (home / ".claude.json").write_bytes(b"{")

    by_name = {status.info.name: status for status in connections(home, data).list()}
    claude, codex = by_name[CLAUDE], by_name[CODEX]

    assert {by_name[name].state for name in ("gemini-cli", "qwen-code")} == {ClientState.DISCONNECTED}
    assert {by_name[name].state for name in ("cline", "cursor", "opencode")} == {ClientState.NOT_FOUND}
    assert (claude.info.name, claude.state) == (CLAUDE, ClientState.FAILED)
    assert isinstance(claude.error, InvalidClientFileError)
    assert (codex.state, codex.installation.folder) == (ClientState.CONNECTED, pure_path(home / ".codex"))


def test_record_that_cannot_be_read_is_told_and_not_guessed(home, data):
    connections(home, data).connect(CLAUDE)
    record = data / "clients" / CLAUDE / "record.json"
    record.write_text(record.read_text()[:-40])

    with pytest.raises(ConnectionRecordDamagedError) as caught:
        connections(home, data).disconnect(CLAUDE)

    assert caught.value.path == str(record)
    record.unlink()
    connections(home, data).disconnect(CLAUDE)
    assert b"imprint" not in (home / ".claude.json").read_bytes()


def test_something_else_in_the_place_of_a_file_is_told(home, data):
    (home / ".claude.json").unlink()
    os.mkfifo(home / ".claude.json") if hasattr(os, "mkfifo") else (home / ".claude.json").mkdir()

    with pytest.raises(ClientFileUnreadableError):
        connections(home, data).connect(CLAUDE)


def test_two_that_connect_at_once_do_not_meet(home, data):
    first, second = (ConnectionFiles(DataFolder(data), FixedClock(), patience=0) for _ in range(2))

    with first.hold(), pytest.raises(ClientsBusyError), second.hold():
        pass
    with second.hold():
        pass


def test_what_was_noted_is_private(home, data):
    connections(home, data).connect(CLAUDE)

    if os.name == "posix":
        for path in [data / "clients", *(data / "clients").rglob("*")]:
            assert path.stat().st_mode & 0o077 == 0


def test_command_of_a_client_is_run_without_a_shell_and_its_failure_is_told(tmp_path):
    import sys

    target = tmp_path / "a b"
    program = f"import sys; open({str(target)!r}, 'w').write(sys.argv[1])"
    RealClientFileWriter().run(RunCommand(arguments=(sys.executable, "-c", program, "$HOME"), purpose="try"))

    assert target.read_text() == "$HOME"
    for arguments in ((sys.executable, "-c", "raise SystemExit('no')"), (str(tmp_path / "none"),)):
        with pytest.raises(ClientCommandFailedError):
            RealClientFileWriter().run(RunCommand(arguments=arguments, purpose="try"))

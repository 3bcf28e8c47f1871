"""Where a server's session works, when its client was named to it."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from imprint.adapters.fault_logs import HOOK_LOG, read_faults
from imprint.bootstrap.session_directories import find_session_directory

SESSION = "3b5f39ed-432a-4397-8379-b7f1a35e6cf1"


@attrs.frozen
class Desk:
    """A user's home, a project in it, and the folder that a client starts its server in."""

    home: Path

    @property
    def environ(self) -> dict[str, str]:
        return {"HOME": str(self.home), "USERPROFILE": str(self.home), "IMPRINT_DATA_DIR": str(self.home / "data")}

    @property
    def elsewhere(self) -> Path:
        return self.home / "plugin"

    @property
    def faults(self) -> tuple[str, ...]:
        return read_faults(str(self.home / "data"), HOOK_LOG)

    @property
    def note(self) -> Path:
        return self.home / ".copilot" / "session-state" / SESSION / "workspace.yaml"

    def find(self, client: str, **environ: str) -> Path | None:
        return find_session_directory(client, {**self.environ, **environ}, self.elsewhere)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.note.parent.mkdir(parents=True)
    desk.note.write_text(f"id: {SESSION}\ncwd: {tmp_path / 'proj'}\n", encoding="utf-8")
    return desk


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A client's plugin that is not ours and raises, installed."""
    site = tmp_path / "site"
    metadata = site / "strange-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: strange\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[imprint.clients]\nstrange = strange_client\n")
    mutant = Path(__file__).parents[2] / "contracts" / "mutants" / "sound_client.py"
    code = """

@hookimpl
def detect_cwd(environ):
    if environ.get("STRANGE_DEED") == "hang":
        import threading
        threading.Event().wait()
    if environ.get("STRANGE_DEED") == "exit":
        raise SystemExit
    return environ["STRANGE_FOLDER"]
"""
    (site / "strange_client.py").write_text(mutant.read_text(encoding="utf-8") + code, encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    yield "strange"
    sys.modules.pop("strange_client", None)


def test_its_plugin_is_asked(desk: Desk):
    assert desk.find("copilot-cli", COPILOT_AGENT_SESSION_ID=SESSION) == desk.home / "proj"
    assert desk.find("gemini-cli", GEMINI_PROJECT_DIR=str(desk.home / "proj")) == desk.home / "proj"
    assert desk.faults == ()


@pytest.mark.parametrize("client", ["", "copilot-cli", "claude-desktop", "codex", "cursor", "claude-code"])
def test_where_it_does_not_know_the_environment_and_the_working_directory_say(desk: Desk, client: str):
    assert desk.find(client) == desk.elsewhere
    assert desk.find(client, CLAUDE_PROJECT_DIR=str(desk.home / "proj")) == desk.home / "proj"
    assert desk.faults == ()


def test_a_directory_that_is_none_of_this_system_is_as_if_it_were_not_told(desk: Desk):
    for told in ("relative/folder", "C:\\Users\\me" if os.name == "posix" else "/home/me"):
        assert desk.find("gemini-cli", GEMINI_PROJECT_DIR=told) == desk.elsewhere


@pytest.mark.parametrize("client", ["nobody", "../codex", "hook-payloads", " ", "a.b"])
def test_an_unknown_client_is_noted_and_in_nobodys_way(desk: Desk, client: str):
    assert desk.find(client) == desk.elsewhere

    (fault,) = desk.faults
    assert "imprint-mcp UnknownPluginError" in fault


def test_a_blocked_plugin_is_not_asked(desk: Desk):
    blocked = {"IMPRINT_PLUGINS_BLOCK": "copilot-cli", "COPILOT_AGENT_SESSION_ID": SESSION}

    assert desk.find("copilot-cli", **blocked) == desk.elsewhere

    (fault,) = desk.faults
    assert "copilot-cli imprint-mcp PluginBlockedError" in fault


def test_a_note_that_cannot_be_read_is_noted_and_in_nobodys_way(desk: Desk):
    desk.note.unlink()
    desk.note.mkdir()

    assert desk.find("copilot-cli", COPILOT_AGENT_SESSION_ID=SESSION) == desk.elsewhere

    (fault,) = desk.faults
    assert "copilot-cli imprint-mcp ClientFileUnreadableError" in fault


def test_a_strangers_plugin_is_asked_and_may_fail(desk: Desk, stranger: str):
    told = desk.find(stranger, STRANGE_FOLDER=str(desk.home / "proj"))
    untold = desk.find(stranger)

    assert (told, untold) == (desk.home / "proj", desk.elsewhere)
    (fault,) = desk.faults
    assert "strange imprint-mcp PluginCallError" in fault


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("deed", ["hang", "exit"])
def test_a_strangers_plugin_that_never_answers_keeps_no_server_from_starting(desk: Desk, stranger: str, deed: str):
    environ = {**desk.environ, "STRANGE_DEED": deed, "STRANGE_FOLDER": str(desk.home / "proj")}

    assert find_session_directory(stranger, environ, desk.elsewhere, patience_seconds=3) == desk.elsewhere
    assert ["strange imprint-mcp TimeoutError" in fault for fault in desk.faults] == [True] * (deed == "hang")

"""Where a session of Copilot CLI works, as a server is told that Copilot CLI starts elsewhere."""

from pathlib import PurePosixPath, PureWindowsPath

import pytest

from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import copilot_cli

SESSION = "3b5f39ed-432a-4397-8379-b7f1a35e6cf1"
HOME = PurePosixPath("/home/me")
ENVIRON = {"HOME": str(HOME), "COPILOT_AGENT_SESSION_ID": SESSION}
NOTE = """\
id: 3b5f39ed-432a-4397-8379-b7f1a35e6cf1
cwd: {cwd}
git_root: /home/me/proj
branch: main
name: |-
  hello
  cwd: /said/by/the/user
user_named: false
"""


def noted(cwd: str, folder: PurePosixPath | PureWindowsPath = HOME / ".copilot") -> MemoryClientFiles:
    """What Copilot CLI wrote before it starts a server."""
    path = folder / "session-state" / SESSION / "workspace.yaml"
    return MemoryClientFiles(files={path: NOTE.format(cwd=cwd).encode()})


@pytest.mark.parametrize(
    ("written", "directory"),
    [
        ("/home/me/proj/sub", "/home/me/proj/sub"),
        ("/home/me/plain space", "/home/me/plain space"),
        ("'/home/me/it''s: a #hash'", "/home/me/it's: a #hash"),
        ("'/home/me/trailing '", "/home/me/trailing "),
        ('/home/me/"double" \\back', '/home/me/"double" \\back'),
        ("/home/me/ünïcode 日本", "/home/me/ünïcode 日本"),
        ('"/home/me/new\\nline\\ttab"', "/home/me/new\nline\ttab"),
        ("C:\\Users\\me\\proj", "C:\\Users\\me\\proj"),
    ],
)
def test_a_server_is_told_by_the_sessions_note_as_copilot_cli_writes_it(written: str, directory: str):
    assert copilot_cli.detect_cwd({}, ENVIRON, noted(written)) == directory


@pytest.mark.parametrize("written", ["", ">-", "|", "&a", '"/torn', '"\\q"', "''", "~"])
def test_what_is_not_understood_is_not_told(written: str):
    said = copilot_cli.detect_cwd({}, ENVIRON, noted(written))

    assert said is None or not said.startswith("/")


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"HOME": "/home/me", "COPILOT_HOME": "/moved"}, PurePosixPath("/moved")),
        ({"USERPROFILE": "C:\\Users\\me"}, PureWindowsPath("C:\\Users\\me\\.copilot")),
        ({"HOME": "/c/Users/me", "USERPROFILE": "C:\\Users\\me"}, PureWindowsPath("C:\\Users\\me\\.copilot")),
        ({"COPILOT_HOME": "relative", "HOME": "/home/me"}, HOME / ".copilot"),
    ],
)
def test_the_note_is_in_copilot_clis_folder(environ: dict[str, str], folder: PurePosixPath | PureWindowsPath):
    files = noted("/home/me/proj", folder)

    assert copilot_cli.detect_cwd({}, {"COPILOT_AGENT_SESSION_ID": SESSION, **environ}, files) == "/home/me/proj"


@pytest.mark.parametrize("session", ["", "another", "..", f"../session-state/{SESSION}", "a/b"])
def test_without_a_session_that_has_a_note_nothing_is_told(session: str):
    environ = {**ENVIRON, "COPILOT_AGENT_SESSION_ID": session}

    assert copilot_cli.detect_cwd({}, environ, noted("/home/me/proj")) is None
    assert copilot_cli.detect_cwd({}, {"HOME": str(HOME)}, noted("/home/me/proj")) is None


def test_a_payload_goes_before_the_note_and_the_note_before_the_repositorys_variable():
    files, environ = noted("/home/me/proj/sub"), {**ENVIRON, "COPILOT_PROJECT_DIR": "/home/me/proj"}

    assert copilot_cli.detect_cwd({"cwd": "/told"}, environ, files) == "/told"
    assert copilot_cli.detect_cwd({}, environ, files) == "/home/me/proj/sub"
    assert copilot_cli.detect_cwd({}, environ, MemoryClientFiles()) == "/home/me/proj"

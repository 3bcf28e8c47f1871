"""Claude Desktop, by its documentation: where its configuration lies, and what stands in it."""

import json
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import claude_desktop

LINUX = ClientHome(path=PurePosixPath("/home/me"), system="linux")
MACOS = ClientHome(path=PurePosixPath("/Users/me"), system="macos")
WINDOWS = ClientHome(path=PureWindowsPath("C:/Users/me"), system="windows")
MOVED = ClientHome(path=WINDOWS.path, system="windows", environ={"APPDATA": "D:\\Data", "LOCALAPPDATA": "D:\\Local"})
PACKED = PureWindowsPath("C:/Users/me/AppData/Local/Packages/Claude_pzs8/LocalCache/Roaming/Claude")
PROGRAMS = OurPrograms(server=("/opt/imprint-mcp",), hook=("/opt/imprint-hook",), instructions="Search first.\n")


def files(*paths):
    return MemoryClientFiles(files=dict.fromkeys(paths, b"{}"))


@pytest.mark.parametrize(
    ("home", "folder"),
    [
        (LINUX, PurePosixPath("/home/me/.config/Claude")),
        (MACOS, PurePosixPath("/Users/me/Library/Application Support/Claude")),
        (WINDOWS, PureWindowsPath("C:/Users/me/AppData/Roaming/Claude")),
        (MOVED, PureWindowsPath("D:/Data/Claude")),
        (WINDOWS, PACKED),
    ],
    ids=["linux", "macos", "windows", "windows, moved", "windows, from a package"],
)
def test_its_folder_is_found_by_the_conventions_of_the_system(home, folder):
    found = claude_desktop.find_installation(home, files(folder / "config.json"))

    assert found.folder == folder


def test_the_package_wins_since_it_reads_no_other_folder():
    plain = PureWindowsPath("C:/Users/me/AppData/Roaming/Claude")

    found = claude_desktop.find_installation(WINDOWS, files(plain / "config.json", PACKED / "config.json"))

    assert found.folder == PACKED


def test_the_server_is_registered_by_its_absolute_path_and_taken_out_again():
    config = PurePosixPath("/home/me/.config/Claude/claude_desktop_config.json")
    where = MemoryClientFiles(files={config: b'{"globalShortcut": "Alt+C"}'})
    found = claude_desktop.find_installation(LINUX, where)
    silent = claude_desktop.describe_duties(found, where)

    record = ConnectionRecord(edits=where.carry_out(claude_desktop.plan_connect(found, PROGRAMS, where)))

    assert json.loads(where.files[config]) == {
        "globalShortcut": "Alt+C",
        "mcpServers": {"imprint": {"command": "/opt/imprint-mcp", "args": []}},
    }
    assert silent == ()
    assert "start it again" in claude_desktop.describe_duties(found, where)[0].text
    where.carry_out(claude_desktop.plan_disconnect(found, record, where))
    assert where.files[config] == b'{"globalShortcut": "Alt+C"}'


def test_sessions_of_the_local_agent_are_found_where_they_lie():
    folder = PurePosixPath("/home/me/.config/Claude/local-agent-mode-sessions/app/org")
    session = folder / "local_1" / ".claude" / "projects" / "-slug" / "one.jsonl"
    where = files(session, folder / "local_1.json", folder / "local_1" / "audit.jsonl")
    found = claude_desktop.find_installation(LINUX, where)

    assert [one.path for one in claude_desktop.find_transcripts(found, where)] == [session]


def test_no_directory_is_taken_from_the_app():
    assert claude_desktop.detect_cwd() is None

"""What connecting Cline puts into the files of its command line and its extension, and takes out."""

import json
import shutil
import subprocess
from pathlib import Path, PurePosixPath, PureWindowsPath

import attrs
import pytest

from imprint.errors import InvalidClientFileError
from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import cline

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
OWN, SHARED = HOME.path / ".cline", HOME.path / "Documents" / "Cline"
SETTINGS = OWN / "data" / "settings" / "cline_mcp_settings.json"
EXTENSION = HOME.path / ".config" / "Code" / "User" / "globalStorage" / "saoudrizwan.claude-dev"
EXTENSION_SETTINGS = EXTENSION / "settings" / "cline_mcp_settings.json"
PROGRAMS = OurPrograms(
    server=("/opt/my tools/imprint-mcp",), hook=("/opt/my tools/imprint-hook",), instructions="Search first.\n"
)
NOTHING = ConnectionRecord()
EVENTS = ("PreToolUse", "TaskComplete")


def files(contents=None):
    return MemoryClientFiles(files=contents or {}, programs=PurePosixPath("/usr/bin"))


def with_extension(contents=None):
    return files({EXTENSION_SETTINGS: b'{"mcpServers": {}}', **(contents or {})})


def connect(where, home=HOME, programs=PROGRAMS):
    found = cline.find_installation(home, where)
    return ConnectionRecord(edits=where.carry_out(cline.plan_connect(found, programs, where)))


def disconnect(where, record=NOTHING, home=HOME):
    where.carry_out(cline.plan_disconnect(cline.find_installation(home, where), record, where))


def hooks(where):
    return sorted(str(path) for path in where.files if path.stem in EVENTS)


def test_server_is_registered_with_both_faces():
    where = with_extension()

    connect(where)

    for path in (SETTINGS, EXTENSION_SETTINGS):
        assert json.loads(where.files[path])["mcpServers"]["imprint"] == {
            "type": "stdio",
            "command": "/opt/my tools/imprint-mcp",
            "args": [],
        }


def test_the_extension_alone_gets_no_files_of_the_command_line():
    where = MemoryClientFiles(files={EXTENSION_SETTINGS: b"{}"})

    connect(where)

    assert not any(OWN in path.parents for path in where.files)


def test_hooks_are_programs_that_call_ours():
    where = files()

    plan = cline.plan_connect(cline.find_installation(HOME, where), PROGRAMS, where)

    found = {edit.path: edit for edit in plan if edit.path.stem in EVENTS}
    assert set(found) == {OWN / "hooks" / f"{event}.sh" for event in EVENTS}
    for path, edit in found.items():
        assert edit.mode & 0o100
        assert edit.after.startswith(b"#!/bin/sh\n")
        assert f"'/opt/my tools/imprint-hook' cline {path.stem} ".encode() in edit.after


def test_hooks_stand_where_both_faces_run_them_when_both_are_there():
    where = with_extension()

    connect(where)

    assert hooks(where) == [str(SHARED / "Hooks" / event) for event in EVENTS]


def test_a_strangers_hook_of_the_same_name_stays_and_ours_stands_beside_it():
    theirs = {OWN / "hooks" / "TaskComplete": b"#!/bin/sh\nsay done\n", OWN / "hooks" / "PreToolUse.sh": b"exit 0\n"}
    where = files(dict(theirs))

    record = connect(where)
    assert hooks(where) == sorted(
        str(OWN / "hooks" / name) for name in ("PreToolUse.bash", "PreToolUse.sh", "TaskComplete", "TaskComplete.sh")
    )
    disconnect(where, record)

    assert where.files == theirs


def test_where_the_extension_has_a_strangers_hook_the_command_line_gets_ours_and_the_user_is_told():
    where = with_extension({SHARED / "Hooks" / "TaskComplete": b"#!/bin/sh\nsay done\n"})

    connect(where)

    assert hooks(where) == [
        str(OWN / "hooks" / "TaskComplete.sh"),
        str(SHARED / "Hooks" / "PreToolUse"),
        str(SHARED / "Hooks" / "TaskComplete"),
    ]
    (note,) = cline.describe_duties(cline.find_installation(HOME, where), where)
    assert "TaskComplete" in note.text
    assert "PreToolUse" not in note.text


def test_hooks_are_refused_where_every_name_is_taken():
    taken = {OWN / "hooks" / f"TaskComplete{suffix}": b"theirs" for suffix in (".sh", ".bash", ".zsh")}
    where = files(dict(taken))

    with pytest.raises(InvalidClientFileError):
        connect(where)
    assert where.files == taken


def test_what_was_put_in_before_the_extension_was_there_goes_as_well():
    where = files()
    record = connect(where)
    where.files[EXTENSION_SETTINGS] = b"{}"
    connect(where)

    disconnect(where, record)

    assert b"imprint" not in b"".join(where.files.values())
    assert not hooks(where)


def test_moved_folders_are_followed():
    moved = attrs.evolve(HOME, environ={"CLINE_DIR": "/a", "CLINE_DATA_DIR": "/b"})
    named = attrs.evolve(moved, environ={**moved.environ, "CLINE_MCP_SETTINGS_PATH": "/c/servers.json"})
    where, elsewhere = files(), files()

    connect(where, moved)
    connect(elsewhere, named)

    assert sorted(map(str, where.files)) == [
        "/a/hooks/PreToolUse.sh",
        "/a/hooks/TaskComplete.sh",
        "/a/rules/imprint.md",
        "/b/settings/cline_mcp_settings.json",
    ]
    assert PurePosixPath("/c/servers.json") in elsewhere.files


def test_on_windows_hooks_are_powershells():
    home = ClientHome(path=PureWindowsPath("C:\\Users\\Me"), system="windows")
    programs = attrs.evolve(PROGRAMS, hook=("C:\\Program Files\\it's\\imprint-hook.exe",))
    where = MemoryClientFiles(files={home.path / ".cline" / "x": b""})

    connect(where, home, programs)

    content = where.files[home.path / ".cline" / "hooks" / "TaskComplete.ps1"].decode()
    assert "$input | & 'C:\\Program Files\\it''s\\imprint-hook.exe' 'cline' 'TaskComplete'" in content
    assert not cline.plan_connect(cline.find_installation(home, where), programs, where)


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
@pytest.mark.parametrize("works", [True, False])
def test_the_hook_hands_on_what_it_is_given_and_a_missing_program_is_no_obstacle(tmp_path: Path, works: bool):
    program = tmp_path / "my tools" / "imprint-hook"
    program.parent.mkdir()
    if works:
        program.write_text('#!/bin/sh\necho "$1 $2 $(cat)"\necho noise >&2\n')
        program.chmod(0o755)
    where = files()
    connect(where, programs=attrs.evolve(PROGRAMS, hook=(str(program),)))
    script = tmp_path / "TaskComplete.sh"
    script.write_bytes(where.files[OWN / "hooks" / "TaskComplete.sh"])

    done = subprocess.run(["sh", str(script)], input=b'{"a": 1}', capture_output=True, check=True)

    assert done.stderr == b""
    if works:
        assert done.stdout == b'cline TaskComplete {"a": 1}\n'
    else:
        assert json.loads(done.stdout) == {"cancel": False}


def test_it_is_found_by_its_folder_its_program_or_its_extension_alone():
    assert cline.find_installation(HOME, MemoryClientFiles()) is None
    for there in (MemoryClientFiles(files={SETTINGS: b"{}"}), MemoryClientFiles(files={EXTENSION_SETTINGS: b"{}"})):
        assert cline.find_installation(HOME, there).program is None
    assert cline.find_installation(HOME, files()).program == PurePosixPath("/usr/bin/cline")

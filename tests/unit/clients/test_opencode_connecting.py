"""What connecting opencode puts into its folder, and takes out."""

import json
from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest

from imprint.errors import InvalidClientFileError
from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import opencode

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
FOLDER = HOME.path / ".config" / "opencode"
CONFIG, COMMENTED = FOLDER / "opencode.json", FOLDER / "opencode.jsonc"
PLUGIN, WORDS = FOLDER / "plugin" / "imprint.js", FOLDER / "imprint.md"
PROGRAMS = OurPrograms(
    server=("/opt/my tools/imprint-mcp",), hook=("/opt/my tools/imprint-hook",), instructions="Search first.\n"
)
NOTHING = ConnectionRecord()


def files(contents=None):
    return MemoryClientFiles(files=contents or {}, programs=PurePosixPath("/usr/bin"))


def connect(where, home=HOME, programs=PROGRAMS):
    found = opencode.find_installation(home, where)
    return ConnectionRecord(edits=where.carry_out(opencode.plan_connect(found, programs, where)))


def disconnect(where, record=NOTHING, home=HOME):
    where.carry_out(opencode.plan_disconnect(opencode.find_installation(home, where), record, where))


def test_server_and_instructions_are_named_in_its_configuration():
    where = files()

    connect(where)

    assert json.loads(where.files[CONFIG]) == {
        "mcp": {"imprint": {"type": "local", "command": ["/opt/my tools/imprint-mcp"], "enabled": True}},
        "instructions": ["/home/me/.config/opencode/imprint.md"],
    }
    assert b"Search first." in where.files[WORDS]


def test_the_plugin_calls_our_hook_by_its_path():
    where = files()

    connect(where)

    assert b'const HOOK = ["/opt/my tools/imprint-hook"]' in where.files[PLUGIN]
    assert b"@" not in where.files[PLUGIN].replace(b"@opencode", b"")


def test_no_rules_are_made_since_they_would_hide_those_of_another_client():
    """Where there is no AGENTS.md, opencode reads the user's CLAUDE.md."""
    where = files({HOME.path / ".claude" / "CLAUDE.md": b"Mine."})

    connect(where)

    assert FOLDER / "AGENTS.md" not in where.files


@pytest.mark.parametrize(
    ("present", "used"), [([], CONFIG), ([CONFIG], CONFIG), ([COMMENTED], COMMENTED), ([CONFIG, COMMENTED], COMMENTED)]
)
def test_the_file_that_it_reads_last_is_used(present, used):
    where = files(dict.fromkeys(present, b"{ // mine\n}"))

    connect(where)

    assert [path for path in (CONFIG, COMMENTED) if b"mcp" in where.files.get(path, b"")] == [used]


def test_comments_and_what_others_wrote_are_there_before_and_after():
    before = b'{\n  // my model\n  "model": "a/b",\n  "mcp": {"other": {"type": "local", "command": ["x"]}},\n}\n'
    where = files({COMMENTED: before})

    record = connect(where)
    assert b"// my model" in where.files[COMMENTED]
    assert b'"other"' in where.files[COMMENTED]
    where.files[COMMENTED] = where.files[COMMENTED].replace(b"a/b", b"c/d")
    disconnect(where, record)

    assert where.files == {COMMENTED: before.replace(b"a/b", b"c/d")}


def test_ours_is_found_in_a_file_that_was_used_before_the_other_was_there():
    where = files()
    record = connect(where)
    where.files[COMMENTED] = b'{"model": "a/b"}'

    disconnect(where, record)

    assert where.files == {COMMENTED: b'{"model": "a/b"}'}


@pytest.mark.parametrize("path", [PLUGIN, WORDS])
def test_a_strangers_file_under_our_name_is_left_alone(path):
    where = files({path: b"// somebody else's\n"})

    with pytest.raises(InvalidClientFileError):
        connect(where)
    disconnect(where)

    assert where.files == {path: b"// somebody else's\n"}


def test_a_new_release_takes_the_place_of_the_old_plugin_and_nothing_is_left_without_a_record():
    where = files()
    connect(where)
    moved = attrs.evolve(PROGRAMS, hook=("/new/imprint-hook",))

    connect(where, programs=moved)
    assert where.files[PLUGIN].count(b"imprint-hook") == 1
    disconnect(where)

    assert PLUGIN not in where.files
    assert WORDS not in where.files
    assert b"imprint" not in b"".join(where.files.values())


def test_its_folder_follows_the_variable_on_every_system():
    moved = attrs.evolve(HOME, environ={"XDG_CONFIG_HOME": "/elsewhere"})
    windows = ClientHome(path=PureWindowsPath("C:\\Users\\Me"), system="windows")

    assert str(opencode.find_installation(moved, files()).folder) == "/elsewhere/opencode"
    assert opencode.find_installation(windows, MemoryClientFiles.of_everything(windows)).folder == (
        windows.path / ".config" / "opencode"
    )


def test_it_is_found_by_its_folders_or_its_program_alone():
    assert opencode.find_installation(HOME, MemoryClientFiles()) is None
    for path in (CONFIG, HOME.path / ".local" / "share" / "opencode" / "opencode.db"):
        assert opencode.find_installation(HOME, MemoryClientFiles(files={path: b""})).program is None

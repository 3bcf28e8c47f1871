"""What connecting Claude Code puts into its files, and takes out."""

import json
from importlib.resources import files as files_of
from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest

from imprint.errors import InvalidClientFileError
from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import claude_code
from imprint_client_plugins.our_server import ASKING_TOOLS

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
STATE = HOME.path / ".claude.json"
SETTINGS = HOME.path / ".claude" / "settings.json"
WORDS = HOME.path / ".claude" / "CLAUDE.md"
PROGRAMS = OurPrograms(
    server=("/opt/my tools/imprint-mcp",), hook=("/opt/my tools/imprint-hook",), instructions="Search first.\n"
)


def files(contents=None):
    return MemoryClientFiles(files=contents or {}, programs=PurePosixPath("/usr/bin"))


def find(where, home=HOME):
    return claude_code.find_installation(home, where)


def connect(where, programs=PROGRAMS, home=HOME):
    return ConnectionRecord(edits=where.carry_out(claude_code.plan_connect(find(where, home), programs, where)))


NOTHING = ConnectionRecord()


def disconnect(where, record=NOTHING):
    where.carry_out(claude_code.plan_disconnect(find(where), record, where))


def commands(settings, event):
    return [hook["command"] for group in settings["hooks"][event] for hook in group["hooks"]]


def test_server_is_registered_at_user_scope_as_the_client_itself_writes_it():
    where = files()

    connect(where)

    assert json.loads(where.files[STATE]) == {
        "mcpServers": {"imprint": {"type": "stdio", "command": "/opt/my tools/imprint-mcp", "args": []}}
    }


def test_hooks_are_quoted_for_a_shell_and_have_a_timeout_of_their_own():
    where = files()

    connect(where)

    settings = json.loads(where.files[SETTINGS])
    assert set(settings["hooks"]) == {"SessionStart", "Stop", "PreCompact", "SessionEnd"}
    for event, groups in settings["hooks"].items():
        ((hook,),) = (group["hooks"] for group in groups)
        assert hook["command"] == f"'/opt/my tools/imprint-hook' claude-code {event}"
        assert hook["timeout"] >= 10


def test_tools_are_allowed_but_for_those_that_ask():
    where = files()

    connect(where)

    permissions = json.loads(where.files[SETTINGS])["permissions"]
    assert permissions["allow"] == ["mcp__imprint"]
    assert permissions["ask"] == [f"mcp__imprint__{tool}" for tool in ASKING_TOOLS]


def test_hooks_and_rules_of_others_stay_before_ours_and_after_us():
    theirs = {
        "permissions": {"allow": ["Bash(ls:*)"], "deny": ["mcp__imprint__ingest"]},
        "hooks": {"Stop": [{"matcher": "*", "hooks": [{"type": "command", "command": "say done"}]}]},
    }
    before = json.dumps(theirs, indent=4).encode()
    where = files({SETTINGS: before})

    record = connect(where)
    settings = json.loads(where.files[SETTINGS])
    assert commands(settings, "Stop") == ["say done", "'/opt/my tools/imprint-hook' claude-code Stop"]
    assert settings["permissions"]["allow"] == ["Bash(ls:*)", "mcp__imprint"]

    disconnect(where, record)
    assert where.files[SETTINGS] == before


def test_what_the_client_writes_meanwhile_stays_when_ours_goes():
    where = files({STATE: b'{\n  "numStartups": 1\n}'})
    record = connect(where)
    state = json.loads(where.files[STATE])
    where.files[STATE] = json.dumps({**state, "numStartups": 2}, indent=2).encode()

    disconnect(where, record)

    assert where.files[STATE] == b'{\n  "numStartups": 2\n}'
    assert SETTINGS not in where.files
    assert WORDS not in where.files


def test_server_that_a_person_registered_by_hand_is_there_again_afterwards():
    by_hand = b'{"mcpServers": {"imprint": {"command": "imprint-mcp", "env": {"A": "b"}}}}'
    where = files({STATE: by_hand})
    record = connect(where)
    assert json.loads(where.files[STATE])["mcpServers"]["imprint"]["command"] == "/opt/my tools/imprint-mcp"
    where.files[STATE] = where.files[STATE].replace(b'{"mcp', b'{"new": 1, "mcp')

    disconnect(where, record)

    assert json.loads(where.files[STATE]) == {"new": 1, **json.loads(by_hand)}


def test_moved_program_takes_the_place_of_the_old_one():
    where = files()
    connect(where)
    moved = attrs.evolve(PROGRAMS, server=("/new/imprint-mcp",), hook=("/new/imprint-hook",))

    connect(where, moved)

    settings = json.loads(where.files[SETTINGS])
    assert commands(settings, "Stop") == ["/new/imprint-hook claude-code Stop"]
    assert json.loads(where.files[STATE])["mcpServers"]["imprint"]["command"] == "/new/imprint-mcp"
    disconnect(where)
    assert b"imprint" not in b"".join(where.files.values())


def test_containers_that_were_empty_are_empty_again():
    before = b'{"mcpServers": {},\n "projects": {}}'
    where = files({STATE: before, SETTINGS: b'{"hooks": { }, "permissions": {"allow": [\n]}}'})
    record = connect(where)
    for path in (STATE, SETTINGS):
        where.files[path] += b"\n"  # No longer what the record says.

    disconnect(where, record)

    assert where.files[STATE] == before + b"\n"
    assert where.files[SETTINGS] == b'{"hooks": { }, "permissions": {"allow": [\n]}}\n'


@pytest.mark.parametrize(
    "damaged", [b'{"a": 1,}', b"// no\n{}", b"[]", b'{"mcpServers": []}', b'{"hooks": {"Stop": {}}}']
)
def test_file_that_the_client_would_not_read_is_refused_whole(damaged):
    path = SETTINGS if b"hooks" in damaged else STATE
    where = files({path: damaged})

    with pytest.raises(InvalidClientFileError):
        connect(where)
    assert where.files == {path: damaged}


def test_moved_folder_holds_everything():
    moved = attrs.evolve(HOME, environ={"CLAUDE_CONFIG_DIR": "/elsewhere"})
    where = files()

    connect(where, home=moved)

    assert {str(path) for path in where.files} == {
        "/elsewhere/.claude.json",
        "/elsewhere/settings.json",
        "/elsewhere/CLAUDE.md",
    }


def test_old_installation_keeps_its_old_file():
    old = HOME.path / ".claude" / ".config.json"
    where = files({old: b"{}"})

    connect(where)

    assert STATE not in where.files
    assert "imprint" in json.loads(where.files[old])["mcpServers"]


def test_on_windows_paths_have_slashes_that_no_shell_eats():
    home = ClientHome(path=PureWindowsPath("C:\\Users\\Me"), system="windows")
    programs = OurPrograms(
        server=("C:\\Program Files\\i\\imprint-mcp.exe",),
        hook=("C:\\Program Files\\i\\imprint-hook.exe",),
        instructions="Search.",
    )
    where = MemoryClientFiles.of_everything(home)

    connect(where, programs, home)

    settings = json.loads(where.files[home.path / ".claude" / "settings.json"])
    assert commands(settings, "Stop") == ['"C:/Program Files/i/imprint-hook.exe" claude-code Stop']
    assert not claude_code.plan_connect(find(where, home), programs, where)


def test_it_is_found_by_its_folder_or_its_program_alone():
    nowhere = MemoryClientFiles()
    folder = MemoryClientFiles(files={SETTINGS: b"{}"})

    assert find(nowhere) is None
    assert find(folder).program is None
    assert find(files()).program == PurePosixPath("/usr/bin/claude")


def test_tools_that_ask_are_those_that_the_server_calls_destructive():
    snapshot = json.loads(files_of("imprint_mcp").joinpath("snapshot.json").read_text("utf-8"))
    listed = [result for text in snapshot["results"] if "tools" in (result := json.loads(text))]

    destructive = {tool["name"] for tool in listed[0]["tools"] if tool["annotations"]["destructiveHint"]}

    assert destructive
    assert set(ASKING_TOOLS) == destructive


@pytest.mark.parametrize(
    ("plugins", "count"),
    [
        ({"imprint@imprint": True, "other@imprint": True}, 1),
        ({"imprint@imprint": False}, 0),
        ({"imprint-like@x": True}, 0),
        ([], 0),
        (None, 0),
    ],
)
def test_user_is_told_of_a_plugin_that_brings_the_same(plugins, count):
    where = files({SETTINGS: json.dumps({"enabledPlugins": plugins}).encode()})
    connect(where)

    assert len(claude_code.describe_duties(find(where), where)) == count

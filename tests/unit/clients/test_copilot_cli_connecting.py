"""What connecting Copilot CLI puts into its files, and takes out."""

import json
from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest

from imprint.errors import InvalidClientFileError
from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import copilot_cli

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
FOLDER = HOME.path / ".copilot"
SERVERS = FOLDER / "mcp-config.json"
HOOKS = FOLDER / "hooks" / "imprint-copilot-cli.json"
WORDS = FOLDER / "copilot-instructions.md"
PROGRAMS = OurPrograms(server=("/opt/my tools/imprint-mcp",), hook=("/opt/my tools/imprint-hook",), instructions="Ask.")
EVENTS = {"sessionStart", "agentStop", "preCompact", "sessionEnd"}
NOTHING = ConnectionRecord()


def files(contents=None):
    return MemoryClientFiles(files=contents or {}, programs=PurePosixPath("/usr/bin"))


def find(where, home=HOME):
    return copilot_cli.find_installation(home, where)


def connect(where, programs=PROGRAMS, home=HOME):
    return ConnectionRecord(edits=where.carry_out(copilot_cli.plan_connect(find(where, home), programs, where)))


def disconnect(where, record=NOTHING):
    where.carry_out(copilot_cli.plan_disconnect(find(where), record, where))


def test_server_hooks_and_instructions_each_have_their_file():
    where = files()

    connect(where)

    assert json.loads(where.files[SERVERS]) == {
        "mcpServers": {"imprint": {"type": "local", "command": "/opt/my tools/imprint-mcp", "args": [], "tools": ["*"]}}
    }
    document = json.loads(where.files[HOOKS])
    assert document["version"] == 1
    assert set(document["hooks"]) == EVENTS
    for event, (hook,) in document["hooks"].items():
        command = f"'/opt/my tools/imprint-hook' copilot-cli {event}"
        assert hook == {"type": "command", "bash": command, "timeoutSec": 10}
    assert b"Ask." in where.files[WORDS]


def test_nothing_of_it_is_left_and_servers_of_others_stay():
    before = b'{"mcpServers": {"other": {"type": "local", "command": "other"}}}'
    where = files({SERVERS: before})

    record = connect(where)
    disconnect(where, record)

    assert where.files == {SERVERS: before}


def test_hooks_that_somebody_put_into_our_file_stay_and_can_be_read():
    where = files()
    record = connect(where)
    document = json.loads(where.files[HOOKS])
    theirs = {"type": "command", "bash": "say done"}
    document["hooks"]["agentStop"].append(theirs)
    where.files[HOOKS] = json.dumps(document).encode()

    disconnect(where, record)

    assert json.loads(where.files[HOOKS]) == {"version": 1, "hooks": {"agentStop": [theirs]}}


def test_hooks_of_the_other_client_that_reads_the_folder_are_left_alone():
    theirs = FOLDER / "hooks" / "imprint-vscode-copilot.json"
    where = files({theirs: b'{"version": 1, "hooks": {}}'})

    disconnect(where, connect(where))

    assert where.files == {theirs: b'{"version": 1, "hooks": {}}'}


def test_our_own_file_goes_also_where_nothing_is_on_record():
    where = files()
    connect(where)

    disconnect(where)

    assert HOOKS not in where.files


def test_moved_program_takes_the_place_of_the_old_one():
    where = files()
    connect(where)

    connect(where, attrs.evolve(PROGRAMS, hook=("/new/imprint-hook",)))

    (hook,) = json.loads(where.files[HOOKS])["hooks"]["agentStop"]
    assert hook["bash"] == "/new/imprint-hook copilot-cli agentStop"


def test_moved_folder_holds_everything():
    moved = attrs.evolve(HOME, environ={"COPILOT_HOME": "/elsewhere"})
    where = files()

    connect(where, home=moved)

    assert {str(path) for path in where.files} == {
        "/elsewhere/mcp-config.json",
        "/elsewhere/hooks/imprint-copilot-cli.json",
        "/elsewhere/copilot-instructions.md",
    }


def test_on_windows_powershell_is_told_to_call_the_path():
    home = ClientHome(path=PureWindowsPath("C:\\Users\\Me"), system="windows")
    programs = OurPrograms(
        server=("C:\\i\\imprint-mcp.exe",), hook=("C:\\My Tools\\imprint-hook.exe",), instructions=""
    )
    where = MemoryClientFiles.of_everything(home)

    connect(where, programs, home)

    document = json.loads(where.files[home.path / ".copilot" / "hooks" / "imprint-copilot-cli.json"])
    (hook,) = document["hooks"]["agentStop"]
    assert hook["powershell"] == '& "C:/My Tools/imprint-hook.exe" copilot-cli agentStop'
    assert "bash" not in hook
    assert not copilot_cli.plan_connect(find(where, home), programs, where)


def test_a_folder_that_only_holds_hooks_is_no_installation():
    """VS Code reads hooks from there as well, and connecting it makes the folder."""
    only_hooks = MemoryClientFiles(files={HOOKS: b"{}"})
    used = MemoryClientFiles(files={FOLDER / "session-state" / "s" / "events.jsonl": b""})

    assert find(MemoryClientFiles()) is None
    assert find(only_hooks) is None
    assert find(used).program is None
    assert find(files()).program == PurePosixPath("/usr/bin/copilot")


@pytest.mark.parametrize(
    ("path", "damaged"),
    [(SERVERS, b"// no\n{}"), (SERVERS, b'{"mcpServers": []}'), (HOOKS, b'{"hooks": {"agentStop": 1}}')],
)
def test_file_that_the_client_would_not_read_is_refused_whole(path, damaged):
    where = files({path: damaged})

    with pytest.raises(InvalidClientFileError):
        connect(where)
    assert where.files == {path: damaged}


def test_documents_are_the_users_instructions():
    where = files(
        {FOLDER / "instructions" / "python" / "style.instructions.md": b"", FOLDER / "instructions" / "a.md": b""}
    )

    found = [str(document.path) for document in copilot_cli.find_documents(find(where), where)]

    assert found == [str(WORDS), str(FOLDER / "instructions" / "python" / "style.instructions.md")]


@pytest.mark.parametrize(
    ("plugins", "count"),
    [({"imprint@imprint": True, "other@imprint": True}, 1), ({"imprint@imprint": False}, 0), ({}, 0), ([], 0)],
)
def test_user_is_told_of_a_plugin_that_brings_the_same(plugins, count):
    where = files({FOLDER / "settings.json": json.dumps({"enabledPlugins": plugins}).encode()})
    connect(where)

    notes = copilot_cli.describe_duties(find(where), where)

    assert ["imprint@imprint" in note.text and note.is_standing for note in notes] == [True] * count

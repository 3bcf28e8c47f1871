"""What connecting Copilot Chat puts into the files of VS Code's builds, and takes out."""

import json
from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest

from imprint.errors import InvalidClientFileError
from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import vscode_copilot

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
USER = HOME.path / ".config" / "Code" / "User"
SERVERS = USER / "mcp.json"
WORDS = USER / "prompts" / "imprint.instructions.md"
HOOKS = HOME.path / ".copilot" / "hooks" / "imprint-vscode-copilot.json"
PROGRAMS = OurPrograms(server=("/opt/imprint-mcp",), hook=("/opt/imprint-hook",), instructions="Ask.\n")
NOTHING = ConnectionRecord()


def files(contents=None):
    return MemoryClientFiles(files={USER / "settings.json": b"{}", **(contents or {})})


def find(where, home=HOME):
    return vscode_copilot.find_installation(home, where)


def connect(where, home=HOME):
    return ConnectionRecord(edits=where.carry_out(vscode_copilot.plan_connect(find(where, home), PROGRAMS, where)))


def disconnect(where, record=NOTHING):
    where.carry_out(vscode_copilot.plan_disconnect(find(where), record, where))


@pytest.mark.parametrize(
    ("system", "home", "folder"),
    [
        ("linux", "/home/me", "/home/me/.config/Code/User"),
        ("linux", "/home/me", "/home/me/.config/Code - Insiders/User"),
        ("linux", "/home/me", "/home/me/.config/VSCodium/User"),
        ("linux", "/home/me", "/home/me/.local/share/code-server/User"),
        ("macos", "/Users/me", "/Users/me/Library/Application Support/Code/User"),
        ("macos", "/Users/me", "/Users/me/Library/Application Support/Code - Insiders/User"),
        ("macos", "/Users/me", "/Users/me/Library/Application Support/VSCodium/User"),
        ("windows", "C:\\Users\\Me", "C:\\Users\\Me\\AppData\\Roaming\\Code\\User"),
        ("windows", "C:\\Users\\Me", "C:\\Users\\Me\\AppData\\Roaming\\VSCodium\\User"),
    ],
)
def test_each_build_is_found_by_its_users_folder(system, home, folder):
    flavour = PureWindowsPath if system == "windows" else PurePosixPath
    where = MemoryClientFiles(files={flavour(folder) / "settings.json": b"{}"})

    assert find(where, ClientHome(path=flavour(home), system=system)).folder == flavour(folder)


def test_a_folder_that_a_variable_moved_is_found_there():
    moved = attrs.evolve(HOME, environ={"XDG_CONFIG_HOME": "/elsewhere"})
    senseless = attrs.evolve(HOME, environ={"XDG_CONFIG_HOME": "relative"})

    assert str(find(MemoryClientFiles.of_everything(HOME), moved).folder) == "/elsewhere/Code/User"
    assert find(MemoryClientFiles.of_everything(HOME), senseless).folder == USER


def test_a_fresh_program_has_no_folder_yet_and_is_found():
    where = MemoryClientFiles(programs=PurePosixPath("/usr/bin"))

    assert find(where).program == PurePosixPath("/usr/bin/code")
    assert find(MemoryClientFiles()) is None


def test_every_build_is_connected_and_the_hooks_once():
    insiders = HOME.path / ".config" / "Code - Insiders" / "User" / "mcp.json"
    where = files({insiders: b"{}"})

    connect(where)

    server = {"servers": {"imprint": {"type": "stdio", "command": "/opt/imprint-mcp", "args": []}}}
    assert json.loads(where.files[SERVERS]) == json.loads(where.files[insiders]) == server
    hooks = json.loads(where.files[HOOKS])["hooks"]
    assert {event: hook["bash"] for event, (hook,) in hooks.items()} == {
        event: f"/opt/imprint-hook vscode-copilot {event}" for event in ("sessionStart", "agentStop", "preCompact")
    }


def test_instructions_say_that_they_are_for_everything():
    where = files()

    connect(where)

    assert where.files[WORDS].startswith(b'---\napplyTo: "**"\n---\n')
    assert b"Ask." in where.files[WORDS]


def test_comments_and_servers_of_others_stay_and_nothing_of_it_is_left():
    before = b'{\n  // mine\n  "servers": {"other": {"command": "other"},},\n}\n'
    where = files({SERVERS: before})
    untouched = dict(where.files)

    record = connect(where)
    assert b"// mine" in where.files[SERVERS]
    disconnect(where, record)

    assert where.files == untouched


def test_our_own_files_go_also_where_nothing_is_on_record():
    where = files()
    connect(where)

    disconnect(where)

    assert WORDS not in where.files
    assert HOOKS not in where.files
    assert b"imprint" not in where.files[SERVERS]


def test_what_a_person_wrote_into_our_instructions_stays():
    where = files()
    record = connect(where)
    where.files[WORDS] += b"\nBe brief.\n"

    disconnect(where, record)

    assert where.files[WORDS].startswith(b"---\napplyTo")
    assert b"Be brief." in where.files[WORDS]
    assert b"Ask." not in where.files[WORDS]


def test_hooks_of_copilot_cli_in_the_same_folder_are_left_alone():
    theirs = HOOKS.with_name("imprint-copilot-cli.json")
    where = files({theirs: b'{"version": 1, "hooks": {}}'})

    disconnect(where, connect(where))

    assert where.files[theirs] == b'{"version": 1, "hooks": {}}'


def test_file_that_the_client_would_not_read_is_refused_whole():
    where = files({SERVERS: b'{"servers": []}'})

    with pytest.raises(InvalidClientFileError):
        connect(where)
    assert HOOKS not in where.files


def test_user_is_told_of_the_question_for_trust_and_of_the_other_harness():
    trust, harness = (note.text for note in vscode_copilot.describe_duties())

    assert "trust" in trust
    assert "copilot-cli" in harness


def test_documents_are_the_users_instructions_without_ours():
    where = files(
        {WORDS: b"ours", USER / "prompts" / "style.instructions.md": b"", USER / "prompts" / "a.prompt.md": b""}
    )

    found = [document.path for document in vscode_copilot.find_documents(find(where), where)]

    assert found == [USER / "prompts" / "style.instructions.md"]

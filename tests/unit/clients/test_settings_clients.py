"""What connecting Gemini CLI and qwen-code puts into their settings and instructions, and takes out."""

import json
import tomllib
from pathlib import PurePosixPath
from types import ModuleType
from typing import NamedTuple

import attrs
import pytest

from imprint.errors import InvalidClientFileError
from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import gemini_cli, qwen_code
from imprint_client_plugins.our_server import ASKING_TOOLS

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
PROGRAMS = OurPrograms(
    server=("/opt/my tools/imprint-mcp",), hook=("/opt/my tools/imprint-hook",), instructions="Search first.\n"
)
NOTHING = ConnectionRecord()
POLICY = HOME.path / ".gemini" / "policies" / "imprint.toml"
THEIRS = b"""\
{
\t// the theme of my terminal
\t"ui": { "theme": "GitHub" },
\t"hooks": {
\t\t"SessionEnd": [{ "hooks": [{ "type": "command", "command": "say bye", "timeout": 500 }] }], // mine
\t},
\t/* servers */
\t"mcpServers": {"other": {"command": "other"}}
}
"""


class Settings(NamedTuple):
    """A client of this kind, and what it is to find in its files."""

    plugin: ModuleType
    name: str
    folder: PurePosixPath
    instructions: str
    events: set[str]


CLIENTS = [
    Settings(
        gemini_cli, "gemini-cli", HOME.path / ".gemini", "GEMINI.md", {"SessionStart", "AfterAgent", "SessionEnd"}
    ),
    Settings(
        qwen_code, "qwen-code", HOME.path / ".qwen", "QWEN.md", {"SessionStart", "Stop", "PreCompact", "SessionEnd"}
    ),
]
EACH = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def files(contents=None):
    return MemoryClientFiles(files=contents or {}, programs=PurePosixPath("/usr/bin"))


def find(client, where, home=HOME):
    return client.plugin.find_installation(home, where)


def connect(client, where, programs=PROGRAMS, home=HOME):
    plan = client.plugin.plan_connect(find(client, where, home), programs, where)
    return ConnectionRecord(edits=where.carry_out(plan))


def disconnect(client, where, record=NOTHING):
    where.carry_out(client.plugin.plan_disconnect(find(client, where), record, where))


def settings_of(client, where):
    return json.loads(where.files[client.folder / "settings.json"])


def notes(client, where):
    return [note.text for note in client.plugin.describe_duties(find(client, where), where)]


@EACH
def test_one_file_has_the_server_and_the_hooks_in_milliseconds(client: Settings):
    where = files()

    connect(client, where)

    settings = settings_of(client, where)
    assert settings["mcpServers"] == {"imprint": {"command": "/opt/my tools/imprint-mcp", "args": []}}
    assert set(settings["hooks"]) == client.events
    for event, groups in settings["hooks"].items():
        ((hook,),) = (group["hooks"] for group in groups)
        assert hook["command"] == f"'/opt/my tools/imprint-hook' {client.name} {event}"
        assert hook["timeout"] == 10_000
    assert b"Search first." in where.files[client.folder / client.instructions]


def test_gemini_allows_the_tools_but_for_those_that_ask_and_trusts_nothing_whole():
    where = files()

    connect(CLIENTS[0], where)

    usual, asking = tomllib.loads(where.files[POLICY].decode())["rule"]
    assert (usual["mcpName"], usual["toolName"], usual["decision"]) == ("imprint", "*", "allow")
    assert "plan" not in usual["modes"]
    assert (asking["toolName"], asking["decision"]) == (list(ASKING_TOOLS), "ask_user")
    assert usual["priority"] < asking["priority"]
    settings = settings_of(CLIENTS[0], where)
    assert settings.keys() == {"mcpServers", "hooks"}
    assert "trust" not in json.dumps(settings)


@pytest.mark.parametrize("theirs", [b"", b'[[rule]]\ntoolName = "x"\ndecision = "deny"\npriority = 1', b"# mine\r\n"])
def test_rules_of_others_in_our_file_of_rules_stay(theirs: bytes):
    where = files({POLICY: theirs})
    record = connect(CLIENTS[0], where)
    assert len(tomllib.loads(where.files[POLICY].decode())["rule"]) == 2 + theirs.count(b"[[rule]]")
    assert not CLIENTS[0].plugin.plan_connect(find(CLIENTS[0], where), PROGRAMS, where)

    where.files[POLICY] += b"# more\n"
    disconnect(CLIENTS[0], where, record)

    assert where.files[POLICY].startswith(theirs)
    assert where.files[POLICY].removeprefix(theirs).strip() == b"# more"


@pytest.mark.parametrize("damaged", [b"rule = 1\n", b"[rule]\n", b"rule = "])
def test_a_file_of_rules_that_can_take_none_is_refused_whole(damaged: bytes):
    where = files({POLICY: damaged})

    with pytest.raises(InvalidClientFileError):
        connect(CLIENTS[0], where)
    assert where.files == {POLICY: damaged}


def test_qwen_allows_the_tools_but_for_those_that_ask_and_trusts_nothing_whole():
    where = files()

    connect(CLIENTS[1], where)

    settings = settings_of(CLIENTS[1], where)
    assert settings["permissions"] == {
        "allow": ["mcp__imprint"],
        "ask": [f"mcp__imprint__{tool}" for tool in ASKING_TOOLS],
    }
    assert "trust" not in json.dumps(settings)


@EACH
def test_comments_order_and_hooks_of_others_stay_and_come_back_byte_for_byte(client: Settings):
    path = client.folder / "settings.json"
    words = b"Be brief.\r\n"
    where = files({path: THEIRS, client.folder / client.instructions: words})

    record = connect(client, where)
    written = where.files[path]
    for kept in (b"// the theme of my terminal", b"// mine", b"/* servers */", b'{ "theme": "GitHub" }', b"say bye"):
        assert kept in written
    assert written.index(b"say bye") < written.index(b"imprint-hook")
    disconnect(client, where, record)

    assert where.files == {path: THEIRS, client.folder / client.instructions: words}


@EACH
def test_what_the_client_writes_meanwhile_stays_when_ours_goes(client: Settings):
    path = client.folder / "settings.json"
    where = files({path: THEIRS})
    record = connect(client, where)
    where.files[path] = where.files[path].replace(b'"GitHub"', b'"Xcode"')

    disconnect(client, where, record)

    assert where.files == {path: THEIRS.replace(b'"GitHub"', b'"Xcode"')}


@EACH
def test_moved_program_takes_the_place_of_the_old_one(client: Settings):
    where = files({client.folder / "settings.json": THEIRS})
    connect(client, where)
    moved = attrs.evolve(PROGRAMS, server=("/new/imprint-mcp",), hook=("/new/imprint-hook",))

    connect(client, where, moved)

    written = where.files[client.folder / "settings.json"]
    assert written.count(b"imprint-hook") == len(client.events)
    assert b"/opt" not in written
    disconnect(client, where)
    assert where.files[client.folder / "settings.json"] == THEIRS


@EACH
@pytest.mark.parametrize("damaged", [b'{"a": ', b"[]", b'{"mcpServers": []}', b'{"hooks": {"SessionStart": {}}}'])
def test_file_that_the_client_would_not_read_is_refused_whole(client: Settings, damaged: bytes):
    where = files({client.folder / "settings.json": damaged})

    with pytest.raises(InvalidClientFileError):
        connect(client, where)
    assert where.files == {client.folder / "settings.json": damaged}


@pytest.mark.parametrize(
    ("client", "variable", "value", "folder"),
    [
        (CLIENTS[0], "GEMINI_CLI_HOME", "/elsewhere", "/elsewhere/.gemini"),
        (CLIENTS[1], "QWEN_HOME", "/elsewhere", "/elsewhere"),
        (CLIENTS[1], "QWEN_HOME", "~/qwen", "/home/me/qwen"),
    ],
)
def test_moved_folder_holds_everything(client: Settings, variable: str, value: str, folder: str):
    where = files()

    connect(client, where, home=attrs.evolve(HOME, environ={variable: value}))

    assert {str(path.parent).removesuffix("/policies") for path in where.files} == {folder}
    assert {path.name for path in where.files} >= {"settings.json", client.instructions}


@EACH
def test_it_is_found_by_its_folder_or_its_program_alone(client: Settings):
    folder = MemoryClientFiles(files={client.folder / "settings.json": b"{}"})

    assert find(client, MemoryClientFiles()) is None
    assert find(client, folder).program is None
    assert find(client, files()).program is not None


def test_gemini_says_that_it_starts_servers_in_trusted_folders_alone_until_one_is_trusted():
    client, trusted = CLIENTS[0], HOME.path / ".gemini" / "trustedFolders.json"
    where = files()

    (note,) = notes(client, where)

    assert "trust" in note
    where.files[trusted] = b'{"/home/me/src": "DO_NOT_TRUST"}'
    assert notes(client, where) == [note]
    where.files[trusted] = b"{"
    assert notes(client, where) == [note]
    where.files[trusted] = b'{"/home/me/src": "TRUST_FOLDER"}'
    assert notes(client, where) == []
    del where.files[trusted]
    where.files[client.folder / "settings.json"] = b'{"security": {"folderTrust": {"enabled": false}}}'
    assert notes(client, where) == []


@pytest.mark.parametrize(
    ("client", "off"),
    [(CLIENTS[0], {"hooksConfig": {"enabled": False}}), (CLIENTS[1], {"disableAllHooks": True})],
    ids=["gemini-cli", "qwen-code"],
)
def test_settings_that_stand_in_the_way_are_told(client: Settings, off: dict[str, object]):
    def told(settings: dict[str, object]) -> str:
        return "\n".join(notes(client, files({client.folder / "settings.json": json.dumps(settings).encode()})))

    assert "hooks" not in told({})
    assert "runs no hooks" in told(off)
    assert client.instructions not in told({"context": {"fileName": ["A.md", client.instructions]}})
    assert f"does not read {client.instructions}" in told({"context": {"fileName": "A.md"}})


@pytest.mark.parametrize(("name", "count"), [("imprint", 1), ("imprint-like", 0)])
def test_user_is_told_of_an_extension_that_brings_the_same(name, count):
    folder = HOME.path / ".gemini"
    trusted = b'{"security": {"folderTrust": {"enabled": false}}}'
    where = files({folder / "extensions" / name / "gemini-extension.json": b"{}", folder / "settings.json": trusted})

    notes = gemini_cli.describe_duties(gemini_cli.find_installation(HOME, where), where)

    assert ["extension imprint" in note.text and note.is_standing for note in notes] == [True] * count

"""What connecting Codex puts into its files, and takes out."""

import json
import tomllib
from pathlib import PurePosixPath

import attrs
import pytest

from imprint.errors import InvalidClientFileError
from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import codex

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
CONFIG = HOME.path / ".codex" / "config.toml"
HOOKS = HOME.path / ".codex" / "hooks.json"
WORDS = HOME.path / ".codex" / "AGENTS.md"
PROGRAMS = OurPrograms(server=("/opt/imprint-mcp",), hook=("/opt/imprint-hook",), instructions="Search first.\n")
EVENTS = {
    "SessionStart": "session_start",
    "Stop": "stop",
    "SubagentStop": "subagent_stop",
    "PreCompact": "pre_compact",
    "SessionEnd": "session_end",
}
THEIRS = b"""\
model = "gpt"  # the good one

[mcp_servers.other]
command = "other"

[projects."/home/me/src"]
trust_level = "trusted"
"""


def files(contents=None):
    return MemoryClientFiles(files=contents or {}, programs=PurePosixPath("/usr/bin"))


def find(where, home=HOME):
    return codex.find_installation(home, where)


def connect(where, programs=PROGRAMS):
    return ConnectionRecord(edits=where.carry_out(codex.plan_connect(find(where), programs, where)))


NOTHING = ConnectionRecord()


def disconnect(where, record=NOTHING):
    where.carry_out(codex.plan_disconnect(find(where), record, where))


def state_key(event, group, index=0):
    return f"{HOOKS}:{EVENTS[event]}:{group}:{index}"


def trust(where, event, group, hash):
    """What Codex adds when its user trusts a hook."""
    where.files[CONFIG] += f'\n[hooks.state."{state_key(event, group)}"]\ntrusted_hash = "{hash}"\n'.encode()


def trusted(where):
    return tomllib.loads(where.files[CONFIG].decode()).get("hooks", {}).get("state", {})


def hook(command):
    return {"hooks": [{"type": "command", "command": command}]}


def test_server_is_registered_with_the_variables_that_move_the_data_folder():
    where = files({CONFIG: THEIRS})

    connect(where)

    assert where.files[CONFIG].startswith(THEIRS)
    assert tomllib.loads(where.files[CONFIG].decode())["mcp_servers"]["imprint"] == {
        "command": "/opt/imprint-mcp",
        "args": [],
        "env_vars": ["IMPRINT_WORKSPACE", "IMPRINT_DATA_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"],
    }


def test_nothing_is_approved_that_nobody_asked_for():
    where = files()

    connect(where)

    assert b"approval" not in b"".join(where.files.values())
    assert b"trust" not in b"".join(where.files.values())


def test_hooks_come_last_in_each_event():
    where = files({HOOKS: json.dumps({"hooks": {"Stop": [hook("say done")]}}).encode()})

    connect(where)

    hooks = json.loads(where.files[HOOKS])["hooks"]
    assert set(hooks) == set(EVENTS)
    assert [group["hooks"][0]["command"] for group in hooks["Stop"]] == ["say done", "/opt/imprint-hook codex Stop"]
    assert hooks["SessionEnd"][0]["hooks"][0]["timeout"] <= 3


def test_connecting_again_leaves_the_hooks_as_they_were_trusted():
    """Codex skips a hook whose text or place has changed."""
    where = files()
    connect(where)
    document = json.loads(where.files[HOOKS])
    document["hooks"]["Stop"].append(hook("say done"))
    where.files[HOOKS] = written = json.dumps(document).encode()

    connect(where, attrs.evolve(PROGRAMS, server=("/new/imprint-mcp",)))

    assert where.files[HOOKS] == written


def test_user_is_told_to_trust_the_hooks_until_each_is():
    where = files()
    connect(where)
    (note,) = codex.describe_duties(find(where), where)
    assert "Trust all" in note.text

    for event in list(EVENTS)[1:]:
        trust(where, event, 0, "sha256:1")
    assert codex.describe_duties(find(where), where) == (note,)

    trust(where, "SessionStart", 0, "sha256:1")
    assert codex.describe_duties(find(where), where) == ()


def test_trust_goes_with_the_hooks_and_nothing_else_of_it():
    where = files({CONFIG: THEIRS})
    record = connect(where)
    trust(where, "Stop", 0, "sha256:1")

    disconnect(where, record)

    assert where.files == {CONFIG: THEIRS}


def test_hooks_of_others_behind_ours_stay_trusted_in_their_new_places():
    where = files({HOOKS: json.dumps({"hooks": {"Stop": [hook("first")]}}).encode()})
    record = connect(where)
    document = json.loads(where.files[HOOKS])
    document["hooks"]["Stop"] += [hook("third"), hook("fourth")]
    where.files[HOOKS] = json.dumps(document).encode()
    for group, hash in enumerate(["sha256:a", "sha256:ours", "sha256:c", "sha256:d"]):
        trust(where, "Stop", group, hash)

    disconnect(where, record)

    hooks = json.loads(where.files[HOOKS])["hooks"]
    assert [group["hooks"][0]["command"] for group in hooks["Stop"]] == ["first", "third", "fourth"]
    assert trusted(where) == {
        state_key("Stop", 0): {"trusted_hash": "sha256:a"},
        state_key("Stop", 1): {"trusted_hash": "sha256:c"},
        state_key("Stop", 2): {"trusted_hash": "sha256:d"},
    }


def test_what_codex_and_its_user_add_to_our_table_goes_with_it_and_the_rest_stays():
    where = files({CONFIG: THEIRS})
    record = connect(where)
    where.files[CONFIG] += b'[mcp_servers.imprint.tools.search]\napproval_mode = "approve"\n\n[tui]\nx = 1\n'

    disconnect(where, record)

    assert where.files[CONFIG] == THEIRS + b"\n[tui]\nx = 1\n"


def test_server_that_a_person_registered_by_hand_is_there_again_afterwards():
    by_hand = THEIRS + b'\n[mcp_servers.imprint]\ncommand = "imprint-mcp"\n'
    where = files({CONFIG: by_hand})
    record = connect(where)
    where.files[CONFIG] += b"# more\n"

    disconnect(where, record)

    assert tomllib.loads(where.files[CONFIG].decode()) == tomllib.loads(by_hand.decode())


@pytest.mark.parametrize(
    ("path", "damaged"),
    [(CONFIG, b"model = "), (CONFIG, b'mcp_servers = { a = { command = "x" } }'), (HOOKS, b"{} // no"), (HOOKS, b"[]")],
)
def test_file_that_cannot_be_edited_is_refused_whole(path, damaged):
    where = files({path: damaged})

    with pytest.raises(InvalidClientFileError):
        connect(where)
    assert where.files == {path: damaged}


def test_moved_folder_holds_everything():
    moved = attrs.evolve(HOME, environ={"CODEX_HOME": "/elsewhere"})
    where = files()

    where.carry_out(codex.plan_connect(find(where, moved), PROGRAMS, where))

    assert {str(path) for path in where.files} == {
        "/elsewhere/config.toml",
        "/elsewhere/hooks.json",
        "/elsewhere/AGENTS.md",
    }


@pytest.mark.parametrize(("enabled", "count"), [("true", 1), ("false", 0), ('"yes"', 0)])
def test_user_is_told_of_a_plugin_that_brings_the_same(enabled, count):
    where = files({CONFIG: f'[plugins."imprint@imprint"]\nenabled = {enabled}\n'.encode()})
    connect(where)

    notes = codex.describe_duties(find(where), where)

    assert ["imprint@imprint" in note.text for note in notes] == [True] * count + [False]

"""What connecting Continue puts into its folder, and takes out: its YAML is edited line by line."""

from pathlib import PurePosixPath

import attrs
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from imprint.errors import InvalidClientFileError
from imprint.plugins import ClientHome, ConnectionRecord, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import continue_dev
from imprint_client_plugins.yaml_entries import YamlItem

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
FOLDER = HOME.path / ".continue"
CONFIG, OWN, RULE = FOLDER / "config.yaml", FOLDER / "mcpServers" / "imprint.yaml", FOLDER / "rules" / "imprint.md"
PROGRAMS = OurPrograms(server=("/opt/my tools/imprint-mcp",), hook=("/x",), instructions="Search first.\n")
SERVER = {"name": "imprint", "type": "stdio", "command": "/opt/my tools/imprint-mcp", "args": []}
NOTHING = ConnectionRecord()


def files(contents=None):
    return MemoryClientFiles(files=contents or {}, programs=PurePosixPath("/usr/bin"))


def find(where, home=HOME):
    return continue_dev.find_installation(home, where)


def connect(where, home=HOME, programs=PROGRAMS):
    return ConnectionRecord(edits=where.carry_out(continue_dev.plan_connect(find(where, home), programs, where)))


def disconnect(where, record=NOTHING):
    where.carry_out(continue_dev.plan_disconnect(find(where), record, where))


def servers(where, path=CONFIG):
    return yaml.safe_load(where.files[path])["mcpServers"]


PLAIN = b"name: mine\nversion: 0.0.1\nschema: v1\n"
OTHER = (
    PLAIN
    + b"mcpServers:\n  - name: other\n    command: x # it\n    env:\n      A: b\n\n# my rules\nrules:\n  - Be kind.\n"
)
DOCUMENTS = [
    b"# nothing\n",
    PLAIN,
    PLAIN[:-1],
    OTHER,
    OTHER.replace(b"\n", b"\r\n"),
    b"\xef\xbb\xbf" + OTHER,
    b"---\n" + OTHER,
    PLAIN + b"mcpServers: []  # none yet\nrules: []\n",
    PLAIN + b"mcpServers:\n",
    PLAIN + b"mcpServers:\n- name: other\n  command: x\nrules:\n- Be kind.\n",
    PLAIN + b"mcpServers:\n  -\n    name: other\n    command: x",
    b"models:\n  - {name: m, provider: p}\nprompt: |\n  text\n\n    - more\n" + PLAIN,
    b"'mcpServers':\n    - uses: owner/server\n    - command: x\n      name: 'other'\n",
]


@pytest.mark.parametrize("before", DOCUMENTS, ids=range(len(DOCUMENTS)))
def test_the_server_is_one_more_item_and_every_byte_is_there_afterwards(before):
    where = files({CONFIG: before})
    known = (yaml.safe_load(before) or {}).get("mcpServers") or []

    record = connect(where)
    assert servers(where) == [*known, SERVER]
    assert not continue_dev.plan_connect(find(where), PROGRAMS, where)
    where.files[CONFIG] += b"# somebody was here\n"
    disconnect(where, record)
    left = where.files[CONFIG]
    where.files[CONFIG] = before
    disconnect(where, connect(where))

    assert where.files == {CONFIG: before}
    assert yaml.safe_load(left) == yaml.safe_load(before)
    assert left.replace(b"\r\n", b"\n").startswith(before.replace(b"\r\n", b"\n"))


@pytest.mark.parametrize(
    "strange",
    [
        b"{mcpServers: []}\n",
        b"mcpServers: [{name: other}]\n",
        b"mcpServers: *servers\n",
        b"mcpServers:\n  other:\n    command: x\n",
        b"mcpServers:\n  - name: a\n - name: b\n",
        b"mcpServers: []\nname: x\nmcpServers: []\n",
        b"name: x\n---\nname: y\n",
        b"- a\n- b\n[\n",
        b"no key\n",
        b"\xff\xfe\x00",
        b"? key\n: value\n",
    ],
)
def test_a_file_in_another_arrangement_is_refused_whole(strange):
    where = files({CONFIG: strange})

    with pytest.raises(InvalidClientFileError):
        connect(where)
    assert where.files == {CONFIG: strange}


def test_a_server_that_a_person_registered_by_hand_is_there_again_afterwards():
    by_hand = PLAIN + b"mcpServers:\n  - name: imprint\n    command: old # mine\n  - name: other\n    command: x\n"
    where = files({CONFIG: by_hand})

    record = connect(where)
    assert [one["command"] for one in servers(where)] == ["/opt/my tools/imprint-mcp", "x"]
    where.files[CONFIG] += b"rules: []\n"
    disconnect(where, record)

    assert where.files[CONFIG] == by_hand + b"rules: []\n"


def test_a_moved_program_takes_the_place_of_the_old_one_and_goes_without_a_record():
    where = files({CONFIG: OTHER})
    connect(where)

    connect(where, programs=attrs.evolve(PROGRAMS, server=("/new/imprint-mcp", "--flag")))
    assert [one["command"] for one in servers(where)] == ["x", "/new/imprint-mcp"]
    disconnect(where)

    assert where.files == {CONFIG: OTHER}


def test_without_a_configuration_none_is_made_since_it_would_be_read_instead_of_another():
    where = files({FOLDER / "config.json": b"{}"})

    record = connect(where)
    assert CONFIG not in where.files
    assert servers(where, OWN) == [SERVER]
    (note,) = continue_dev.describe_duties(find(where), where)
    assert "config.yaml" in note.text
    disconnect(where, record)

    assert where.files == {FOLDER / "config.json": b"{}"}


def test_once_there_is_a_configuration_the_server_moves_into_it():
    where = files()
    connect(where)
    where.files[CONFIG] = PLAIN

    connect(where)

    assert OWN not in where.files
    assert servers(where) == [SERVER]
    assert continue_dev.describe_duties(find(where), where) == ()


def test_instructions_are_a_rule_and_a_strangers_file_of_that_name_stays():
    where = files({CONFIG: PLAIN})
    connect(where)
    assert b"Search first." in where.files[RULE]
    taken = files({CONFIG: PLAIN, RULE: b"theirs"})

    with pytest.raises(InvalidClientFileError):
        connect(taken)


def test_its_folder_follows_the_variable():
    moved = attrs.evolve(HOME, environ={"CONTINUE_GLOBAL_DIR": "/elsewhere"})
    where = files()

    connect(where, moved)

    assert {path.parts[1] for path in where.files} == {"elsewhere"}


def test_it_is_found_by_its_folder_or_its_program_alone():
    assert find(MemoryClientFiles()) is None
    assert find(MemoryClientFiles(files={CONFIG: b""})).program is None
    assert find(files()).program == PurePosixPath("/usr/bin/cn")


NAMES = st.sampled_from(["a", "b", "other", "imprint-old", "x y"])
ITEMS = st.dictionaries(st.sampled_from(["name", "command", "type"]), NAMES, min_size=1, max_size=3)
VALUES = st.one_of(NAMES, st.lists(NAMES, max_size=2), st.dictionaries(NAMES, NAMES, max_size=2))


@given(
    others=st.dictionaries(st.sampled_from(["name", "models", "rules", "zz"]), VALUES, max_size=3),
    items=st.none() | st.lists(ITEMS, max_size=3),
    width=st.sampled_from([2, 4]),
)
def test_whatever_a_program_writes_is_read_as_before_with_ours_beside_it(others, items, width):
    document = others if items is None else others | {"mcpServers": items}
    before = yaml.safe_dump(document, indent=width, sort_keys=True).encode() if document else b""
    item = YamlItem(key="mcpServers", name="imprint", values=SERVER)

    after = item.put_in(before, "config.yaml")

    assert yaml.safe_load(after) == others | {"mcpServers": [*(items or []), SERVER]}
    assert item.put_in(after, "config.yaml") == after
    assert item.take_out(after, before, "config.yaml") == before

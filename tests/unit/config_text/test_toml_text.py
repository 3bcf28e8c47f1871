"""Edits of TOML: what is not ours keeps every byte."""

import tomllib

import pytest
from hypothesis import given

from imprint.domain.config_text.toml_text import put_table, read_toml, take_table
from imprint.errors import InvalidClientFileError
from imprint.testing.documents import toml_documents

PATH = ("mcp_servers", "imprint")
OURS = {"command": "/opt/it's\\here/imprint-mcp", "args": (), "env_vars": ("A", "B")}
TABLE = {"command": "/opt/it's\\here/imprint-mcp", "args": [], "env_vars": ["A", "B"]}
PLACE = "/home/me/.codex/config.toml"


def put(data, values=OURS):
    return put_table(data, PATH, values, PLACE)


def take(data):
    return take_table(data, PATH, PLACE)


@given(toml_documents())
def test_table_that_is_put_in_is_there_and_nothing_else_has_changed(data):
    before = read_toml(data, PLACE)

    assert read_toml(put(data), PLACE) == {**before, "mcp_servers": {"imprint": TABLE}}


@given(toml_documents())
def test_table_put_in_and_taken_out_leaves_the_old_bytes_but_for_a_missing_last_line_end(data):
    left = take(put(data))

    assert left == data or left.removesuffix(b"\r\n").removesuffix(b"\n") == data


@given(toml_documents())
def test_putting_it_in_twice_is_the_same_as_once(data):
    assert put(put(data)) == put(data)


@given(toml_documents())
def test_changed_values_replace_the_old_ones_in_their_place(data):
    moved = {**OURS, "command": "/other/imprint-mcp"}

    after = put(put(data), moved)

    assert read_toml(after, PLACE)["mcp_servers"]["imprint"] == {**TABLE, "command": "/other/imprint-mcp"}
    assert take(after) == take(put(data))


@given(toml_documents())
def test_what_is_added_after_it_stays_when_it_goes(data):
    later = put(data) + b'\n# mine\n[projects."/x"]\ntrust_level = "trusted"\n'

    left = take(later)

    assert read_toml(left, PLACE) == {**read_toml(data, PLACE), "projects": {"/x": {"trust_level": "trusted"}}}
    assert b"# mine\n" in left


def test_tables_and_keys_that_the_client_added_below_ours_stay_on_update_and_go_with_it():
    data = put(b"") + b'enabled = true # mine\n\n[mcp_servers.imprint.tools.search]\napproval_mode = "approve"\n'

    updated = put(data, {**OURS, "args": ("-v",)})

    assert tomllib.loads(updated.decode())["mcp_servers"]["imprint"] == {
        **TABLE,
        "args": ["-v"],
        "enabled": True,
        "tools": {"search": {"approval_mode": "approve"}},
    }
    assert take(updated) == b""


@pytest.mark.parametrize(
    "data",
    [
        b'[mcp_servers]\nimprint = { command = "x" }\nother = { command = "y" }\n',
        b'[mcp_servers]\nimprint.command = "x"\nother.command = "y"\n',
        b'mcp_servers.imprint.command = "x"\nmcp_servers.other.command = "y"\n',
        b'[mcp_servers.other]\ncommand = "y"\n\n[mcp_servers."imprint"]\ncommand = "x"\n',
        b"[mcp_servers.other]\ncommand = 'y'\n\n[ mcp_servers . 'imprint' ] # by hand\ncommand = 'x'\n",
    ],
)
def test_entry_in_any_form_is_replaced_and_taken_out(data):
    after = tomllib.loads(put(data).decode())["mcp_servers"]
    left = tomllib.loads(take(data).decode())["mcp_servers"]

    assert after == {"other": {"command": "y"}, "imprint": TABLE}
    assert left == {"other": {"command": "y"}}


@pytest.mark.parametrize(
    "data",
    [
        b"a = ",
        b"a = 1\na = 2",
        b"\xff",
        b"mcp_servers = 1",
        b'mcp_servers = { other = { command = "y" } }',
        b'mcp_servers = { imprint = { command = "y" } }',
        b"a = " + b"[" * 50_000,
    ],
)
def test_what_cannot_take_the_table_is_refused(data):
    with pytest.raises(InvalidClientFileError) as caught:
        put(data)

    assert caught.value.path == PLACE


def test_table_inside_a_value_is_not_taken_out_but_refused():
    with pytest.raises(InvalidClientFileError):
        take(b'mcp_servers = { imprint = { command = "y" }, other = {} }')


@pytest.mark.parametrize("data", [b"", b"a = 1\n", b"# only a word", b'x = """\n[mcp_servers.imprint]\n"""\n'])
def test_nothing_to_take_out_changes_nothing(data):
    assert take(data) == data

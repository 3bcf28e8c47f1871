"""`imprint config`, run as programs."""

import pytest
from real_program import Program

from imprint.domain.settings import specs


def test_settings_are_listed_with_their_origin(program: Program):
    program.run("config", "set", "search.limit", "3")

    done = program.run("config", "list", "--json", environ={"IMPRINT_VECTORS_BACKEND": "other"})

    origins = {line["key"]: line["origin"] for line in done.json_lines}
    assert list(origins) == [spec.key for spec in specs()]
    assert origins["search.limit"] == "file"
    assert origins["vectors.backend"] == "environment"
    assert origins["embedder.plugin"] == "default"


def test_a_setting_is_set_read_and_taken_out_again(program: Program):
    set_ = program.run("config", "set", "search.limit", "3", "--json")
    again = program.run("config", "set", "search.limit", "3", "--json")
    read = program.run("config", "get", "search.limit")
    unset = program.run("config", "unset", "search.limit", "--json")

    assert (set_.json["value"], set_.json["changed"], again.json["changed"]) == (3, True, False)
    assert read.stdout == "3\n"
    assert unset.json["changed"]
    assert program.run("config", "get", "search.limit").stdout == "8\n"


def test_a_limit_that_is_set_is_the_limit_of_a_search(program: Program):
    for text in ("apples are red", "pears are green", "plums are blue"):
        program.run("remember", text)
    program.run("config", "set", "search.limit", "2")

    assert len(program.run("search", "apples pears plums", "--json").json["results"]) == 2
    assert len(program.run("search", "apples pears plums", "-n", "3", "--json").json["results"]) == 3


def test_a_misspelt_setting_is_answered_with_the_nearest(program: Program):
    done = program.run("config", "set", "serch.limit", "3", "--json")

    assert (done.code, done.error["nearest"]) == (3, "search.limit")


def test_a_value_that_does_not_fit_is_refused_and_not_written(program: Program):
    done = program.run("config", "set", "search.limit", "many", "--json")

    assert (done.code, done.error["type"]) == (2, "InvalidSettingError")
    assert not list((program.home / "config").rglob("config.toml"))


def test_a_misspelt_key_in_the_file_stops_commands_and_can_be_mended(program: Program):
    file = program.home / "mine.toml"
    file.write_text("[serch]\nlimit = 3\n")

    stopped = program.run("--config", str(file), "search", "x", "--json")
    mended = program.run("--config", str(file), "config", "unset", "serch.limit")
    works = program.run("--config", str(file), "search", "x")

    assert (stopped.code, stopped.error["place"]) == (3, str(file))
    assert (mended.code, works.code) == (0, 0)


def test_a_broken_file_is_a_usage_error_that_names_it(program: Program):
    file = program.home / "mine.toml"
    file.write_text("= oops")

    done = program.run("--config", str(file), "status", "--json")

    assert (done.code, done.error["path"]) == (2, str(file))


NAMING = [spec.key for spec in specs() if spec.names_workspace]


def test_two_settings_name_a_workspace():
    assert NAMING == ["workspace.unassigned", "workspace.inbox"]


@pytest.mark.parametrize("key", NAMING)
def test_a_setting_that_names_a_workspace_takes_known_ones_only(program: Program, key: str):
    program.run("workspace", "create", "acme")

    unknown = program.run("config", "set", key, "acne", "--json")
    known = program.run("config", "set", key, "acme", "--json")

    assert (unknown.code, unknown.error["type"], unknown.error["nearest"]) == (3, "UnknownWorkspaceError", "acme")
    assert unknown.error["known"] == ["acme", "default"]
    assert known.json["value"] == "acme"
    assert program.run("config", "get", key).stdout == "acme\n"


@pytest.mark.parametrize("key", NAMING)
def test_a_setting_that_names_a_workspace_can_be_emptied_and_unset(program: Program, key: str):
    program.run("config", "set", key, "default")

    assert program.run("config", "set", key, "", "--json").json["changed"]
    assert program.run("config", "set", key, "default", "--json").json["changed"]
    assert program.run("config", "unset", key, "--json").json["changed"]
    assert program.run("config", "get", key, "--json").json == {"key": key, "value": "", "origin": "default"}


def test_an_unknown_name_is_not_written(program: Program):
    program.run("config", "set", "workspace.unassigned", "nowhere")

    assert not list((program.home / "config").rglob("config.toml"))


def test_a_file_with_other_faults_can_still_be_given_a_workspace(program: Program):
    file = program.home / "mine.toml"
    file.write_text("[serch]\nlimit = 3\n")

    assert program.run("--config", str(file), "config", "set", "workspace.inbox", "default").code == 0
    assert "inbox" in file.read_text()


def test_unassigned_decides_for_sessions_that_nothing_else_assigns(program: Program):
    program.run("workspace", "create", "acme")
    program.run("config", "set", "workspace.unassigned", "acme")
    folder = program.project("plain")

    session = program.run("workspace", "which", "--session", "--json", cwd=folder)
    command = program.run("workspace", "which", "--json", cwd=folder)
    program.run("workspace", "use", "default", cwd=folder)
    assigned = program.run("workspace", "which", "--session", "--json", cwd=folder)

    assert (session.json["workspace"], session.json["reason"]) == ("acme", "unassigned-setting")
    assert session.json["needs_choice"]
    assert (command.json["workspace"], command.json["reason"]) == ("default", "active")
    assert (assigned.json["workspace"], assigned.json["reason"]) == ("default", "project-file")


def test_deleting_a_workspace_resets_both_settings_and_leaves_others_alone(program: Program):
    for name in ("acme", "lab"):
        program.run("workspace", "create", name)
    program.run("config", "set", "workspace.unassigned", "acme")
    program.run("config", "set", "workspace.inbox", "acme")

    other = program.run("workspace", "delete", "lab", "--yes", "--json")
    own = program.run("workspace", "delete", "acme", "--yes", "--json")

    assert other.json["settings_reset"] == []
    assert own.json["settings_reset"] == ["workspace.unassigned", "workspace.inbox"]
    assert {program.run("config", "get", key).stdout for key in NAMING} == {"\n"}


def test_no_variable_sets_where_unassigned_sessions_go(program: Program):
    """A repository can set variables for the programs that are started in it."""
    program.run("workspace", "create", "acme")
    environ = {f"IMPRINT_{key.upper().replace('.', '_')}": "acme" for key in NAMING}

    done = program.run("config", "list", "--json", environ=environ)

    assert [line["value"] for line in done.json_lines if line["key"] in NAMING] == ["", ""]


def test_values_that_name_a_workspace_are_completed(program: Program):
    program.run("workspace", "create", "acme")

    for words, completed in (
        ("imprint config set work", {"workspace.unassigned", "workspace.inbox"}),
        ("imprint config set workspace.inbox a", {"acme"}),
        ("imprint config set search.limit a", set()),
    ):
        asked = {
            "_IMPRINT_COMPLETE": "bash_complete",
            "COMP_CWORD": str(words.count(" ")),
            "COMP_WORDS": words,
        }
        done = program.spawn(environ=asked)
        assert {line.partition(",")[2] for line in done.stdout.split()} == completed

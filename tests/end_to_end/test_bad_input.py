"""What goes wrong on real machines: a typed error, a hint, the right exit code, and nothing lost."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from real_program import Program

UNKNOWN_USER = """
import pwd, sys

def unknown(uid):
    raise KeyError(uid)

pwd.getpwuid = unknown
from imprint_cli.program import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the users of POSIX")
def test_a_user_without_a_home_is_told_the_options_that_help(program: Program):
    environ = {name: value for name, value in program.environ.items() if name == "PATH"}
    command = [sys.executable, "-c", UNKNOWN_USER]
    places = ["--data-dir", "data", "--config", "config.toml"]

    done = subprocess.run([*command, "status"], cwd=program.home, env=environ, capture_output=True, text=True)
    helped = subprocess.run([*command, *places, "status"], cwd=program.home, env=environ, capture_output=True)

    assert (done.returncode, done.stdout) == (2, "")
    assert "hint: name a place with --" in done.stderr
    assert helped.returncode == 0
    assert (program.home / "data" / "registry.sqlite3").exists()


@pytest.mark.parametrize("words", [["status"], ["remember", "x"], ["workspace", "which"]])
def test_a_data_folder_that_cannot_be_made_is_named(program: Program, words: list[str]):
    blocker = program.home / "file"
    blocker.write_text("")

    done = program.run("--data-dir", str(blocker / "data"), *words, "--json")

    assert (done.code, done.error["type"]) == (6, "DataFolderError")
    assert done.error["path"].startswith(str(blocker))
    assert "--data-dir" in done.error["hint"]


@pytest.mark.parametrize("name", ["registry.sqlite3", "workspaces/default/store.sqlite3"])
def test_a_database_of_a_newer_program_is_refused_and_left_alone(program: Program, name: str):
    program.run("remember", "kept")
    file = program.data / name
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 999")
    before = file.read_bytes()

    done = program.run("search", "kept", "--json")

    assert (done.code, done.error["type"], done.error["found"]) == (6, "StoreTooNewError", 999)
    assert file.read_bytes() == before


@pytest.mark.parametrize("name", ["registry.sqlite3", "workspaces/default/store.sqlite3"])
def test_a_damaged_database_is_named_and_left_alone(program: Program, name: str):
    program.run("remember", "kept")
    file = program.data / name
    file.write_bytes(b"no database, whatever its name says " * 200)

    done = program.run("search", "kept", "--json")
    diagnosed = program.run("doctor", "--json")

    assert (done.code, done.error["type"], done.error["path"]) == (6, "StoreDamagedError", str(file))
    assert file.read_bytes().startswith(b"no database")
    assert diagnosed.code == 1
    assert "problem" in [line["state"] for line in diagnosed.json_lines]


def test_a_database_that_others_keep_locked_is_busy(program: Program):
    program.run("remember", "kept")
    with closing(sqlite3.connect(program.data / "workspaces/default/store.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        done = program.run("remember", "later", "--json")

        other.execute("ROLLBACK")
    assert (done.code, done.error["type"]) == (5, "StoreBusyError")
    assert program.run("remember", "later").code == 0


def test_a_path_that_does_not_exist_is_a_usage_error(program: Program):
    done = program.run("ingest", "nowhere", "--json")

    assert (done.code, done.error["type"]) == (2, "MissingPathError")
    assert program.run("roots", "list", "--json").json_lines == []


def test_a_path_outside_the_roots_is_refused(program: Program):
    program.run("ingest", str(program.project("inside", {"a.md": "# A\n"})))
    outside = program.project("outside", {"b.md": "# B\n"})

    done = program.run("ingest", str(outside), "--json")

    assert (done.code, done.error["type"]) == (4, "OutsideRootsError")
    assert done.error["roots"] == [str((program.home / "inside").resolve())]
    own, _, shared = done.error["hint"].partition("imprint roots add")
    assert f"cd {outside.resolve()}" in own
    assert "imprint workspace use NAME" in own
    assert f" {outside.resolve()} --workspace default" in shared


def test_the_folder_of_a_file_is_what_can_be_approved(program: Program):
    program.run("ingest", str(program.project("inside", {"a.md": "# A\n"})))
    outside = program.project("outside", {"b.md": "# B\n"})

    done = program.run("ingest", str(outside / "b.md"), "--json")

    assert (done.code, done.error["folder"]) == (4, str(outside.resolve()))


@pytest.mark.parametrize("path", ["", "file.md"])
def test_nobody_is_told_to_approve_a_home(program: Program, path: str):
    program.run("ingest", str(program.project("inside", {"a.md": "# A\n"})))
    (program.home / "file.md").write_text("# A\n")

    done = program.run("ingest", str(program.home / path), "--json")

    assert (done.code, done.error["type"]) == (4, "OutsideRootsError")
    assert "roots add" not in done.error["hint"]


@pytest.mark.parametrize("command", ["ingest", "refresh"])
def test_what_is_missing_outside_the_roots_is_missing(program: Program, command: str):
    program.run("ingest", str(program.project("inside", {"a.md": "# A\n"})))

    done = program.run(command, str(program.home / "insdie"), "--json")

    assert (done.code, done.error["type"]) == (2, "MissingPathError")


def test_a_home_is_never_ingested_by_accident(program: Program):
    done = program.run("ingest", ".", "--json")

    assert (done.code, done.error["reason"]) == (4, "home")


def test_a_folder_that_another_workspace_has_is_shared_only_when_confirmed(program: Program):
    folder = program.project("acme", {"a.md": "# A\n"})
    program.run("ingest", str(folder))
    program.run("workspace", "create", "other")

    refused = program.run("ingest", str(folder), "--workspace", "other", "--json")
    confirmed = program.run("ingest", str(folder), "--workspace", "other", "--allow-overlap", "--json")

    assert (refused.code, refused.error["conflicts"]) == (4, [["default", str(folder.resolve())]])
    assert confirmed.code == 0


def test_a_tree_that_lost_most_of_its_files_keeps_what_is_indexed(program: Program):
    folder = program.project("acme", {f"{number}.md": f"# Page {number}\n" for number in range(10)})
    program.run("ingest", str(folder))
    for file in folder.glob("*.md"):
        file.unlink()

    held = program.run("refresh", str(folder), "--json")
    accepted = program.run("refresh", str(folder), "--accept-removals", "--json")

    assert held.code == 1
    assert "--accept-removals" in held.json["failures"][0]["error"]
    assert accepted.json["sources"]["removed"] == 10

"""Places that cannot be read or written: each is named with what helps, and what was stored is stored still."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from real_program import Program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="how root gives up its rights on Linux")

STORING = [["status"], ["search", "kept"], ["workspace", "which"], ["remember", "x"], ["facts", "add", "a", "is", "b"]]


@contextmanager
def closed(path: Path, mode: int = 0o000) -> Iterator[None]:
    """A path with fewer permissions, for a while."""
    before = path.stat().st_mode & 0o777
    path.chmod(mode)
    try:
        yield
    finally:
        path.chmod(before)


@pytest.mark.parametrize("words", STORING, ids=" ".join)
def test_a_home_that_cannot_be_written_is_told_with_the_way_out(program: Program, words: list[str]):
    nowhere = {"IMPRINT_DATA_DIR": None, "XDG_CONFIG_HOME": None}

    with closed(program.home, 0o500):
        done = program.spawn(*words, "--json", environ=nowhere, obedient=True)

    assert (done.code, done.error["type"]) == (6, "DataFolderError")
    assert done.error["path"].startswith(str(program.home))
    assert "--data-dir" in done.error["hint"]


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["config", "list"], ["plugins", "list"]], ids=" ".join)
def test_what_stores_nothing_works_in_such_a_home(program: Program, words: list[str]):
    nowhere = {"IMPRINT_DATA_DIR": None, "XDG_CONFIG_HOME": None}

    with closed(program.home, 0o500):
        done = program.spawn(*words, environ=nowhere, obedient=True)

    assert (done.code, done.stderr) == (0, "")


def test_a_setting_that_cannot_be_written_is_an_error_that_names_the_file(program: Program):
    with closed(program.home, 0o500):
        done = program.spawn("config", "set", "search.limit", "3", "--json", obedient=True)

    assert (done.code, done.error["type"]) == (1, "UnwritableConfigError")
    assert "--config" in done.error["hint"]


@pytest.mark.parametrize("words", STORING[:4], ids=" ".join)
@pytest.mark.parametrize("name", ["", "registry.sqlite3", "workspaces", "workspaces/default"])
def test_a_part_of_the_data_folder_that_is_closed_is_named_and_nothing_is_lost(
    program: Program, name: str, words: list[str]
):
    program.run("remember", "kept")

    with closed(program.data / name):
        done = program.spawn(*words, "--json", obedient=True)

    if done.code:
        assert done.code == 6
        assert str(program.data / name) in done.error["message"]
        assert "permissions" in done.error["hint"] or "--data-dir" in done.error["hint"]
    assert program.run("show", "1").stdout == "kept\n"


@pytest.mark.parametrize("name", ["", "registry.sqlite3", "workspaces", "workspaces/default/store.sqlite3"])
@pytest.mark.parametrize("mode", [0o000, 0o500])
def test_doctor_calls_nothing_damaged_that_is_only_closed(program: Program, name: str, mode: int):
    """Its advice for damage is to move the file away, which would be a loss here."""
    program.run("remember", "kept")
    place = program.data / name

    with closed(place, mode & 0o600 if place.is_file() and mode else mode):
        done = program.spawn("doctor", "--json", obedient=True)

    problems = [line for line in done.json_lines if line["state"] == "problem"]
    assert done.stderr == ""
    assert "damaged" not in str(problems)
    assert done.code == bool(problems)
    if mode == 0o000:
        assert all(line["remedy"] for line in problems)
        assert problems


def test_doctor_sees_that_the_data_folder_cannot_be_made(program: Program):
    with closed(program.home, 0o500):
        done = program.spawn("doctor", "--json", obedient=True)

    found = {line["part"]: line["state"] for line in done.json_lines}
    assert (done.code, found["data folder"]) == (1, "problem")


def test_files_and_folders_that_cannot_be_read_are_listed_and_the_run_goes_on(program: Program):
    folder = program.project("acme", {"a.md": "# A\n", "closed/b.md": "# B\n", "c.md": "# C\n"})

    with closed(folder / "closed"), closed(folder / "c.md"):
        done = program.spawn("ingest", str(folder), "--json", obedient=True)
        named = program.spawn("ingest", str(folder / "c.md"), "--json", obedient=True)

    assert (done.code, done.json["sources"]["added"]) == (0, 1)
    assert {Path(failure["source"]).name for failure in done.json["failures"]} == {"closed", "c.md"}
    assert all(os.strerror(13) in failure["error"] for failure in done.json["failures"])
    assert (named.code, named.json["sources"]["failed"]) == (1, 1)


def test_what_cannot_be_read_for_a_while_stays_indexed(program: Program):
    folder = program.project("acme", {"a.md": "# A\n", "closed/b.md": "# Bees\n"})
    program.run("ingest", str(folder))

    with closed(folder / "closed"):
        done = program.spawn("refresh", str(folder), "--json", obedient=True)

    assert (done.json["sources"]["removed"], done.json["sources"]["failed"]) == (0, 1)
    assert program.run("search", "bees", "--json").json["relevant"]


def test_a_memory_is_kept_though_its_index_cannot_be_written(program: Program):
    program.run("config", "set", "vectors.snapshot_threshold", "1")
    program.run("remember", "The well is shared.")
    index = program.data / "workspaces" / "default" / "index"
    shutil.rmtree(index)
    index.mkdir()

    with closed(index, 0o500):
        done = program.spawn("remember", "The pump runs at dawn.", obedient=True)
        found = program.spawn("search", "when does the pump run", "--json", obedient=True)

    assert (done.code, done.stdout) == (0, 'remembered as 2 in workspace "default"\n')
    assert "no index file could be written" in done.stderr
    assert found.json["results"][0]["text"] == "The pump runs at dawn."


def test_a_project_that_cannot_be_written_is_not_half_assigned(program: Program):
    folder = program.project("acme")

    with closed(folder, 0o500):
        done = program.spawn("workspace", "use", "acme", "--json", cwd=folder, obedient=True)

    assert done.code in (1, 4)
    assert str(folder) in done.error["message"]

"""`imprint doctor` and `imprint status` on devices that are well, waiting, and broken."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from real_program import Program

from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.locks import FileLocks
from imprint.domain.sources import WorkspaceName

PAGES = {f"page{number}.md": f"# Page {number}\n\nThe gardener planted tree number {number}.\n" for number in range(20)}


def states(program: Program, *words: str) -> dict[str, str]:
    return {line["part"]: line["state"] for line in program.run("doctor", *words, "--json").json_lines}


def test_a_new_device_is_well(program: Program):
    done = program.run("doctor")

    assert done.code == 0
    assert "problem" not in done.stdout
    assert states(program)['workspace "default"'] == "ok"


def test_status_counts_what_is_stored(program: Program):
    program.run("ingest", str(program.project("garden", PAGES)))
    program.run("facts", "add", "garden", "has", "trees")

    done = program.run("status", "--json")

    assert list(done.json) == [
        "workspace",
        "reason",
        "data",
        "clients",
        "roots",
        "sources",
        "chunks",
        "vectors",
        "pending",
        "facts",
        "bytes",
        "models",
        "unfinished",
        "running",
    ]
    assert (done.json["sources"], done.json["facts"], done.json["pending"]) == ({"document": 20}, 1, 0)
    assert done.json["vectors"] == done.json["chunks"] == done.json["models"][0]["vectors"]
    assert done.json["running"] is None


def test_status_counts_sources_in_words(program: Program):
    program.run("ingest", str(program.project("garden", {"a.md": "Pears.\n", "b.md": "Plums.\n", "c.py": "x = 1\n"})))
    program.run("remember", "Pears are picked in September.")
    program.run("remember", "Plums are picked in August.")

    assert "sources    1 code file, 2 documents, 2 memories\n" in program.run("status").stdout


def test_passages_without_a_vector_are_pending_until_they_are_fixed(program: Program):
    remembered = program.run("remember", "The well is shared.", environ={"IMPRINT_PLUGINS_BLOCK": "embedders/memvec"})

    waiting = states(program)
    fixed = states(program, "--fix")

    assert remembered.code == 0
    assert "'imprint doctor' says why" in remembered.stderr
    assert waiting['workspace "default"'] == "pending"
    assert fixed['workspace "default"'] == "ok"


def test_an_embedder_that_cannot_be_opened_costs_an_ingest_nothing_but_the_vectors(program: Program):
    folder = program.project("garden", PAGES)
    unusable = {"IMPRINT_EMBEDDER_PLUGIN": "model2vec", "IMPRINT_EMBEDDER_MODEL": str(program.home / "no-model")}

    told = program.run("ingest", str(folder), environ=unusable)
    listed = program.run("refresh", str(folder), "--json", environ=unusable)
    found = program.run("search", "who planted tree number 7", "--json", environ=unusable)
    diagnosed = {line["part"]: line for line in program.run("doctor", "--json", environ=unusable).json_lines}
    mended = program.run("refresh", str(folder), "--json")

    assert told.code == listed.code == 1
    assert "20 added" in told.stdout
    assert "not embedded" in told.stderr
    assert "no-model" in told.stderr
    assert (listed.json["sources"]["unchanged"], "no-model" in listed.json["embedding_failure"]) == (20, True)
    assert found.json["results"][0]["source"].endswith("page7.md")
    assert diagnosed["embedder"]["state"] == "problem"
    assert "no-model" in diagnosed["embedder"]["message"]
    assert diagnosed['workspace "default"']["state"] == "pending"
    assert (mended.code, mended.json["embedding_failure"]) == (0, "")
    assert states(program)['workspace "default"'] == "ok"


@pytest.mark.parametrize("damage", ["flip", "cut", "delete"])
def test_an_index_file_that_cannot_be_used_is_told_and_written_anew(program: Program, damage: str):
    program.run("config", "set", "vectors.snapshot_threshold", "5")
    program.run("ingest", str(program.project("garden", PAGES)))
    files = [path for path in (program.data / "workspaces" / "default" / "index").rglob("*") if path.is_file()]
    assert files
    for file in files:
        hurt(file, damage)

    before = states(program)
    found = program.run("search", "who planted tree number 7", "--json")
    fixed = program.run("doctor", "--fix", "--json")

    assert before['workspace "default"'] == "problem"
    assert found.json["results"][0]["source"].endswith("page7.md")
    assert fixed.code == 0
    assert states(program)['workspace "default"'] == "ok"


def test_a_damaged_page_of_a_store_is_found(program: Program):
    program.run("ingest", str(program.project("garden", PAGES)))
    store = program.data / "workspaces" / "default" / "store.sqlite3"
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(store.read_bytes())
    content[8192:40960] = b"\xff" * (40960 - 8192)
    store.write_bytes(bytes(content))

    done = program.run("doctor", "--json")

    assert done.code == 1
    assert done.json_lines[-1]["state"] == "problem"


def test_a_plugin_that_is_blocked_but_needed_is_named(program: Program):
    done = program.run("doctor", "--json", environ={"IMPRINT_PLUGINS_BLOCK": "memvec"})

    found = {line["part"]: line for line in done.json_lines}
    assert done.code == 1
    assert found["embedder"]["state"] == "problem"
    assert "IMPRINT_PLUGINS_BLOCK" in found["embedder"]["remedy"]


def test_a_broken_configuration_ends_the_diagnosis_there(program: Program):
    file = program.home / "broken.toml"
    file.write_text("= oops")

    done = program.run("--config", str(file), "doctor", "--json")

    assert done.code == 1
    assert done.json_lines[0]["part"] == "configuration"
    assert done.json_lines[0]["state"] == "problem"


def test_a_workspace_that_somebody_works_on_is_busy(program: Program):
    program.run("remember", "kept")

    with FileLocks(DataFolder(program.data), SystemClock()).hold(WorkspaceName("default"), "ingest"):
        fix = program.run("doctor", "--fix", "--json")
        status = program.run("status", "--json")
        remembered = program.run("remember", "meanwhile")

    assert (fix.code, fix.error["type"], fix.error["activity"]) == (5, "LockHeldError", "ingest")
    assert status.json["running"]["activity"] == "ingest"
    assert remembered.code == 0
    assert "found by its words for now" in remembered.stderr


def hurt(file: Path, damage: str) -> None:
    if damage == "delete":
        file.unlink()
        return
    content = bytearray(file.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    else:
        content[len(content) // 2] ^= 0xFF
    file.write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        ("acne", "run 'imprint config set workspace.inbox acme' or 'imprint config unset workspace.inbox'"),
        ("\\u001bx", "run 'imprint config unset workspace.inbox'"),
    ],
)
def test_a_setting_that_names_no_workspace_is_a_problem_with_its_remedy(program: Program, value: str, remedy: str):
    """As after an edit by hand, or when the program was killed between a deletion and the reset."""
    program.run("workspace", "create", "acme")
    file = program.home / "mine.toml"
    file.write_text(f'[workspace]\nunassigned = "acme"\ninbox = "{value}"\n')

    done = program.run("--config", str(file), "doctor", "--json")

    (finding,) = [line for line in done.json_lines if line["part"].startswith("setting ")]
    assert (finding["part"], finding["state"], finding["remedy"]) == ("setting workspace.inbox", "problem", remedy)
    assert finding["message"].isprintable()
    assert done.code == 1

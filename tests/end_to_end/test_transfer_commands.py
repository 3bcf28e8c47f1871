"""Whole workspaces on their way: between each other, to and from files, and away, by the real program."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from real_program import PROGRAM, Program

BANANAS = "Bananas ripen in the warehouse of the harbour."
RELEASES = "The release branch is cut on Mondays."


@pytest.fixture
def filled(program: Program) -> Program:
    """`default` with a project and a memory, and `acme`, which is empty."""
    root = program.project("fruit", {"notes.md": f"# Notes\n\n{BANANAS}\n", "docs/deep.md": "# Deep\n\nFar below.\n"})
    program.run("workspace", "create", "acme")
    program.run("ingest", str(root), "--project", "fruit")
    program.run("remember", RELEASES)
    program.run("facts", "add", "harbour", "has", "a warehouse", "--source", str(root / "notes.md"))
    return program


def another(program: Program, name: str) -> Program:
    home = program.home.parent / name
    home.mkdir()
    return Program(home)


def found(program: Program, query: str, *words: str) -> list[str]:
    done = program.run("search", query, "--json", *words)
    return [result["text"] for result in done.json["results"]]


def sources(program: Program, workspace: str = "default") -> set[str]:
    return {line["source"] for line in program.run("sources", "--json", "--workspace", workspace).json_lines}


def holds(folder: Path, text: str) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_a_workspace_travels_to_another_device(filled: Program):
    there = another(filled, "there")
    bundle = filled.home / "fruit.imprint"

    told = filled.run("export", str(bundle))
    taken = there.spawn("import", str(bundle), "--json")
    again = there.run("import", str(bundle))

    assert 'exported 3 sources, 3 passages, 1 fact of workspace "default"' in told.stdout
    assert (taken.code, taken.json["sources"]["added"], taken.json["facts"]["added"]) == (0, 3, 1)
    assert taken.json["from"]["workspace"] == "default"
    assert taken.json["vectors"] == taken.json["chunks"] == 3
    assert "3 here already" in again.stdout
    assert found(there, "bananas harbour") == found(filled, "bananas harbour") != []
    assert found(there, "release branch") == [RELEASES]
    assert there.run("roots", "list", "--json").stdout == ""
    assert filled.run("doctor").code == there.run("doctor").code == 0


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["import", "{home}/missing"], 2, "MissingPathError"),
        (["import", "{home}/fruit/notes.md"], 6, "ArchiveDamagedError"),
        (["import", "{home}/fruit"], 1, "UnreadableFileError"),
        (["restore", "{home}/fruit/notes.md", "--yes"], 6, "ArchiveDamagedError"),
        (["restore", "{home}/missing", "--yes"], 2, "MissingPathError"),
        (["restore", "{home}/missing"], 2, "UnansweredError"),
        (["export", "{home}/fruit/notes.md"], 4, "TargetExistsError"),
        (["backup", "{home}/fruit/notes.md"], 4, "TargetExistsError"),
        (["export", "{home}/no/folder/x"], 6, "UnwritableFileError"),
        (["backup", "{home}/no/folder/x"], 6, "UnwritableFileError"),
        (["export", ""], 2, "UsageError"),
        (["wipe", "--yes"], 2, "UnnamedWorkspaceError"),
        (["wipe", "--workspace", "default"], 2, "UnansweredError"),
        (["wipe", "--workspace", "defualt", "--yes"], 3, "UnknownWorkspaceError"),
        (["move", "--from", "default", "--to", "acme"], 2, "UsageError"),
        (["move", "--from", "default", "--to", "acme", "--project", "fruit", "--kind", "code"], 2, "UsageError"),
        (["move", "--from", "default", "--to", "default", "--project", "fruit"], 2, "SameWorkspaceError"),
        (["move", "--from", "default", "--to", "acne", "--project", "fruit"], 3, "UnknownWorkspaceError"),
        (["move", "--from", "default", "--to", "acme", "--project", "friut"], 3, "NothingToMoveError"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(filled: Program, words: list[str], code: int, error: str):
    before = sources(filled), sources(filled, "acme"), sorted(filled.home.iterdir())

    done = filled.run(*(word.format(home=filled.home) for word in words), "--json")

    assert (done.code, done.error["type"]) == (code, error)
    assert done.error["hint"] or error == "UnreadableFileError"
    assert (sources(filled), sources(filled, "acme"), sorted(filled.home.iterdir())) == before


def test_a_project_moves_with_its_facts_and_is_found_there_only(filled: Program):
    words = ["move", "--from", "default", "--to", "acme", "--project", "fruit"]

    told = filled.run(*words, "--dry-run")
    done = filled.run(*words)
    again = filled.run(*words)

    assert 'would move 2 sources, 2 passages and 1 fact from workspace "default" to workspace "acme"' in told.stdout
    assert 'moved 2 sources, 2 passages and 1 fact from workspace "default" to workspace "acme"' in done.stdout
    assert 'is still a root of workspace "default"' in done.stderr
    assert (again.code, "nothing was moved" in again.stdout) == (0, True)
    assert found(filled, "bananas harbour", "--workspace", "acme") == found(
        filled, "bananas harbour", "--all-workspaces"
    )
    assert found(filled, "bananas harbour", "--workspace", "default") == []
    assert filled.run("facts", "list", "--workspace", "acme", "--json").json["object"] == "a warehouse"


@pytest.mark.parametrize(
    ("word", "moved"),
    [
        ("notes.md", {"notes.md"}),
        ("docs", {"docs/deep.md"}),
        (".", {"notes.md", "docs/deep.md"}),
        ("*/docs/*", {"docs/deep.md"}),
    ],
)
def test_a_source_is_named_as_a_shell_names_it(filled: Program, word: str, moved: set[str]):
    root = filled.home / "fruit"

    done = filled.run("move", "--from", "default", "--to", "acme", "--source", word, "--json", cwd=root)

    assert set(done.json["moved"]) == {str(root / name) for name in moved}
    assert sources(filled, "acme") == set(done.json["moved"])


def test_what_the_other_workspace_keeps_or_keeps_out_stays(filled: Program):
    notes = str(filled.home / "fruit" / "notes.md")
    filled.run("add-text", "plan", "--workspace", "default", stdin="Ours.\n")
    filled.run("add-text", "plan", "--workspace", "acme", stdin="Theirs.\n")
    filled.run("purge", notes, "--apply", "--workspace", "acme")
    words = ["move", "--from", "default", "--to", "acme"]

    conflict = filled.run(*words, "--source", "text:plan", "--json")
    excluded = filled.run(*words, "--source", notes, "--json")
    everything = filled.run(*words, "--source", "*", "--json")

    assert (conflict.code, conflict.error["type"]) == (4, "SourceConflictError")
    assert (excluded.code, excluded.error["type"]) == (4, "ExcludedSourceError")
    assert set(everything.json["left"]) == {"text:plan", notes} == sources(filled)
    assert found(filled, "ours", "--workspace", "default") == ["Ours."]
    assert found(filled, "theirs", "--workspace", "acme") == ["Theirs."]


def test_an_embedder_that_fails_costs_neither_the_text_nor_the_report(filled: Program):
    bundle, backup = str(filled.home / "fruit.imprint"), str(filled.home / "monday.backup")
    filled.run("export", bundle)
    filled.run("backup", backup)
    filled.run("config", "set", "embedder.plugin", "nowhere")

    for words in (
        ["import", bundle, "--workspace", "acme"],
        ["move", "--from", "default", "--to", "acme", "--source", "*"],
        ["restore", backup, "--yes"],
    ):
        told = filled.run(*words, "--json")
        assert told.code == 1
        assert "nowhere" in told.json["embedding_failure"]
        assert "found by words alone" in filled.run(*words).stderr or words[0] == "move"
    assert len(sources(filled)) == 3
    assert filled.run("show", str(filled.home / "fruit" / "notes.md")).code == 0


def test_a_wiped_workspace_holds_nothing_and_no_file_holds_its_text(filled: Program):
    assert holds(filled.data, "Bananas ripen")

    done = filled.run("wipe", "--workspace", "default", "--yes")

    assert 'wiped 3 sources, 3 passages and 1 fact from workspace "default"' in done.stdout
    assert "pending" not in done.stdout
    assert holds(filled.data, "Bananas ripen") == holds(filled.data, "release branch") == []
    assert sources(filled) == set()
    assert filled.run("roots", "list", "--json").json["path"] == str(filled.home / "fruit")
    assert filled.run("refresh", "--workspace", "default", "--json").json["sources"]["added"] == 2
    assert filled.run("doctor").code == 0


def test_a_wiped_workspace_is_not_wiped_for_others(filled: Program):
    filled.run("remember", "kept", "--workspace", "acme")

    filled.run("wipe", "--workspace", "default", "--yes")

    assert len(sources(filled, "acme")) == 1


def test_a_device_comes_back_but_for_what_was_purged_since(filled: Program):
    backup, notes = filled.home / "monday.backup", str(filled.home / "fruit" / "notes.md")
    filled.run("remember", "Deliver at dawn.", "--workspace", "acme")
    told = filled.run("backup", str(backup))
    filled.run("purge", notes, "--apply", "--workspace", "default")
    filled.run("workspace", "delete", "acme", "--yes")
    filled.run("remember", "Came later.")

    done = filled.run("restore", str(backup), "--yes")

    assert 'backed up 2 workspaces ("acme", "default")' in told.stdout
    assert 'restored "acme", "default"' in done.stdout
    assert found(filled, "deliver dawn", "--workspace", "acme") == ["Deliver at dawn."]
    assert found(filled, "release branch") == [RELEASES]
    assert found(filled, "bananas harbour") == found(filled, "came later") == []
    assert holds(filled.data, "Bananas ripen") == []
    assert filled.run("purge", "verify", notes, "--workspace", "default").code == 0
    assert filled.run("doctor").code == 0


def test_a_damaged_registry_is_set_aside_by_a_restore(filled: Program):
    backup = filled.home / "monday.backup"
    filled.run("backup", str(backup))
    registry = filled.data / "registry.sqlite3"
    registry.write_bytes(b"rubbish" * 1000)
    for suffix in ("-wal", "-shm"):
        registry.with_name(registry.name + suffix).unlink(missing_ok=True)
    assert filled.run("status").code == 6

    done = filled.run("restore", str(backup), "--yes", "--json")

    assert Path(done.json["set_aside"][0]).read_bytes().startswith(b"rubbish")
    assert found(filled, "release branch") == [RELEASES]


class Server:
    """A real `imprint-mcp`, as a client runs it."""

    def __init__(self, program: Program) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "imprint_mcp"],
            cwd=program.home,
            env=program.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._number = 0
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        self._ask("initialize", client)
        self._send({"method": "notifications/initialized"})

    def call(self, name: str, **arguments: object) -> str:
        answer = self._ask("tools/call", {"name": name, "arguments": arguments})
        return "\n".join(part["text"] for part in answer["content"])

    def close(self) -> None:
        self._process.communicate()

    def _ask(self, method: str, params: object) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            answer = json.loads(self._process.stdout.readline())
            if answer.get("id") == self._number:
                return answer["result"]

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()


@contextmanager
def serving(program: Program) -> Iterator[Server]:
    server = Server(program)
    try:
        yield server
    finally:
        server.close()


def test_a_server_that_runs_sees_what_was_wiped_restored_imported_and_moved(filled: Program):
    """It keeps the embedder and the index open between its calls; what these know of the old store must not show."""
    backup, bundle = filled.home / "monday.backup", filled.home / "fruit.imprint"
    filled.run("backup", str(backup))
    filled.run("export", str(bundle))
    with serving(filled) as server:
        assert BANANAS in server.call("search", query="bananas in the harbour")

        filled.spawn("wipe", "--workspace", "default", "--yes")
        assert BANANAS not in server.call("search", query="bananas in the harbour")
        server.call("remember", content="Apples are sorted by hand.")
        assert "Apples are sorted" in server.call("search", query="sorting of apples by hand")

        filled.spawn("restore", str(backup), "--yes")
        assert BANANAS in server.call("search", query="bananas in the harbour")
        assert "Apples are sorted" not in server.call("search", query="sorting of apples by hand")

        filled.spawn("wipe", "--workspace", "default", "--yes")
        filled.spawn("import", str(bundle))
        assert BANANAS in server.call("search", query="bananas in the harbour")

        filled.spawn("move", "--from", "default", "--to", "acme", "--project", "fruit")
        assert BANANAS not in server.call("search", query="bananas in the harbour")
        assert BANANAS in server.call("search", query="bananas in the harbour", workspace="acme")

        server.call("remember", content="Pears are sorted by weight.")
        assert len(sources(filled)) == 2


def test_a_server_that_runs_writes_nothing_into_a_workspace_that_is_deleted(filled: Program):
    with serving(filled) as server:
        server.call("remember", content="Before.", workspace="acme")

        filled.spawn("workspace", "delete", "acme", "--yes")
        answer = server.call("remember", content="After.", workspace="acme")
        assert "acme" in answer
        assert not (filled.data / "workspaces" / "acme" / "store.sqlite3").exists()

        filled.spawn("workspace", "create", "acme")
        server.call("remember", content="Anew.", workspace="acme")
    assert found(filled, "before after anew", "--workspace", "acme") == ["Anew."]


def test_export_and_backup_are_whole_while_others_write(filled: Program):
    """Four processes remember things; what was acknowledged before a copy began is in it."""
    there = another(filled, "there")
    writers = []
    for number in range(4):
        script = (
            "import sys\nfrom imprint_cli import program\n"
            f"for n in range(25): assert program.run(['remember', f'Writer {number} says {{n}}.']) == 0\n"
        )
        writers.append(
            subprocess.Popen(
                [sys.executable, "-c", script], cwd=filled.home, env=filled.environ, stdout=subprocess.DEVNULL
            )
        )
    copies = []
    for number in range(3):
        before = sources(filled)
        bundle, backup = filled.home / f"{number}.imprint", filled.home / f"{number}.backup"
        done = [filled.spawn("export", str(bundle)).code, filled.spawn("backup", str(backup)).code]
        assert done == [0, 0]
        copies.append((before, bundle, backup))
    assert [writer.wait() for writer in writers] == [0] * 4

    for before, bundle, backup in copies:
        assert there.run("import", str(bundle)).code == 0
        assert before <= sources(there)
        assert there.run("restore", str(backup), "--yes").code == 0
        assert before <= sources(there)
        assert there.run("doctor").code == 0
    assert len(sources(filled)) == 103


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals of POSIX")
@pytest.mark.parametrize(
    ("words", "right"),
    [(["wipe", "--workspace", "default"], "default"), (["restore", "{backup}"], "restore")],
)
def test_on_a_terminal_it_is_done_once_the_right_word_is_typed(filled: Program, words: list[str], right: str):
    from test_terminals import start

    backup = filled.home / "monday.backup"
    filled.run("backup", str(backup))
    filled.run("remember", "Came later.")
    (filled.home / "project").mkdir()
    spelled = [word.format(backup=backup) for word in words]
    before = sources(filled)

    for answer, code in (("yes", 2), (right, 0)):
        assert sources(filled) == before
        terminal = start(filled, *spelled)
        terminal.expect("Type ")
        terminal.type(answer + "\r")
        assert terminal.finish() == code, terminal.seen
    assert sources(filled) != before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with next to no room."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=600k", "imprint-tests", str(place)]
    try:
        mounted = subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("mounting a small disk takes root, and Linux")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A home whose `default` holds more than the small disk does; the tests only read it."""
    program = Program(tmp_path_factory.mktemp("large"))
    noise = " ".join(os.urandom(4).hex() for _ in range(60_000))
    program.run("add-text", "noise", "--workspace", "default", stdin=noise)
    return program


@pytest.mark.parametrize("command", ["export", "backup"])
def test_a_file_that_finds_no_room_is_told_and_leaves_nothing(large: Program, small_disk: Path, command: str):
    (small_disk / "filler").write_bytes(b"x" * 450_000)

    done = large.spawn(command, str(small_disk / "x"), "--json")

    assert (done.code, done.error["type"]) == (6, "UnwritableFileError")
    assert "room" in done.error["hint"]
    assert [path.name for path in small_disk.iterdir()] == ["filler"]
    assert not (large.data / "copies").exists()


@pytest.mark.parametrize(("write", "read"), [("export", ["import"]), ("backup", ["restore", "--yes"])])
def test_what_does_not_fit_is_told_before_anything_is_written(
    large: Program, small_disk: Path, write: str, read: list[str]
):
    file = str(large.home / write)
    large.run(write, file)
    here = ["--data-dir", str(small_disk / "data")]
    large.run(*here, "remember", "Kept.")

    done = large.spawn(*here, *read, file, "--json")

    assert (done.code, done.error["type"]) == (6, "NoRoomError")
    assert done.error["needed"] > done.error["free"]
    (line,) = large.run(*here, "sources", "--json").json_lines
    assert line["source"].startswith("memory:")


def test_a_backup_that_finds_no_room_for_its_copies_is_told(large: Program, small_disk: Path):
    (small_disk / "data").mkdir(mode=0o700)
    here = ["--data-dir", str(small_disk / "data")]
    large.run(*here, "remember", "Kept.")
    with (small_disk / "filler").open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(b"x" * 4096)
        except OSError:
            pass

    done = large.spawn(*here, "backup", str(large.home / "x"), "--json")

    assert done.code == 6
    assert done.error["hint"]
    assert not (large.home / "x").exists()
    assert not list(large.home.glob(".*.part"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_export_that_is_interrupted_leaves_nothing(large: Program):
    import signal
    import time

    for _ in range(10):
        running = subprocess.Popen(
            [*PROGRAM, "export", "x"],
            cwd=large.home,
            env=large.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # parallel test runners ignore it
        )
        deadline = time.monotonic() + 30
        while running.poll() is None and time.monotonic() < deadline and not list(large.home.glob(".x.*.part")):
            time.sleep(0.001)
        running.send_signal(signal.SIGINT)
        running.communicate()
        assert not list(large.home.glob(".x.*.part"))
        if running.returncode == 130:
            assert not (large.home / "x").exists()
            return
        (large.home / "x").unlink(missing_ok=True)
    pytest.fail("it was always quicker than we were")

"""What holds for every command: help, JSON on stdout and nothing else, errors on stderr and nowhere else."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import click
import pytest
from real_program import PROGRAM, Program

from imprint_cli import __version__
from imprint_cli.app import imprint


def _leaves(command: click.Command, context: click.Context, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from _leaves(child, context, (*words, name))
    else:
        yield words


LEAVES = list(_leaves(imprint, click.Context(imprint), ()))

# What makes each command succeed where workspace "acme", memory 1 and fact 1 exist.
ARGUMENTS: dict[tuple[str, ...], list[str]] = {
    ("status",): [],
    ("doctor",): [],
    ("ingest",): ["{project}"],
    ("refresh",): [],
    ("add-text",): ["notes"],
    ("search",): ["release branch"],
    ("show",): ["1"],
    ("sources",): [],
    ("remember",): ["something new"],
    ("forget",): ["1"],
    ("facts", "list"): [],
    ("facts", "history"): [],
    ("facts", "add"): ["a", "is", "b"],
    ("facts", "end"): ["1"],
    ("workspace", "list"): [],
    ("workspace", "create"): ["fresh"],
    ("workspace", "switch"): ["acme"],
    ("workspace", "delete"): ["acme", "--yes"],
    ("workspace", "which"): [],
    ("workspace", "use"): ["acme"],
    ("roots", "list"): [],
    ("roots", "add"): ["{project}"],
    ("roots", "remove"): ["{root}"],
    ("config", "list"): [],
    ("config", "get"): ["search.limit"],
    ("config", "set"): ["search.limit", "4"],
    ("config", "unset"): ["search.limit"],
    ("plugins", "list"): [],
    ("plugins", "show"): ["extractors/plain"],
}
HEAVY = {("plugins", "check")}  # proved in test_plugin_commands.py

KEYS: dict[tuple[str, ...], set[str]] = {
    ("search",): {"workspace", "reason", "query", "relevant", "results"},
    ("workspace", "which"): {
        "directory",
        "workspace",
        "reason",
        "evidence",
        "project",
        "proposal",
        "needs_choice",
        "notes",
        "sentence",
    },
    ("ingest",): {
        "workspace",
        "reason",
        "sources",
        "chunks",
        "seconds",
        "failures",
        "refusals",
        "skipped",
        "interrupted",
        "dry_run",
    },
}


def words_of(leaf: tuple[str, ...]) -> str:
    return " ".join(leaf)


@pytest.fixture
def furnished(program: Program) -> Program:
    root = program.project("rooted", {"readme.md": "# Rooted\n\nThe release branch is cut on Mondays.\n"})
    program.project("project", {"notes.md": "# Notes\n\nThe release branch is frozen on Thursdays.\n"})
    program.run("workspace", "create", "acme")
    program.run("roots", "add", str(root))
    program.run("remember", "We deploy from the release branch only.")
    program.run("facts", "add", "billing", "is written in", "Go")
    return program


def test_no_command_is_forgotten_here():
    assert {*ARGUMENTS, *HEAVY} == set(LEAVES)


@pytest.mark.parametrize("leaf", LEAVES, ids=words_of)
def test_every_command_has_help_with_an_example_of_itself(program: Program, leaf: tuple[str, ...]):
    done = program.run(*leaf, "--help")

    assert (done.code, done.stderr) == (0, "")
    assert f"Example: imprint {words_of(leaf)}" in done.stdout
    assert "--json" in done.stdout


@pytest.mark.parametrize("leaf", ARGUMENTS, ids=words_of)
def test_every_command_prints_json_and_nothing_else(furnished: Program, leaf: tuple[str, ...]):
    program = furnished
    places = {"{project}": str(program.home / "project"), "{root}": str(program.home / "rooted")}
    words = [places.get(word, word) for word in ARGUMENTS[leaf]]
    workspace = ["--workspace", "default"] if leaf == ("ingest",) else []
    if workspace:
        program.run("roots", "add", places["{project}"])

    done = program.run(*leaf, *words, *workspace, "--json", stdin="A text.\n", cwd=program.home / "project")

    assert (done.code, done.stderr) == (0, "")
    assert done.stdout
    for line in done.json_lines:
        assert isinstance(line, dict)
        if leaf in KEYS:
            assert set(line) == KEYS[leaf]


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES if leaf[0] != "config"], ids=words_of)
def test_an_error_is_one_object_on_stderr_and_stdout_stays_empty(program: Program, leaf: tuple[str, ...]):
    file = program.home / "broken.toml"
    file.write_text("= oops")
    words = ARGUMENTS.get(leaf, ["embedders/memvec"])

    done = program.run("--config", str(file), "--data-dir", str(file), *leaf, *words, "--json", stdin="A text.\n")

    if leaf != ("doctor",):  # whose errors are its findings
        assert done.code in (2, 6)
        assert {"type", "message", "hint"} <= set(done.error)


@pytest.mark.parametrize("words", [["serch"], ["search"], ["search", "--nope", "x"], ["facts", "end", "one"]])
def test_a_command_line_that_cannot_be_understood_is_told_in_json_too(program: Program, words: list[str]):
    done = program.run(*words, "--json")

    assert (done.code, done.error["type"]) == (2, "UsageError")


def test_a_misspelt_command_is_answered_with_the_nearest(program: Program):
    done = program.run("serch", "x")

    assert done.code == 2
    assert "'search'" in done.stderr


def test_words_after_two_dashes_are_words(program: Program):
    done = program.run("remember", "--", "--json")

    assert done.code == 0
    assert program.run("show", "1").stdout == "--json\n"


@pytest.mark.parametrize("words", [[], ["workspace"], ["facts"]])
def test_a_bare_command_answers_with_its_help(program: Program, words: list[str]):
    done = program.run(*words)

    assert (done.code, done.stderr) == (0, "")
    assert "Usage: imprint" in done.stdout


def test_the_version_is_printed_by_a_process(program: Program):
    assert program.spawn("--version").stdout == f"imprint {__version__}\n"
    assert program.run("-v", "--version").stdout == f"imprint {__version__}\n"


def test_colours_are_for_terminals_only(program: Program):
    program.run("remember", "plain as day")

    assert "\x1b" not in program.spawn("search", "plain as day").stdout
    assert "\x1b" not in program.spawn("search", "--help").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_with_130(program: Program):
    running = subprocess.Popen(
        [*PROGRAM, "add-text", "slow"],
        cwd=program.home,
        env=program.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # parallel test runners ignore it
    )
    assert running.stdin is not None
    running.stdin.write(b"x")
    running.stdin.flush()
    wait_until_waiting(running.pid)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)

    assert (running.returncode, out) == (130, b"")
    assert b"interrupted" in err
    assert b"Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_reader_that_goes_away_is_no_error_of_ours(program: Program):
    program.run("remember", "one")
    read, write = os.pipe()
    os.close(read)

    done = subprocess.run(
        [*PROGRAM, "sources", "--json"], cwd=program.home, env=program.environ, stdout=write, stderr=subprocess.PIPE
    )
    os.close(write)

    assert done.stderr == b""


def wait_until_waiting(pid: int) -> None:
    """Until a process has loaded its modules and sleeps in a read; where the system does not tell, a good while."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{pid}/wchan") as file:  # noqa: PTH123 (a file of the kernel)
                if "pipe" in file.read():
                    return
        except OSError:
            time.sleep(2)
            return
        time.sleep(0.05)


def test_json_is_utf8_whatever_the_locale(program: Program):
    program.run("remember", "日本語 — ß")

    done = program.spawn("search", "日本語", "--json", environ={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})

    assert json.loads(done.stdout)["results"][0]["text"] == "日本語 — ß"


def test_commands_and_workspaces_are_completed(program: Program):
    program.run("workspace", "create", "acme")
    asked = {"_IMPRINT_COMPLETE": "bash_complete", "COMP_CWORD": "1", "COMP_WORDS": "imprint se"}
    deeper = {**asked, "COMP_WORDS": "imprint search x --workspace a", "COMP_CWORD": "4"}

    assert program.spawn(environ=asked).stdout.split() == ["plain,search"]
    assert program.spawn(environ=deeper).stdout.split() == ["plain,acme"]

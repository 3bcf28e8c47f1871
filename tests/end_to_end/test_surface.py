"""What holds for every command: help, JSON on stdout and nothing else, errors on stderr and nowhere else."""

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest
from command_table import LEAVES, TABLE, Leaf, Printed, Scope, spell, words_of
from real_program import Program

from imprint_cli import __version__

QUICK = [leaf for leaf, row in TABLE.items() if not row.slow]


def test_every_command_has_its_row_in_the_table():
    assert set(TABLE) == set(LEAVES), "describe each command in command_table.py"


@pytest.mark.parametrize("leaf", LEAVES, ids=words_of)
def test_every_command_has_help_with_an_example_of_itself(program: Program, leaf: Leaf):
    done = program.run(*leaf, "--help")

    assert (done.code, done.stderr) == (0, "")
    assert "--json" in done.stdout
    assert ("--workspace NAME" in done.stdout) == (TABLE[leaf].scope is not Scope.NONE)
    (line,) = [line for line in done.stdout.splitlines() if line.strip().startswith("Example: ")]
    words = shlex.split(line.partition("Example: ")[2].partition(" < ")[0])
    assert words[: len(leaf) + 1] == ["imprint", *leaf]
    LEAVES[leaf].make_context("imprint", words[len(leaf) + 1 :])  # raises where the example is no command line


@pytest.mark.parametrize("family", [(), *dict.fromkeys(leaf[:1] for leaf in LEAVES if len(leaf) > 1)], ids=words_of)
def test_no_summary_is_cut_on_a_terminal_of_eighty_columns(program: Program, family: Leaf):
    done = program.run(*family, "--help", environ={"COLUMNS": "80"})

    assert done.code == 0
    shown = done.stdout.splitlines()[1:]  # The first line shows how the family is used.
    assert [line for line in shown if line.endswith("...")] == []


@pytest.mark.parametrize("leaf", LEAVES, ids=words_of)
def test_an_argument_that_may_be_left_out_is_shown_so(leaf: Leaf):
    arguments = [parameter for parameter in LEAVES[leaf].params if isinstance(parameter, click.Argument)]
    shown = [argument.make_metavar(click.Context(LEAVES[leaf])) for argument in arguments if not argument.required]

    assert [metavar for metavar in shown if not metavar.startswith("[")] == []


@pytest.mark.parametrize("leaf", LEAVES, ids=words_of)
def test_every_argument_and_option_is_explained(leaf: Leaf):
    for parameter in LEAVES[leaf].params:
        explained = parameter.help if isinstance(parameter, click.Option | click.Argument) else None

        assert explained, parameter.name


@pytest.mark.parametrize("leaf", QUICK, ids=words_of)
def test_every_command_prints_json_and_nothing_else(device: Program, leaf: Leaf):
    row = TABLE[leaf]

    done = device.run(*leaf, *spell(device, row.words), "--json", stdin="A text.\n", cwd=device.home / "project")

    assert (done.code, done.stderr) == (0, "")
    assert done.json_lines
    assert len(done.json_lines) == 1 or row.printed is not Printed.OBJECT
    for line in done.json_lines:
        assert set(line) == set(row.keys.split())


@pytest.mark.parametrize("leaf", QUICK, ids=words_of)
def test_every_command_says_what_it_did(device: Program, leaf: Leaf):
    row = TABLE[leaf]
    words = [*leaf, *spell(device, row.words)]

    done = device.run(*words, stdin="A text.\n", cwd=device.home / "project")

    assert done.code == 0
    assert done.stdout.strip()
    if row.scope is not Scope.NONE:
        assert " — " in next(line for line in done.stderr.splitlines() if 'workspace "' in line)


@pytest.mark.parametrize("leaf", QUICK, ids=words_of)
def test_quiet_leaves_results_only(device: Program, leaf: Leaf):
    words = [*leaf, *spell(device, TABLE[leaf].words)]

    done = device.run("--quiet", *words, stdin="A text.\n", cwd=device.home / "project")

    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.strip()


@pytest.mark.parametrize("leaf", [leaf for leaf, row in TABLE.items() if row.printed is Printed.TABLE], ids=words_of)
def test_a_table_is_headed_by_the_keys_of_its_json(device: Program, leaf: Leaf):
    row = TABLE[leaf]

    done = device.run("--quiet", *leaf, *spell(device, row.words))

    assert set(done.stdout.splitlines()[0].split()) <= set(row.keys.split())


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES if leaf[0] != "config"], ids=words_of)
def test_an_error_is_one_object_on_stderr_and_stdout_stays_empty(program: Program, leaf: Leaf):
    file = program.home / "broken.toml"
    file.write_text("= oops")
    words = spell(program, TABLE[leaf].words)

    done = program.run("--config", str(file), "--data-dir", str(file), *leaf, *words, "--json", stdin="A text.\n")

    if leaf != ("doctor",):  # whose errors are its findings
        assert done.code in (2, 6)
        assert {"type", "message", "hint"} <= set(done.error)


@pytest.mark.parametrize("leaf", [leaf for leaf, row in TABLE.items() if row.unconfirmed], ids=words_of)
def test_what_destroys_needs_its_flag_where_nobody_can_be_asked(device: Program, leaf: Leaf):
    def look() -> list[str]:
        asked = (["workspace", "list"], ["sources"], ["exclusions", "list"])
        return [device.run(*words, "--json").stdout for words in asked]

    before = look()

    done = device.run(*leaf, *spell(device, TABLE[leaf].unconfirmed), "--json")

    assert done.code == 2
    assert done.error["hint"]
    assert look() == before


@pytest.mark.parametrize("words", [["serch"], ["search"], ["search", "--nope", "x"], ["facts", "end", "one"]])
def test_a_command_line_that_cannot_be_understood_is_told_in_json_too(program: Program, words: list[str]):
    done = program.run(*words, "--json")

    assert (done.code, done.error["type"]) == (2, "UsageError")


@pytest.mark.parametrize("option", ["--quiet", "--no-color", "-v", "--verbose", "--data-dir=x", "--config=x"])
def test_an_option_of_the_program_after_the_command_is_told_where_it_belongs(program: Program, option: str):
    done = program.run("workspace", "list", option, "--json")

    assert (done.code, done.error["type"]) == (2, "UsageError")
    name = option.partition("=")[0]
    assert done.error["hint"].startswith(f"{name} stands before the command: imprint {name}")


def test_help_is_a_command_too(program: Program):
    asked = program.run("help")

    assert (asked.code, asked.stdout) == (0, program.run("--help").stdout)
    assert program.run("help", "workspace", "use").stdout == program.run("workspace", "use", "--help").stdout
    assert program.run("help", "serach").code == 2


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


@pytest.mark.parametrize("started", [("-m", "imprint_mcp"), ("imprint-mcp",)], ids=["module", "script"])
def test_the_servers_help_shows_a_command_that_works_from_anywhere(program: Program, started: Leaf):
    script = Path(sys.executable).with_name("imprint-mcp")
    start = [str(script)] if len(started) == 1 else [sys.executable, *started]

    shown = subprocess.run([*start, "--help"], cwd=program.home, capture_output=True, text=True, check=True).stdout

    (_, _, command) = shown.partition("claude mcp add -s user imprint -- ")
    assert shlex.split(command) == start


def test_the_version_is_printed_by_a_process(program: Program):
    assert program.spawn("--version").stdout == f"imprint {__version__}\n"
    assert program.run("-v", "--version").stdout == f"imprint {__version__}\n"


def test_the_data_folder_is_named_by_option_before_variable_and_kept_from_others(program: Program):
    named, other = program.home / "named", program.home / "other"

    program.run("--data-dir", str(named), "remember", "x", environ={"IMPRINT_DATA_DIR": str(other)})

    assert (named / "registry.sqlite3").exists()
    assert not other.exists()
    if os.name == "posix":
        assert stat.S_IMODE(named.stat().st_mode) == 0o700


def test_commands_and_workspaces_are_completed(program: Program):
    program.run("workspace", "create", "acme")
    asked = {"_IMPRINT_COMPLETE": "bash_complete", "COMP_CWORD": "1", "COMP_WORDS": "imprint sea"}
    deeper = {**asked, "COMP_WORDS": "imprint search x --workspace a", "COMP_CWORD": "4"}

    assert program.spawn(environ=asked).stdout.split() == ["plain,search"]
    assert program.spawn(environ=deeper).stdout.split() == ["plain,acme"]

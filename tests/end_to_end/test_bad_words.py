"""Words that no command can use: a usage error that says which word, and nothing is done."""

import os
import sys
from pathlib import Path

import click
import pytest
from command_table import LEAVES, Leaf, words_of
from real_program import Program

from imprint_cli.words import PLACE, TEXT

NO_UTF8 = os.fsdecode(b"\xff")
"""What a byte that is no UTF-8 becomes on its way to the program."""


STRANGE = ["x" * 100_000, "\x01", "\x1b[31m", "\u2028" * 50, "%_*?[", "[!a", "NEAR(a b)", '"', "'); DROP", "../" * 99]


def taking(kind: click.ParamType) -> list[tuple[Leaf, click.Parameter]]:
    return [
        (leaf, parameter) for leaf, command in LEAVES.items() for parameter in command.params if parameter.type is kind
    ]


def spelled(leaf: Leaf, parameter: click.Parameter, word: str) -> list[str]:
    """A command line that gives a parameter this word, and all arguments that must be there."""
    option = [] if isinstance(parameter, click.Argument) else [parameter.opts[0], word]
    arguments = [
        word if argument is parameter else "1"
        for argument in LEAVES[leaf].params
        if isinstance(argument, click.Argument) and (argument.required or argument is parameter)
    ]
    return [*leaf, *option, "--json", "--", *arguments]


def names(case: object) -> str | None:
    return words_of(case) if isinstance(case, tuple) else getattr(case, "name", None)


@pytest.mark.parametrize(("leaf", "parameter"), taking(TEXT), ids=names)
def test_bytes_that_are_no_utf8_are_no_text(program: Program, leaf: Leaf, parameter: click.Parameter):
    done = program.run(*spelled(leaf, parameter, f"a{NO_UTF8}"))

    assert (done.code, done.error["type"]) == (2, "UsageError")
    assert "is not UTF-8" in done.error["message"]


@pytest.mark.parametrize(("leaf", "parameter"), taking(PLACE), ids=names)
def test_an_empty_path_is_not_the_current_directory(program: Program, leaf: Leaf, parameter: click.Parameter):
    """`imprint ingest "$UNSET"` must not index whatever the shell happens to be in."""
    done = program.run(*spelled(leaf, parameter, ""), cwd=program.project("acme"))

    assert (done.code, done.error["type"]) == (2, "UsageError")
    assert "must not be empty" in done.error["message"]


@pytest.mark.parametrize("option", ["--data-dir", "--config"])
def test_an_empty_place_for_everything_is_refused(program: Program, option: str):
    done = program.run(option, "", "status", "--json")

    assert (done.code, done.error["type"]) == (2, "UsageError")


def test_the_home_of_a_user_who_does_not_exist_is_no_path(program: Program):
    done = program.run("ingest", "~nobody-of-this-name/src", "--json")

    assert (done.code, done.error["type"]) == (2, "InvalidPathError")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the directories that processes are in")
@pytest.mark.parametrize(
    "words",
    [
        ["ingest", "."],
        ["refresh", "."],
        ["roots", "add", "."],
        ["roots", "remove", "."],
        ["purge", "."],
        ["workspace", "use", "acme"],
        ["--data-dir", ".", "status"],
        ["--config", ".", "status"],
    ],
    ids=words_of,
)
def test_a_relative_path_from_a_directory_that_is_gone_is_refused(program: Program, words: list[str]):
    done = program.spawn(*words, "--json", cwd=gone(program), vanish=True)

    assert (done.code, done.error["type"]) == (2, "InvalidPathError")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the directories that processes are in")
@pytest.mark.parametrize(
    "words", [["status"], ["remember", "x"], ["search", "x"], ["workspace", "which"]], ids=words_of
)
def test_what_needs_no_directory_works_in_one_that_is_gone(program: Program, words: list[str]):
    done = program.spawn(*words, cwd=gone(program), vanish=True)

    assert done.code == 0
    assert 'workspace "default"' in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["search", "x", "-n", "9" * 30], 2),
        (["config", "set", "search.limit", "9" * 30], 2),
        (["show", "1", "--lines", "1:" + "9" * 30], 2),
        (["search", "x", "--since", "9" * 30 + "d"], 2),
        (["facts", "add", "a", "is", "b", "--from", "0001-01-01"], 2),
        (["show", "9" * 30], 3),
        (["facts", "end", "9" * 30], 3),
        (["forget", "9" * 30], 3),
        (["forget", "-" + "9" * 30], 2),
    ],
    ids=lambda case: words_of(case)[:40] if isinstance(case, list) else None,
)
def test_numbers_without_measure_break_nothing(program: Program, words: list[str], code: int):
    program.run("remember", "x")

    assert program.run(*words, "--json").code == code


@pytest.mark.parametrize("text", STRANGE)
@pytest.mark.parametrize("command", ["search", "sources", "show", "remember", "exclusions restore", "purge"])
def test_strange_text_is_only_text(program: Program, command: str, text: str):
    done = program.run(*command.split(), "--json", "--", text)

    assert done.code in (0, 2, 3)
    assert "UnexpectedError" not in done.stderr


def gone(program: Program) -> Path:
    folder = program.home / "gone"
    folder.mkdir()
    return folder

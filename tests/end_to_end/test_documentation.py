"""The pages that speak of the program are held to the program."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from command_table import LEAVES
from real_program import Program

from imprint_cli.exit_codes import ExitCode

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("packages/*/README.md")),
    *sorted(ROOT.glob("examples/*/README.md")),
]


def test_the_reference_pages_are_current():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate_reference.py", "--check"], capture_output=True, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", ["commands.md", "settings.md", "exit-codes.md", "mcp-tools.md"])
def test_a_reference_page_that_is_not_current_is_noticed_and_written_anew(tmp_path: Path, page: str):
    """On a copy of the generator and its pages, beside the real program."""
    (tmp_path / "tools").mkdir()
    for module in ("generate_reference.py", "mcp_tools_page.py"):
        shutil.copy(ROOT / "tools" / module, tmp_path / "tools")
    shutil.copytree(ROOT / "docs" / "reference", tmp_path / "docs" / "reference")
    copy = tmp_path / "docs" / "reference" / page
    copy.write_text(copy.read_text("utf-8").replace("imprint", "imprnt", 1), "utf-8")
    command = [sys.executable, tmp_path / "tools" / "generate_reference.py"]

    noticed = subprocess.run([*command, "--check"], capture_output=True, text=True)
    subprocess.run(command, check=True)

    assert noticed.returncode == 1
    assert page in noticed.stderr
    assert copy.read_text("utf-8") == (ROOT / "docs" / "reference" / page).read_text("utf-8")


def test_every_nox_session_that_a_page_names_exists():
    tree = ast.parse((ROOT / "noxfile.py").read_text("utf-8"))
    sessions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.decorator_list}

    named = [
        (page.name, session.partition("-3")[0])
        for page in PAGES
        for session in re.findall(r"nox -s ([a-z][\w.-]*)", page.read_text("utf-8"))
    ]

    assert len(named) > 3
    assert [(page, session) for page, session in named if session not in sessions] == []


def test_every_command_line_that_a_page_shows_can_be_understood():
    shown = [
        (page.name, line)
        for page in PAGES
        for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        for line in re.findall(r"^\$ (?:\w+=\S+ )*(imprint .*)$", block, re.MULTILINE)
    ]

    assert len(shown) > 30
    for page, line in shown:
        words = shlex.split(re.split(r" [|<>&]", line)[0], comments=True)[1:]
        if words and words[0] in ("--version", "--help"):
            continue
        leaf = next((leaf for leaf in LEAVES if words[: len(leaf)] == list(leaf)), None)
        assert leaf, (page, line)
        try:
            LEAVES[leaf].make_context("imprint", words[len(leaf) :])
        except click.UsageError as error:
            raise AssertionError((page, line, error.format_message())) from error


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems take no name that is not UTF-8")
def test_the_report_of_an_ingest_speaks_the_words_of_the_how_to(program: Program):
    """Those of the table, but for a file that changes meanwhile, which no test can make sure of."""
    folder = program.project("acme", {"a.md": "# A\n", "gone.md": "# Gone\n", ".env": "KEY=1\n"})
    (folder / "large.md").write_text("many words " * 200_000)
    (folder / os.fsdecode(b"bad\xff.md")).write_text("# B\n")
    program.run("purge", str(folder / "gone.md"), "--apply", "--workspace", "default")
    page = (ROOT / "docs" / "how-to" / "index-a-repository.md").read_text("utf-8")
    promised = {*re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)} - {"changed while it was read"}

    done = program.run("-v", "ingest", str(folder))

    assert len(promised) == 4
    assert [words for words in promised if words not in done.stdout + done.stderr] == []
    assert "passed over: " in done.stderr


def test_the_page_of_exit_codes_names_each_of_them():
    rows = re.findall(r"^\| (\d+) \|", (ROOT / "docs" / "reference" / "exit-codes.md").read_text("utf-8"), re.MULTILINE)

    assert [int(row) for row in rows] == sorted(ExitCode)


@pytest.mark.skipif(sys.platform == "win32", reason="the page is written for a POSIX shell")
def test_a_newcomer_sees_what_the_tutorial_shows(program: Program, tmp_path: Path):
    """Each command of the page is run in one shell; each line the page shows (… stands for anything) must appear."""
    page = (ROOT / "docs" / "tutorial" / "first-memory.md").read_text("utf-8")
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "imprint").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m imprint_cli "$@"\n')
    (commands / "imprint").chmod(0o755)
    environ = {**program.environ, "PATH": f"{commands}{os.pathsep}{program.environ['PATH']}"}
    folder = program.home

    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.rstrip().partition("\n")
            if command.startswith("cd "):
                folder /= command.removeprefix("cd ")
                continue
            done = subprocess.run(["sh", "-c", command], cwd=folder, env=environ, capture_output=True, text=True)
            assert (done.returncode != 0) == shown.startswith("error: "), (command, done.stderr)
            for line in filter(None, shown.split("\n")):
                pattern = ".*".join(map(re.escape, line.split("…")))
                assert re.search(pattern, done.stdout + done.stderr), (command, done.stdout, done.stderr)

"""The pages that speak of the program are held to the program."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from real_program import Program

from imprint_cli.exit_codes import ExitCode

ROOT = Path(__file__).parents[2]


def test_the_reference_pages_are_current():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate_reference.py", "--check"], capture_output=True, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")


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

"""Gives every test a program with a home of its own, and makes the modules beside this one importable."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from command_table import furnish
from real_program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A fresh home."""
    home = tmp_path / "home"
    home.mkdir()
    return Program(home)


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, Path]:
    """The home that the table of commands speaks of, and a copy of it as it was."""
    folder = tmp_path_factory.mktemp("furnished")
    (folder / "home").mkdir()
    program = Program(folder / "home")
    furnish(program)
    shutil.copytree(program.home, folder / "copy")
    return program, folder / "copy"


@pytest.fixture
def device(furnished: tuple[Program, Path]) -> Program:
    """The furnished home, put back to what it was: copying is quicker than furnishing."""
    program, copy = furnished
    shutil.rmtree(program.home)
    shutil.copytree(copy, program.home)
    return program

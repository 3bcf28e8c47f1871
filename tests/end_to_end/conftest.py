"""Gives every test a program with a home of its own, and makes `real_program` importable."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from real_program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    home = tmp_path / "home"
    home.mkdir()
    return Program(home)

"""Gives every test a home, and makes the modules beside this one importable."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "travelling"))  # `kills` lies there
sys.path.insert(0, str(Path(__file__).parent))

from learning_home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A fresh home with both clients in it."""
    return Home(tmp_path / "home")

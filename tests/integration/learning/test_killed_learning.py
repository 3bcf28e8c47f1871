"""Learning that is killed at any moment that the program names: nothing is lost, and nothing is there twice."""

import os
import shutil
from pathlib import Path

import pytest
from kills import reached_by, run_killed
from learning_home import Home, claude_line

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing to fork here")

LONG = "conversation:claude-code/long"
SHORT = "conversation:claude-code/short"


@pytest.fixture
def prepared(tmp_path: Path) -> Home:
    """One conversation that was learned and has grown since, and one that has not been learned at all."""
    home = Home(tmp_path / "prepared" / "home")
    cwd = str(home.project("acme"))
    home.append(home.claude("short"), [claude_line("short", number, f"short {number}", cwd=cwd) for number in range(5)])
    home.learn()
    home.append(home.claude("short"), [claude_line("short", 7, "short 7", cwd=cwd)])
    home.append(home.claude("long"), [claude_line("long", number, f"long {number}", cwd=cwd) for number in range(230)])
    return home


def copied(prepared: Home, place: Path) -> Home:
    """The directories that the conversations name stay those of the home that was prepared."""
    shutil.copytree(prepared.path, place / "home", symlinks=True)
    home = object.__new__(Home)
    object.__setattr__(home, "path", place / "home")
    return home


@pytest.mark.parametrize("is_rewritten", [False, True], ids=["growing", "read anew"])
def test_the_next_run_finishes_what_a_killed_one_began(prepared: Home, tmp_path: Path, is_rewritten: bool):
    if is_rewritten:
        cwd = str(prepared.project("acme"))
        prepared.learn()
        prepared.append(prepared.claude("long"), [claude_line("long", 0, "mended", cwd=cwd)])
    tried = copied(prepared, tmp_path / "tried")
    points = reached_by(lambda: tried.learn())
    expected = {key: tried.passages(key) for key in (LONG, SHORT)}
    assert len(expected[LONG]) == 230
    assert len(expected[SHORT]) == 6

    for name, nth in points:
        home = copied(prepared, tmp_path / f"{name}-{nth}")
        assert run_killed(lambda home=home: home.learn(), name, nth), (name, nth)
        seen = home.passages(LONG)
        assert len(set(seen)) == len(seen), "nothing twice, even before the next run"
        home.learn()
        assert {key: home.passages(key) for key in (LONG, SHORT)} == expected, (name, nth)
        assert set(home.learn().sources) == {"unchanged"}
        shutil.rmtree(home.path)

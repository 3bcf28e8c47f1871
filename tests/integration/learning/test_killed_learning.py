"""Learning that is killed at any moment that the program names: nothing is lost, and nothing is there twice."""

import os
import shutil
from pathlib import Path

import pytest
from kills import at_failpoints, reached_by, run_killed
from learning_home import Home, claude_line

pytestmark = [pytest.mark.long, pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing to fork here")]

LONG = "conversation:claude-code/long"
SHORT = "conversation:claude-code/short"


@pytest.fixture
def prepared(tmp_path: Path) -> Home:
    """One conversation that was learned and has grown since, and one that has not been learned at all."""
    home = Home(tmp_path / "prepared" / "home")
    cwd = str(home.project("acme"))
    home.append(home.claude("short"), [claude_line("short", number, f"short {number}", cwd=cwd) for number in range(5)])
    home.learn()
    home.append(home.claude("short"), [claude_line("short", 8, "We decided to use SQLite for the store.", cwd=cwd)])
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
    expected = {key: tried.passages(key) for key in tried.sources()}
    assert any(key.startswith("memory:") for key in expected), "what it showed is written down too"
    assert len(expected[LONG]) == 230
    assert len(expected[SHORT]) == 6

    for name, nth in points:
        home = copied(prepared, tmp_path / f"{name}-{nth}")
        assert run_killed(lambda home=home: home.learn(), name, nth), (name, nth)
        seen = home.passages(LONG)
        assert len(set(seen)) == len(seen), "nothing twice, even before the next run"
        home.learn()
        assert {key: home.passages(key) for key in home.sources()} == expected, (name, nth)
        assert set(home.learn().sources) == {"unchanged"}
        shutil.rmtree(home.path)


def test_turns_that_need_several_transactions_are_stored_whole(tmp_path: Path):
    home = Home(tmp_path / "prepared" / "home")
    cwd = str(home.project("acme"))
    pasted = "\n\n".join("paragraph " * 100 for _ in range(110))
    home.append(
        home.claude("wide"), [claude_line("wide", number, f"{number} {pasted}", cwd=cwd) for number in range(2)]
    )
    tried = copied(home, tmp_path / "tried")
    with at_failpoints(lambda *_: None) as reached:
        tried.learn()
    expected = tried.passages("conversation:claude-code/wide")
    assert len(expected) > 200, "more than one transaction takes"

    for nth in range(1, reached["database.committed"] + 1):
        again = copied(home, tmp_path / f"{nth}")
        assert run_killed(lambda home=again: home.learn(), "database.committed", nth)
        again.learn()
        assert again.passages("conversation:claude-code/wide") == expected, nth

"""Programs killed at any moment of their run; `nox -s crashes` does it thousands of times."""

import random

import pytest
from crash_processes import KILLED
from crash_trials import Trials


@pytest.mark.parametrize("seed", range(6))
def test_a_kill_at_any_moment_leaves_what_was_told_and_nothing_half_done(trials: Trials, seed: int):
    code = trials.kill_at_random(random.Random(seed))

    assert code in (0, *KILLED)

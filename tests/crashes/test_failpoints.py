"""A program may be killed, or the disk be full, at each of its failpoints: nothing that was told is lost or untrue."""

import random
from zlib import crc32

import pytest
from crash_failpoints import find_failpoints
from crash_processes import KILLED
from crash_programs import PROGRAMS
from crash_trials import Trials

FAILPOINTS = find_failpoints()


def test_a_failpoint_is_one_place():
    assert {name: places for name, places in FAILPOINTS.items() if places > 1} == {}
    assert len(FAILPOINTS) > 40


@pytest.mark.parametrize("failpoint", FAILPOINTS)
@pytest.mark.parametrize("action", ["kill", "fail"])
def test_what_is_cut_short_is_whole_or_absent_and_another_run_finishes_it(trials: Trials, failpoint: str, action: str):
    program = find_program(trials, failpoint)
    times = trials.reference(program).reached[failpoint]
    nth = random.Random(crc32(f"{failpoint} {action}".encode())).randint(1, times)

    code = trials.disturb_at(program, failpoint, nth, action)

    assert action == "fail" or code in KILLED


def find_program(trials: Trials, failpoint: str) -> str:
    """The first of the programs that comes there."""
    for program in PROGRAMS:
        if failpoint in trials.reference(program).reached:
            return program
    pytest.fail(f"no program comes to {failpoint}: write one that does")

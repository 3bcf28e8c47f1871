"""Many processes at once on one device: nothing told is lost, nothing is seen by halves, nothing purged comes back."""

from pathlib import Path

from crash_crowds import gather
from crash_processes import Processes


def test_a_crowd_whose_members_are_killed_leaves_everything_in_order(processes: Processes, tmp_path: Path):
    outcome = gather(processes, tmp_path.resolve() / "device", kills=4)

    assert outcome.acknowledged > 50
    assert outcome.answers > 0
    assert outcome.kills == 4

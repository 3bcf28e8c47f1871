"""Kills programs for as long as it is told to: at random moments, at random failpoints, alone and in crowds.

``nox -s crashes -- --seconds 300``. What is drawn depends on the seed alone, which is printed first. The last line is
JSON. A fault ends it with 1, and leaves the device as it was for whoever wants to look at it.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from crash_crowds import gather
from crash_processes import KILLED, Processes
from crash_programs import PROGRAMS
from crash_trials import Trials

CROWD_SHARE = 0.01
"""A crowd takes as long as a hundred trials, and has many kills of its own."""


def kill_for(seconds: float, seed: str, folder: str) -> tuple[Counter[str], str]:
    """Run trials for some time; what was done, and the fault that ended it, if one did."""
    done: Counter[str] = Counter()
    deadline = time.monotonic() + seconds
    number = 0
    with Processes() as processes:
        trials = Trials(processes, Path(folder))
        while time.monotonic() < deadline:
            number += 1
            draw = random.Random(f"{seed} {number}")
            try:
                done += run_one(trials, processes, Path(folder), draw)
            except AssertionError as error:
                return done, f"trial {number} of seed {seed!r} in {folder}: {error}"
    return done, ""


def run_one(trials: Trials, processes: Processes, folder: Path, draw: random.Random) -> Counter[str]:
    """One trial of some kind."""
    if draw.random() < CROWD_SHARE:
        outcome = gather(processes, folder / "crowd", kills=8, servers=draw.randrange(3), seed=draw.randrange(10**9))
        return Counter(crowds=1, kills=outcome.kills, acknowledged=outcome.acknowledged)
    if draw.random() < 0.5:
        code = trials.kill_at_random(draw)
        return Counter(trials=1, kills=int(code in KILLED))
    program = draw.choice(list(PROGRAMS))
    failpoint, times = draw.choice(sorted(trials.reference(program).reached.items()))
    action = draw.choice(["kill", "kill", "fail"])
    code = trials.disturb_at(program, failpoint, draw.randint(1, times), action)
    return Counter(trials=1, kills=int(code in KILLED), full_disks=int(action == "fail"))


def main() -> int:
    """Run the program; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=1_800)
    parser.add_argument("--seed", default=str(random.SystemRandom().randrange(10**9)))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    sys.stderr.write(f"seed {options.seed}\n")
    folder = Path(tempfile.mkdtemp(prefix="imprint-crashes-")).resolve()
    places = [folder / str(job) for job in range(options.jobs)]
    for place in places:
        place.mkdir()
    begun = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        seeds = [f"{options.seed}.{job}" for job in range(options.jobs)]
        outcomes = list(pool.map(kill_for, [options.seconds] * options.jobs, seeds, map(str, places)))
    done = sum((counts for counts, _ in outcomes), Counter[str]())
    faults = [fault for _, fault in outcomes if fault]
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    if not faults:
        shutil.rmtree(folder)
    names = ("kills", "trials", "full_disks", "crowds", "acknowledged")
    line = {"seed": options.seed, **{name: done[name] for name in names}, "faults": len(faults)}
    sys.stdout.write(json.dumps({**line, "seconds": round(time.monotonic() - begun)}) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())

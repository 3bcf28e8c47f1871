"""Makes the `crash_` modules importable, and keeps their processes and devices for the whole session."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from crash_processes import Processes
from crash_trials import Trials


@pytest.fixture(scope="session")
def processes() -> Iterator[Processes]:
    with Processes() as processes:
        yield processes


@pytest.fixture(scope="session")
def trials(processes: Processes, tmp_path_factory: pytest.TempPathFactory) -> Trials:
    return Trials(processes, tmp_path_factory.mktemp("trials").resolve())

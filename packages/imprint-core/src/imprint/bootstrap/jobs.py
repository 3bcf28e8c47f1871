"""Background work, composed for this process."""

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from imprint.adapters.fault_logs import HOOK_LOG, read_faults
from imprint.adapters.jobs_db import JOBS_FILE, open_jobs
from imprint.adapters.worker_locks import FileWorkerLock
from imprint.bootstrap.language_models import diagnose_language_model
from imprint.domain.purge import Exclusion
from imprint.services.background_checks import check_hooks, check_jobs
from imprint.services.diagnose import Finding
from imprint.services.jobs import Jobs

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application

__all__ = ["cancel_excluded_jobs", "check_background", "open_background_jobs"]


def open_background_jobs(application: "Application") -> Jobs:
    """Open the queue, which is closed with the application.

    Raises:
        StoreError: It cannot be used.
    """
    folder = application.data_folder
    return Jobs(
        queue=application._resources.enter_context(open_jobs(str(folder.path))),
        lock=FileWorkerLock(folder),
        workspaces=application.workspaces,
        learning=lambda: application.learning,
        spellings=_spellings,
        wait=time.sleep,
    )


def _spellings(path: str) -> Sequence[Path]:
    """A path as it was told, and the place it leads to, if any: `Path.resolve` raises at links that go in a circle."""
    told = Path(path)
    return tuple(dict.fromkeys((told, Path(os.path.realpath(told)))))


def check_background(application: "Application") -> Iterator[Finding]:
    """Look at background work, at clients' hooks and at the language model; nothing is made.

    Raises:
        StoreError: The queue cannot be read.
    """
    folder = application.data_folder
    is_there = folder.has(folder.path / JOBS_FILE)
    yield check_jobs(application.jobs.list() if is_there else ())
    yield check_hooks(read_faults(str(folder.path), HOOK_LOG), str(folder.logs / HOOK_LOG))
    yield diagnose_language_model(application)


def cancel_excluded_jobs(application: "Application", exclusion: Exclusion) -> None:
    """Cancel what is queued about transcripts that an exclusion keeps out of its workspace.

    Raises:
        StoreError: The queue cannot be written.
    """
    folder = application.data_folder
    if folder.has(folder.path / JOBS_FILE):
        application.jobs.cancel_excluded(exclusion)

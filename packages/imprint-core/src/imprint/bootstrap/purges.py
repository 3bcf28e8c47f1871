"""The service that forgets sources, composed for this device."""

from functools import partial
from typing import TYPE_CHECKING

from imprint.adapters.device_locks import FileDeviceLock
from imprint.adapters.project_folders import find_homes
from imprint.adapters.purge_targets import RealPurgeTargets
from imprint.services.purge import Purge

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application
    from imprint.domain.purge import Exclusion

__all__ = ["open_purge"]


def open_purge(application: "Application") -> Purge:
    """Compose it; nothing is looked at yet."""
    return Purge(
        registry=application._registry,
        stores=application._stores,
        locks=application._locks,
        device_lock=FileDeviceLock(application.data_folder),
        targets=RealPurgeTargets(find_homes(application.environ)),
        clock=application._clock,
        cancel_jobs=partial(_cancel_jobs, application),
    )


def _cancel_jobs(application: "Application", exclusion: "Exclusion") -> None:
    from imprint.bootstrap.jobs import cancel_excluded_jobs

    cancel_excluded_jobs(application, exclusion)

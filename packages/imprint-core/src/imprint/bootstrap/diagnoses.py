"""The service that checks each part of a device: what is broken must not keep the others from being looked at."""

from typing import TYPE_CHECKING

from imprint.adapters.database_checks import find_database_faults
from imprint.bootstrap.jobs import check_background
from imprint.services.background_checks import check_clients
from imprint.services.diagnose import Diagnosis

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application

__all__ = ["open_diagnosis"]


def open_diagnosis(application: "Application") -> Diagnosis:
    """Compose it; each part is made when it is its turn."""
    return Diagnosis(
        load_settings=lambda: application.settings_report,
        find_folder_fault=lambda: application.data_folder.find_fault(),
        find_registry_faults=lambda: find_database_faults(application.data_folder.registry_file),
        find_store_faults=lambda workspace: find_database_faults(application.data_folder.store_file(workspace)),
        plugins=lambda: application.plugins,
        registry=lambda: application._registry,
        stores=lambda: application._stores,
        locks=lambda: application._locks,
        open_embedder=lambda: application._chosen.embedder_opener,
        open_backend=lambda workspace, feed: application._chosen.open_backend(workspace, feed),
        embed=lambda store, progress: application.embedding.run(store, progress),
        check_background=lambda: check_background(application),
        check_clients=lambda: check_clients(application.connections.list()),
    )

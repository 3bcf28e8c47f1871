"""The service of workspaces, composed for this process's homes."""

from typing import TYPE_CHECKING

from imprint.adapters.project_folders import RealProjectFolders, find_homes, may_be_elsewhere
from imprint.adapters.workspace_files import WorkspaceFolders
from imprint.adapters.workspace_settings import ConfiguredWorkspaces
from imprint.domain.resolution import WORKSPACE_VARIABLE
from imprint.domain.sources import CanonicalPath
from imprint.services.workspaces import Workspaces

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application

__all__ = ["open_workspaces"]


def open_workspaces(application: "Application") -> Workspaces:
    """Compose it; nothing is looked at yet."""
    environ = application.environ

    def find_more(place: CanonicalPath) -> tuple[CanonicalPath, ...]:
        if not may_be_elsewhere(place, environ):
            return ()
        from imprint.bootstrap.homes import find_homes_around  # plugins cost more than all the rest

        return find_homes_around(place, application)

    return Workspaces(
        registry=application._registry,
        projects=RealProjectFolders(find_homes(environ), find_more),
        settings=ConfiguredWorkspaces(application.config, application.settings.workspace),
        files=WorkspaceFolders(application.data_folder),
        locks=application._locks,
        clock=application._clock,
        environment=environ.get(WORKSPACE_VARIABLE, ""),
    )

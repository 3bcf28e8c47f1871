"""The service that connects clients, composed for this process's home."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from imprint.adapters.client_files import RealClientFiles
from imprint.adapters.client_writing import RealClientFileWriter
from imprint.adapters.connection_files import ConnectionFiles
from imprint.adapters.our_programs import find_our_program
from imprint.adapters.project_folders import find_homes
from imprint.domain.client_instructions import CLIENT_INSTRUCTIONS
from imprint.errors import NoHomeError
from imprint.plugins.clients import ClientHome, OurPrograms
from imprint.services.connect import Connections

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application

__all__ = ["find_client_home", "open_connections"]

_SYSTEMS = {"darwin": "macos", "win32": "windows"}


def open_connections(application: "Application") -> Connections:
    """Compose it; nothing is looked at yet.

    Raises:
        NoHomeError: The user has no home folder.
    """
    environ = application.environ
    return Connections(
        plugins=application.plugins,
        home=find_client_home(environ),
        files=RealClientFiles(environ.get("PATH", "")),
        writer=RealClientFileWriter(),
        records=ConnectionFiles(application.data_folder, application._clock),
        programs=lambda: _find_programs(environ),
    )


def find_client_home(environ: Mapping[str, str]) -> ClientHome:
    """This user's home, as clients of this process's own kind see it.

    Raises:
        NoHomeError: The user has no home folder.
    """
    homes = find_homes(environ)
    if not homes:
        raise NoHomeError(option="the variable HOME")
    return ClientHome(path=homes[0], system=_SYSTEMS.get(sys.platform, "linux"), environ=environ)


def _find_programs(environ: Mapping[str, str]) -> OurPrograms:
    return OurPrograms(
        server=(find_our_program("imprint-mcp", environ),),
        hook=(find_our_program("imprint-hook", environ),),
        instructions=CLIENT_INSTRUCTIONS,
    )

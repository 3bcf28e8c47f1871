"""The service that connects clients, composed for this process's homes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from imprint.adapters.client_writing import RealClientFileWriter
from imprint.adapters.connection_files import ConnectionFiles
from imprint.adapters.our_programs import find_our_program
from imprint.domain.client_instructions import CLIENT_INSTRUCTIONS
from imprint.domain.setting_sections import HooksSection
from imprint.plugins.clients import OurPrograms
from imprint.services.connect import Connections

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application

__all__ = ["open_connections"]


def open_connections(application: "Application") -> Connections:
    """Compose it; nothing is looked at yet.

    Raises:
        NoHomeError: The user has no home folder.
    """
    return Connections(
        plugins=application.plugins,
        homes=application.homes,
        writer=RealClientFileWriter(),
        records=ConnectionFiles(application.data_folder, application._clock),
        programs=lambda: _find_programs(application.environ, application.settings.hooks),
    )


def _find_programs(environ: Mapping[str, str], hooks: HooksSection) -> OurPrograms:
    return OurPrograms(
        server=(find_our_program("imprint-mcp", environ),),
        hook=(find_our_program("imprint-hook", environ),),
        instructions=CLIENT_INSTRUCTIONS,
        recalls=hooks.prompt_passages > 0,
    )

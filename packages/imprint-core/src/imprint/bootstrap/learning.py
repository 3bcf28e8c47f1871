"""The service that learns from conversations, composed for this process's home."""

from typing import TYPE_CHECKING

from imprint.adapters.client_files import RealClientFiles
from imprint.adapters.files import RealFileTree
from imprint.adapters.project_folders import find_homes
from imprint.adapters.transcripts import RealTranscriptFiles
from imprint.bootstrap.connections import find_client_home
from imprint.bootstrap.language_models import open_insights
from imprint.services.conversation_writing import TurnPreparation
from imprint.services.learn import Learning

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application

__all__ = ["open_learning"]


def open_learning(application: "Application") -> Learning:
    """Compose it; nothing is looked at yet.

    Raises:
        NoHomeError: The user has no home folder.
    """
    environ = application.environ
    tree = RealFileTree(homes=find_homes(environ), environ=environ)

    return Learning(
        plugins=application.plugins,
        home=find_client_home(environ),
        files=RealClientFiles(environ.get("PATH", "")),
        transcripts=RealTranscriptFiles(),
        workspaces=application.workspaces,
        stores=application._stores,
        locks=application._locks,
        clock=application._clock,
        preparation=TurnPreparation(redact=application.redact, outline_document=application._extractors.outline),
        find_project=lambda folder, root: tree.find_project(folder, root=root),
        open_insights=lambda: open_insights(application),
        embed=application.embedding.run,
    )

"""The service that learns from conversations, composed for this process's homes."""

from pathlib import Path
from typing import TYPE_CHECKING

from imprint.adapters.export_files import RealExportFiles
from imprint.adapters.files import RealFileTree
from imprint.adapters.project_folders import find_homes
from imprint.adapters.transcripts import RealTranscriptFiles
from imprint.bootstrap.language_models import open_insights
from imprint.services.conversation_writing import TurnPreparation
from imprint.services.export_learning import ExportLearning
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
        homes=application.homes,
        transcripts=RealTranscriptFiles(),
        workspaces=application.workspaces,
        stores=application._stores,
        locks=application._locks,
        clock=application._clock,
        exports=ExportLearning(application.plugins, RealExportFiles(_find_downloads)),
        preparation=TurnPreparation(redact=application.redact, outline_document=application._extractors.outline),
        find_project=lambda folder, root: tree.find_project(folder, root=root),
        open_insights=lambda: open_insights(application),
        embed=application.embedding.run,
    )


def _find_downloads() -> Path:
    import platformdirs  # few runs look there

    return Path(platformdirs.user_downloads_dir())

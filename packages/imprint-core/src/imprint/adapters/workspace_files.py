"""The files of workspaces in the data folder, and how they go."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import attrs

from imprint.domain.sources import WorkspaceName

__all__ = ["WorkspaceFolders"]

_LOCK_FILE = "ingest.lock"


@attrs.frozen
class WorkspaceFolders:
    """Meets `imprint.protocols.projects.WorkspaceFiles`.

    The lock file is nobody's memory and stays: whoever removes the rest holds it, and Windows removes no open file.
    """

    data_folder: Path

    def exist(self, workspace: WorkspaceName) -> bool:
        return any(True for _ in self._entries(workspace))

    def remove(self, workspace: WorkspaceName) -> None:
        for entry in self._entries(workspace):
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                with suppress(FileNotFoundError):
                    entry.unlink()

    def _entries(self, workspace: WorkspaceName) -> Iterator[Path]:
        folder = self.data_folder / "workspaces" / workspace
        with suppress(FileNotFoundError):
            yield from [entry for entry in folder.iterdir() if entry.name != _LOCK_FILE]

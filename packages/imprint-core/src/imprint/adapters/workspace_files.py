"""The files of workspaces in the data folder, and how they go."""

from collections.abc import Iterator
from pathlib import Path

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.domain.sources import WorkspaceName
from imprint.errors import DataFolderError
from imprint.failpoints import reach

__all__ = ["WorkspaceFolders"]


@attrs.frozen
class WorkspaceFolders:
    """Meets `imprint.protocols.projects.WorkspaceFiles`.

    The lock's own files are nobody's memory and stay: whoever removes the rest holds them, and Windows removes no open
    file.
    """

    folder: DataFolder

    def exist(self, workspace: WorkspaceName) -> bool:
        return any(True for _ in self._entries(workspace))

    def remove(self, workspace: WorkspaceName) -> None:
        import shutil  # with its archivers, which every other command would pay for

        for entry in self._entries(workspace):
            reach("workspace-files.remove")
            try:
                if entry.is_dir() and not entry.is_symlink():
                    shutil.rmtree(entry)
                else:
                    entry.unlink(missing_ok=True)
            except OSError as error:
                raise DataFolderError(str(entry), error.strerror or str(error)) from error

    def _entries(self, workspace: WorkspaceName) -> Iterator[Path]:
        kept = self.folder.lock_file(workspace).stem
        folder = self.folder.workspace(workspace)
        try:
            entries = [entry for entry in folder.iterdir() if entry.stem != kept]
        except FileNotFoundError:
            return
        except OSError as error:
            raise DataFolderError(str(folder), error.strerror or str(error)) from error
        yield from entries

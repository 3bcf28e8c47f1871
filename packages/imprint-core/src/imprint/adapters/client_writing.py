"""Plans carried out on clients' files: meets `imprint.protocols.connections.ClientFileWriter`."""

import os
import stat
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import attrs

from imprint.adapters.canonical_paths import pure_path
from imprint.adapters.client_files import read_client_file
from imprint.adapters.temporaries import TEMPORARY_SUFFIX, remove_stale_temporaries, temporary_prefix
from imprint.domain.plans import FileEdit, RunCommand
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientCommandFailedError, ClientFileChangedError, ClientFileUnwritableError
from imprint.failpoints import reach

__all__ = ["RealClientFileWriter"]

_PRIVATE_FOLDER = 0o700
_LONGEST_COMMAND = 60
"""Seconds; what such commands do is edit a file."""


@attrs.frozen
class RealClientFileWriter:
    """Writes beside a file and renames, so that its client finds the old one or the new one."""

    def missing_folders(self, path: CanonicalPath) -> tuple[CanonicalPath, ...]:
        parents = _target(path).parents
        return tuple(pure_path(folder) for folder in reversed(parents) if not os.path.lexists(folder))

    def write(self, edit: FileEdit) -> None:
        target = _target(edit.path)
        _require_unchanged(target, edit)
        try:
            if edit.after is None:
                target.unlink()
            else:
                for folder in self.missing_folders(edit.path):
                    Path(folder).mkdir(mode=_PRIVATE_FOLDER)
                _replace(target, edit.after, edit)
        except OSError as error:
            raise ClientFileUnwritableError(str(edit.path), error.strerror or str(error)) from error
        _sync_folder(target.parent)

    def run(self, command: RunCommand) -> None:
        line = " ".join(command.arguments)
        try:
            done = subprocess.run(
                command.arguments,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_LONGEST_COMMAND,
                check=False,
            )
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            raise ClientCommandFailedError(line, str(error)) from error
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise ClientCommandFailedError(line, said[-1] if said else f"it ended with {done.returncode}")

    def remove_empty_folder(self, folder: CanonicalPath) -> None:
        with suppress(OSError):
            Path(folder).rmdir()


def _target(path: CanonicalPath) -> Path:
    """The file itself, where links lead to it."""
    return Path(os.path.realpath(path))


def _require_unchanged(target: Path, edit: FileEdit) -> None:
    if read_client_file(target) != edit.before:
        raise ClientFileChangedError(str(edit.path))


def _replace(target: Path, data: bytes, edit: FileEdit) -> None:
    descriptor, name = tempfile.mkstemp(TEMPORARY_SUFFIX, temporary_prefix(target), target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _take_after(temporary, target, edit.mode)
        reach("client-file.written")
        _require_unchanged(target, edit)
        temporary.replace(target)
        reach("client-file.replaced")
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    remove_stale_temporaries(target)


def _take_after(temporary: Path, target: Path, mode: int) -> None:
    """Give the new file the mode and owner of the old one, as far as may be."""
    try:
        old = target.stat()
    except FileNotFoundError:
        temporary.chmod(mode)
        return
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    temporary.chmod(stat.S_IMODE(old.st_mode))


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Folders cannot be opened there, and need not be.
        return
    with suppress(OSError):  # as some network file systems answer; the file itself is safe
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

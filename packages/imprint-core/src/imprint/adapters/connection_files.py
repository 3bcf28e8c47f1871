"""Records and backups of connections, below ``clients/`` of the data folder."""

import base64
import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.held_files import hold_file
from imprint.adapters.temporaries import TEMPORARY_SUFFIX, remove_stale_temporaries, temporary_prefix
from imprint.domain.paths import parse_path
from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.errors import ClientsBusyError, ConnectionRecordDamagedError, DataFolderError, InvalidPathError
from imprint.failpoints import reach
from imprint.protocols.clocks import Clock

__all__ = ["ConnectionFiles"]

_VERSION = 1
_KEPT_BACKUPS = 20


@attrs.frozen
class ConnectionFiles:
    """Meets `imprint.protocols.connections.ConnectionRecords`.

    Attributes:
        patience: Seconds to wait for another process.
    """

    folder: DataFolder
    clock: Clock
    patience: float = 5

    @contextmanager
    def hold(self) -> Iterator[None]:
        release = hold_file(self._folder() / "clients.lock", wait_seconds=self.patience)
        if release is None:
            raise ClientsBusyError
        try:
            yield
        finally:
            release()

    def find(self, client: str) -> ConnectionRecord | None:
        path = self.folder.connection_record(client)
        if not self.folder.has(path):
            return None
        try:
            return _read_record(json.loads(path.read_bytes()))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, InvalidPathError) as error:
            raise ConnectionRecordDamagedError(str(path)) from error

    def save(self, client: str, record: ConnectionRecord) -> None:
        self._folder(client)
        path = self.folder.connection_record(client)
        _write(path, json.dumps(_show_record(record)).encode(), like=path)

    def drop(self, client: str) -> None:
        path = self.folder.connection_record(client)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise DataFolderError(str(path), error.strerror or str(error)) from error

    def back_up(self, client: str, edit: FileEdit) -> None:
        if edit.before is None:
            return
        folder = self._folder(client, "backups")
        moment = re.sub(r"[^0-9TZ]", "-", self.clock.now())
        names = (f"{moment}-{number:02}-{edit.path.name.lstrip('.')}" for number in count())
        _write(next(folder / name for name in names if not (folder / name).exists()), edit.before, like=folder / "copy")
        kept = sorted(path for path in folder.iterdir() if path.suffix != TEMPORARY_SUFFIX)
        for old in kept[:-_KEPT_BACKUPS]:
            old.unlink(missing_ok=True)

    def _folder(self, *parts: str) -> Path:
        folder = self.folder.clients.joinpath(*parts)
        self.folder.make()
        try:
            for place in (self.folder.clients, *reversed(folder.parents), folder):
                if place.is_relative_to(self.folder.clients):
                    place.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise DataFolderError(str(folder), error.strerror or str(error)) from error
        return folder


def _write(path: Path, data: bytes, *, like: Path) -> None:
    """Write a private file, whole or not at all.

    Args:
        like: What its temporary file is named after: the same for all of a kind, so that a killed one's is found.
    """
    temporary: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(TEMPORARY_SUFFIX, temporary_prefix(like), path.parent)
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        reach("connection-file.written")
        temporary.replace(path)
        reach("connection-file.replaced")
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise DataFolderError(str(path), error.strerror or str(error)) from error
    remove_stale_temporaries(like)


def _show_record(record: ConnectionRecord) -> dict[str, object]:
    return {
        "version": _VERSION,
        "folder": str(record.folder or ""),
        "made_folders": [str(folder) for folder in record.made_folders],
        "edits": [
            {
                "path": str(edit.path),
                "before": _show_bytes(edit.before),
                "after": _show_bytes(edit.after),
                "purpose": edit.purpose,
                "mode": edit.mode,
            }
            for edit in record.edits
        ],
    }


def _read_record(shown: dict[str, Any]) -> ConnectionRecord:
    if shown["version"] != _VERSION:
        raise ValueError(shown["version"])
    return ConnectionRecord(
        folder=parse_path(shown["folder"]) if shown["folder"] else None,
        made_folders=tuple(map(parse_path, shown["made_folders"])),
        edits=tuple(
            FileEdit(
                path=parse_path(edit["path"]),
                before=_read_bytes(edit["before"]),
                after=_read_bytes(edit["after"]),
                purpose=str(edit["purpose"]),
                mode=int(edit["mode"]),
            )
            for edit in shown["edits"]
        ),
    )


def _show_bytes(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


def _read_bytes(shown: str | None) -> bytes | None:
    return None if shown is None else base64.b64decode(shown, validate=True)

"""Backups as archives of databases."""

import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import attrs

from imprint.adapters.archives import ArchiveReader, new_archive, open_archive
from imprint.adapters.backup_images import check_store_image, open_image, read_registry_image
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.database_checks import find_database_faults
from imprint.adapters.new_files import new_file, require_absent, require_room
from imprint.adapters.registry_adoption import RegistryContent
from imprint.adapters.registry_db import SqliteRegistry, open_registry
from imprint.adapters.registry_schema import REGISTRY_SCHEMA
from imprint.adapters.store_db import SqliteStoreOpener
from imprint.adapters.store_schema import STORE_SCHEMA
from imprint.domain.archives import Member
from imprint.domain.backups import (
    BACKUP_FORMAT,
    REGISTRY_MEMBER,
    BackupManifest,
    parse_backup_manifest,
    render_backup_manifest,
    store_member,
)
from imprint.domain.roots import Root
from imprint.domain.sources import WorkspaceName
from imprint.errors import (
    ArchiveTooNewError,
    DataFolderError,
    StoreDamagedError,
    UnwritableFileError,
    WorkspaceDeletedError,
)
from imprint.failpoints import reach
from imprint.protocols.backups import BackupContent
from imprint.protocols.clocks import Clock
from imprint.protocols.progress import Progress

__all__ = ["ZippedBackups"]

_BLOCK = 2**20


@attrs.frozen(kw_only=True)
class ZippedBackups:
    """Meets `imprint.protocols.backups.BackupFiles`.

    Attributes:
        registry: Opens the registry, which may be too damaged for that until it was mended.
        stores: Opens the opener of stores, likewise.
        program: Version of this program.
    """

    folder: DataFolder
    registry: Callable[[], SqliteRegistry]
    stores: Callable[[], SqliteStoreOpener]
    clock: Clock
    program: str

    def write(self, path: Path, progress: Progress, *, created_at: str) -> BackupManifest:
        require_absent(path)
        registry, stores = self.registry(), self.stores()
        progress.start("backup", None)
        with _room_for_copies(self.folder) as place, new_file(path) as file, new_archive(file) as archive:
            copy, members = place / "copy.sqlite3", list[Member]()
            for record in registry.workspaces():
                if _copy_store(stores, record.name, copy):
                    reach("backup.store-copied")
                    _require_sound(copy, self.folder.store_file(record.name))
                    members.append(archive.add(store_member(record.name), _blocks(copy)))
                    progress.advance(1, members[-1].size, record.name)
                    copy.unlink()
                    reach("backup.store-added")
            registry.copy_to(copy)
            _require_sound(copy, self.folder.registry_file)
            members.append(archive.add(REGISTRY_MEMBER, _blocks(copy)))
            manifest = BackupManifest(
                program=self.program,
                created_at=created_at,
                registry_schema=REGISTRY_SCHEMA.version,
                store_schema=STORE_SCHEMA.version,
                members=tuple(members),
            )
            archive.finish(render_backup_manifest(manifest))
        return manifest

    @contextmanager
    def open(self, path: Path, progress: Progress) -> Iterator[BackupContent]:
        with open_archive(path, "backup") as archive:
            with archive.translated():
                manifest = parse_backup_manifest(archive.manifest())
            for found, supported in (
                (manifest.format, BACKUP_FORMAT),
                (manifest.registry_schema, REGISTRY_SCHEMA.version),
                (manifest.store_schema, STORE_SCHEMA.version),
            ):
                if found > supported:
                    raise ArchiveTooNewError(str(path), "backup", found, supported)
            archive.require_members(manifest.members)
            require_room(self.folder.nearest, 2 * manifest.size, of=path)
            progress.start("verify", manifest.size)
            with _room_for_copies(self.folder) as place:
                yield _unpack(self, archive, manifest, place, progress)


@attrs.frozen
class _Content:
    """Meets `imprint.protocols.backups.BackupContent`."""

    _files: ZippedBackups
    _place: Path
    _registry: RegistryContent
    manifest: BackupManifest

    @property
    def workspaces(self) -> tuple[WorkspaceName, ...]:
        return tuple(sorted(self._registry.workspaces))

    @property
    def roots(self) -> tuple[Root, ...]:
        return self._registry.approved

    def mend_registry(self) -> str:
        folder = self._files.folder
        try:
            with open_registry(folder, self._files.clock) as registry:
                registry.content()
        except StoreDamagedError:
            return _set_aside(folder, folder.registry_file, "registry")
        return ""

    def adopt_registry(self) -> None:
        self._files.registry().adopt(self._registry)

    def restore_store(self, workspace: WorkspaceName) -> str:
        folder, stores = self._files.folder, self._files.stores()
        image = _image(self._place, workspace)
        if not image.exists():
            if stores.exists(workspace):
                with stores.open(workspace) as live:
                    live.wipe()
                    live.finish_purges()
            return ""
        try:
            self._replace(stores, workspace, image)
        except StoreDamagedError:
            aside = _set_aside(folder, folder.store_file(workspace), workspace)
            self._replace(stores, workspace, image)
            return aside
        return ""

    def _replace(self, stores: SqliteStoreOpener, workspace: WorkspaceName, image: Path) -> None:
        before = self._place / "before.sqlite3"
        before.unlink(missing_ok=True)
        with stores.open(workspace) as live, ExitStack() as undo:
            live.copy_to(before)
            with open_image(image, STORE_SCHEMA) as file:
                live.over(file).prepare_image(live)
            live.replace_content(image)
            undo.callback(live.replace_content, before)
            reach("restore.replaced")
            _require_sound(self._files.folder.store_file(workspace))
            undo.pop_all()
            live.purge_excluded()  # by purges that came meanwhile
            live.finish_purges()


def _unpack(
    files: ZippedBackups, archive: ArchiveReader, manifest: BackupManifest, place: Path, progress: Progress
) -> _Content:
    with archive.translated():
        stores = manifest.stores
    for workspace, member in stores.items():
        _write_image(archive, member, _image(place, workspace))
        with archive.translated():
            check_store_image(_image(place, workspace), workspace)
        progress.advance(1, member.size, workspace)
    registry = place / REGISTRY_MEMBER
    _write_image(archive, manifest.registry, registry)
    with archive.translated():
        content = read_registry_image(registry)
    return _Content(files, place, content, manifest)


def _write_image(archive: ArchiveReader, member: Member, image: Path) -> None:
    try:
        with image.open("xb") as file:
            for block in archive.blocks(member, _BLOCK):
                file.write(block)
    except OSError as error:
        raise UnwritableFileError(str(image), error.strerror or str(error)) from error


def _image(place: Path, workspace: WorkspaceName) -> Path:
    """Apart from other files there by its suffix: a workspace may have any name."""
    return place / f"{workspace}.image"


def _copy_store(stores: SqliteStoreOpener, workspace: WorkspaceName, copy: Path) -> bool:
    """Copy a store; false where there is none, or none any more."""
    if not stores.exists(workspace):
        return False
    try:
        with stores.open(workspace) as store:
            store.copy_to(copy)
    except WorkspaceDeletedError:
        return False
    return True


def _require_sound(path: Path, original: Path | None = None) -> None:
    if faults := find_database_faults(path):
        raise StoreDamagedError(str(original or path), faults[0])


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


@contextmanager
def _room_for_copies(folder: DataFolder) -> Iterator[Path]:
    """An empty folder, private to the user; what a killed process left in it goes."""
    folder.make()
    place = folder.copies
    try:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise DataFolderError(str(place), error.strerror or str(error)) from error
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _set_aside(folder: DataFolder, path: Path, name: str) -> str:
    """Move a damaged database with its journal out of the way; where to."""
    target = folder.set_aside / f"{name}-{secrets.token_hex(4)}.sqlite3"
    try:
        folder.set_aside.mkdir(mode=0o700, exist_ok=True)
        for suffix in ("-shm", "-wal", ""):
            if (part := path.with_name(path.name + suffix)).exists():
                part.replace(target.with_name(target.name + suffix))
    except OSError as error:
        raise DataFolderError(str(path), error.strerror or str(error)) from error
    reach("restore.set-aside")
    return str(target)

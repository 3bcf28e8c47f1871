"""Databases as a backup brings them: believed only when they are exactly what this program would have written."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from imprint.adapters.database_checks import find_database_faults
from imprint.adapters.registry_adoption import RegistryContent, read_content
from imprint.adapters.registry_schema import REGISTRY_SCHEMA
from imprint.adapters.sqlite_files import SqliteFile
from imprint.adapters.sqlite_schemas import Schema
from imprint.adapters.store_schema import STORE_SCHEMA
from imprint.domain.archives import MalformedError
from imprint.domain.names import DEFAULT_WORKSPACE, find_name_fault
from imprint.domain.sources import WorkspaceName
from imprint.errors import InvalidPathError, StoreError

__all__ = ["check_store_image", "open_image", "read_registry_image"]

_SHAPE = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"
_FORM = "SELECT (SELECT page_size FROM pragma_page_size), (SELECT encoding FROM pragma_encoding)"


def check_store_image(path: Path, workspace: WorkspaceName) -> None:
    """Bring the store of a workspace up to this program's version.

    Raises:
        MalformedError: It is not sound, or not the store of this workspace.
    """
    with _sound_image(path, STORE_SCHEMA) as file:
        if fault := file.find_full_text_fault("full_text"):
            raise MalformedError(f'the full text of workspace "{workspace}" is damaged: {fault}')
        with file.read() as connection:
            owner = connection.execute("SELECT value FROM meta WHERE key = 'workspace'").fetchone()
        if owner != (workspace,):
            raise MalformedError(f'the store of workspace "{workspace}" is that of another')


def read_registry_image(path: Path) -> RegistryContent:
    """What the registry in a backup says.

    Raises:
        MalformedError: It is not sound, or says what no registry says.
    """
    with _sound_image(path, REGISTRY_SCHEMA) as file, file.read() as connection:
        content = read_content(connection)
    if DEFAULT_WORKSPACE not in content.workspaces or any(map(find_name_fault, content.workspaces)):
        raise MalformedError("its registry names what cannot be a workspace")
    try:
        content.approved  # noqa: B018 (each path is read)
    except InvalidPathError as error:
        raise MalformedError(f"its registry names what cannot be a root: {error}") from error
    return content


@contextmanager
def open_image(path: Path, schema: Schema) -> Iterator[SqliteFile]:
    """Open a database that a backup brought."""
    with closing(SqliteFile(path, schema)) as file:
        yield file


@contextmanager
def _sound_image(path: Path, schema: Schema) -> Iterator[SqliteFile]:
    if faults := find_database_faults(path):
        raise MalformedError(f"{path.name} is damaged: {faults[0]}")
    try:
        with open_image(path, schema) as file:
            with file.read() as connection:
                found = _describe(connection)
            if found != _expected(schema):
                raise MalformedError(f"{path.name} is not built as a database of Imprint")
            yield file
    except StoreError as error:
        raise MalformedError(f"{path.name} cannot be used: {error}") from error


def _expected(schema: Schema) -> tuple[object, ...]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for migrate in schema.migrations:
            migrate(connection)
        return _describe(connection)


def _describe(connection: sqlite3.Connection) -> tuple[object, ...]:
    """Every table, index, view and trigger, and the form of the pages: what a stranger could have made differently."""
    shape = frozenset(connection.execute(_SHAPE).fetchall())
    return (*connection.execute(_FORM).fetchone(), shape)

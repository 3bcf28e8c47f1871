"""What is on a device, by the names that the ledger has for it, read without the program that wrote it."""

import json
import sqlite3
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from crash_worlds import DAMAGE, World, describe_lines

__all__ = ["databases", "observe", "store_workspaces"]


def observe(world: World) -> dict[str, str]:
    """Every thing that is there, with its value."""
    return dict([*_registry(world), *_stores(world), *_files(world)])


def store_workspaces(world: World) -> list[str]:
    """The workspaces that have a store, but for those that a program damaged to mend them."""
    return sorted(path.parent.name for path in databases(world) if path.name == "store.sqlite3" and path.stat().st_size)


def databases(world: World) -> list[Path]:
    """Every database, but for those that a program damaged to mend them."""
    return [path for path in sorted(world.data.rglob("*.sqlite3")) if not path.read_bytes().startswith(DAMAGE)]


def _registry(world: World) -> Iterator[tuple[str, str]]:
    path = world.data / "registry.sqlite3"
    if not path.exists():
        return
    with closing(sqlite3.connect(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
            return
        for name, active in connection.execute("SELECT name, active FROM workspaces WHERE NOT deleted"):
            if name != "default":
                yield f"workspace {name}", "there"
            if active and name != "default":
                yield "active", name
        for workspace, path_ in connection.execute("SELECT workspace, path FROM roots"):
            yield f"root {workspace} {path_}", "there"
        for workspace, target in connection.execute("SELECT workspace, target FROM exclusions"):
            yield f"exclusion {workspace} {target}", "there"


def _stores(world: World) -> Iterator[tuple[str, str]]:
    for workspace in store_workspaces(world):
        with closing(sqlite3.connect(world.store_file(workspace))) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
                continue
            for id, key, kind in connection.execute(
                "SELECT id, key, kind FROM sources WHERE state = 'live'"
            ).fetchall():
                passages = connection.execute(
                    "SELECT p.text FROM chunks AS c LEFT JOIN passages AS p ON p.chunk = c.id "
                    "WHERE c.source = ? ORDER BY c.ordinal",
                    (id,),
                ).fetchall()
                said = describe_lines(text for (text,) in passages)
                owner, _, rest = said.partition(" ")
                name, _, version = rest.partition(" ")
                is_in_place = owner in (workspace, "both") and (kind == "memory" or key.endswith(name))
                value = version if is_in_place else said
                yield (f"memory {workspace} {name}" if kind == "memory" else f"source {workspace} {key}"), value
                if owner == "both":
                    yield f"source somewhere {key}", value
            for subject, until in connection.execute("SELECT subject, valid_until FROM facts ORDER BY id"):
                yield f"fact {workspace} {subject}", "ended" if until else "open"


def _files(world: World) -> Iterator[tuple[str, str]]:
    for path in sorted(world.home.rglob("workspace.json")):
        yield f"file {path}", json.loads(path.read_text("utf-8"))["workspace"]
    for path in sorted(world.place.glob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            yield f"bundle {path}", archive.testzip() or "whole"
    config = world.place / "config" / "config.toml"
    if config.exists():
        for section, settings in tomllib.loads(config.read_text("utf-8")).items():
            for name, value in settings.items():
                yield f"setting {section}.{name}", str(value)

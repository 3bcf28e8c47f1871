"""Backups: the databases of a whole device in one file, as they were while it was in use."""

from pathlib import PurePosixPath

import attrs

from imprint.domain.archives import (
    MalformedError,
    Member,
    finish,
    parse_head,
    parse_members,
    render_members,
    render_object,
    take_moment,
    take_number,
    take_text,
)
from imprint.domain.names import find_name_fault
from imprint.domain.sources import WorkspaceName

__all__ = [
    "BACKUP_FORMAT",
    "REGISTRY_MEMBER",
    "BackupManifest",
    "parse_backup_manifest",
    "render_backup_manifest",
    "store_member",
    "workspace_of",
]

BACKUP_FORMAT = 1
REGISTRY_MEMBER = "registry.sqlite3"

_KIND = "imprint-backup"
_STORES = "stores"
_SUFFIX = ".sqlite3"


@attrs.frozen(kw_only=True)
class BackupManifest:
    """What a backup says of itself.

    Attributes:
        program: Version of the program that wrote it.
        registry_schema: Version of the registry in it.
        store_schema: Version of the stores in it.
        members: The stores, then the registry, which so knows every exclusion that a store may lack.
    """

    program: str
    created_at: str
    registry_schema: int
    store_schema: int
    members: tuple[Member, ...]
    format: int = BACKUP_FORMAT

    @property
    def stores(self) -> dict[WorkspaceName, Member]:
        """The members that are stores, by their workspaces."""
        return {workspace_of(member): member for member in self.members[:-1]}

    @property
    def registry(self) -> Member:
        return self.members[-1]

    @property
    def size(self) -> int:
        """Bytes when unpacked."""
        return sum(member.size for member in self.members)


def store_member(workspace: WorkspaceName) -> str:
    """The member with the store of a workspace."""
    return f"{_STORES}/{workspace}{_SUFFIX}"


def workspace_of(member: Member) -> WorkspaceName:
    """The workspace whose store a member is.

    Raises:
        MalformedError: It is no store of a workspace.
    """
    name = PurePosixPath(member.name).name.removesuffix(_SUFFIX)
    if find_name_fault(name) or member.name != store_member(WorkspaceName(name)):
        raise MalformedError("a member is no store of a workspace")
    return WorkspaceName(name)


def render_backup_manifest(manifest: BackupManifest) -> bytes:
    """Write a manifest."""
    return render_object(
        {
            "kind": _KIND,
            "format": manifest.format,
            "program": manifest.program,
            "created_at": manifest.created_at,
            "registry_schema": manifest.registry_schema,
            "store_schema": manifest.store_schema,
            "members": render_members(manifest.members),
        }
    )


def parse_backup_manifest(data: bytes) -> BackupManifest:
    """Read a manifest; of a newer format only the number, which the caller is to look at first.

    Raises:
        MalformedError: It is none, or its parts do not fit together.
    """
    fields, format = parse_head(data, _KIND)
    if format > BACKUP_FORMAT:
        return BackupManifest(format=format, program="", created_at="", registry_schema=0, store_schema=0, members=())
    manifest = BackupManifest(
        format=format,
        program=take_text(fields, "program"),
        created_at=take_moment(fields, "created_at"),
        registry_schema=take_number(fields, "registry_schema", least=1),
        store_schema=take_number(fields, "store_schema", least=1),
        members=parse_members(fields),
    )
    finish(fields)
    if not manifest.members or manifest.registry.name != REGISTRY_MEMBER:
        raise MalformedError("it has no registry")
    for member in manifest.members[:-1]:
        workspace_of(member)
    return manifest

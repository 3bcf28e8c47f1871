"""Plans: what is to be changed on this device, as values that can be shown before anything happens."""

from typing import TypeAlias

import attrs

from imprint.domain.sources import CanonicalPath

__all__ = ["ConnectionRecord", "FileEdit", "Plan", "RunCommand"]


@attrs.frozen(kw_only=True)
class FileEdit:
    """A file's content before and after. Applied only while the file still is what it was.

    Attributes:
        before: Its bytes when the plan was made; `None`: there was no such file.
        after: Its bytes afterwards; `None`: it is removed.
        purpose: What the edit does, in a few words (``register the MCP server``).
        mode: POSIX permission bits of a file that is made; a file that is there keeps its own.
    """

    path: CanonicalPath
    before: bytes | None
    after: bytes | None
    purpose: str
    mode: int = 0o600


@attrs.frozen(kw_only=True)
class RunCommand:
    """A command of the client's own, for what no file edit can do.

    Attributes:
        arguments: The program and its arguments; no shell.
        purpose: What it does, in a few words.
    """

    arguments: tuple[str, ...]
    purpose: str


Plan: TypeAlias = tuple[FileEdit | RunCommand, ...]


@attrs.frozen(kw_only=True)
class ConnectionRecord:
    """The edits that connected a client, as they were applied; disconnecting takes out exactly these.

    Attributes:
        edits: From what a file was before Imprint to what it was after the last edit, one a file.
        folder: Where the client kept its configuration.
        made_folders: The folders that were made for the files, outermost first.

    .. versionadded:: 0.1
    """

    edits: tuple[FileEdit, ...] = ()
    folder: CanonicalPath | None = None
    made_folders: tuple[CanonicalPath, ...] = ()

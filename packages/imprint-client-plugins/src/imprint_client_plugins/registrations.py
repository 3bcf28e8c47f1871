"""Registering with a client as the edits of a few files: each puts our part in, and takes out exactly that."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import attrs

from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.domain.sources import CanonicalPath
from imprint.protocols.clients import ClientFiles

__all__ = ["Part", "Registration", "plan_putting_in", "plan_taking_out"]


class Part(Protocol):
    """What is ours in one file."""

    def put_in(self, data: bytes, place: str) -> bytes:
        """The file's content with our part; the same where it is there.

        Raises:
            InvalidClientFileError: The file is not what the client would read.
        """
        ...

    def take_out(self, data: bytes, before: bytes | None, place: str) -> bytes | None:
        """The file's content without our part; `None` where the whole file is ours.

        Args:
            before: What the file was before we first put it in; `None` where there was none or nobody knows.

        Raises:
            InvalidClientFileError: The file is not what the client would read.
        """
        ...

    def is_blank(self, data: bytes) -> bool:
        """Whether a file that we made holds nothing now."""
        ...


@attrs.frozen(kw_only=True)
class Registration:
    """A file of the client, and our part in it.

    Attributes:
        is_own: The file is ours by its name: it goes with our part, also where nothing is on record.
        mode: POSIX permission bits of the file where it is made.
    """

    path: CanonicalPath
    part: Part
    purpose: str
    is_own: bool = False
    mode: int = 0o600


def plan_putting_in(registrations: Sequence[Registration], files: ClientFiles) -> tuple[FileEdit, ...]:
    """The edits that are still to be made.

    Raises:
        InvalidClientFileError: A file is not what the client would read.
        ClientFileUnreadableError: A file cannot be read.
    """
    edits = []
    for registration in registrations:
        before = files.read(registration.path)
        after = registration.part.put_in(before or b"", str(registration.path))
        if after != before:
            edits.append(
                FileEdit(
                    path=registration.path,
                    before=before,
                    after=after,
                    purpose=registration.purpose,
                    mode=registration.mode,
                )
            )
    return tuple(edits)


def plan_taking_out(
    registrations: Sequence[Registration], record: ConnectionRecord, files: ClientFiles
) -> tuple[FileEdit, ...]:
    """The edits that undo what is on record, and take out our part where nothing is.

    Raises:
        InvalidClientFileError: A file is not what the client would read.
        ClientFileUnreadableError: A file cannot be read.
    """
    return tuple(_taking_out(registrations, {edit.path: edit for edit in record.edits}, files))


def _taking_out(
    registrations: Sequence[Registration], recorded: dict[CanonicalPath, FileEdit], files: ClientFiles
) -> Iterator[FileEdit]:
    by_name = {registration.path.name: registration for registration in registrations}
    # A client's folder may have been moved since: what is on record is undone where it was done.
    paths = dict.fromkeys([*recorded, *(registration.path for registration in registrations)])
    for path in paths:
        edit = recorded.get(path)
        present = files.read(path)
        if present is None or (edit is not None and present == edit.before):
            continue
        if edit is not None and present == edit.after:
            after = edit.before
        elif path.name in by_name:
            registration = by_name[path.name]
            after = registration.part.take_out(present, edit.before if edit else None, str(path))
            was_made = registration.is_own if edit is None else edit.before is None
            if after is not None and was_made and registration.part.is_blank(after):
                after = None
        else:
            continue
        if after != present:
            yield FileEdit(path=path, before=present, after=after, purpose="take Imprint out")

"""A client's files in memory, for tests of its plugin."""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from imprint.domain.plans import FileEdit, Plan
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError
from imprint.plugins.clients import ClientHome
from imprint.protocols.clients import TranscriptLine

__all__ = ["CrowdedClientFiles", "MemoryClientFiles", "MemoryTranscript"]

_SESSIONS = ("11111111", "22222222", "session-11111111")
_ENDINGS = (".json", ".jsonl", ".messages.json")
_DEPTH = 12


@attrs.define(kw_only=True)
class MemoryClientFiles:
    """`ClientFiles` in memory, where plans can be carried out; none of them is a database.

    Attributes:
        programs: Where programs are found; `None`: nowhere.
        all_folders: Whether every folder is there.
    """

    files: dict[CanonicalPath, bytes] = attrs.field(factory=dict)
    programs: CanonicalPath | None = None
    all_folders: bool = False

    @classmethod
    def of_everything(cls, home: ClientHome) -> "MemoryClientFiles":
        """A home in which every client would find its folder and its program, and no file."""
        return cls(programs=home.path / "bin", all_folders=True)

    def read(self, path: CanonicalPath) -> bytes | None:
        return self.files.get(path)

    def names(self, folder: CanonicalPath) -> Sequence[str]:
        depth = len(folder.parts)
        return sorted({path.parts[depth] for path in self.files if folder in path.parents})

    def is_folder(self, path: CanonicalPath) -> bool:
        return self.all_folders or any(path in file.parents for file in self.files)

    def rows(self, path: CanonicalPath, query: str, parameters: Sequence[str | int] = ()) -> Iterator[tuple[Any, ...]]:
        del query, parameters
        raise ClientFileUnreadableError(str(path), "it is no database")

    def find_program(self, name: str) -> CanonicalPath | None:
        return self.programs / name if self.programs is not None else None

    def carry_out(self, plan: Plan) -> tuple[FileEdit, ...]:
        """Make the edits of a plan, each on the file that it was planned for.

        Raises:
            ValueError: An edit was planned for another content than the file's.
        """
        edits = tuple(step for step in plan if isinstance(step, FileEdit))
        for edit in edits:
            if self.files.get(edit.path) != edit.before:
                raise ValueError(f"{edit.path} is not what the plan takes it for")
            self.files.pop(edit.path, None)
            if edit.after is not None:
                self.files[edit.path] = edit.after
        return edits


@attrs.frozen
class CrowdedClientFiles:
    """`ClientFiles` of which every folder holds the same sessions: a folder of each, and files of whatever ending.

    So whatever a client names its folders, there is something in each. No file can be read.
    """

    home: CanonicalPath

    def read(self, path: CanonicalPath) -> bytes | None:
        del path
        return None

    def names(self, folder: CanonicalPath) -> Sequence[str]:
        is_file = any(place.name.endswith(_ENDINGS) for place in (folder, *folder.parents))
        if is_file or len(folder.parts) > _DEPTH:
            return ()
        return sorted(f"{session}{ending}" for session in _SESSIONS for ending in ("", *_ENDINGS))

    def is_folder(self, path: CanonicalPath) -> bool:
        return not path.name.endswith(_ENDINGS)

    def rows(self, path: CanonicalPath, query: str, parameters: Sequence[str | int] = ()) -> Iterator[tuple[Any, ...]]:
        del query, parameters
        raise ClientFileUnreadableError(str(path), "it is no database")

    def find_program(self, name: str) -> CanonicalPath | None:
        return self.home / "bin" / name


@attrs.frozen
class MemoryTranscript:
    """`TranscriptReader` over bytes; as a database it has no rows."""

    data: bytes

    def lines(self, start: int = 0, number: int = 0) -> Iterator[TranscriptLine]:
        while (end := self.data.find(b"\n", start)) >= 0:
            number += 1
            yield TranscriptLine(number, end + 1, self.data[start:end])
            start = end + 1

    def document(self) -> bytes:
        return self.data

    def rows(self, query: str, parameters: Sequence[str | int] = ()) -> Iterator[tuple[Any, ...]]:
        del query, parameters
        return iter(())

"""Errors of what is remembered, asked for and read back."""

import attrs

from imprint.errors.branches import RefusedError, UnknownNameError, UsageError
from imprint.errors.quoting import escaped

__all__ = [
    "EmptyQueryError",
    "EmptyTextError",
    "InvalidKindError",
    "InvalidLinesError",
    "InvalidMemoryKindError",
    "NotForgettableError",
    "NothingStoredError",
    "UnknownFactError",
    "UnknownPassageError",
]


@attrs.define
class UnknownFactError(UnknownNameError):
    """No fact has this id."""

    id: int

    def __str__(self) -> str:
        return f"no fact has the id {self.id}"

    @property
    def hint(self) -> str | None:
        return "run 'imprint facts history' to see every fact with its id"


@attrs.define
class UnknownPassageError(UnknownNameError):
    """Nothing stored has these ids; nothing was changed."""

    ids: tuple[str, ...]

    def __str__(self) -> str:
        return f"nothing stored has the id {', '.join(map(escaped, self.ids))}; nothing was forgotten"

    @property
    def hint(self) -> str | None:
        return "ids are those that 'imprint search' prints"


@attrs.define
class NotForgettableError(RefusedError):
    """A passage of a source that refreshing would bring back; nothing was changed."""

    id: str
    source: str
    workspace: str

    def __str__(self) -> str:
        return f"{self.id} is a passage of {escaped(self.source)}, not a memory; nothing was forgotten"

    @property
    def hint(self) -> str | None:
        return f"run 'imprint purge SOURCE --workspace {self.workspace}' to forget a source and keep it out"


@attrs.define
class EmptyTextError(UsageError):
    """There is nothing to remember."""

    what: str

    def __str__(self) -> str:
        return f"the {self.what} is empty"


@attrs.define
class InvalidKindError(UsageError):
    """Nothing that is stored is of such a kind."""

    kind: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f'"{escaped(self.kind)}" is no kind; kinds: {", ".join(self.known)}'


@attrs.define
class InvalidMemoryKindError(UsageError):
    """There is no such kind of memory."""

    kind: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f'"{escaped(self.kind)}" is no kind of memory; kinds: {", ".join(self.known)}'


@attrs.define
class EmptyQueryError(UsageError):
    """Nothing is asked."""

    def __str__(self) -> str:
        return "the question is empty"

    @property
    def hint(self) -> str | None:
        return "say what you look for in a few words, or name it"


@attrs.define
class NothingStoredError(UnknownNameError):
    """Neither a passage nor a source of the workspace goes by this reference."""

    reference: str
    workspace: str

    def __str__(self) -> str:
        return f"workspace {self.workspace!r} holds nothing under {escaped(self.reference)}"

    @property
    def hint(self) -> str | None:
        return "'imprint search' prints the ids of passages, 'imprint sources' lists the sources"


@attrs.define
class InvalidLinesError(UsageError):
    """This names no lines, or none that the source has.

    Attributes:
        source: Empty while it is not known.
        last: The source's last line; 0 where it has none.
    """

    lines: str
    source: str = ""
    last: int = 0

    def __str__(self) -> str:
        if not self.source:
            return f'"{escaped(self.lines)}" names no lines'
        if not self.last:
            return f"{escaped(self.source)} is not counted in lines"
        return f"{escaped(self.source)} has no lines {escaped(self.lines)}"

    @property
    def hint(self) -> str | None:
        if not self.source:
            return "write FIRST:LAST, such as 10:25"
        return f"it has lines 1 to {self.last}" if self.last else "read it without lines"

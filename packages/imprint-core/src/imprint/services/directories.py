"""A directory as the services see it: what lies around it, and the workspace that follows."""

from pathlib import Path

import attrs

from imprint.domain.notices import describe_resolution, resolution_as_json
from imprint.domain.resolution import Resolution
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import DirectoryProblem, Surroundings
from imprint.errors import InvalidPathError

__all__ = ["DirectoryResolution", "require_directory", "require_recordable"]

_EXPLANATIONS = {
    DirectoryProblem.UNDEFINED: "there is no working directory",
    DirectoryProblem.RELATIVE: "it is relative",
    DirectoryProblem.DELETED: "there is no such directory",
    DirectoryProblem.UNREADABLE: "it cannot be read",
}


@attrs.frozen
class DirectoryResolution:
    """A directory, what lies around it, and the workspace that follows."""

    surroundings: Surroundings
    resolution: Resolution

    @property
    def workspace(self) -> WorkspaceName:
        return self.resolution.workspace

    @property
    def sentence(self) -> str:
        return describe_resolution(self.resolution)

    def as_json(self) -> dict[str, object]:
        return resolution_as_json(self.surroundings.directory, self.resolution)


def require_directory(directory: Path | None, surroundings: Surroundings) -> CanonicalPath:
    """The canonical form of a directory that is there and that can be recorded: of its place, in a linked worktree.

    Raises:
        InvalidPathError: It is not there, or its name is not UTF-8.
    """
    if surroundings.problem is not None:
        raise InvalidPathError(str(directory or ""), _EXPLANATIONS[surroundings.problem])
    place = surroundings.place
    if place is None:
        raise InvalidPathError(str(directory or ""), _EXPLANATIONS[DirectoryProblem.UNDEFINED])
    return require_recordable(place)


def require_recordable(path: CanonicalPath) -> CanonicalPath:
    """A path that can be written down, as every path with a name in UTF-8 can.

    Raises:
        InvalidPathError: Its name is not UTF-8.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise InvalidPathError(str(path), "its name is not UTF-8") from error
    return path

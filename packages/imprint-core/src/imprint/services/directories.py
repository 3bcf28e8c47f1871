"""A directory as the services see it: what lies around it, and the workspace that follows."""

from pathlib import Path

import attrs

from imprint.domain.notices import describe_resolution, resolution_as_json
from imprint.domain.resolution import Resolution
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import DirectoryProblem, Surroundings
from imprint.errors import InvalidPathError

__all__ = ["DirectoryResolution", "require_directory"]

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
    """The canonical form of a directory that is there.

    Raises:
        InvalidPathError: It is not.
    """
    if surroundings.problem is not None:
        raise InvalidPathError(str(directory or ""), _EXPLANATIONS[surroundings.problem])
    if surroundings.directory is None:
        raise InvalidPathError(str(directory or ""), _EXPLANATIONS[DirectoryProblem.UNDEFINED])
    return surroundings.directory

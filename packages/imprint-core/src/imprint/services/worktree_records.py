"""What is remembered of linked git worktrees: what each stood for is known after it is gone."""

from contextlib import suppress
from pathlib import Path

from imprint.domain.walks import DirectoryProblem, Surroundings
from imprint.domain.worktrees import find_holding
from imprint.errors import InvalidPathError
from imprint.protocols.projects import ProjectFolders
from imprint.protocols.registry import Registry
from imprint.services.directories import require_recordable

__all__ = ["look_with_records", "note_worktree"]


def look_with_records(registry: Registry, projects: ProjectFolders, directory: Path | None) -> Surroundings:
    """What lies around a directory; in a worktree that is gone, around what it was recorded to stand for."""
    surroundings = projects.look_around(directory)
    if surroundings.problem is not DirectoryProblem.DELETED or surroundings.directory is None:
        return surroundings
    recorded = registry.worktrees()
    if surroundings.worktree is not None or find_holding(surroundings.directory, recorded) is None:
        return surroundings
    return projects.look_back(directory, recorded)


def note_worktree(
    registry: Registry, projects: ProjectFolders, surroundings: Surroundings, *, patience_seconds: float
) -> None:
    """Record the worktree that a directory lies in; a recorded one that is there and is none any more is forgotten."""
    worktree, directory = surroundings.worktree, surroundings.directory
    if directory is None or surroundings.problem is not None:
        return
    if worktree is not None:
        with suppress(InvalidPathError):
            require_recordable(worktree.folder)
            require_recordable(worktree.main)
            registry.record_worktree(worktree, patience_seconds=patience_seconds)
        return
    recorded = find_holding(directory, registry.worktrees())
    if recorded is not None and projects.look_around(Path(recorded.folder)).worktree is None:
        registry.forget_worktree(recorded.folder)

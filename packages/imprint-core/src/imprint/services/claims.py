"""Who may learn from a conversation, asked of real directories: each is looked at once a run."""

from collections.abc import Iterable
from pathlib import Path

import attrs

from imprint.domain.claim_reasons import DirectoryClaim
from imprint.domain.claims import Claims, claimants, transcript_allowed
from imprint.domain.project_files import FoundProjectFile
from imprint.domain.resolution import is_approved
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import DirectoryProblem
from imprint.domain.worktrees import Worktree
from imprint.services.workspaces import Workspaces

__all__ = ["ConversationClaims"]


@attrs.define
class ConversationClaims:
    """What this device says about the directories that conversations record, as of its making. Used for one run."""

    _workspaces: Workspaces
    _claims: Claims = attrs.field(init=False)
    _recorded: tuple[Worktree, ...] = attrs.field(init=False)
    _places: dict[str, CanonicalPath | None] = attrs.field(init=False, factory=dict)
    _project_files: dict[CanonicalPath, FoundProjectFile] = attrs.field(init=False, factory=dict)
    _projects: dict[CanonicalPath, CanonicalPath] = attrs.field(init=False, factory=dict)
    _vanished: set[CanonicalPath] = attrs.field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        live = {record.name for record in self._workspaces.list()}
        roots = tuple(root for root in self._workspaces.registry.roots() if root.workspace in live)
        self._recorded = self._workspaces.registry.worktrees()
        self._claims = Claims(roots=roots, inbox=self._workspaces.settings.inbox)

    def allow(self, workspace: WorkspaceName, directories: Iterable[str]) -> bool:
        """Whether a workspace may learn from a conversation.

        Args:
            directories: The working directories as the conversation records them.
        """
        places = {self._find_place(directory) for directory in directories}
        return transcript_allowed(workspace, places, self._said())

    def describe(self, directories: Iterable[str]) -> tuple[DirectoryClaim, ...]:
        """Who claims each of these directories, and by what."""
        found = []
        for directory in dict.fromkeys(directories):
            place = self._find_place(directory)
            said = self._said()
            owners = claimants(place, said) if place is not None else frozenset()
            file = said.project_files.get(place) if place is not None else None
            decides = file is not None and file.workspace is not None and is_approved(file, said.roots)
            found.append(
                DirectoryClaim(
                    recorded=directory,
                    place=place,
                    owners=owners,
                    project_file=file.folder if decides and file is not None else None,
                    is_vanished=place in said.vanished and not owners,
                )
            )
        return tuple(found)

    def find_project(self, directories: Iterable[str]) -> tuple[CanonicalPath, CanonicalPath] | None:
        """The first of these directories that lies in a project, with the project's folder."""
        for directory in directories:
            place = self._find_place(directory)
            if place is not None and (project := self._projects.get(place)) is not None:
                return place, project
        return None

    def _said(self) -> Claims:
        return attrs.evolve(self._claims, project_files=self._project_files, vanished=frozenset(self._vanished))

    def _find_place(self, directory: str) -> CanonicalPath | None:
        if directory not in self._places:
            self._places[directory] = self._look(directory)
        return self._places[directory]

    def _look(self, directory: str) -> CanonicalPath | None:
        """The place that a directory stands for; `None` for a text that names none on this device."""
        path = Path(directory)
        if not path.is_absolute():
            return None
        around = self._workspaces.projects.look_back(path, self._recorded)
        place = around.place
        if place is None:
            return None
        if around.project_file is not None:
            self._project_files[place] = around.project_file
        if around.project is not None:
            self._projects[place] = around.project
        if around.problem is DirectoryProblem.DELETED and around.worktree is None:
            self._vanished.add(place)
        return place

"""An agent's session: the directory it works in, the workspace pinned for it, and what it was told.

A server on stdio serves one session: its workspace is resolved once, before anything is answered, and no switch in
another window redirects it. A server that many clients share has none of this: each call names its workspace.
"""

import threading
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from imprint.bootstrap import Application, open_application, record_fault
from imprint.bootstrap.session_directories import find_session_directory
from imprint.domain.notices import compose_notice
from imprint.domain.resolution import WORKSPACE_VARIABLE
from imprint.errors import (
    ImprintError,
    InvalidEnvironmentWorkspaceError,
    UnknownWorkspaceError,
    WorkspaceDeletedError,
)
from imprint.services.directories import DirectoryResolution

if TYPE_CHECKING:
    from imprint.domain.sources import WorkspaceName
    from imprint.services.kept_open import KeptOpen

__all__ = ["Session"]


class Session:
    """What one server process knows of whom it serves. Safe to be used by several threads.

    Attributes:
        directory: Where the session works, as its client says.
        is_shared: Many clients use this server, so that nothing can be pinned for any of them.
        environment_workspace: What the user's own `IMPRINT_WORKSPACE` says; empty where it is not set.
    """

    def __init__(self, environ: MutableMapping[str, str], *, directory: Path | None, is_shared: bool) -> None:
        """Resolve nothing yet; `start` and `without_project` make sessions that are ready."""
        self.directory = directory
        self.is_shared = is_shared
        self.environment_workspace = environ.get(WORKSPACE_VARIABLE, "")
        self._process_environ = environ
        self._environ = dict(environ)
        self._lock = threading.Lock()
        self._resolved: DirectoryResolution | None = None
        self._fault: InvalidEnvironmentWorkspaceError | None = None
        self._has_notice = not is_shared
        self._refused: set[tuple[str, str]] = set()
        self._base: Application | None = None
        self._kept: KeptOpen | None = None

    @classmethod
    def start(cls, environ: MutableMapping[str, str], *, cwd: Path | None, client: str = "") -> "Session":
        """Begin the session of a process, and pin its workspace in the process's environment.

        What keeps the workspace from being resolved is no error here: every call answers with it.

        Args:
            client: Whose session it is, by the name of its plugin; empty: unknown.
        """
        session = cls(environ, directory=find_session_directory(client, environ, cwd), is_shared=False)
        try:
            session.require_resolved()
        except InvalidEnvironmentWorkspaceError as error:
            session._fault = error
        except ImprintError:
            pass  # The next who asks tries again.
        return session

    @classmethod
    def without_project(cls, environ: Mapping[str, str]) -> "Session":
        """What a server has that many clients share: no directory and no pin."""
        return cls(dict(environ), directory=None, is_shared=True)

    @property
    def resolved(self) -> DirectoryResolution:
        """The session's directory and the workspace that follows; of a shared server as of now.

        Raises:
            InvalidEnvironmentWorkspaceError: The user's `IMPRINT_WORKSPACE` names none.
            ImprintError: It could not be resolved at the start, and cannot now.
        """
        if self._fault is not None:
            raise self._fault.with_traceback(None)  # The environment of a process does not change.
        with self._lock:
            if self._resolved is None or self.is_shared:
                with open_application(environ=self._environ, cwd=self.directory) as application:
                    self._settle(application.workspaces.begin_session(self.directory))
            assert self._resolved is not None
            return self._resolved

    def require_resolved(self) -> None:
        """Raise what `resolved` raises, if it does."""
        _ = self.resolved

    @contextmanager
    def application(self) -> Iterator[Application]:
        """Give the application to one call, on the call's own thread."""
        with self._lock:
            if self._base is None or self._kept is None:
                from imprint.services.kept_open import KeptOpen

                # Whatever is not said otherwise is in the pinned workspace; the variable has had its say.
                environ = {name: value for name, value in self._environ.items() if name != WORKSPACE_VARIABLE}
                self._base = open_application(environ=environ, cwd=self.directory)
                self._kept = KeptOpen()
            branch = self._base.branch(self._kept)
        with branch:
            yield branch

    def choose(self, application: Application, argument: str) -> "WorkspaceName":
        """The workspace of a call, fixed before anything is waited for.

        Raises:
            UnknownWorkspaceError: The argument names none.
            WorkspaceDeletedError: The pinned one was deleted meanwhile.
            InvalidEnvironmentWorkspaceError: The user's `IMPRINT_WORKSPACE` names none.
        """
        pinned, named = self.resolved.workspace, argument.strip()
        try:
            return application.workspaces.selected(named or pinned).workspace
        except UnknownWorkspaceError as error:
            if named:
                raise
            raise WorkspaceDeletedError(pinned) from error

    def is_own(self, workspace: "WorkspaceName") -> bool:
        """Whether it is the one this session uses unless told otherwise."""
        return not self.is_shared and workspace == self.resolved.workspace

    @contextmanager
    def notice(self, application: Application) -> Iterator[str]:
        """Give what the session has to be told to the first who asks, ready to stand before a result.

        Whoever fails with it gives it back.
        """
        with self._lock:
            has_notice, self._has_notice = self._has_notice, False
        try:
            yield self._compose_notice(application) if has_notice else ""
        except BaseException:
            if has_notice:
                self._has_notice = True
            raise

    def pin(self, application: Application) -> None:
        """Resolve anew after the user's choice, and pin the result."""
        resolved = application.workspaces.which(self.directory, is_session=True)
        with self._lock:
            self._settle(resolved)

    def note_refusal(self, workspace: str, folder: str) -> None:
        """Remember that sharing a folder was refused, so that a confirmation can count."""
        with self._lock:
            self._refused.add((workspace, folder))

    def was_refused(self, workspace: str, folder: str) -> bool:
        """Whether this process has refused to share the folder."""
        with self._lock:
            return (workspace, folder) in self._refused

    def record_fault(self, error: Exception) -> Path | None:
        """Note an error that must not happen in the log; where that is."""
        return record_fault(error, environ=self._environ)

    def _settle(self, resolved: DirectoryResolution) -> None:
        self._resolved = resolved
        if not self.is_shared:
            self._process_environ[WORKSPACE_VARIABLE] = resolved.workspace

    def _compose_notice(self, application: Application) -> str:
        names = [record.name for record in application.workspaces.list()]
        notice = compose_notice(self.resolved.resolution, names)
        return f"{notice}\n\n" if notice else ""

    def close(self) -> None:
        """Let go of what is kept open."""
        if self._kept is not None:
            self._kept.close()

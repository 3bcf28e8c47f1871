"""What a client's hook does, composed so that each call loads what it needs and no more."""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from imprint.adapters.quick_places import find_config_path, find_data_path
from imprint.bootstrap.shipped_clients import read_configuration

if TYPE_CHECKING:
    from imprint.adapters.jobs_db import SqliteJobQueue
    from imprint.domain.hook_events import HookEvent

__all__ = ["HookWork"]

_WORKSPACE_VARIABLE = "IMPRINT_WORKSPACE"
_MOST_MEMORIES = 20
_WORKER = ("-P", "-m", "imprint_cli", "--quiet", "jobs", "run")
_PROMPT_SETTING = "prompt_passages"
_PROMPT_VARIABLE = "IMPRINT_HOOKS_PROMPT_PASSAGES"
_PROMPT_PATIENCE_SECONDS = 1.0
"""For whoever holds the queue's lock: the user waits too."""


class HookWork:
    """One call of a hook.

    Attributes:
        folder: The data folder.
    """

    def __init__(self, environ: Mapping[str, str], *, version: str) -> None:
        """Look at nothing yet.

        Args:
            version: Of this program.

        Raises:
            NoHomeError: The user has no home folder.
        """
        self.folder = find_data_path(environ)
        self._environ = environ
        self._version = version
        self._registry_file = os.path.join(self.folder, "registry.sqlite3")  # noqa: PTH118

    def begin_session(self, key: str, cwd: str, *, session_id: str = "", is_server_elsewhere: bool = False) -> str:
        """Begin a session: what its model is to be told. Nothing, where this call was answered moments ago.

        Args:
            session_id: Of a session that is begun once, whatever calls follow; empty: each call begins it anew.
            is_server_elsewhere: The MCP server does not work in the session's directory.
        """
        from imprint.adapters.jobs_db import open_jobs
        from imprint.adapters.quick_reading import read_recent_memories
        from imprint.domain.session_context import RecentMemory, compose_session_context, tell_to_name_workspace

        with open_jobs(self.folder) as queue:
            if not (queue.begin(session_id) if session_id else queue.is_first_call(key)):
                return ""
            needs_worker = queue.has_waiting() and queue.claim_start()
            statement, workspace = self._state_workspace(queue, cwd) if cwd else ("", "")
        if workspace and is_server_elsewhere:
            statement = f"{statement}\n\n{tell_to_name_workspace(workspace)}"
        memories: Sequence[RecentMemory] = ()
        if workspace:
            store = os.path.join(self.folder, "workspaces", workspace, "store.sqlite3")  # noqa: PTH118
            memories = read_recent_memories(store, limit=_MOST_MEMORIES)
        if needs_worker:
            self._start_worker()
        return compose_session_context(statement, memories)

    def _state_workspace(self, queue: "SqliteJobQueue", cwd: str) -> tuple[str, str]:
        """What is said of a directory's workspace, and its name; the resolver is loaded only where it must be asked."""
        from imprint.adapters.session_marks import mark_directory

        mark = mark_directory(cwd, self._environ, self._registry_file, self._version)
        known = queue.find_statement(cwd, mark) if mark else None
        if known is not None:
            return known
        from pathlib import Path

        from imprint.bootstrap.application import open_application
        from imprint.services.session_start import begin_hooked_session

        folder, config = Path(self.folder), Path(find_config_path(self._environ))
        with open_application(environ=self._environ, data_dir=folder, config=config) as application:
            said = begin_hooked_session(application.workspaces, cwd)
        if said.workspace is None:
            return said.text, ""
        # What was seen before the resolver looked: a change in between is seen by the next session.
        if mark and said.is_lasting:
            queue.keep_statement(cwd, mark, said.text, said.workspace)
        return said.text, said.workspace

    def recall(self, key: str, cwd: str, prompt: str) -> str:
        """What the memory has about a prompt, where the user wants that; else nothing."""
        if not cwd or not prompt.strip() or not self._wants_recall():
            return ""
        from imprint.adapters.jobs_db import open_jobs

        with open_jobs(self.folder, patience_seconds=_PROMPT_PATIENCE_SECONDS) as queue:
            if not queue.is_first_call(key):
                return ""
        from imprint.bootstrap.recall import recall_for_prompt

        return recall_for_prompt(self._environ, cwd, prompt)

    def queue_learning(self, key: str, client: str, event: "HookEvent") -> None:
        """Have a session's transcript learned, in the workspace that a session in its directory uses now."""
        from imprint.adapters.jobs_db import open_jobs
        from imprint.adapters.quick_reading import read_active_workspace
        from imprint.domain.conversations import conversation_key
        from imprint.domain.jobs import LEARN, JobRequest

        active = read_active_workspace(self._registry_file)
        named = self._environ.get(_WORKSPACE_VARIABLE, "")
        source = event.transcript or conversation_key(client, event.session_id)
        request = JobRequest(client, source, event.cwd, named, active)
        with open_jobs(self.folder) as queue:
            if not queue.is_first_call(key):
                return
            queue.add(request, LEARN)
            # Also where one runs: it alone could be about to end, and the new one gives the job its workspace at once.
            # Not where one is about to look: hooks of many sessions come at once.
            is_needed = queue.claim_start()
        if is_needed:
            self._start_worker()

    def _start_worker(self) -> None:
        from imprint.adapters.detached_processes import start_detached

        # A job carries the workspace of its own session.
        environ = {name: value for name, value in self._environ.items() if name != _WORKSPACE_VARIABLE}
        start_detached((sys.executable, *_WORKER), {**environ, "IMPRINT_DATA_DIR": self.folder}, self.folder)

    def _wants_recall(self) -> bool:
        """Whether a setting that is off unless it is set may be set."""
        return _PROMPT_VARIABLE in self._environ or _PROMPT_SETTING in read_configuration(self._environ)

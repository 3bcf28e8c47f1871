"""Learning from account exports: whose each is, and its conversations in a run of their own."""

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import attrs

from imprint.errors import ExportRefusedError, ExportUnknownError, PluginError, SourceError, UsageError
from imprint.plugins.exports import ExportInfo
from imprint.plugins.handles import PluginHandle
from imprint.plugins.registry import PluginRegistry
from imprint.protocols.exports import ExportContent, ExportFiles
from imprint.services.exported_conversations import ExportedConversations
from imprint.services.learning_reports import LearnTally
from imprint.services.learning_runs import LearningRun
from imprint.services.transcript_origins import TranscriptOrigin

__all__ = ["ExportLearning"]

_GROUP = "exports"
_ASKED = 100
"""Entries that are looked at to tell whose an export is."""


@attrs.frozen
class ExportLearning:
    """Exports and the plugins that know them."""

    plugins: PluginRegistry
    files: ExportFiles

    def examine(self, paths: Sequence[Path]) -> None:
        """Look through the directories of exports before anything of one is learned.

        Raises:
            MissingPathError: Nothing is at a path.
            UnreadableFileError: The operating system refuses it.
            ExportDamagedError: It is not whole, as far as can be told without reading it.
            ExportRefusedError: One is beyond what an export can be.
        """
        for path in paths:
            with self.files.open(path, self._members()):
                pass

    def find(self) -> Sequence[Path]:
        """The exports in the folder that browsers save to."""
        return self.files.find(self._members())

    def learn(self, path: Path, start: Callable[[TranscriptOrigin], LearningRun], tally: LearnTally) -> None:
        """Learn from an export. What is wrong with it is listed, and what was learned before that place stays.

        Raises:
            StoreError: The store cannot be written; what was written is kept.
        """
        try:
            with self.files.open(path, self._members()) as content:
                handle = self._find_service(content)
                conversations = ExportedConversations(handle, content)
                start(conversations).follow(conversations.references())
        except (SourceError, PluginError, ExportRefusedError, UsageError) as error:
            tally.fail(str(path), error)

    def _members(self) -> frozenset[str]:
        return frozenset(name for handle in self._handles() for name in _info(handle).members)

    def _handles(self) -> list[PluginHandle]:
        return self.plugins.handles(_GROUP)

    def _find_service(self, content: ExportContent) -> PluginHandle:
        handles = self._handles()
        for entry in islice(content.entries(), _ASKED):
            for handle in handles:
                if handle.call("describe_conversation", entry=entry) is not None:
                    return handle
        raise ExportUnknownError(str(content.path), tuple(_info(handle).title for handle in handles))


def _info(handle: PluginHandle) -> ExportInfo:
    info: ExportInfo = handle.call("describe_export")
    return info

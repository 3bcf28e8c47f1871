"""Transcripts of Copilot CLI, and of the sessions that VS Code has it run: ``session-state/SESSION/events.jsonl``."""

from collections.abc import Iterator

from imprint.domain.conversations import TranscriptItem
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.copilot_events import WORDS, read_events
from imprint_client_plugins.transcript_lines import spoken

__all__ = ["find_transcripts", "read_transcript"]

_EVENTS = "events.jsonl"


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every session's file; subagents are in that of their session."""
    sessions = installation.folder / "session-state"
    for name in files.names(sessions):
        if _EVENTS in files.names(sessions / name):
            yield TranscriptReference(path=sessions / name / _EVENTS, conversation=name)


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What was said, under the id that the session's folder has."""
    return read_events(reader, since, session=spoken(transcript.path.parent.name), wanted=WORDS)

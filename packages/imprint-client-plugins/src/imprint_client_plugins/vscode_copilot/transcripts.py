"""Conversations of Copilot Chat in VS Code: what its agent wrote, or, where that is not there, the chat's own journal.

The agent keeps the last twenty of a workspace, in ``GitHub.copilot-chat/transcripts``; VS Code itself keeps each chat
in ``chatSessions``. Both go by the chat's id, so each conversation is read once, from the agent's where there is one:
that only grows, and has the last answer when the hook is called.
"""

from collections.abc import Iterator, Mapping

from imprint.domain.conversations import TranscriptItem
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.copilot_events import WORDS_AND_TOOLS, read_events
from imprint_client_plugins.transcript_lines import spoken
from imprint_client_plugins.vscode_copilot.chat_journals import is_journal
from imprint_client_plugins.vscode_copilot.chats import read_document, read_journal
from imprint_client_plugins.vscode_copilot.connecting import found_folders
from imprint_client_plugins.vscode_copilot.workspace_folders import find_workspace_folders

__all__ = ["find_transcripts", "read_transcript"]

_CHATS = "chatSessions"
_AGENTS = ("GitHub.copilot-chat", "transcripts")
_WHOLE = ".json"


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Each chat once, with the folders of its window; those of windows on other machines are left alone."""
    for user in found_folders(installation, files):
        for name in files.names(user / "workspaceStorage"):
            storage = user / "workspaceStorage" / name
            chats = _chats_in([storage / _CHATS, storage.joinpath(*_AGENTS)], files)
            folders = find_workspace_folders(storage, files) if chats else ()
            for path in chats.values():
                if folders is None:
                    yield TranscriptReference(path=path, needs_cwd=True)
                elif folders:
                    yield TranscriptReference(path=path, cwd=folders[0], directories=folders[1:])
        for path in _chats_in([user / "globalStorage" / "emptyWindowChatSessions"], files).values():
            yield TranscriptReference(path=path)


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What was said, whichever of the three files it stands in."""
    session = spoken(transcript.path.stem)
    if transcript.path.suffix == _WHOLE:
        return read_document(reader, session=session, path=transcript.path)
    first = next(iter(reader.lines()), None)
    if first is not None and is_journal(first.data):
        return read_journal(reader, since, session=session, path=transcript.path)
    return read_events(reader, since, session=session, wanted=WORDS_AND_TOOLS)


def _chats_in(folders: list[CanonicalPath], files: ClientFiles) -> Mapping[str, CanonicalPath]:
    """By the chat's id, the file that tells most: of the last folder, and the one that grows."""
    return {
        path.stem: path
        for folder in folders
        for name in files.names(folder)  # sorted: ``.json`` comes before ``.jsonl``
        if (path := folder / name).suffix in (_WHOLE, ".jsonl")
    }

"""Hooks that clients' plugins have in common.

Most do their work in a module of the client's package, which is imported when they are called: listing clients loads
none of it, and neither does a call of a client's hook, whose budget is a few milliseconds.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from imprint.plugins.markers import hookimpl

if TYPE_CHECKING:
    from imprint.domain.conversations import TranscriptItem
    from imprint.domain.plans import ConnectionRecord, FileEdit, RunCommand
    from imprint.plugins.clients import (
        ClientDocument,
        ClientHome,
        ClientNote,
        Installation,
        OurPrograms,
        TranscriptReference,
    )
    from imprint.protocols.clients import ClientFiles, TranscriptReader

    Edits: TypeAlias = tuple[FileEdit | RunCommand, ...]
    FindInstallation: TypeAlias = Callable[[ClientHome, ClientFiles], Installation | None]
    PlanConnect: TypeAlias = Callable[[Installation, OurPrograms, ClientFiles], Edits]
    PlanDisconnect: TypeAlias = Callable[[Installation, ConnectionRecord, ClientFiles], Edits]
    DescribeDuties: TypeAlias = Callable[[Installation, ClientFiles], tuple[ClientNote, ...]]
    FindTranscripts: TypeAlias = Callable[[Installation, ClientFiles], Iterator[TranscriptReference]]
    ReadTranscript: TypeAlias = Callable[[TranscriptReference, TranscriptReader, str], Iterator[TranscriptItem]]
    FindDocuments: TypeAlias = Callable[[Installation, ClientFiles], Iterator[ClientDocument]]

__all__ = [
    "connecting_hooks",
    "directory_hook",
    "documents_hook",
    "duties_hook",
    "payload_directory_hook",
    "told_directory",
    "transcript_hooks",
]


def connecting_hooks(package: str) -> "tuple[FindInstallation, PlanConnect, PlanDisconnect]":
    """``find_installation``, ``plan_connect`` and ``plan_disconnect`` of the package's module ``connecting``."""

    @hookimpl
    def find_installation(home: "ClientHome", files: "ClientFiles") -> "Installation | None":
        found: Installation | None = _module(package, "connecting").find_installation(home, files)
        return found

    @hookimpl
    def plan_connect(installation: "Installation", programs: "OurPrograms", files: "ClientFiles") -> "Edits":
        edits: Edits = _module(package, "connecting").plan_connect(installation, programs, files)
        return edits

    @hookimpl
    def plan_disconnect(installation: "Installation", record: "ConnectionRecord", files: "ClientFiles") -> "Edits":
        edits: Edits = _module(package, "connecting").plan_disconnect(installation, record, files)
        return edits

    return find_installation, plan_connect, plan_disconnect


def duties_hook(package: str) -> "DescribeDuties":
    """``describe_duties`` of the package's module ``connecting``."""

    @hookimpl
    def describe_duties(installation: "Installation", files: "ClientFiles") -> "tuple[ClientNote, ...]":
        notes: tuple[ClientNote, ...] = _module(package, "connecting").describe_duties(installation, files)
        return notes

    return describe_duties


def directory_hook(variable: str) -> "Callable[[Mapping[str, object], Mapping[str, str]], str | None]":
    """``detect_cwd`` of a client that tells its hooks the directory, and names it to servers in a variable."""

    @hookimpl
    def detect_cwd(payload: Mapping[str, object], environ: Mapping[str, str]) -> str | None:
        return told_directory(payload) or environ.get(variable) or None

    return detect_cwd


def payload_directory_hook() -> "Callable[[Mapping[str, object]], str | None]":
    """``detect_cwd`` of a client that tells its hooks the directory, and its servers nothing."""

    @hookimpl
    def detect_cwd(payload: Mapping[str, object]) -> str | None:
        return told_directory(payload)

    return detect_cwd


def told_directory(payload: Mapping[str, object]) -> str | None:
    """The directory that a hook is told."""
    cwd = payload.get("cwd")
    return cwd if isinstance(cwd, str) and cwd else None


def transcript_hooks(package: str) -> "tuple[FindTranscripts, ReadTranscript]":
    """``find_transcripts`` and ``read_transcript`` of the package's module ``transcripts``."""

    @hookimpl
    def find_transcripts(installation: "Installation", files: "ClientFiles") -> "Iterator[TranscriptReference]":
        found: Iterator[TranscriptReference] = _module(package, "transcripts").find_transcripts(installation, files)
        return found

    @hookimpl
    def read_transcript(
        transcript: "TranscriptReference", reader: "TranscriptReader", since: str
    ) -> "Iterator[TranscriptItem]":
        items: Iterator[TranscriptItem] = _module(package, "transcripts").read_transcript(transcript, reader, since)
        return items

    return find_transcripts, read_transcript


def documents_hook(package: str) -> "FindDocuments":
    """``find_documents`` of the package's module ``documents``."""

    @hookimpl
    def find_documents(installation: "Installation", files: "ClientFiles") -> "Iterator[ClientDocument]":
        found: Iterator[ClientDocument] = _module(package, "documents").find_documents(installation, files)
        return found

    return find_documents


def _module(package: str, name: str) -> Any:
    return import_module(f"{package}.{name}")

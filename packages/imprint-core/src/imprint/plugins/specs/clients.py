"""Group ``imprint.clients``: the AI tools whose sessions Imprint serves and learns from.

A plugin of this group reads through what it is given and never writes: what is to be changed it gives back as edits,
which Imprint shows, backs up and applies.
"""

from collections.abc import Iterator, Mapping

from imprint.domain.conversations import TranscriptItem
from imprint.domain.hook_events import HookEvent, HookOutput
from imprint.domain.plans import ConnectionRecord, FileEdit, RunCommand
from imprint.plugins.clients import (
    ClientDocument,
    ClientHome,
    ClientInfo,
    ClientNote,
    Installation,
    OurPrograms,
    TranscriptReference,
)
from imprint.plugins.specs import hookspec
from imprint.protocols.clients import ClientFiles, TranscriptReader

__all__ = [
    "describe_client",
    "describe_duties",
    "detect_cwd",
    "find_documents",
    "find_installation",
    "find_transcripts",
    "parse_hook_payload",
    "plan_connect",
    "plan_disconnect",
    "read_transcript",
    "render_hook_response",
]


@hookspec(firstresult=True)
def describe_client() -> ClientInfo:
    """Say which client this is. Pure, and without heavy imports: listing clients calls it.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Find the client in a home; `None` where it is not there. Nothing is run.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def detect_cwd(payload: Mapping[str, object], environ: Mapping[str, str], cwd: str, files: ClientFiles) -> str | None:
    """The directory a session works in, from what the client gives a process that it starts. Nothing is run.

    An MCP server that is started with ``--client NAME`` asks it once, before it answers anything: it has to be quick.

    Args:
        payload: What a hook was sent; empty for an MCP server, which is asked before its client says anything.
        environ: The environment of the process.
        cwd: Its working directory; empty where it was deleted or cannot be read.
        files: For a client that names no directory but a session, and keeps a file about it.

    Returns:
        An absolute path as the client spells it; `None` where this client told nothing. Then, as where it raises or
        gives a path that is none of this system, the server goes by its environment and its working directory.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def plan_connect(
    installation: Installation, programs: OurPrograms, files: ClientFiles
) -> tuple[FileEdit | RunCommand, ...]:
    """Plan what registers Imprint with the client; nothing where it is registered already.

    What is in a file stays: comments, order, line ends, and other people's entries.

    Raises:
        InvalidClientFileError: A file is not what the client would read; it is never overwritten.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def plan_disconnect(
    installation: Installation, record: ConnectionRecord, files: ClientFiles
) -> tuple[FileEdit | RunCommand, ...]:
    """Plan what takes out exactly what `plan_connect` put in, whatever happened to the files since.

    A file that was made for Imprint and holds nothing else is removed. A file that nobody else changed becomes, byte
    for byte, what it was.

    Args:
        record: The edits that connected it; empty where nobody knows them any more.

    Raises:
        InvalidClientFileError: A file is not what the client would read; it is never overwritten.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """Say what the user still has to do for the client to use what was connected (trust its hooks, restart it). Pure.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Find every transcript that the client keeps, archived ones and subagents' too, in an order that stays.

    A conversation that is kept twice is given once. One that the client keeps in another file now, under the same
    session id, stays the conversation it was.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def find_documents(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """Find what the client reads to its model besides the conversation and a project's own files: the user's rules, and
    what the client remembers by itself; in an order that stays.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """Read what was said, streaming: turns in their order, and what the lines tell about the conversation.

    Formats move: a line that cannot be understood is left out, and what follows is read. Nothing here raises for what
    is in a transcript.

    Args:
        since: ``position`` of the last `Checkpoint` that was given for this transcript; empty: from the start. A file
            that was replaced is read from the start.

    Returns:
        Turns, facts, and now and then a `Checkpoint`, at least one after the last line.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> HookEvent:
    """Turn what a client sent to its lifecycle hook into a value. Pure; runs on every hook call.

    Unknown keys are ignored: clients add them without notice. An event that is not known is `HookEventKind.OTHER`.

    Raises:
        InvalidHookPayloadError: A key this event cannot do without is missing or of the wrong type.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def render_hook_response(event_name: str, context: str) -> HookOutput:
    """Write context for the model in the exact form this client takes from this event. Pure.

    Args:
        context: Text that the model is to see; empty: say nothing, in the way the client likes best.

    .. versionadded:: 0.1
    """

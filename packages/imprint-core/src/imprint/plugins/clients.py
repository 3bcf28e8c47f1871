"""The values that a client's plugin and Imprint exchange."""

from collections.abc import Mapping

import attrs

from imprint.domain.sources import CanonicalPath

__all__ = [
    "ClientDocument",
    "ClientHome",
    "ClientInfo",
    "ClientNote",
    "Installation",
    "OurPrograms",
    "TranscriptReference",
]


@attrs.frozen(kw_only=True)
class ClientInfo:
    """What a client's plugin says about the client.

    Attributes:
        name: What its entry point is named, and what the command line calls it (``claude-code``).
        title: What people call it (``Claude Code``).
        summary: One line for lists: what can be connected, what can be learned.
        hook_events: The client's own names of the events that `parse_hook_payload` knows; empty: it has no hooks.
        proof: How it was shown to work: ``driven`` (the real client was run), ``recorded`` or ``documented``.

    .. versionadded:: 0.1
    """

    name: str
    title: str
    summary: str
    hook_events: frozenset[str] = frozenset()
    proof: str = "documented"


@attrs.frozen(kw_only=True)
class ClientHome:
    """A home folder in which clients keep their files: the user's on this system, or on another of this machine.

    Attributes:
        path: As this process reaches it.
        system: ``linux``, ``macos`` or ``windows``: the system whose conventions the home follows.
        environ: Environment variables that move clients' folders (``CODEX_HOME``, ``CLAUDE_CONFIG_DIR``); those of this
            process for its own home, none for another's.
        name: What lists call another system's home; empty: it is this system's own.
        traits: What the plugin that found it needs to know of it again.
        variables: Names of variables without which no program of ours starts there; a client that hands down only
            those that its configuration names has to name them.

    .. versionadded:: 0.1
    """

    path: CanonicalPath
    system: str
    environ: Mapping[str, str] = attrs.field(factory=dict)
    name: str = ""
    traits: Mapping[str, str] = attrs.field(factory=dict)
    variables: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Installation:
    """A client that was found in a home.

    Attributes:
        client: The plugin's name.
        folder: Where it keeps its configuration.
        program: Its program, where one was found.

    .. versionadded:: 0.1
    """

    client: str
    home: ClientHome
    folder: CanonicalPath
    program: CanonicalPath | None = None

    @property
    def address(self) -> str:
        """What tells it from the same client's in other homes: ``claude-code``, ``claude-code@wsl-Debian``."""
        return f"{self.client}@{self.home.name}" if self.home.name else self.client


@attrs.frozen(kw_only=True)
class OurPrograms:
    """How a client starts Imprint: absolute paths that stay right after an upgrade.

    Attributes:
        server: The MCP server's program and arguments.
        hook: The hook's program; ``CLIENT EVENT`` are appended.
        instructions: Text for the instructions file that the client's model reads.
        recalls: Whether the hook has something to tell with each prompt. Where it has not, no event for prompts is
            registered, and one that was is taken out.

    .. versionadded:: 0.1
    """

    server: tuple[str, ...]
    hook: tuple[str, ...]
    instructions: str
    recalls: bool = False


@attrs.frozen(kw_only=True)
class ClientNote:
    """Something the user has to do or know, which no edit can do (``trust the hooks: …``).

    Attributes:
        is_standing: The client's files say that it is so now, and so the list of clients tells it as well; other notes
            are told after connecting alone.
        unconnected: What to say in the list instead while Imprint is not connected; empty: nothing.

    .. versionadded:: 0.1
    """

    text: str
    is_standing: bool = False
    unconnected: str = ""


@attrs.frozen(kw_only=True)
class TranscriptReference:
    """A conversation's transcript.

    Attributes:
        path: The file; of a database, the database.
        conversation: The session's id, where the file holds several conversations or does not have it as its name;
            empty: the file is one, under its name.
        fingerprint: Changes whenever the conversation does, where the file's size and time do not tell (a database).
        cwd: The directory it was held in, where the client keeps that apart from the transcript.
        directories: Others that it was held in, likewise (a window of several folders).
        title: What the client calls it, likewise.
        needs_cwd: It was held in a directory, and nothing here tells which: it is learned only where a hook of its
            client was told the session's.
        part_of: The `session` of what it is a subagent's part of: whoever learns that learns this too.

    .. versionadded:: 0.1
    """

    path: CanonicalPath
    conversation: str = ""
    fingerprint: str = ""
    cwd: str = ""
    directories: tuple[str, ...] = ()
    title: str = ""
    needs_cwd: bool = False
    part_of: str = ""

    @property
    def session(self) -> str:
        """The session's id, as far as it is known before the transcript is read."""
        return self.conversation or self.path.stem


@attrs.frozen(kw_only=True)
class ClientDocument:
    """A document that a client reads to its model: the user's rules, or what the client wrote down by itself.

    Attributes:
        transcripts: The folder of the transcripts of a project's sessions, whose directories tell which project it is
            about; `None`: it is about no project.

    .. versionadded:: 0.1
    """

    path: CanonicalPath
    transcripts: CanonicalPath | None = None

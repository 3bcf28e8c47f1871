"""What a client tells its lifecycle hook, and what the hook answers, in words that all clients share."""

from enum import StrEnum
from typing import NamedTuple

__all__ = ["HookEvent", "HookEventKind", "HookOutput"]


class HookEventKind(StrEnum):
    """What happened. Whatever else a client reports is `OTHER`, and nothing is done about it.

    `ACTIVITY` is for clients whose model can be told nothing when a session starts: the first one in a session is
    answered as its start.
    """

    SESSION_START = "session-start"
    ACTIVITY = "activity"
    PROMPT = "prompt"
    STOP = "stop"
    SESSION_END = "session-end"
    COMPACTION = "compaction"
    OTHER = "other"


class HookEvent(NamedTuple):
    """One call of a hook. A tuple: it is made on every call, before anything heavy is loaded.

    Attributes:
        session_id: The client's id of the session.
        cwd: The session's directory as the client spells it; empty where it tells none.
        transcript: Path of the conversation's transcript, which need not exist yet; empty where it tells none, and the
            transcript is then found by the session's id.
        call_id: What tells this call from the next of its kind (prompt, turn or tool id); equal for double calls.
        agent_id: The subagent that it is about; empty for the session itself. Of a subagent's calls only `STOP` counts:
            where its words have a transcript of their own, which it names.
        reason: Why a session started or ended, in the client's own word (``startup``, ``resume``, ``compact``).
        prompt: What the user typed, in `PROMPT`.
        last_message: The model's last answer, in `STOP`, where the client sends it.
        server_cwd: Where the client starts the user's MCP server, if not in the session's directory (``~``): such a
            server does not know the project, so the model has to name the workspace.
    """

    kind: HookEventKind
    session_id: str = ""
    cwd: str = ""
    transcript: str = ""
    call_id: str = ""
    agent_id: str = ""
    reason: str = ""
    prompt: str = ""
    last_message: str = ""
    server_cwd: str = ""


class HookOutput(NamedTuple):
    """What the hook's process gives back, exactly as the client's protocol has it."""

    stdout: str = ""
    exit_code: int = 0

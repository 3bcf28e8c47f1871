"""What all tools have in common: the workspace is fixed first, errors say how to mend the call, one notice comes."""

from collections.abc import Callable
from pathlib import Path

import attrs
from mcp.server.mcpserver.exceptions import ToolError

from imprint.bootstrap import Application
from imprint.domain.notices import quoted
from imprint.domain.sources import WorkspaceName
from imprint.errors import ImprintError, escaped
from imprint_mcp.rendering import BUDGET, cut_text
from imprint_mcp.session import Session
from imprint_mcp.tools.remedies import explain

__all__ = ["Call", "answer", "answer_choice"]

_PREFIX = 100
"""Room for what the SDK writes before an error."""

_ROOM_FOR_NOTICE = 3_000


@attrs.frozen
class Call:
    """What a tool works with. The workspace was fixed before anything was waited for.

    Attributes:
        room: Characters that the tool's text may have.
    """

    session: Session
    application: Application
    workspace: WorkspaceName
    room: int


def answer(session: Session, workspace: str, work: Callable[[Call], str]) -> str:
    """Do a tool's work in the workspace it was asked to use, else in the session's.

    The first result that is no error begins with the session's notice, if there is one.

    Raises:
        ToolError: The work failed; it says how to mend the call.
    """

    def respond(application: Application) -> str:
        chosen = session.choose(application, workspace)
        head = "" if session.is_own(chosen) else f"In workspace {quoted(chosen)}:\n"
        with session.notice(application) as notice:
            text = work(Call(session, application, chosen, BUDGET - len(notice) - len(head)))
        return notice + head + text

    return _respond(session, respond)


def answer_choice(session: Session, work: Callable[[Application, int], str]) -> str:
    """Do the work of a tool that chooses the workspace, and so needs none that still exists.

    A choice answers what the notice would ask: it says what is left to say.

    Args:
        work: Given the application and the characters that its text may have.

    Raises:
        ToolError: The work failed; it says how to mend the call.
    """

    def respond(application: Application) -> str:
        session.require_resolved()
        text = work(application, BUDGET - _ROOM_FOR_NOTICE)
        with session.notice(application) as notice:
            return cut_text(notice, _ROOM_FOR_NOTICE) + text

    return _respond(session, respond)


def _respond(session: Session, respond: Callable[[Application], str]) -> str:
    try:
        with session.application() as application:
            return respond(application)
    except ToolError:
        raise
    except ImprintError as error:
        raise ToolError(explain(error, BUDGET - _PREFIX)) from error
    except Exception as error:  # a call is all that the program does until the next one
        raise ToolError(_own_up(session.record_fault(error), error)) from error


def _own_up(log: Path | None, error: Exception) -> str:
    noted = f"It is noted in {escaped(log, limit=400)}. " if log else ""
    return (
        f"This is a fault of Imprint itself ({type(error).__name__}); another call may succeed. {noted}Tell the user, "
        "who can run 'imprint doctor'."
    )

"""What all tools have in common: the workspace is fixed first, errors say how to mend the call, one notice comes."""

from collections.abc import Callable

import attrs
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations

from imprint.bootstrap import Application
from imprint.domain.notices import quoted
from imprint.domain.sources import WorkspaceName
from imprint.errors import (
    ImprintError,
    InvalidEnvironmentWorkspaceError,
    OutsideRootsError,
    RefusedRootError,
    RootOverlapError,
    UnknownWorkspaceError,
)
from imprint_mcp.rendering import BUDGET
from imprint_mcp.session import Session

__all__ = ["DESTRUCTIVE", "READ_ONLY", "WRITE", "Call", "answer", "refuse"]

READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
DESTRUCTIVE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


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
        ToolError: The work failed in a way the caller can do something about.
    """
    try:
        with session.application() as application:
            chosen = session.choose(application, workspace)
            head = "" if session.is_own(chosen) else f"In workspace {quoted(chosen)}:\n"
            with session.notice(application) as notice:
                text = work(Call(session, application, chosen, BUDGET - len(notice) - len(head)))
                return notice + head + text
    except ImprintError as error:
        raise refuse(error) from error


def refuse(error: ImprintError) -> ToolError:
    """The error as a tool's answer: what is wrong, and what to do."""
    hint = _hint(error)
    sentence = str(error)
    return ToolError(f"{sentence[:1].upper()}{sentence[1:]}." + (f" {hint}" if hint else ""))


def _hint(error: ImprintError) -> str:
    """What to do, in the words of tools: the errors' own hints are for the command line."""
    match error:
        case RootOverlapError():
            return (
                "Nothing was changed. Tell the user what would be shared with whom; only if they agree, repeat the "
                "call with allow_overlap=true."
            )
        case OutsideRootsError():
            return (
                "Only folders that the user approved may be ingested. In the session's own project use_workspace "
                f"approves the project's folder; any other: ask the user to run 'imprint roots add {error.path} "
                f"--workspace {error.workspace}'."
            )
        case RefusedRootError():
            return "Open the session in a project's own folder, or pass workspace on each call instead."
        case UnknownWorkspaceError():
            nearest = f"Did you mean {quoted(error.nearest)}? " if error.nearest else ""
            return (
                f"{nearest}Use one of the known names; if the user wants a new workspace, call use_workspace with its "
                "name first."
            )
        case InvalidEnvironmentWorkspaceError():
            return (
                f"Nothing was done. Tell the user: {error.hint}, in the configuration that starts this server, and "
                "restart the session."
            )
    hint = error.hint or ""
    return f"{hint[:1].upper()}{hint[1:]}{'' if hint[-1:] in '.?' else '.'}"

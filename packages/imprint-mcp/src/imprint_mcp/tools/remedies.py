"""Errors as the answers of tools: what is wrong, and how the call is mended.

The errors' own hints speak of the command line. Where a tool does the same, it is named here; what only a command
does is the user's to do.
"""

from imprint.domain.notices import quoted
from imprint.errors import (
    ExcludedSourceError,
    FolderTargetError,
    ImprintError,
    InvalidEnvironmentWorkspaceError,
    InvalidKindError,
    InvalidMemoryKindError,
    MissingPathError,
    NotForgettableError,
    NothingStoredError,
    OutsideRootsError,
    ProjectFileRefusedError,
    ProjectFileUnwritableError,
    RefusedRootError,
    RootOverlapError,
    StaleDigestError,
    UnknownFactError,
    UnknownPassageError,
    UnknownWorkspaceError,
    WorkspaceDeletedError,
    escaped,
)
from imprint_mcp.rendering import cut_text

__all__ = ["explain"]


def explain(error: ImprintError, room: int) -> str:
    """What is wrong and what to do, in sentences; what is cut for want of room is never what to do."""
    remedy = _remedy(error)
    return " ".join(filter(None, (cut_text(_sentence(str(error)), room - len(remedy) - 1), remedy)))


def _remedy(error: ImprintError) -> str:
    match error:
        case RootOverlapError():
            return (
                "Nothing was changed. Tell the user what would be shared with whom; only if they agree, repeat the "
                "call with allow_overlap=true."
            )
        case OutsideRootsError(folder=""):
            return (
                "Only folders that the user approved may be ingested, and a home is too wide to be one. Name a folder "
                "of the session's project."
            )
        case OutsideRootsError():
            return (
                "Only folders that the user approved may be ingested. In the session's own project use_workspace "
                "approves the project's folder; any other: ask the user to run "
                f"'imprint roots add {escaped(error.folder)} --workspace {error.workspace}'."
            )
        case RefusedRootError():
            return "Open the session in a project's own folder, or pass workspace on each call instead."
        case ProjectFileRefusedError():
            return "Nothing was changed. Tell the user; once it is moved away, repeat the call."
        case ProjectFileUnwritableError():
            return "The folder is approved all the same. Tell the user, and repeat the call once it can be written."
        case UnknownWorkspaceError():
            nearest = f"Did you mean {quoted(error.nearest)}? " if error.nearest else ""
            return (
                f"{nearest}Use one of the known names; if the user wants a new workspace, call use_workspace with its "
                "name first."
            )
        case WorkspaceDeletedError():
            return "Ask the user which workspace to use, then call use_workspace, or pass workspace on each call."
        case InvalidEnvironmentWorkspaceError():
            return (
                f"Nothing was done. Tell the user: {error.hint}, in the configuration that starts this server, and "
                "restart the session."
            )
        case FolderTargetError():
            return "Nothing was changed. Call again with recursive=true to see them."
        case StaleDigestError():
            return "Preview again without apply, show the user what it takes, and apply with the new digest."
        case NotForgettableError():
            return "To remove a file or another source for good, preview purge_source with the source as its target."
        case UnknownPassageError():
            return "Ids are those that search shows, keys those that sources shows."
        case UnknownFactError():
            return "Call facts to see the facts that hold, each with its id."
        case NothingStoredError():
            return "search shows the ids of passages, sources lists the sources."
        case ExcludedSourceError():
            return (
                "Tell the user, who alone can let it in again, with "
                f"'imprint exclusions restore TARGET --workspace {error.workspace}'."
            )
        case MissingPathError():
            return "Check the spelling; a path is relative to the session's directory."
        case InvalidKindError():
            return "Leave kind out to search all of them."
        case InvalidMemoryKindError():
            return "Leave kind out for a note."
    return _general_remedy(error.hint)


def _general_remedy(hint: str | None) -> str:
    """The error's own hint; what it says about commands and their options is for the user."""
    if hint is None:
        return ""
    return _sentence(f"Tell the user: {hint}" if "imprint " in hint or "--" in hint else hint)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.?!' else '.'}" if text else ""

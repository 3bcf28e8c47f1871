"""Sentences that tell a person which workspace is used and why, and the notice that asks for a choice.

Names and paths may have been chosen by a repository: they are shown escaped and cut, and never as our own words.
"""

from collections.abc import Sequence

from imprint.domain.project_files import PROJECT_FILE_NAME, PROJECT_FOLDER_NAME, explain_project_file_fault
from imprint.domain.resolution import (
    UNASSIGNED_SETTING,
    WORKSPACE_VARIABLE,
    InvalidFileNote,
    Note,
    Reason,
    Resolution,
    TiedRootsNote,
)
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.errors import escaped

__all__ = ["compose_notice", "describe_note", "describe_resolution", "quoted", "resolution_as_json"]

_LISTED = 20


def quoted(text: object) -> str:
    """Put text that somebody else chose into double quotes, unprintable characters escaped, cut at 200 characters."""
    return f'"{escaped(text)}"'


def describe_resolution(resolution: Resolution) -> str:
    """Say which workspace and why, in one sentence without a full stop."""
    sentence = f"workspace {quoted(resolution.workspace)} — {_describe_reason(resolution)}"
    worktree = resolution.worktree
    if worktree is None or resolution.reason in (Reason.EXPLICIT, Reason.ENVIRONMENT):
        return sentence
    return f"{sentence}; {escaped(worktree.folder)} is a linked git worktree of {escaped(worktree.main)}"


def describe_note(note: Note) -> str:
    """Say what was passed over, in one sentence without a full stop."""
    if isinstance(note, InvalidFileNote):
        return f"{escaped(note.file)} is ignored: {explain_project_file_fault(note.fault)}"
    if isinstance(note, TiedRootsNote):
        owners = _enumerate(note.workspaces)
        return f"the root {escaped(note.root)} belongs to several workspaces ({owners}) and decides nothing"
    return f"the setting {note.setting} names no workspace of this device: {quoted(note.value)}"


def compose_notice(resolution: Resolution, workspaces: Sequence[WorkspaceName]) -> str | None:
    """The notice a session shows once: it asks when a choice is needed, and else states what is worth saying.

    Args:
        resolution: Of the session's directory.
        workspaces: The ones the user can choose from.

    Returns:
        `None` when there is nothing to say.
    """
    stated = [f"This session uses {describe_resolution(resolution)}."]
    stated += [f"Note: {describe_note(note)}." for note in resolution.notes]
    if resolution.needs_choice:
        return "\n".join([*stated, *_ask(resolution, workspaces)])
    if resolution.notes or resolution.reason is Reason.ENVIRONMENT:
        return "\n".join(stated)
    return None


def resolution_as_json(directory: CanonicalPath | None, resolution: Resolution) -> dict[str, object]:
    """The object that ``workspace which --json`` prints."""
    proposal = resolution.proposal
    return {
        "directory": _text(directory),
        "workspace": resolution.workspace,
        "reason": resolution.reason.value,
        "evidence": _text(resolution.evidence),
        "project": _text(resolution.project),
        "proposal": proposal
        and {"workspace": proposal.workspace, "file": str(proposal.file), "approved": proposal.approved},
        "needs_choice": resolution.needs_choice,
        "notes": [describe_note(note) for note in resolution.notes],
        "sentence": describe_resolution(resolution),
    }


def _describe_reason(resolution: Resolution) -> str:
    evidence = resolution.evidence
    match resolution.reason:
        case Reason.EXPLICIT:
            return "named in the request"
        case Reason.ENVIRONMENT:
            return f"set by the environment variable {WORKSPACE_VARIABLE}"
        case Reason.PROJECT_FILE if evidence is not None:
            file = f"{PROJECT_FOLDER_NAME}/{PROJECT_FILE_NAME}"
            return f"named by {file} in {escaped(evidence.parent.parent)}, approved on this device"
        case Reason.ROOT if evidence is not None:
            what = "this directory" if resolution.worktree is None else "what this directory stands for"
            return f"its root {escaped(evidence)} contains {what}"
        case Reason.UNASSIGNED_SETTING:
            return f"named by the setting {UNASSIGNED_SETTING}, as nothing else decides"
        case _:
            return "the active workspace of this device, as nothing else decides"


def _ask(resolution: Resolution, workspaces: Sequence[WorkspaceName]) -> list[str]:
    project = escaped(resolution.project)
    proposal = resolution.proposal
    if proposal is not None and not proposal.approved:
        question = (
            f"The project {project} proposes the workspace {quoted(proposal.workspace)}, which this device has not "
            "approved. Ask the user once whether to accept it or to use another"
        )
    else:
        question = f"The project {project} has no workspace yet. Ask the user once which one it should use"
    return [
        f"{question}, then call use_workspace with the user's answer; a new name creates a workspace.",
        f"Workspaces of this device: {_enumerate(workspaces)}. Until then nothing needs to wait.",
    ]


def _enumerate(names: Sequence[WorkspaceName]) -> str:
    shown = ", ".join(quoted(name) for name in names[:_LISTED])
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown


def _text(path: CanonicalPath | None) -> str | None:
    return None if path is None else str(path)

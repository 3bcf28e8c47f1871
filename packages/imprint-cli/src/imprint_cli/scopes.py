"""Which workspace a command works in, said before it does."""

from pathlib import Path
from typing import TYPE_CHECKING

from imprint.errors import escaped
from imprint_cli.invocation import Invocation

if TYPE_CHECKING:
    from imprint.domain.resolution import Resolution

__all__ = ["announce", "resolve_here", "resolve_selected"]


def resolve_here(invocation: Invocation, workspace: str | None) -> "Resolution":
    """The workspace of the shell's directory, unless one is named; told with the reason."""
    application = invocation.application
    resolution = application.workspaces.which(application.cwd, explicit=workspace or "").resolution
    announce(invocation, resolution)
    return resolution


def resolve_selected(invocation: Invocation, workspace: str | None) -> "Resolution":
    """The workspace of a command that the shell's directory does not decide; told with the reason, and so is another
    one that the directory has.
    """
    from imprint.domain.notices import quoted

    application = invocation.application
    resolution = application.workspaces.selected(workspace or "")
    announce(invocation, resolution)
    here = resolution if workspace else application.workspaces.which(application.cwd).resolution
    if here.workspace != resolution.workspace:
        invocation.note(
            f"note: the workspace of this directory is {quoted(here.workspace)}, which does not decide here; "
            f"for that one: --workspace {here.workspace}"
        )
    return resolution


def announce(invocation: Invocation, resolution: "Resolution", *, target: Path | None = None) -> None:
    """Say which workspace and why, and what was passed over on the way."""
    from imprint.domain.notices import describe_note, describe_resolution, quoted

    prefix = f"{escaped(target)}: " if target is not None else ""
    invocation.note(prefix + describe_resolution(resolution))
    for note in resolution.notes:
        invocation.note(f"note: {describe_note(note)}")
    proposal = resolution.proposal
    if proposal is not None and not proposal.approved:
        name = quoted(proposal.workspace)
        invocation.note(
            f"note: this project proposes the workspace {name}, which you have not approved; "
            f"to accept: imprint workspace use {proposal.workspace}"
        )

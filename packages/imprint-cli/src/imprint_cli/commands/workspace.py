"""`imprint workspace`: the workspaces of this device, and which one a folder uses."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprint.errors import NotConfirmedError, StoreError, UnansweredError, escaped
from imprint_cli.invocation import Invocation
from imprint_cli.options import allow_overlap, as_json, example
from imprint_cli.picker import pick
from imprint_cli.rendering import columns, count, moment

if TYPE_CHECKING:
    from imprint.domain.sources import WorkspaceName

__all__ = ["workspace"]


@click.group()
def workspace() -> None:
    """Keep what belongs together apart from the rest."""


@workspace.command("list", epilog=example("imprint workspace list"))
@as_json
@click.pass_obj
def list_(invocation: Invocation, as_json: bool) -> None:
    """List the workspaces of this device."""
    records = [
        (record, _count_sources(invocation, record.name), len(invocation.application.roots.list(explicit=record.name)))
        for record in invocation.application.workspaces.list()
    ]
    if as_json:
        invocation.show_json_lines(
            {
                "name": record.name,
                "active": record.active,
                "sources": sources,
                "roots": roots,
                "created": record.created_at,
            }
            for record, sources, roots in records
        )
        return
    rows = [
        [
            record.name,
            "yes" if record.active else "",
            "unreadable" if sources is None else f"{sources:,}",
            str(roots),
            moment(record.created_at),
        ]
        for record, sources, roots in records
    ]
    invocation.show(columns(["name", "active", "sources", "roots", "created"], rows, invocation))


@workspace.command(epilog=example("imprint workspace create acme"))
@click.argument("name", metavar="NAME", help="Name of a workspace.")
@as_json
@click.pass_obj
def create(invocation: Invocation, name: str, as_json: bool) -> None:
    """Make a workspace. It holds nothing yet and no folder uses it yet."""
    creation = invocation.application.workspaces.create(name)
    if as_json:
        invocation.show_json({"workspace": creation.workspace, "created": creation.created})
        return
    if creation.created:
        invocation.show(f'created workspace "{creation.workspace}"')
        invocation.note(f"to use it for a project: cd into it and run 'imprint workspace use {creation.workspace}'")
    else:
        invocation.show(f'workspace "{creation.workspace}" exists already')


@workspace.command(epilog=example("imprint workspace switch acme"))
@click.argument(
    "name", metavar="[NAME]", required=False, default="", help="Name of a workspace; asked for on a terminal."
)
@as_json
@click.pass_obj
def switch(invocation: Invocation, name: str, as_json: bool) -> None:
    """Make a workspace the active one. It is used wherever nothing else decides."""
    chosen = name or _pick(invocation, "Make active", "imprint workspace switch NAME")
    switched = invocation.application.workspaces.switch(chosen)
    if as_json:
        invocation.show_json({"workspace": switched.workspace, "changed": switched.changed})
    else:
        invocation.show(
            f'workspace "{switched.workspace}" is {"now" if switched.changed else "already"} the active one'
        )


@workspace.command(epilog=example("imprint workspace delete acme --yes"))
@click.argument("name", metavar="NAME", help="Name of a workspace.")
@click.option("--yes", is_flag=True, help="Delete without asking; needed where nobody can answer.")
@as_json
@click.pass_obj
def delete(invocation: Invocation, name: str, yes: bool, as_json: bool) -> None:
    """Delete a workspace with everything it remembers. The files it was made from stay."""
    if not yes:
        _confirm_deletion(invocation, name)
    deletion = invocation.application.workspaces.delete(name)
    if as_json:
        invocation.show_json(
            {
                "workspace": deletion.workspace,
                "files_removed": deletion.files_removed,
                "settings_reset": list(deletion.settings),
            }
        )
        return
    invocation.show(f'deleted workspace "{deletion.workspace}"')
    invocation.note("its roots are gone; .imprint/workspace.json files that name it stay in their projects")
    for key in deletion.settings:
        invocation.note(f"the setting {key} named it and was reset")
    if not deletion.files_removed:
        invocation.note("another process still holds its files; repeat the command later to remove them")


@workspace.command(epilog=example("imprint workspace which ~/src/acme"))
@click.argument("directory", metavar="[DIR]", type=click.Path(), required=False, help="Instead of this directory.")
@click.option("--session", is_flag=True, help="As an agent's session there would resolve it.")
@as_json
@click.pass_obj
def which(invocation: Invocation, directory: Path | None, session: bool, as_json: bool) -> None:
    """Say which workspace a directory uses and why; changes nothing."""
    from imprint.domain.notices import describe_note

    application = invocation.application
    resolved = application.workspaces.which(directory or application.cwd, is_session=session)
    if as_json:
        invocation.show_json(resolved.as_json())
        return
    resolution = resolved.resolution
    invocation.show(resolved.sentence)
    if resolution.project is not None:
        invocation.show(f"project {escaped(resolution.project)}")
    for note in resolution.notes:
        invocation.show(f"note: {describe_note(note)}")
    if resolution.needs_choice:
        proposed = resolution.proposal.workspace if resolution.proposal else "NAME"
        invocation.note(f"to decide: cd into the project and run 'imprint workspace use {proposed}'")


@workspace.command(epilog=example("imprint workspace use acme"))
@click.argument(
    "name",
    metavar="[NAME]",
    required=False,
    default="",
    help="Name of a workspace, new or known; asked for on a terminal.",
)
@allow_overlap
@as_json
@click.pass_obj
def use(invocation: Invocation, name: str, allow_overlap: bool, as_json: bool) -> None:
    """Assign the project around this directory to a workspace.

    The project's .imprint/workspace.json says so, and its folder becomes a root.
    """
    application = invocation.application
    chosen = name or _pick_for_project(invocation)
    used = application.workspaces.use(application.cwd, chosen, allow_overlap=allow_overlap)
    if as_json:
        invocation.show_json(
            {
                "workspace": used.workspace,
                "folder": str(used.folder),
                "created": used.created,
                "root_added": used.root_added,
                "file_written": used.file_written,
            }
        )
        return
    new = " (new)" if used.created else ""
    invocation.show(f'{escaped(used.folder)} uses workspace "{used.workspace}"{new}')
    if used.root_added:
        invocation.show("the folder is approved: it may be ingested into this workspace")
    if used.file_written:
        invocation.show("wrote .imprint/workspace.json; committing it is your choice")
    if not (used.created or used.root_added or used.file_written):
        invocation.show("nothing changed: it was so already")


def _count_sources(invocation: Invocation, name: "WorkspaceName") -> int | None:
    """`None` where the store cannot be read, which is no reason not to list it."""
    try:
        return sum(invocation.application.overview.of(name).counts.sources.values())
    except StoreError:
        return None


def _describe_holdings(invocation: Invocation, name: "WorkspaceName") -> str:
    try:
        counts = invocation.application.overview.of(name).counts.sources
    except StoreError:  # a damaged workspace can be deleted too
        return "everything in it"
    memories = counts.get("memory", 0)
    return f"{count(sum(counts.values()) - memories, 'source')} and {count(memories, 'memory', 'memories')}"


def _pick(invocation: Invocation, question: str, usage: str) -> str:
    records = invocation.application.workspaces.list()
    active = next(record.name for record in records if record.active)
    return pick(invocation, [record.name for record in records], active=active, question=question, usage=usage)


def _pick_for_project(invocation: Invocation) -> str:
    application = invocation.application
    records = application.workspaces.list()
    proposal = application.workspaces.which(application.cwd).resolution.proposal
    return pick(
        invocation,
        [record.name for record in records],
        active=next(record.name for record in records if record.active),
        question="Use for this project",
        usage="imprint workspace use NAME",
        proposed=proposal.workspace if proposal else "",
        takes_new=True,
    )


def _confirm_deletion(invocation: Invocation, name: str) -> None:
    workspace = invocation.application.workspaces.check_deletable(name)
    held = _describe_holdings(invocation, workspace)
    if not invocation.is_interactive:
        raise UnansweredError(f'Delete workspace "{name}" with {held}?', "write --yes to delete it unasked")
    answer = click.prompt(f'Workspace "{name}" will be gone with {held}. Type its name to delete it', err=True)
    if answer.strip() != name:
        raise NotConfirmedError(name)

"""`imprint clients`: the AI tools on this device, and connecting them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from imprint.errors import ImprintError
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example
from imprint_cli.rendering import columns, label, printable

if TYPE_CHECKING:
    from imprint.services.connect import ClientStatus, ConnectionChange

__all__ = ["clients", "connect"]

_all = click.option("--all", "every", is_flag=True, help="Every client that is found on this device.")
_dry_run = click.option("--dry-run", is_flag=True, help="Show the changes as a diff; change nothing.")


def _complete_client(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The clients' names; none where they cannot be told, since completion must stay silent."""
    del parameter
    invocation = context.find_object(Invocation)
    try:
        names = invocation.application.plugins.names("clients") if invocation else []  # other homes cost too much
    except ImprintError:
        return []
    return [name for name in names if name.startswith(incomplete)]


_names = click.argument(
    "names",
    nargs=-1,
    metavar="[CLIENT]...",
    help="Names as 'imprint clients list' shows them.",
    shell_complete=_complete_client,
)


@click.group()
def clients() -> None:
    """The AI tools on this device, and what they know of Imprint."""


@clients.command("list", epilog=example("imprint clients list"))
@as_json
@click.pass_obj
def list_(invocation: Invocation, as_json: bool) -> None:
    """List the clients that can be connected, found or not.

    What works with each was seen with the real client (driven), on what it wrote (recorded), or is as its documentation
    says (documented). Those of another system on this machine, where found, are named CLIENT@HOME.
    """
    statuses = list(invocation.application.connections.list())
    if as_json:
        invocation.show_json_lines(map(_show_status, statuses))
        return
    rows = [
        [status.address, status.state.value, _place(status), status.info.proof, _about(status)] for status in statuses
    ]
    invocation.show(columns(["client", "state", "folder", "proof", "summary"], rows, invocation))
    for status in statuses:
        for note in status.notes:
            invocation.note(printable(f"{status.address}: {note.text}"))
    if incomplete := [status.address for status in statuses if status.state.value == "incomplete"]:
        invocation.note(f"to complete what is incomplete: imprint clients connect {' '.join(incomplete)}")


@clients.command(epilog=example("imprint clients connect claude-code --dry-run"))
@_names
@_all
@_dry_run
@as_json
@click.pass_obj
def connect(invocation: Invocation, names: Sequence[str], every: bool, dry_run: bool, as_json: bool) -> None:
    """Register server, hooks and instructions with AI tools.

    What is in their files stays as it is, and copies from before are kept in the data folder.
    """
    del as_json  # The run knows it already.
    connections = invocation.application.connections
    chosen = connections.found() if every else _require(names)
    _change_each(invocation, chosen, lambda name: connections.connect(name, dry_run=dry_run), "connected", dry_run)


@clients.command(epilog=example("imprint clients disconnect claude-code"))
@_names
@_all
@_dry_run
@as_json
@click.pass_obj
def disconnect(invocation: Invocation, names: Sequence[str], every: bool, dry_run: bool, as_json: bool) -> None:
    """Take out of AI tools' files what connecting put in.

    Nothing else is taken out, and what is stored stays.
    """
    del as_json  # The run knows it already.
    connections = invocation.application.connections
    chosen = connections.found() if every else _require(names)
    _change_each(
        invocation, chosen, lambda name: connections.disconnect(name, dry_run=dry_run), "disconnected", dry_run
    )


def _require(names: Sequence[str]) -> Sequence[str]:
    if not names:
        raise click.UsageError("name a client, or give --all; 'imprint clients list' shows them")
    return list(dict.fromkeys(names))


def _change_each(
    invocation: Invocation,
    names: Sequence[str],
    change: "Callable[[str], ConnectionChange]",
    deed: str,
    dry_run: bool,
) -> None:
    """Change one client after the other; the first error is raised when all had their turn."""
    errors: list[ImprintError] = []
    is_changed = False
    for name in names:
        try:
            changed = change(name)
        except ImprintError as error:
            errors.append(error)
            if invocation.as_json and len(names) > 1:
                invocation.show_json(_show_failure(name, error, dry_run=dry_run))
            continue
        is_changed = is_changed or changed.applied
        if invocation.as_json:
            invocation.show_json(_show_change(changed, dry_run=dry_run))
        else:
            invocation.show(printable(_tell(changed, deed, dry_run=dry_run)))
    if is_changed and not invocation.as_json:
        invocation.note("sessions that are open now read their configuration when they start again")
    for another in errors[1:]:
        invocation.note(f"{another}" + (f" ({another.hint})" if another.hint else ""))
    if errors:
        raise errors[0]


def _tell(change: "ConnectionChange", deed: str, *, dry_run: bool) -> str:
    from imprint.domain.plan_views import render_plan

    if not change.plan:
        already = "connected already" if deed == "connected" else "not connected"
        return "\n".join([f"{change.title} is {already}", *_reminders(change)])
    if dry_run:
        return render_plan(change.plan)
    lines = [f"{deed} {change.title}"]
    lines += [f"  {step.purpose}: {getattr(step, 'path', '')}".rstrip(": ") for step in change.plan]
    return "\n".join([*lines, *_reminders(change)])


def _reminders(change: "ConnectionChange") -> list[str]:
    return [f"  note: {note.text}" for note in change.notes]


def _show_change(change: "ConnectionChange", *, dry_run: bool) -> dict[str, Any]:
    from imprint.domain.plan_views import render_plan

    return {
        "client": change.client,
        "changed": change.applied,
        "dry_run": dry_run,
        "files": [str(step.path) for step in change.plan if hasattr(step, "path")],
        "diff": render_plan(change.plan),
        "notes": [note.text for note in change.notes],
        "error": None,
    }


def _show_failure(client: str, error: ImprintError, *, dry_run: bool) -> dict[str, Any]:
    nothing: dict[str, Any] = {"files": [], "diff": "", "notes": []}
    return {"client": client, "changed": False, "dry_run": dry_run, **nothing, "error": str(error)}


def _show_status(status: "ClientStatus") -> dict[str, Any]:
    installation, error = status.installation, status.error
    return {
        "client": status.address,
        "home": status.home,
        "title": status.info.title,
        "state": status.state.value,
        "folder": str(installation.folder) if installation else None,
        "program": str(installation.program) if installation and installation.program else None,
        "summary": status.info.summary,
        "proof": status.info.proof,
        "notes": [note.text for note in status.notes],
        "error": str(error) if error else None,
    }


def _place(status: "ClientStatus") -> str:
    return label(status.installation.folder) if status.installation else ""


def _about(status: "ClientStatus") -> str:
    return label(status.error) if status.error else status.info.summary

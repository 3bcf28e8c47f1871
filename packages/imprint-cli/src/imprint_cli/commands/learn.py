"""`imprint learn`: take in what was said in the clients' conversations."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprint_cli.ingest_reports import show_reports
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.progress import TerminalProgress
from imprint_cli.rendering import count, label
from imprint_cli.scopes import resolve_selected

if TYPE_CHECKING:
    from imprint.services.learning_reports import ConversationVerdict

__all__ = ["learn"]


@click.command(epilog=example("imprint learn --dry-run"))
@click.option(
    "--client", "clients", multiple=True, metavar="CLIENT", help="Only this client's; may be given several times."
)
@click.option(
    "--export",
    "exports",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="An export of your account: the ZIP file, its folder, or its conversations.json. May be given several times.",
)
@click.option("--desktop", is_flag=True, help="The exports in your download folder.")
@click.option(
    "--since", default="", metavar="MOMENT", help="Only conversations that went on since then: a date, 7d, 2w."
)
@click.option("--dry-run", is_flag=True, help="Say of each conversation which workspace may have it and why.")
@in_workspace
@as_json
@click.pass_obj
def learn(
    invocation: Invocation,
    clients: tuple[str, ...],
    exports: tuple[Path, ...],
    desktop: bool,
    since: str,
    dry_run: bool,
    workspace: str,
    as_json: bool,
) -> int:
    """Learn from conversations of your clients, or account exports.

    What the user and the model said becomes searchable; tool output and what clients put in do not. A conversation held
    in a folder that another workspace claims is left to that one. It can be repeated and interrupted at any time.

    With --export or --desktop, clients are learned from only where --client names them.
    """
    from imprint.services.indexing_reports import Outcome

    application = invocation.application
    _refuse_services(invocation, clients)
    resolution = resolve_selected(invocation, workspace)
    moment = application.parse_moment(since) if since else ""
    chosen = _choose_exports(invocation, exports, desktop=desktop) if exports or desktop else None
    with TerminalProgress(invocation) as progress:
        report = application.learning.learn(
            resolution, progress, clients=clients, exports=chosen, since=moment, dry_run=dry_run
        )
    if dry_run and not as_json:
        for verdict in report.conversations:
            invocation.show(_describe(verdict))
    if report.model_failure and not as_json:
        invocation.note(f"read by rules, {count(report.model_failures, 'conversation')}: {label(report.model_message)}")
    if report.untold and not as_json:
        left = count(report.untold, "conversation")
        invocation.note(f"left alone, as nothing tells yet in which folder it was held: {left}")
    code = show_reports(invocation, [report], as_json=as_json, deed="learn")
    inbox = application.settings.workspace.inbox
    if chosen and inbox not in ("", report.workspace) and any(report.sources.values()):
        invocation.note(f"conversations of exports go to the inbox: repeat this with --workspace {inbox}")
    elif report.sources.get(Outcome.REFUSED) and not dry_run and not as_json:
        invocation.note("with --dry-run it says which workspace may have what was refused")
    return code


def _refuse_services(invocation: Invocation, clients: tuple[str, ...]) -> None:
    """Those that keep nothing here but hand out exports."""
    services = (
        {handle.reference.name for handle in invocation.application.plugins.handles("exports")} if clients else ()
    )
    for name in clients:
        if name in services:
            raise click.UsageError(f"{name} is a service, not a client: 'imprint learn --export PATH' takes its export")


def _choose_exports(invocation: Invocation, named: tuple[Path, ...], *, desktop: bool) -> tuple[Path, ...]:
    """Those that are named, each of which has to be sound, and those that are found."""
    exports = invocation.application.learning.exports
    exports.examine(named)
    found = tuple(exports.find()) if desktop else ()
    if desktop:
        invocation.note(f"in the download folder: {', '.join(label(str(path)) for path in found) or 'no export'}")
    return (*named, *found)


def _describe(verdict: "ConversationVerdict") -> str:
    owners = ", ".join(f'"{name}"' for name in verdict.workspaces) or "no workspace"
    title = f" ({label(verdict.title)})" if verdict.title else ""
    return f"{label(verdict.source)}{title}: {verdict.outcome.value}; for {owners}: {verdict.reason}"

"""`imprint refresh`: bring the index in line with the files."""

from pathlib import Path

import click

from imprint_cli.ingest_reports import show_reports
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.progress import TerminalProgress
from imprint_cli.scopes import announce, resolve_here

__all__ = ["refresh"]


@click.command(epilog=example("imprint refresh --all"))
@click.argument(
    "paths",
    metavar="[PATH]...",
    type=click.Path(),
    nargs=-1,
    required=False,
    help="Files or folders; without any, every root of the workspace.",
)
@click.option("--all", "every", is_flag=True, help="Every root of every workspace.")
@click.option("--accept-removals", is_flag=True, help="Believe it when a folder is gone, empty, or has lost much.")
@in_workspace
@as_json
@click.pass_obj
def refresh(
    invocation: Invocation, paths: tuple[Path, ...], every: bool, accept_removals: bool, workspace: str, as_json: bool
) -> int:
    """Index again what changed, drop what is gone. What did not change costs a look at its date."""
    application = invocation.application
    if every and (paths or workspace):
        raise click.UsageError("--all stands alone: it takes neither a path nor --workspace")
    for target in paths:
        resolved = application.roots.resolve_target(target, explicit=workspace).resolved
        announce(invocation, resolved.resolution, target=target)
    if not paths and not every:
        resolve_here(invocation, workspace)
    with TerminalProgress(invocation) as progress:
        if every:
            reports = application.refresh.refresh_all(
                progress, accept_removals=accept_removals, announce=invocation.note
            )
        elif paths:
            reports = application.refresh.refresh_paths(
                paths, progress, explicit=workspace, accept_removals=accept_removals
            )
        else:
            reports = application.refresh.refresh_workspace(
                application.cwd, progress, explicit=workspace, accept_removals=accept_removals
            )
    return show_reports(invocation, reports, as_json=as_json)

"""`imprint refresh`: bring the index in line with the files."""

from pathlib import Path
from typing import Annotated

import typer

from imprint_cli.ingest_reports import show_reports
from imprint_cli.invocation import current
from imprint_cli.options import AsJson, InWorkspace
from imprint_cli.progress import TerminalProgress
from imprint_cli.scopes import announce, resolve_here

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: imprint refresh --all")
def refresh(
    context: typer.Context,
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH...]", help="Files or folders; without any, every root of the workspace."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every root of every workspace.")] = False,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help="Believe it when a folder is gone, empty, or has lost much.")
    ] = False,
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> int:
    """Index again what changed, drop what is gone. What did not change costs a look at its date."""
    invocation = current(context)
    application = invocation.application
    if every and (paths or workspace):
        raise typer.BadParameter("--all stands alone: it takes neither a path nor --workspace")
    targets = [path.expanduser().absolute() for path in paths or ()]
    for target in targets:
        resolved = application.roots.resolve_target(target, explicit=workspace or "").resolved
        announce(invocation, resolved.resolution, target=target)
    if not targets and not every:
        resolve_here(invocation, workspace)
    with TerminalProgress(invocation) as progress:
        if every:
            reports = application.refresh.refresh_all(progress, accept_removals=accept_removals)
        elif targets:
            reports = application.refresh.refresh_paths(
                targets, progress, explicit=workspace or "", accept_removals=accept_removals
            )
        else:
            reports = application.refresh.refresh_workspace(
                application.cwd, progress, explicit=workspace or "", accept_removals=accept_removals
            )
    return show_reports(invocation, reports, as_json=as_json)

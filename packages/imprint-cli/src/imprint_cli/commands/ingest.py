"""`imprint ingest`: index files and folders."""

from pathlib import Path
from typing import Annotated

import typer

from imprint_cli.ingest_reports import show_reports
from imprint_cli.invocation import current
from imprint_cli.options import AllowOverlap, AsJson, InWorkspace
from imprint_cli.progress import TerminalProgress
from imprint_cli.scopes import announce

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: imprint ingest ~/src/acme")
def ingest(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files or folders.")],
    project: Annotated[
        str, typer.Option("--project", help="Name of the project, whatever its manifests say.", metavar="NAME")
    ] = "",
    allow_overlap: AllowOverlap = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done; write nothing.")] = False,
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> int:
    """Index files and folders in the workspace of their own folder; the first one becomes its root.

    What ignore files leave out is left out here, and so are secrets, binaries and generated files. It can be repeated
    and interrupted at any time: what is done is kept, and what did not change is not read again.
    """
    invocation = current(context)
    application = invocation.application
    targets = [path.expanduser().absolute() for path in paths]
    for target in targets:
        resolved = application.roots.resolve_target(target, explicit=workspace or "").resolved
        announce(invocation, resolved.resolution, target=target)
    with TerminalProgress(invocation) as progress:
        reports = application.ingest.ingest(
            targets,
            progress,
            explicit=workspace or "",
            project=project,
            allow_overlap=allow_overlap,
            dry_run=dry_run,
        )
    return show_reports(invocation, reports, as_json=as_json)

"""`imprint ingest`: index files and folders."""

from pathlib import Path

import click

from imprint.errors import escaped
from imprint_cli.ingest_reports import show_reports
from imprint_cli.invocation import Invocation
from imprint_cli.options import allow_overlap, as_json, example, in_workspace
from imprint_cli.progress import TerminalProgress
from imprint_cli.scopes import announce

__all__ = ["ingest"]


@click.command(epilog=example("imprint ingest ~/src/acme"))
@click.argument("paths", metavar="PATH...", type=click.Path(), nargs=-1, required=True, help="Files or folders.")
@click.option("--project", default="", metavar="NAME", help="Name of the project, whatever its manifests say.")
@allow_overlap
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@in_workspace
@as_json
@click.pass_obj
def ingest(
    invocation: Invocation,
    paths: tuple[Path, ...],
    project: str,
    allow_overlap: bool,
    dry_run: bool,
    workspace: str,
    as_json: bool,
) -> int:
    """Index files and folders.

    Each goes to the workspace of its own folder; a workspace's first folder becomes its root. What ignore files leave
    out is left out here, and so are secrets, binaries and generated files. It can be repeated and interrupted at any
    time: what is done is kept, and what did not change is not read again.
    """
    application = invocation.application
    for target in paths:
        resolved = application.roots.resolve_target(target, explicit=workspace).resolved
        announce(invocation, resolved.resolution, target=target)
    roots_before = set(application.workspaces.registry.roots())
    with TerminalProgress(invocation) as progress:
        reports = application.ingest.ingest(
            paths,
            progress,
            explicit=workspace,
            project=project,
            allow_overlap=allow_overlap,
            dry_run=dry_run,
        )
    for root in application.workspaces.registry.roots():
        if root not in roots_before:
            invocation.note(f'{escaped(root.path)} is a root of workspace "{root.workspace}" now')
    return show_reports(invocation, reports, as_json=as_json)

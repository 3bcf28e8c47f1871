"""`imprint export`: what a workspace knows, as one file."""

from pathlib import Path

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.progress import TerminalProgress
from imprint_cli.rendering import count, label
from imprint_cli.scopes import resolve_selected

__all__ = ["export"]


@click.command(epilog=example("imprint export acme.imprint --workspace acme"))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path), help="A file that does not exist yet.")
@in_workspace
@as_json
@click.pass_obj
def export(invocation: Invocation, file: Path, workspace: str, as_json: bool) -> None:
    """Write all that a workspace knows into one file.

    'imprint import' takes it in on any device. It holds sources with their passages and vectors, memories and facts, as
    they are at one moment; others may go on writing meanwhile. Roots and exclusions stay with the device. The file is
    readable by you alone.
    """
    resolution = resolve_selected(invocation, workspace)
    with TerminalProgress(invocation) as progress:
        manifest = invocation.application.transfers.export.run(resolution.workspace, file, progress)
    if as_json:
        invocation.show_json(
            {
                "workspace": resolution.workspace,
                "reason": resolution.reason.value,
                "file": str(file),
                "sources": manifest.sources,
                "chunks": manifest.chunks,
                "vectors": manifest.vectors,
                "facts": manifest.facts,
            }
        )
        return
    parts = [count(manifest.sources, "source"), count(manifest.chunks, "passage"), count(manifest.facts, "fact")]
    invocation.show(f'exported {", ".join(parts)} of workspace "{resolution.workspace}" to {label(file)}')
    invocation.note("roots and exclusions are not in it: they are this device's")

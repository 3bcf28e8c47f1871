"""`imprint backup`: the whole device, as one file."""

from pathlib import Path

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example
from imprint_cli.progress import TerminalProgress
from imprint_cli.rendering import count, label, size

__all__ = ["backup"]


@click.command(epilog=example("imprint backup ~/imprint-monday.backup"))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path), help="A file that does not exist yet.")
@as_json
@click.pass_obj
def backup(invocation: Invocation, file: Path, as_json: bool) -> None:
    """Write every workspace of this device into one file.

    Its roots and exclusions go along. It is taken while others go on writing, and readable by you alone. Settings are
    not in it.
    """
    with TerminalProgress(invocation) as progress:
        manifest = invocation.application.transfers.backup.run(file, progress)
    written = file.stat().st_size
    if as_json:
        invocation.show_json(
            {
                "file": str(file),
                "created": manifest.created_at,
                "workspaces": list(manifest.stores),
                "bytes": written,
            }
        )
        return
    names = ", ".join(f'"{name}"' for name in manifest.stores)
    stores = f"{count(len(manifest.stores), 'workspace')} ({names})" if names else "no workspace that holds anything"
    invocation.show(f"backed up {stores} to {label(file)} ({size(written)})")

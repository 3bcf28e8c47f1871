"""`imprint forget`: drop memories and inline texts."""

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.rendering import count, label
from imprint_cli.scopes import resolve_here

__all__ = ["forget"]


@click.command(epilog=example("imprint forget 17"))
@click.argument("ids", metavar="ID...", nargs=-1, required=True, help="Ids that 'imprint search' prints, or keys.")
@in_workspace
@as_json
@click.pass_obj
def forget(invocation: Invocation, ids: tuple[str, ...], workspace: str, as_json: bool) -> None:
    """Forget memories and inline texts, each as a whole. If one of the ids is unknown, nothing is forgotten."""
    resolution = resolve_here(invocation, workspace)
    forgotten = invocation.application.memories.forget(resolution.workspace, ids)
    if as_json:
        invocation.show_json(
            {
                "workspace": resolution.workspace,
                "reason": resolution.reason.value,
                "forgotten": list(forgotten.keys),
            }
        )
        return
    number = count(len(forgotten.keys), "source")
    invocation.show(f'forgot {number} of workspace "{resolution.workspace}": {", ".join(map(label, forgotten.keys))}')

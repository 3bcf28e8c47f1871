"""`imprint forget`: drop memories and inline texts."""

from typing import Annotated

import typer

from imprint_cli.invocation import current
from imprint_cli.options import AsJson, InWorkspace
from imprint_cli.rendering import count
from imprint_cli.scopes import resolve_here

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: imprint forget 17")
def forget(
    context: typer.Context,
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids that 'imprint search' prints, or keys.")],
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Forget memories and inline texts, each as a whole. If one of the ids is unknown, nothing is forgotten."""
    invocation = current(context)
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
    invocation.show(f'forgot {number} of workspace "{resolution.workspace}": {", ".join(forgotten.keys)}')

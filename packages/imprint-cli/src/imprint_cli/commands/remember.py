"""`imprint remember`: write a memory down."""

from typing import Annotated

import typer

from imprint_cli.invocation import current
from imprint_cli.options import AsJson, InWorkspace
from imprint_cli.scopes import resolve_here

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@app.command(epilog='Example: imprint remember "We deploy from the release branch only." --kind decision')
def remember(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What to remember, in your own words; '-' reads it from stdin.")],
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            help="decision, preference, pattern, bug, milestone, architecture, finding or note.",
            metavar="KIND",
        ),
    ] = "",
    project: Annotated[str, typer.Option("--project", help="Project it belongs to.", metavar="NAME")] = "",
    source: Annotated[
        str, typer.Option("--source", help="Key of the source it was drawn from; purging that takes it too.")
    ] = "",
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Remember a sentence or a page. Saying the same again changes nothing."""
    import sys

    invocation = current(context)
    resolution = resolve_here(invocation, workspace)
    remembered = invocation.application.memories.remember(
        resolution.workspace,
        sys.stdin.read() if text == "-" else text,
        kind=kind,
        project=project,
        origin=source,
    )
    if as_json:
        invocation.show_json(
            {
                "workspace": resolution.workspace,
                "reason": resolution.reason.value,
                "source": remembered.key,
                "ids": [str(id) for id in remembered.ids],
                "repeated": remembered.repeated,
            }
        )
        return
    ids = ", ".join(map(str, remembered.ids))
    said = "was remembered already" if remembered.repeated else "remembered"
    invocation.show(f'{said} as {ids} in workspace "{resolution.workspace}"')

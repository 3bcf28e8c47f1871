"""`imprint remember`: write a memory down."""

import click

from imprint_cli.completing import complete
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.rendering import count
from imprint_cli.scopes import resolve_here

__all__ = ["remember"]


@click.command(epilog=example('imprint remember "We deploy from the release branch only." --kind decision'))
@click.argument("text", metavar="TEXT", help="What to remember, in your own words; '-' reads it from stdin.")
@click.option(
    "--kind",
    default="",
    metavar="KIND",
    help="decision, preference, pattern, bug, milestone, architecture, finding or note.",
)
@click.option("--project", default="", metavar="NAME", help="Project it belongs to.")
@click.option("--source", default="", help="Key of the source it was drawn from; purging that takes it too.")
@in_workspace
@as_json
@click.pass_obj
def remember(
    invocation: Invocation, text: str, kind: str, project: str, source: str, workspace: str, as_json: bool
) -> None:
    """Remember a sentence or a page. Saying the same again changes nothing."""
    resolution = resolve_here(invocation, workspace)
    remembered = invocation.application.memories.remember(
        resolution.workspace,
        invocation.read_text() if text == "-" else text,
        kind=kind,
        project=project,
        origin=source,
    )
    complete(invocation, resolution.workspace)
    if as_json:
        invocation.show_json(
            {
                "workspace": resolution.workspace,
                "reason": resolution.reason.value,
                "source": remembered.key,
                "ids": [str(id) for id in remembered.ids],
                "repeated": remembered.repeated,
                "redactions": remembered.redactions,
            }
        )
        return
    ids = ", ".join(map(str, remembered.ids))
    said = "was remembered already" if remembered.repeated else "remembered"
    without = f", without {count(remembered.redactions, 'secret')}" if remembered.redactions else ""
    invocation.show(f'{said} as {ids} in workspace "{resolution.workspace}"{without}')

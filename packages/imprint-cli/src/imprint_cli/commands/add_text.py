"""`imprint add-text`: store a text that is in no file."""

import click

from imprint_cli.completing import complete
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.rendering import count, label
from imprint_cli.scopes import resolve_here

__all__ = ["add_text"]


@click.command("add-text", epilog=example("imprint add-text meeting-notes --format md < notes.md"))
@click.argument("name", metavar="NAME", help="A name for the text; a text of this name is replaced.")
@click.option("--format", default="", metavar="SUFFIX", help="What it is written in, as a file suffix: md, py, txt.")
@click.option("--project", default="", metavar="NAME", help="Project it belongs to.")
@in_workspace
@as_json
@click.pass_obj
def add_text(invocation: Invocation, name: str, format: str, project: str, workspace: str, as_json: bool) -> None:
    """Store the text on stdin under a name."""
    text = invocation.read_text()
    resolution = resolve_here(invocation, workspace)
    added = invocation.application.memories.add_text(resolution.workspace, name, text, format=format, project=project)
    complete(invocation, resolution.workspace)
    if as_json:
        invocation.show_json(
            {
                "workspace": resolution.workspace,
                "reason": resolution.reason.value,
                "source": added.key,
                "ids": [str(id) for id in added.ids],
                "changed": added.changed,
                "redactions": added.redactions,
            }
        )
        return
    said = "stored" if added.changed else "unchanged:"
    without = f", without {count(added.redactions, 'secret')}" if added.redactions else ""
    passages = count(len(added.ids), "passage")
    invocation.show(f'{said} {label(added.key)} in workspace "{resolution.workspace}": {passages}{without}')

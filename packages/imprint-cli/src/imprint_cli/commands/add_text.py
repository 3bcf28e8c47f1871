"""`imprint add-text`: store a text that is in no file."""

import sys
from typing import Annotated

import typer

from imprint_cli.invocation import current
from imprint_cli.options import AsJson, InWorkspace
from imprint_cli.rendering import count
from imprint_cli.scopes import resolve_here

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: imprint add-text meeting-notes --format md < notes.md")
def add_text(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A name for the text; a text of this name is replaced.")],
    format: Annotated[
        str, typer.Option("--format", help="What it is written in, as a file suffix: md, py, txt.", metavar="SUFFIX")
    ] = "",
    project: Annotated[str, typer.Option("--project", help="Project it belongs to.", metavar="NAME")] = "",
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Store the text on stdin under a name."""
    invocation = current(context)
    if sys.stdin.isatty():
        invocation.note("reading the text from the keyboard; end it with Ctrl-D")
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    resolution = resolve_here(invocation, workspace)
    added = invocation.application.memories.add_text(resolution.workspace, name, text, format=format, project=project)
    if as_json:
        invocation.show_json(
            {
                "workspace": resolution.workspace,
                "reason": resolution.reason.value,
                "source": added.key,
                "ids": [str(id) for id in added.ids],
                "changed": added.changed,
            }
        )
        return
    said = "stored" if added.changed else "unchanged:"
    invocation.show(f'{said} {added.key} in workspace "{resolution.workspace}": {count(len(added.ids), "passage")}')

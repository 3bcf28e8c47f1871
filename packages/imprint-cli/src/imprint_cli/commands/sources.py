"""`imprint sources`: what is indexed."""

from typing import Annotated

import typer

from imprint_cli.invocation import current
from imprint_cli.options import AsJson, InWorkspace, Kinds, Project
from imprint_cli.passages import kind_word, source_label
from imprint_cli.rendering import columns, count, moment
from imprint_cli.scopes import resolve_here

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: imprint sources --kind document")
def sources(
    context: typer.Context,
    pattern: Annotated[
        str, typer.Argument(metavar="[GLOB]", help="Only keys that fit this pattern, such as '*/docs/*'.")
    ] = "",
    kind: Kinds = None,
    project: Project = "",
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """List what the workspace holds."""
    invocation = current(context)
    application = invocation.application
    resolution = resolve_here(invocation, workspace)
    found = application.reading.sources(resolution.workspace, kinds=tuple(kind or ()), glob=pattern, project=project)
    if as_json:
        invocation.show_json_lines(
            {
                "workspace": resolution.workspace,
                "source": stored.source.key,
                "kind": kind_word(stored.source),
                "project": stored.source.project,
                "passages": stored.chunks,
                "indexed": stored.indexed_at,
            }
            for stored in found
        )
        return
    rows = [
        [
            source_label(stored.source, application.cwd),
            kind_word(stored.source),
            stored.source.project,
            str(stored.chunks),
            moment(stored.indexed_at),
        ]
        for stored in found
    ]
    if rows:
        invocation.show(columns(["source", "kind", "project", "passages", "indexed"], rows, invocation))
        invocation.note(f'{count(len(rows), "source")} in workspace "{resolution.workspace}"')
    else:
        invocation.show(f'no such sources in workspace "{resolution.workspace}"')

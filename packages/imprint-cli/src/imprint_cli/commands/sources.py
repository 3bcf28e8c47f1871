"""`imprint sources`: what is indexed."""

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace, of_kinds, of_project
from imprint_cli.passages import kind_word, source_label
from imprint_cli.rendering import columns, count, moment
from imprint_cli.scopes import resolve_here

__all__ = ["sources"]


@click.command(epilog=example("imprint sources --kind document"))
@click.argument(
    "pattern", metavar="[GLOB]", required=False, default="", help="Only keys that fit this pattern, such as '*/docs/*'."
)
@of_kinds
@of_project
@in_workspace
@as_json
@click.pass_obj
def sources(
    invocation: Invocation, pattern: str, kinds: tuple[str, ...], project: str, workspace: str, as_json: bool
) -> None:
    """List what the workspace holds."""
    application = invocation.application
    resolution = resolve_here(invocation, workspace)
    found = application.reading.sources(resolution.workspace, kinds=kinds, glob=pattern, project=project)
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

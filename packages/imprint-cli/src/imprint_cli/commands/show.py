"""`imprint show`: a passage in its place, or a source."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from imprint_cli.invocation import Invocation, current
from imprint_cli.options import AsJson, InWorkspace
from imprint_cli.passages import kind_word, source_label
from imprint_cli.rendering import printable
from imprint_cli.scopes import resolve_here

__all__ = ["app"]

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: imprint show 17 --lines 120:180")
def show(
    context: typer.Context,
    reference: Annotated[
        str, typer.Argument(metavar="ID|SOURCE", help="A passage's id, or a source as 'imprint sources' names it.")
    ],
    lines: Annotated[str, typer.Option("--lines", help="Lines of the source: A:B, A:, :B or A.", metavar="A:B")] = "",
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Print a passage, or a source in full or some lines of it, as they are stored."""
    from imprint.services.reading import parse_lines

    invocation = current(context)
    application = invocation.application
    wanted = parse_lines(lines) if lines else None
    resolution = resolve_here(invocation, workspace)
    excerpt = application.reading.show(resolution.workspace, _as_key(invocation, reference), lines=wanted)
    source = excerpt.source
    if as_json:
        invocation.show_json(
            {
                "workspace": excerpt.workspace,
                "reason": resolution.reason.value,
                "ids": [str(passage.id) for passage in excerpt.passages],
                "source": source.key,
                "kind": kind_word(source),
                "project": source.project,
                "lines": [excerpt.lines.first, excerpt.lines.last] if excerpt.lines else None,
                "text": excerpt.text,
                "timestamp": source.time or None,
            }
        )
        return
    span = f":{excerpt.lines.first}-{excerpt.lines.last} of {excerpt.last_line}" if excerpt.lines else ""
    invocation.note(f"{source_label(source, application.cwd)}{span}")
    if not sys.stdout.isatty():
        invocation.show(excerpt.text)
        return
    text = printable(excerpt.text).split("\n")
    if excerpt.lines is None:
        invocation.show("\n".join(text))
        return
    gutter = len(str(excerpt.lines.last))
    for number, line in enumerate(text, start=excerpt.lines.first):
        invocation.show(f"{invocation.style(f'{number:>{gutter}}', dim=True)}  {line}".rstrip())


def _as_key(invocation: Invocation, reference: str) -> str:
    """The key that is meant: search shows files below this directory by their relative paths."""
    cwd = invocation.application.cwd
    if cwd is None or reference.isdecimal() or Path(reference).is_absolute() or ":" in reference:
        return reference
    return str(cwd / reference)

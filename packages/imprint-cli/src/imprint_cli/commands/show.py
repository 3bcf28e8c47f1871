"""`imprint show`: a passage in its place, or a source."""

import sys
from pathlib import Path

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.passages import kind_word, source_label
from imprint_cli.rendering import printable
from imprint_cli.scopes import resolve_here

__all__ = ["show"]


@click.command(epilog=example("imprint show 17 --lines 120:180"))
@click.argument("reference", metavar="ID|SOURCE", help="A passage's id, or a source as 'imprint sources' names it.")
@click.option("--lines", default="", metavar="A:B", help="Lines of the source: A:B, A:, :B or A.")
@in_workspace
@as_json
@click.pass_obj
def show(invocation: Invocation, reference: str, lines: str, workspace: str, as_json: bool) -> None:
    """Print a passage, a source, or some of its lines, as stored."""
    from imprint.services.reading import parse_lines

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
    if excerpt.lines is None or not excerpt.is_numbered:
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

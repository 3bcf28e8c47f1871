"""`imprint move`: from one workspace to another."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, complete_workspace, example, refuse_unknown_kinds
from imprint_cli.progress import TerminalProgress
from imprint_cli.rendering import count, label
from imprint_cli.words import absolute_path

if TYPE_CHECKING:
    from imprint.domain.moves import MoveReport

__all__ = ["move"]

_SAMPLES = 10
_KEY = re.compile(r"[a-z][a-z0-9+.-]+:")
_WILD = re.compile(r"[*?[]")


@click.command(epilog=example("imprint move --from default --to acme --project billing"))
@click.option(
    "--from",
    "origin",
    required=True,
    metavar="NAME",
    help="Workspace that it leaves.",
    shell_complete=complete_workspace,
)
@click.option(
    "--to",
    "target",
    required=True,
    metavar="NAME",
    help="Workspace that it goes to.",
    shell_complete=complete_workspace,
)
@click.option("--project", default="", metavar="NAME", help="What belongs to this project.")
@click.option(
    "--source", default="", metavar="SOURCE", help="A source's key, a file, a folder, or a pattern such as '*/docs/*'."
)
@click.option(
    "--kind",
    default="",
    metavar="KIND",
    callback=refuse_unknown_kinds,
    help="Code, document, conversation, web, memory, or a memory's kind.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be done; write nothing.")
@as_json
@click.pass_obj
def move(
    invocation: Invocation,
    origin: str,
    target: str,
    project: str,
    source: str,
    kind: str,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Move sources from one workspace to another.

    Their vectors and the facts drawn from them go along. Each is on the disk in the other workspace before it leaves
    this one, so an interrupted move loses nothing; repeat it to finish it. What the other workspace excludes stays, and
    so does a text or memory of which it has another version. Give exactly one of --project, --source and --kind.
    """
    from imprint.domain.moves import MoveChoice
    from imprint.domain.sources import WorkspaceName

    if sum(map(bool, (project, source, kind))) != 1:
        raise click.UsageError("give exactly one of --project, --source and --kind")
    choice = MoveChoice(project=project, source=_spell(source), kind=kind)
    with TerminalProgress(invocation) as progress:
        report = invocation.application.transfers.move.run(
            choice, progress, origin=WorkspaceName(origin), target=WorkspaceName(target), dry_run=dry_run
        )
    if as_json:
        invocation.show_json(report.as_json())
    else:
        _show(invocation, report)
    return ExitCode.FAILED if report.embedding_failure else ExitCode.DONE


def _spell(word: str) -> str:
    """A word that is neither a key nor a pattern is a path, seen from here; of a folder, what lies below it."""
    if not word or _KEY.match(word) or _WILD.search(word):
        return word
    path = Path(os.path.realpath(absolute_path(Path(word))))  # `Path.resolve` raises at links that go in a circle
    if not path.is_dir():
        return str(path)
    return _WILD.sub(lambda match: f"[{match[0]}]", f"{path.parent / path.name}") + f"{_separator(path)}*"


def _separator(path: Path) -> str:
    return "\\" if "\\" in str(path) and "/" not in str(path) else "/"


def _show(invocation: Invocation, report: "MoveReport") -> None:
    between = f'from workspace "{report.origin}" to workspace "{report.target}"'
    if not report.moved:
        invocation.show(f"nothing {'would move' if report.dry_run else 'was moved'} {between}")
    else:
        parts = [count(len(report.moved), "source"), count(report.chunks, "passage")]
        amount = f"{', '.join(parts)} and {count(report.facts, 'fact')}"
        invocation.show(f"{'would move' if report.dry_run else 'moved'} {amount} {between}")
    for key in report.moved[:_SAMPLES]:
        invocation.show(f"  {label(key)}")
    if len(report.moved) > _SAMPLES:
        invocation.show(f"  and {len(report.moved) - _SAMPLES:,} more; --json prints every one")
    for keys, why in (
        (report.conflicting, f'workspace "{report.target}" has another of this name'),
        (report.excluded, f'workspace "{report.target}" excludes it'),
        (report.late, "it changed again and again meanwhile; move it again"),
    ):
        for key in keys[:_SAMPLES]:
            invocation.show(f"stays: {label(key)} — {why}")
        if len(keys) > _SAMPLES:
            invocation.show(f"stays: {len(keys) - _SAMPLES:,} more, for the same reason; --json prints every one")
    if report.embedding_failure:
        invocation.note(f"not embedded, found by words alone: {label(report.embedding_failure)}")
    for root in report.roots:
        invocation.note(
            f'{label(root)} is still a root of workspace "{report.origin}": its next refresh takes in again what lies '
            f"there, unless you run 'imprint roots remove {label(root)} --workspace {report.origin}'"
        )

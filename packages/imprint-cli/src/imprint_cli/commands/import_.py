"""`imprint import`: what such a file holds, united with what a workspace knows."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.progress import TerminalProgress
from imprint_cli.rendering import count, label
from imprint_cli.scopes import resolve_selected

if TYPE_CHECKING:
    from imprint.services.importing import ImportReport

__all__ = ["import_"]


@click.command("import", epilog=example("imprint import acme.imprint --workspace acme"))
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path), help="What 'imprint export' wrote.")
@in_workspace
@as_json
@click.pass_obj
def import_(invocation: Invocation, file: Path, workspace: str, as_json: bool) -> int:
    """Take in what 'imprint export' wrote.

    All of the file is verified before anything is written. Of two versions of a source the one that was indexed later
    is kept, facts are united, and what this workspace excludes stays out. Vectors of another model are not taken: their
    text is embedded here. It can be repeated and interrupted at any time.
    """
    resolution = resolve_selected(invocation, workspace)
    with TerminalProgress(invocation) as progress:
        report = invocation.application.transfers.importing.run(resolution.workspace, file, progress)
    if as_json:
        invocation.show_json(
            {
                "workspace": resolution.workspace,
                "reason": resolution.reason.value,
                "file": str(file),
                "from": {"workspace": report.manifest.workspace, "created": report.manifest.created_at},
                "sources": {outcome.value: number for outcome, number in report.sources.items()},
                "chunks": report.chunks,
                "vectors": report.vectors,
                "facts": {
                    "added": report.facts.added,
                    "ended": report.facts.ended,
                    "known": report.facts.known,
                    "excluded": report.facts.excluded,
                },
                "embedding_failure": report.embedding_failure,
            }
        )
    else:
        _show(invocation, report, file)
    return ExitCode.FAILED if report.embedding_failure else ExitCode.DONE


def _show(invocation: Invocation, report: "ImportReport", file: Path) -> None:
    from imprint.protocols.versions import Replacement

    said = {
        "new": report.sources[Replacement.ADDED],
        "newer than what was here": report.sources[Replacement.CHANGED],
        "here already": report.sources[Replacement.UNCHANGED],
        "older than what is here, which stays": report.sources[Replacement.KEPT],
        "excluded": report.sources[Replacement.EXCLUDED],
    }
    total = count(sum(report.sources.values()), "source")
    parts = ", ".join(f"{number:,} {what}" for what, number in said.items() if number)
    invocation.show(
        f'imported {label(file)} into workspace "{report.workspace}": {total}' + f" ({parts})" * bool(parts)
    )
    new = report.facts.added + report.facts.ended
    invocation.show(f"{count(report.chunks, 'passage')} written, {count(new, 'fact')} new or ended")
    if report.embedding_failure:
        invocation.note(f"not embedded, found by words alone: {label(report.embedding_failure)}")
    elif rest := report.chunks - report.vectors:
        invocation.note(f"{count(rest, 'passage')} came without a vector of this device's model, and got theirs here")

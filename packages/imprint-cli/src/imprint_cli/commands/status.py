"""`imprint status`: what is stored, connected, running, waiting."""

from typing import TYPE_CHECKING

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.rendering import count, label, moment, size
from imprint_cli.scopes import resolve_here

if TYPE_CHECKING:
    from imprint.services.overview import WorkspaceOverview

__all__ = ["status"]

_WORDS = {"code": ("code file", ""), "web": ("web page", ""), "memory": ("memory", "memories")}
"""What sources of a kind are called, where that is not the kind itself."""


@click.command(epilog=example("imprint status"))
@in_workspace
@as_json
@click.pass_obj
def status(invocation: Invocation, workspace: str, as_json: bool) -> None:
    """Say what is stored, connected, running and waiting."""
    application = invocation.application
    resolution = resolve_here(invocation, workspace)
    overview = application.overview.of(resolution.workspace)
    if not as_json:
        _show(invocation, overview)
        return
    counts, running = overview.counts, overview.running
    invocation.show_json(
        {
            "workspace": resolution.workspace,
            "reason": resolution.reason.value,
            "data": str(application.data_folder.path),
            "clients": list(overview.clients),
            "roots": [str(root.path) for root in overview.roots],
            "sources": dict(counts.sources),
            "chunks": counts.chunks,
            "vectors": counts.vectors,
            "pending": counts.pending,
            "facts": counts.facts,
            "bytes": counts.bytes,
            "models": [{"name": model.name, "vectors": number} for model, number in overview.models],
            "unfinished": [work.value for work in overview.unfinished],
            "running": running and {"pid": running.pid, "activity": running.activity, "since": running.since},
        }
    )


def _show(invocation: Invocation, overview: "WorkspaceOverview") -> None:
    counts = overview.counts
    by_kind = ", ".join(_count_kind(number, kind) for kind, number in counts.sources.items()) or "nothing yet"
    models = ", ".join(f"{number:,} of {model.name}" for model, number in overview.models) or "none"
    rows = [
        ("workspace", overview.workspace),
        ("sources", by_kind),
        ("passages", f"{counts.chunks:,}, {size(counts.bytes)} on disk"),
        ("vectors", models),
        ("facts", f"{counts.facts:,}"),
        ("roots", ", ".join(label(root.path) for root in overview.roots) or "none yet"),
        ("clients", ", ".join(map(label, overview.clients)) or "none connected"),
        ("data", label(invocation.application.data_folder.path)),
    ]
    if counts.pending:
        rows.append(
            ("pending", f"{count(counts.pending, 'passage')} found by words only until the next ingest or refresh")
        )
    rows += [("pending", f"a purge: {work.explanation}") for work in overview.unfinished]
    if running := overview.running:
        rows.append(("running", f"{running.activity}, process {running.pid}, since {moment(running.since)}"))
    invocation.show("\n".join(f"{invocation.style(f'{name:<9}', dim=True)}  {value}" for name, value in rows))


def _count_kind(number: int, kind: str) -> str:
    return count(number, *_WORDS.get(kind, (kind,)))

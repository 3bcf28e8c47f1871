"""Indexing files: ingest."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import anyio.from_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import Field

from imprint.domain.roots import Admission
from imprint.errors import escaped
from imprint.services.indexing_reports import IngestReport
from imprint_mcp.rendering import count, fence, fit, in_workspace
from imprint_mcp.session import Session
from imprint_mcp.tools.answering import Call, answer
from imprint_mcp.tools.arguments import Workspace
from imprint_mcp.tools.offering import WRITE, offer
from imprint_mcp.tools.places import find_place

__all__ = ["add_tools"]

_HEADS = 600
_SECONDS_BETWEEN_REPORTS = 0.5


def add_tools(server: MCPServer, session: Session) -> None:
    """Offer the tool to a server."""

    @offer(server, "Index files", WRITE)
    def ingest(
        context: Context,
        path: Annotated[str, Field(description="A file or folder; relative: to the session's directory.")],
        workspace: Workspace = "",
    ) -> str:
        """Index a file or folder of this device so that search finds it, and drop what is gone from it; only inside
        folders that the user approved. It may take minutes for a large folder; what is done is kept when it is
        cancelled, and what did not change is not read again.
        """

        def work(call: Call) -> str:
            target = find_place(session, path)
            _require_approved(call, target)
            progress = _CallProgress(context)
            reports = call.application.ingest.ingest([target], progress, explicit=call.workspace)
            return "\n".join(_render(report, call.room) for report in reports)

        return answer(session, workspace, work)


def _require_approved(call: Call, target: Path) -> None:
    """Refuse what a person has not approved: unlike a command, a tool call never binds the first root."""
    resolved = call.application.roots.resolve_target(target, explicit=call.workspace)
    if call.application.roots.admission(resolved) is not Admission.INSIDE:
        roots = call.application.roots.list(explicit=call.workspace)
        raise call.application.roots.outside(resolved, tuple(root.path for root in roots))


def _render(report: IngestReport, room: int) -> str:
    done = ", ".join(f"{number:,} {outcome.value}" for outcome, number in report.sources.items() if number)
    head = (
        f"Ingested {in_workspace(report.workspace)}: {done or 'nothing to index'}; "
        f"{count(report.chunks, 'passage')} written in {report.seconds:.1f} s."
    )
    if report.redactions:
        head += f" {count(report.redactions, 'secret')} taken out before anything was stored."
    told = [f"failed: {escaped(one.source, limit=400)}: {escaped(one.message, limit=400)}" for one in report.failures]
    if report.embedding_failure:
        told.append(f"not embedded, found by words alone: {escaped(report.embedding_message, limit=400)}")
    told += [f"refused: {escaped(one.source, limit=400)}: {one.reason.value}" for one in report.refusals]
    return head + (_list(told, room - _HEADS) if told else "\nNext: search.")


def _list(lines: Sequence[str], room: int) -> str:
    shown, left = fit(lines, room)
    more = f"\nand {count(left, 'more file')}" if left else ""
    return f"\n{fence(shown)}{more}"


class _CallProgress:
    """Meets `imprint.protocols.progress.Progress`: tells the client, and ends the work when the call is cancelled."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._done = 0
        self._total: int | None = None
        self._told = 0.0

    def start(self, activity: str, total_bytes: int | None) -> None:
        self._done, self._total = 0, total_bytes
        self._tell(activity)

    def advance(self, count: int, bytes: int, current: str) -> None:
        anyio.from_thread.check_cancelled()
        self._done += bytes or count
        if time.monotonic() - self._told >= _SECONDS_BETWEEN_REPORTS:
            self._tell(escaped(current))

    def finish(self) -> None:
        """Nothing to tell: the result follows."""

    def _tell(self, message: str) -> None:
        self._told = time.monotonic()
        anyio.from_thread.check_cancelled()
        anyio.from_thread.run(self._context.report_progress, self._done, self._total, message)

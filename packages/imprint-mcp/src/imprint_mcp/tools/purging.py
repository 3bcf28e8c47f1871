"""Forgetting a source for good: purge_source."""

import re
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from imprint.domain.notices import quoted
from imprint.domain.purge import path_of
from imprint.domain.purge_reports import PurgeReport
from imprint.errors import escaped
from imprint_mcp.rendering import count, fence, fit, in_workspace, name_source
from imprint_mcp.session import Session
from imprint_mcp.tools.answering import Call, answer
from imprint_mcp.tools.arguments import Flag, Text, Workspace
from imprint_mcp.tools.offering import DESTRUCTIVE, offer
from imprint_mcp.tools.places import find_place

__all__ = ["add_tools"]

_HEADS = 1_500
_KEY = re.compile(r"[a-z][a-z0-9+.-]+:")


def add_tools(server: MCPServer, session: Session) -> None:
    """Offer the tool to a server."""

    @offer(server, "Forget a source for good", DESTRUCTIVE)
    def purge_source(
        target: Annotated[str, Field(description="A file or folder, or the key of a source as sources shows it.")],
        recursive: Annotated[Flag, Field(description="Take a folder, or a key's prefix, with all below it.")] = False,
        apply: Annotated[Flag, Field(description="Do it; needs workspace and digest. False: only show it.")] = False,
        workspace: Workspace = "",
        digest: Annotated[Text, Field(description="The digest of the preview that the user has agreed to.")] = "",
    ) -> str:
        """Remove a source from one workspace for good and keep it out: its passages, vectors and facts. Preview first
        (without apply), show the user what would go, and apply only on their yes, with the workspace spelled out and
        the preview's digest. The original file is not touched. Single memories go with forget.
        """

        def work(call: Call) -> str:
            purge, wanted = call.application.purge, _find_target(session, target)
            if not apply:
                return _render_preview(call, purge.preview(call.workspace, wanted, recursive=recursive))
            if not workspace.strip() or not digest.strip():
                raise ToolError(
                    "Nothing was changed: apply needs the workspace spelled out and the digest of a preview. Call "
                    f"purge_source without apply first; this would be {in_workspace(call.workspace)}."
                )
            report = purge.apply(call.workspace, wanted, recursive=recursive, digest=digest.strip())
            return _render_purge(call, report)

        return answer(session, workspace, work)


def _find_target(session: Session, target: str) -> str:
    """A word that is no key is a path, seen from the session's directory."""
    if not target.strip() or _KEY.match(target) or path_of(target) is not None:
        return target
    return str(find_place(session, target))


def _render_preview(call: Call, report: PurgeReport) -> str:
    target = name_source(report.target)
    if _is_empty(report):
        head = f"Nothing of {target} is stored {in_workspace(report.workspace)}."
    else:
        head = f"A purge of {target} would take {_amount(report)} {in_workspace(report.workspace)}."
    excluded = "\nIt is excluded already." if report.exclusion else ""
    return (
        f"{head}{excluded}{_list_sources(call, report)}\nNothing was changed. Show this to the user. "
        "Only if they agree, call purge_source with the same target and recursive, "
        f'apply=true, workspace={quoted(report.workspace)} and digest="{report.digest}".'
    )


def _render_purge(call: Call, report: PurgeReport) -> str:
    target = name_source(report.target)
    if _is_empty(report):
        head = f"Nothing of {target} was stored {in_workspace(report.workspace)}; it is kept out from now on."
    else:
        head = f"Purged {_amount(report)} of {target} {in_workspace(report.workspace)}; it is kept out from now on."
    notes = [f"{count(report.late, 'source')} arrived meanwhile, and went too."] if report.late else []
    if report.exclusion and report.exclusion.conversations:
        kept = count(len(report.exclusion.conversations), "conversation")
        notes.append(f"Kept out too, whichever file holds them: {kept}.")
    notes += [f"Pending: {work.explanation}; the next call in this workspace goes on." for work in report.pending]
    told = "".join(f"\n{note}" for note in notes)
    return (
        f"{head}{_list_sources(call, report)}{told}\nThe original, backups and bundles are not touched. To let it in "
        f"again the user runs 'imprint exclusions restore TARGET --workspace {report.workspace}'."
    )


def _list_sources(call: Call, report: PurgeReport) -> str:
    if not report.sources:
        return ""
    shown, left = fit([escaped(key, limit=400) for key in report.sources], call.room - _HEADS)
    more = f"\nand {count(left, 'more source')}" if left else ""
    return f"\n{fence(shown)}{more}"


def _amount(report: PurgeReport) -> str:
    facts = report.linked_facts + report.orphan_facts
    parts = [count(len(report.sources), "source"), count(report.chunks, "passage"), count(report.vectors, "vector")]
    return f"{', '.join(parts)} and {count(facts, 'fact')}"


def _is_empty(report: PurgeReport) -> bool:
    return not (report.sources or report.linked_facts or report.orphan_facts)

"""Which workspace: device_context, use_workspace."""

import os
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import AcceptedElicitation, ElicitationResult, Resolve
from pydantic import Field

from imprint.bootstrap import Application
from imprint.domain.notices import describe_note, describe_resolution, quoted
from imprint.domain.resolution import WORKSPACE_VARIABLE
from imprint.errors import RootOverlapError, escaped
from imprint.services.directories import DirectoryResolution
from imprint.services.workspaces import ProjectUse
from imprint_mcp.rendering import count, cut_text, in_workspace
from imprint_mcp.session import Session
from imprint_mcp.tools.answering import DESTRUCTIVE, READ_ONLY, Call, answer
from imprint_mcp.tools.arguments import Flag, Text
from imprint_mcp.tools.questions import WorkspaceQuestion

__all__ = ["add_tools"]


def add_tools(server: MCPServer, session: Session) -> None:
    """Offer the tools to a server."""

    @server.tool(title="Workspace of this session", annotations=READ_ONLY, structured_output=False)
    def device_context() -> str:
        """Tell which workspace this session uses and why, the project, the workspaces of this device, and what is
        indexed. Call it when you are not sure where memories go.
        """
        return answer(session, "", _describe)

    question = WorkspaceQuestion(session)

    @server.tool(title="Use a workspace", annotations=DESTRUCTIVE, structured_output=False)
    def use_workspace(
        asked: Annotated[ElicitationResult[Any], Resolve(question)],
        name: Annotated[Text, Field(description="The user's answer, a known name or a new one; empty: ask.")] = "",
        allow_overlap: Annotated[
            Flag, Field(description="The user agreed to share the folder, after a call without this was refused.")
        ] = False,
    ) -> str:
        """Use a workspace that the user named, never one you chose: ask the user first, or call without a name. In a
        project it makes the workspace if it is new, approves the project's folder and writes .imprint/workspace.json
        there, for this session and later ones. Without a project it only makes the workspace: then pass workspace on
        every later call.
        """
        chosen = name.strip() or (question.answer_of(asked) if isinstance(asked, AcceptedElicitation) else "")
        if not chosen:
            return answer(session, "", _list_choices)
        return answer(session, "", lambda call: _use(call, chosen, allow_overlap=allow_overlap))


def _describe(call: Call) -> str:
    resolved = call.session.resolved
    return cut_text("\n".join([*_describe_session(call, resolved), *_describe_holdings(call)]), call.room)


def _describe_session(call: Call, resolved: DirectoryResolution) -> list[str]:
    if call.session.is_shared:
        return [
            f"Many clients share this server, so nothing is pinned: a call that names no workspace uses "
            f"{describe_resolution(resolved.resolution)}.",
        ]
    resolution = resolved.resolution
    project = escaped(resolution.project, limit=400) if resolution.project else "none"
    lines = [f"This session uses {describe_resolution(resolution)}.", f"Project: {project}."]
    if resolved.surroundings.directory is None or resolved.surroundings.problem is not None:
        problem = resolved.surroundings.problem
        lines.append(f"Directory: none that can be used{f' ({problem.value})' if problem else ''}.")
    if resolution.proposal is not None and not resolution.proposal.approved:
        proposed, file = quoted(resolution.proposal.workspace), escaped(resolution.proposal.file, limit=400)
        lines.append(f"Proposal: {file} names {proposed}, which this device has not approved.")
    lines += [f"Note: {describe_note(note)}." for note in resolution.notes]
    if resolution.needs_choice:
        lines.append("Nobody has chosen a workspace for this project: ask the user once, then call use_workspace.")
    return lines


def _describe_holdings(call: Call) -> list[str]:
    overview = call.application.overview.of(call.workspace)
    counts = overview.counts
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in counts.sources.items()) or "nothing yet"
    roots = ", ".join(escaped(root.path, limit=400) for root in overview.roots[:10]) or "none"
    lines = [
        f"Workspaces of this device: {_names(call.application)}.",
        f"Indexed {in_workspace(call.workspace)}: {kinds}; {count(counts.chunks, 'passage')}, "
        f"{count(counts.facts, 'fact')}.",
        f"Approved folders: {cut_text(roots, 2_000)}.",
    ]
    if counts.pending:
        lines.append(f"Found by words only until the next ingest: {count(counts.pending, 'passage')}.")
    if running := overview.running:
        lines.append(f"Running: {escaped(running.activity)} since {escaped(running.since)}.")
    return lines


def _list_choices(call: Call) -> str:
    resolution = call.session.resolved.resolution
    proposal = resolution.proposal
    proposed = f" The project proposes {quoted(proposal.workspace)}." if proposal and not proposal.approved else ""
    return (
        f"No workspace was chosen, and nothing was changed; this session uses {describe_resolution(resolution)}. Ask "
        f"the user which workspace to use, then call use_workspace(name=…).{proposed} Workspaces of this device: "
        f"{_names(call.application)}. A new name makes a new workspace."
    )


def _names(application: Application) -> str:
    names = [quoted(record.name) + (" (active)" if record.active else "") for record in application.workspaces.list()]
    return cut_text(", ".join(names), 2_000)


def _use(call: Call, name: str, *, allow_overlap: bool) -> str:
    application, session = call.application, call.session
    project = None
    if not session.is_shared:
        project = application.workspaces.which(session.directory, is_session=True).surroundings.project
    if project is None:
        return _create_only(call, name)
    confirmed = allow_overlap and session.was_refused(name, str(project))
    try:
        used = application.workspaces.use(session.directory, name, allow_overlap=confirmed, how="use_workspace")
    except RootOverlapError:
        session.note_refusal(name, str(project))
        raise
    session.pin(application, os.environ)
    return "\n".join(_tell_use(session, used))


def _create_only(call: Call, name: str) -> str:
    creation = call.application.workspaces.create(name)
    said = "Made the new workspace" if creation.created else "There is a workspace"
    why = "this server is shared" if call.session.is_shared else "this session has no project"
    return (
        f"{said} {quoted(creation.workspace)}. Nothing was switched, since {why}: pass "
        f'workspace="{creation.workspace}" on every Imprint call of this conversation.'
    )


def _tell_use(session: Session, used: ProjectUse) -> list[str]:
    new = " (new)" if used.created else ""
    folder = escaped(used.folder, limit=400)
    lines = [f"{folder} uses workspace {quoted(used.workspace)}{new}, this session and later ones."]
    if used.root_added:
        lines.append("The folder is approved: it may be ingested into this workspace.")
    if used.file_written:
        lines.append("Wrote .imprint/workspace.json there; committing it is the user's choice.")
    if not (used.created or used.root_added or used.file_written):
        lines.append("Nothing changed: it was so already.")
    if session.environment_workspace:
        lines.append(
            f"{WORKSPACE_VARIABLE} is set to {quoted(session.environment_workspace)} where this server is configured: "
            "it decides in new sessions until the user removes it."
        )
    return lines

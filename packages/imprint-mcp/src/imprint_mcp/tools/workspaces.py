"""Which workspace: device_context, use_workspace."""

from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver import AcceptedElicitation, ElicitationResult, Resolve
from pydantic import Field

from imprint.bootstrap import Application
from imprint.domain.notices import describe_note, describe_resolution, quoted
from imprint.domain.resolution import WORKSPACE_VARIABLE
from imprint.errors import RootOverlapError, escaped
from imprint.services.directories import DirectoryResolution
from imprint.services.workspace_changes import ProjectUse
from imprint_mcp.rendering import count, cut_text, in_workspace
from imprint_mcp.session import Session
from imprint_mcp.tools.answering import Call, answer, answer_choice
from imprint_mcp.tools.arguments import Flag, Text
from imprint_mcp.tools.offering import DESTRUCTIVE, READ_ONLY, offer
from imprint_mcp.tools.questions import WorkspaceQuestion

__all__ = ["add_tools"]


def add_tools(server: MCPServer, session: Session) -> None:
    """Offer the tools to a server."""

    @offer(server, "Workspace of this session", READ_ONLY)
    def device_context() -> str:
        """Tell which workspace this session uses and why, the project, the workspaces of this device, and what is
        indexed. Call it when you are not sure where memories go.
        """
        return answer(session, "", _describe)

    question = WorkspaceQuestion(session)

    @offer(server, "Use a workspace", DESTRUCTIVE)
    def use_workspace(
        asked: Annotated[ElicitationResult[Any], Resolve(question)],
        name: Annotated[Text, Field(description="The user's answer, a known name or a new one; empty: ask.")] = "",
        allow_overlap: Annotated[
            Flag, Field(description="The user agreed to share the folder, after a call without this was refused.")
        ] = False,
    ) -> str:
        """Use a workspace that the user named, never one you chose: ask the user first, or call without a name. A line
        such as "Use Imprint workspace <name>" in the user's instructions is the user's choice. When a result begins
        with a notice that asks for a workspace, ask once, and not again in this session. In a project this makes the
        workspace if it is new, approves the project's folder and writes .imprint/workspace.json there, for this session
        and later ones. Without a project (a desktop app) it only makes the workspace: then pass workspace on every
        later Imprint call of the conversation.
        """
        chosen = name.strip() or (question.answer_of(asked) if isinstance(asked, AcceptedElicitation) else "")

        def work(application: Application, room: int) -> str:
            if not chosen:
                return cut_text(_list_choices(session, application), room)
            return cut_text(_use(session, application, chosen, allow_overlap=allow_overlap), room)

        return answer_choice(session, work)


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


def _list_choices(session: Session, application: Application) -> str:
    resolution = session.resolved.resolution
    proposal = resolution.proposal
    proposed = f" The project proposes {quoted(proposal.workspace)}." if proposal and not proposal.approved else ""
    return (
        f"No workspace was chosen, and nothing was changed; this session uses {describe_resolution(resolution)}. Ask "
        f"the user which workspace to use, then call use_workspace(name=…).{proposed} Workspaces of this device: "
        f"{_names(application)}. A new name makes a new workspace."
    )


def _names(application: Application) -> str:
    names = [quoted(record.name) + (" (active)" if record.active else "") for record in application.workspaces.list()]
    return cut_text(", ".join(names), 2_000)


def _use(session: Session, application: Application, name: str, *, allow_overlap: bool) -> str:
    project = None
    if not session.is_shared:
        project = application.workspaces.which(session.directory, is_session=True).surroundings.project
    if project is None:
        return _create_only(session, application, name)
    # A confirmation counts only for what this process has refused, and so has told.
    confirmed = allow_overlap and session.was_refused(name, str(project))
    try:
        used = application.workspaces.use(session.directory, name, allow_overlap=confirmed, how="use_workspace")
    except RootOverlapError:
        session.note_refusal(name, str(project))
        raise
    session.pin(application)
    return "\n".join(_tell_use(session, used))


def _create_only(session: Session, application: Application, name: str) -> str:
    creation = application.workspaces.create(name)
    said = "Made the new workspace" if creation.created else "There is a workspace"
    why = "this server is shared" if session.is_shared else "this session has no project"
    return (
        f"{said} {quoted(creation.workspace)}. Nothing was switched, since {why}: pass "
        f'workspace="{creation.workspace}" on every Imprint call of this conversation.'
    )


def _tell_use(session: Session, used: ProjectUse) -> list[str]:
    lines = [f"This session uses {describe_resolution(session.resolved.resolution)}."]
    if used.created:
        lines.append("The workspace is new.")
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

"""Writing down and dropping: remember, forget."""

from typing import Annotated

from mcp.server import MCPServer
from pydantic import Field

from imprint.domain.sources import MemoryKind
from imprint.errors import escaped
from imprint_mcp.rendering import count, cut_text, in_workspace, name_source
from imprint_mcp.session import Session
from imprint_mcp.tools.answering import Call, answer
from imprint_mcp.tools.arguments import Ref, Text, Workspace
from imprint_mcp.tools.offering import DESTRUCTIVE, WRITE, offer

__all__ = ["add_tools"]


def add_tools(server: MCPServer, session: Session) -> None:
    """Offer the tools to a server."""

    @offer(server, "Remember", WRITE)
    def remember(
        content: Annotated[str, Field(description="One thing, in full sentences that stand by themselves.")],
        kind: Annotated[
            Text,
            Field(description=f"{', '.join(MemoryKind)}; empty: note."),
        ] = "",
        project: Annotated[Text, Field(description="Name of the project it belongs to, if it is not general.")] = "",
        source: Annotated[
            Text, Field(description="Key of the source it was drawn from; purging that source drops the memory too.")
        ] = "",
        workspace: Workspace = "",
    ) -> str:
        """Remember a decision, preference or finding for later sessions, one thing a memory; never passwords, keys or
        tokens. Saying the same again changes nothing. A memory is kept until forget drops it.
        """

        def work(call: Call) -> str:
            remembered = call.application.memories.remember(
                call.workspace, content, kind=kind, project=project, origin=source
            )
            said = "Was remembered already" if remembered.repeated else "Remembered"
            ids = ", ".join(map(str, remembered.ids))
            notes = "".join(f"\nNote: {cut_text(escaped(note), 300)}." for note in remembered.notes)
            without = f", without {count(remembered.redactions, 'secret')} it held" if remembered.redactions else ""
            return f"{said} {in_workspace(call.workspace)}, as id {ids}{without}.{notes}"

        return answer(session, workspace, work)

    @offer(server, "Forget memories", DESTRUCTIVE)
    def forget(
        ids: Annotated[list[Ref], Field(description="Ids that search shows, or keys that sources shows.")],
        workspace: Workspace = "",
    ) -> str:
        """Forget memories and inline texts for good, each as a whole, when the user asks for it or one is wrong. If one
        of the ids is unknown nothing is forgotten. Files and other sources are removed with purge_source.
        """

        def work(call: Call) -> str:
            keys = call.application.memories.forget(call.workspace, ids).keys
            names = cut_text(", ".join(map(name_source, keys)), call.room - 200)
            return f"Forgot {count(len(keys), 'source')} {in_workspace(call.workspace)}: {names}."

        return answer(session, workspace, work)

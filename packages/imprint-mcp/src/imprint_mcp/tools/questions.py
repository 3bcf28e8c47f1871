"""Asking the user through the client, where it can be asked."""

from typing import Any

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.config import JsonDict

from imprint.domain.notices import quoted
from imprint.errors import ImprintError, escaped
from imprint_mcp.session import Session

__all__ = ["WorkspaceQuestion"]

_MOST_CHOICES = 50


class WorkspaceQuestion:
    """Which workspace? Asked when a call names none and the client can show a form.

    Headless clients decline at once with nobody asked: only an accepted answer says anything. The question is the same
    as long as the workspaces are, since an answer counts only for the question it was given to.
    """

    def __init__(self, session: Session) -> None:
        """Ask about the workspaces that the session's device knows when the question comes."""
        self._session = session

    def __call__(self, name: str, context: Context) -> str | Elicit[Any]:
        """The SDK's resolver: the call's own name, else the question."""
        if name.strip() or not _can_ask(context):
            return name
        try:
            with self._session.application() as application:
                names = [str(record.name) for record in application.workspaces.list()]
                resolution = self._session.resolved.resolution
        except ImprintError:
            return name  # The call itself tells the error.
        proposal = resolution.proposal
        if proposal is not None and not proposal.approved:
            names = list(dict.fromkeys([str(proposal.workspace), *names]))
        about = f"the project {escaped(resolution.project)}" if resolution.project else "this conversation"
        proposed = f" The project itself proposes {quoted(names[0])}." if proposal and not proposal.approved else ""
        return Elicit(f"Which Imprint workspace should {about} use?{proposed}", _form(names[:_MOST_CHOICES]))

    @staticmethod
    def answer_of(accepted: AcceptedElicitation[Any]) -> str:
        """The workspace that was picked or newly named; empty where the question was not asked or left blank."""
        new = str(getattr(accepted.data, "new", "")).strip()
        return new or str(getattr(accepted.data, "existing", ""))


def _can_ask(context: Context) -> bool:
    """Whether the client declares forms: an empty declaration means them, one of URLs alone does not."""
    capabilities = context.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _form(names: list[str]) -> type[BaseModel]:
    """A form of two fields, of which a new name counts before a choice.

    Codex shows the fields by the alphabet, one after another, and cancels a form unseen that has a title or a
    description at its top.
    """
    choices: JsonDict = {"enum": [*names]}
    return create_model(
        "WorkspaceForm",
        __config__=ConfigDict(json_schema_extra=_drop_heading),
        existing=(str, Field("", title="Workspace", description="One of this device", json_schema_extra=choices)),
        new=(str, Field("", title="Or a new one", description="Its name, of a-z, 0-9 and -; empty: none")),
    )


def _drop_heading(schema: dict[str, Any]) -> None:
    schema.pop("title", None)
    schema.pop("description", None)

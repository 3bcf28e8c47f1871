"""`imprint facts`: what holds, from when until when."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from imprint_cli.invocation import Invocation, current
from imprint_cli.options import AsJson, InWorkspace
from imprint_cli.rendering import columns, moment
from imprint_cli.scopes import resolve_here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from imprint.domain.facts import Fact

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Facts: subject, predicate, object, each true from one moment until another.",
)

About = Annotated[str, typer.Option("--subject", help="Only facts about this.", metavar="WORDS")]
Saying = Annotated[str, typer.Option("--predicate", help="Only facts that say this.", metavar="WORDS")]


@app.command("list", epilog="Example: imprint facts list --subject 'billing service'")
def list_(
    context: typer.Context,
    subject: About = "",
    predicate: Saying = "",
    at: Annotated[
        str, typer.Option("--at", help="What held at that moment: 2026-01-31, 'last week', 7d.", metavar="WHEN")
    ] = "",
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """List the facts that hold."""
    invocation = current(context)
    resolution = resolve_here(invocation, workspace)
    facts = invocation.application.facts.list(resolution.workspace, subject=subject, predicate=predicate, at=at)
    _show(invocation, facts, resolution.workspace, as_json=as_json)


@app.command(epilog="Example: imprint facts history --subject 'billing service'")
def history(
    context: typer.Context,
    subject: About = "",
    predicate: Saying = "",
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """List every fact, ended ones too, oldest first."""
    invocation = current(context)
    resolution = resolve_here(invocation, workspace)
    facts = invocation.application.facts.history(resolution.workspace, subject=subject, predicate=predicate)
    _show(invocation, facts, resolution.workspace, as_json=as_json)


@app.command(epilog="Example: imprint facts add 'billing service' 'is written in' Go --from 2026-01-01")
def add(
    context: typer.Context,
    subject: Annotated[str, typer.Argument(help="What the fact is about.")],
    predicate: Annotated[str, typer.Argument(help="What it says of it.")],
    object: Annotated[str, typer.Argument(help="The rest of the sentence.")],
    valid_from: Annotated[str, typer.Option("--from", help="Since when; now, unless told.", metavar="WHEN")] = "",
    valid_until: Annotated[str, typer.Option("--until", help="Until when; open, unless told.", metavar="WHEN")] = "",
    source: Annotated[
        str, typer.Option("--source", help="Key of the source it was drawn from; purging that takes it too.")
    ] = "",
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Record a fact. Recording the same again changes nothing."""
    invocation = current(context)
    resolution = resolve_here(invocation, workspace)
    addition = invocation.application.facts.add(
        resolution.workspace,
        subject=subject,
        predicate=predicate,
        object=object,
        valid_from=valid_from,
        valid_until=valid_until,
        source=source,
    )
    if as_json:
        invocation.show_json(
            {
                **_as_json(addition.fact, resolution.workspace),
                "reason": resolution.reason.value,
                "added": addition.added,
            }
        )
        return
    said = "recorded" if addition.added else "known already:"
    invocation.show(f'{said} fact {addition.fact.id} in workspace "{resolution.workspace}": {_sentence(addition.fact)}')


@app.command(epilog="Example: imprint facts end 3 --at yesterday")
def end(
    context: typer.Context,
    id: Annotated[int, typer.Argument(help="A fact's id, as 'imprint facts list' shows it.")],
    at: Annotated[str, typer.Option("--at", help="When it ended; now, unless told.", metavar="WHEN")] = "",
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """End a fact: it stays in the history, and holds no longer."""
    from imprint.domain.facts import FactId

    invocation = current(context)
    resolution = resolve_here(invocation, workspace)
    ending = invocation.application.facts.end(resolution.workspace, FactId(id), at=at)
    if as_json:
        invocation.show_json(
            {
                **_as_json(ending.fact, resolution.workspace),
                "reason": resolution.reason.value,
                "changed": ending.changed,
            }
        )
        return
    said = "ended" if ending.changed else "had ended before:"
    invocation.show(f'{said} fact {id} in workspace "{resolution.workspace}": {_sentence(ending.fact)}')


def _show(invocation: Invocation, facts: "Sequence[Fact]", workspace: str, *, as_json: bool) -> None:
    if as_json:
        invocation.show_json_lines(_as_json(fact, workspace) for fact in facts)
    elif facts:
        rows = [
            [str(fact.id), fact.subject, fact.predicate, fact.object, moment(fact.valid_from), moment(fact.valid_until)]
            for fact in facts
        ]
        invocation.show(columns(["id", "subject", "predicate", "object", "from", "until"], rows, invocation))
    else:
        invocation.show(f'no such facts in workspace "{workspace}"')


def _as_json(fact: "Fact", workspace: str) -> dict[str, Any]:
    return {
        "id": fact.id,
        "workspace": workspace,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "from": fact.valid_from,
        "until": fact.valid_until or None,
        "source": fact.source or None,
        "recorded": fact.recorded_at,
    }


def _sentence(fact: "Fact") -> str:
    until = f" until {moment(fact.valid_until)}" if fact.valid_until else ""
    return f"{fact.subject} {fact.predicate} {fact.object}, from {moment(fact.valid_from)}{until}"

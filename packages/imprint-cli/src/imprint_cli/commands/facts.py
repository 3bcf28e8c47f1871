"""`imprint facts`: what holds, from when until when."""

from typing import TYPE_CHECKING, Any

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.rendering import columns, label, moment
from imprint_cli.scopes import resolve_here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from imprint.domain.facts import Fact

__all__ = ["facts"]


@click.group()
def facts() -> None:
    """What holds, from one moment until another."""


@facts.command("list", epilog=example("imprint facts list --subject 'billing service'"))
@click.option("--subject", default="", metavar="WORDS", help="Only facts about this.")
@click.option("--predicate", default="", metavar="WORDS", help="Only facts that say this.")
@click.option("--at", default="", metavar="WHEN", help="What held at that moment: 2026-01-31, 'last week', 7d.")
@in_workspace
@as_json
@click.pass_obj
def list_(invocation: Invocation, subject: str, predicate: str, at: str, workspace: str, as_json: bool) -> None:
    """List the facts that hold."""
    resolution = resolve_here(invocation, workspace)
    facts = invocation.application.facts.list(resolution.workspace, subject=subject, predicate=predicate, at=at)
    _show(invocation, facts, resolution.workspace, as_json=as_json)


@facts.command(epilog=example("imprint facts history --subject 'billing service'"))
@click.option("--subject", default="", metavar="WORDS", help="Only facts about this.")
@click.option("--predicate", default="", metavar="WORDS", help="Only facts that say this.")
@in_workspace
@as_json
@click.pass_obj
def history(invocation: Invocation, subject: str, predicate: str, workspace: str, as_json: bool) -> None:
    """List every fact, ended ones too, oldest first."""
    resolution = resolve_here(invocation, workspace)
    facts = invocation.application.facts.history(resolution.workspace, subject=subject, predicate=predicate)
    _show(invocation, facts, resolution.workspace, as_json=as_json)


@facts.command(epilog=example("imprint facts add 'billing service' 'is written in' Go --from 2026-01-01"))
@click.argument("subject", metavar="SUBJECT", help="What the fact is about.")
@click.argument("predicate", metavar="PREDICATE", help="What it says of it.")
@click.argument("object", metavar="OBJECT", help="The rest of the sentence.")
@click.option("--from", "valid_from", default="", metavar="WHEN", help="Since when; now, unless told.")
@click.option("--until", "valid_until", default="", metavar="WHEN", help="Until when; open, unless told.")
@click.option("--source", default="", help="Key of the source it was drawn from; purging that takes it too.")
@in_workspace
@as_json
@click.pass_obj
def add(
    invocation: Invocation,
    subject: str,
    predicate: str,
    object: str,
    valid_from: str,
    valid_until: str,
    source: str,
    workspace: str,
    as_json: bool,
) -> None:
    """Record a fact. Recording the same again changes nothing."""
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
                "redactions": addition.redactions,
            }
        )
        return
    said = "recorded" if addition.added else "known already:"
    invocation.show(f'{said} fact {addition.fact.id} in workspace "{resolution.workspace}": {_sentence(addition.fact)}')


@facts.command(epilog=example("imprint facts end 3 --at yesterday"))
@click.argument("id", metavar="ID", type=int, help="A fact's id, as 'imprint facts list' shows it.")
@click.option("--at", default="", metavar="WHEN", help="When it ended; now, unless told.")
@in_workspace
@as_json
@click.pass_obj
def end(invocation: Invocation, id: int, at: str, workspace: str, as_json: bool) -> None:
    """End a fact: it stays in the history, and holds no longer."""
    from imprint.domain.facts import FactId

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
    return f"{label(fact.subject)} {label(fact.predicate)} {label(fact.object)}, from {moment(fact.valid_from)}{until}"

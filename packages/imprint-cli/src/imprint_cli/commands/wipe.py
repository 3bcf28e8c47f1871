"""`imprint wipe`: a workspace forgets everything."""

from typing import TYPE_CHECKING

import click

from imprint.errors import NotConfirmedError, UnansweredError, UnnamedWorkspaceError
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.rendering import count
from imprint_cli.scopes import resolve_selected

if TYPE_CHECKING:
    from imprint.services.wipe import WipeReport

__all__ = ["wipe"]


@click.command(epilog=example("imprint wipe --workspace acme"))
@click.option("--yes", is_flag=True, help="Wipe without asking; needed where nobody can answer.")
@in_workspace
@as_json
@click.pass_obj
def wipe(invocation: Invocation, yes: bool, workspace: str, as_json: bool) -> None:
    """Forget everything that a workspace remembers, for good. Needs --workspace.

    The workspace itself stays, and so do its roots and exclusions, and the files it was made from: a refresh of its
    roots indexes them again. To be rid of the workspace too, run 'imprint workspace delete'.
    """
    resolution = resolve_selected(invocation, workspace)
    if not workspace:
        raise UnnamedWorkspaceError("'imprint wipe'", resolution.workspace)
    service = invocation.application.transfers.wipe
    if not yes:
        _confirm(invocation, service.preview(resolution.workspace))
    report = service.apply(resolution.workspace)
    if as_json:
        invocation.show_json(
            {
                "workspace": report.workspace,
                "reason": resolution.reason.value,
                "sources": sum(report.held.sources.values()),
                "chunks": report.held.chunks,
                "vectors": report.held.vectors,
                "facts": report.held.facts,
                "pending": [work.value for work in report.unfinished],
            }
        )
        return
    invocation.show(f'wiped {_amount(report)} from workspace "{report.workspace}"')
    for work in report.unfinished:
        invocation.show(f"pending: {work.explanation}")
    if report.unfinished:
        invocation.note("the next command on this workspace finishes it, or 'imprint doctor --fix'")
    invocation.note("its roots and exclusions stay, and so do the files it was made from, backups and bundles")


def _confirm(invocation: Invocation, report: "WipeReport") -> None:
    question = f'Wipe {_amount(report)} from workspace "{report.workspace}"?'
    if not invocation.is_interactive:
        raise UnansweredError(question, "write --yes to wipe it unasked")
    answer = click.prompt(f"{question} Type its name to wipe it", err=True)
    if answer.strip() != report.workspace:
        raise NotConfirmedError(report.workspace)


def _amount(report: "WipeReport") -> str:
    held = report.held
    parts = [count(sum(held.sources.values()), "source"), count(held.chunks, "passage")]
    return f"{', '.join(parts)} and {count(held.facts, 'fact')}"

"""`imprint exclusions`: what was purged and is kept out."""

import shlex

import attrs
import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example, in_workspace
from imprint_cli.rendering import columns, label, moment
from imprint_cli.scopes import resolve_selected

__all__ = ["exclusions"]


@click.group()
def exclusions() -> None:
    """What was purged and is kept out."""


@exclusions.command("list", epilog=example("imprint exclusions list --workspace acme"))
@in_workspace
@as_json
@click.pass_obj
def list_(invocation: Invocation, workspace: str, as_json: bool) -> None:
    """List what a workspace keeps out."""
    from imprint.domain.purge_reports import exclusion_as_json

    resolution = resolve_selected(invocation, workspace)
    found = invocation.application.exclusions.list(resolution.workspace)
    if as_json:
        invocation.show_json_lines(map(exclusion_as_json, found))
    elif found:
        rows = [
            [one.target, "yes" if one.recursive else "", str(len(one.conversations) or ""), moment(one.added_at)]
            for one in found
        ]
        invocation.show(columns(["target", "recursive", "conversations", "added"], rows, invocation))
    else:
        invocation.show(f'workspace "{resolution.workspace}" keeps nothing out')


@exclusions.command(epilog=example("imprint exclusions restore /home/me/src/acme/secrets --workspace acme"))
@click.argument("target", metavar="TARGET", help="Exactly as 'imprint exclusions list' shows it.")
@in_workspace
@as_json
@click.pass_obj
def restore(invocation: Invocation, target: str, workspace: str, as_json: bool) -> None:
    """Let a purged target in again. What was deleted stays deleted; the next ingest, refresh or learn reads it anew."""
    resolution = resolve_selected(invocation, workspace)
    restoration = invocation.application.exclusions.restore(resolution.workspace, target)
    if as_json:
        invocation.show_json(attrs.asdict(restoration))
        return
    if restoration.changed and not restoration.kept_out_by:
        invocation.show(f'{label(target)} may come back to workspace "{restoration.workspace}"')
        invocation.note("what was deleted stays deleted; ingest, refresh or learn it to have it again")
    elif not restoration.kept_out_by:
        invocation.show(f'{label(target)} is not excluded from workspace "{restoration.workspace}"')
    for other in restoration.kept_out_by:
        words = shlex.join(["imprint", "exclusions", "restore", other, "--workspace", restoration.workspace])
        if restoration.changed:
            invocation.show(f"{label(target)} may come back, but for what the exclusion of {label(other)} keeps out")
        else:
            invocation.show(f"{label(target)} is kept out by the exclusion of {label(other)}")
        invocation.note(f"to let all of that in again: {label(words)}")

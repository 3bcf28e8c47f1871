"""`imprint roots`: the folders that a workspace may take in."""

from pathlib import Path

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import allow_overlap, as_json, example, in_workspace
from imprint_cli.rendering import columns, label, moment
from imprint_cli.scopes import resolve_selected

__all__ = ["roots"]


@click.group()
def roots() -> None:
    """The folders you approved. Nothing outside them is read."""


@roots.command("list", epilog=example("imprint roots list --workspace acme"))
@in_workspace
@as_json
@click.pass_obj
def list_(invocation: Invocation, workspace: str, as_json: bool) -> None:
    """List the roots of a workspace."""
    resolution = resolve_selected(invocation, workspace)
    application = invocation.application
    roots = application.roots.list(explicit=resolution.workspace)
    if as_json:
        invocation.show_json_lines(
            {"workspace": root.workspace, "path": str(root.path), "how": root.how, "added": root.added_at}
            for root in roots
        )
    elif roots:
        rows = [[str(root.path), root.how, moment(root.added_at)] for root in roots]
        invocation.show(columns(["path", "how", "added"], rows, invocation))
    else:
        invocation.show(
            f'workspace "{resolution.workspace}" has no roots; the first ingest adds one, or '
            f"'imprint roots add DIR --workspace {resolution.workspace}'"
        )


@roots.command(epilog=example("imprint roots add ~/src/acme --workspace acme"))
@click.argument("directory", metavar="DIR", type=click.Path(), help="A folder.")
@allow_overlap
@click.option("--allow-home", is_flag=True, help="Insist on a home, a folder above one, or a file-system root.")
@in_workspace
@as_json
@click.pass_obj
def add(
    invocation: Invocation, directory: Path, allow_overlap: bool, allow_home: bool, workspace: str, as_json: bool
) -> None:
    """Approve a folder. It is not read yet: 'imprint ingest' does that."""
    resolution = resolve_selected(invocation, workspace)
    addition = invocation.application.roots.add(
        directory,
        explicit=resolution.workspace,
        allow_overlap=allow_overlap,
        allow_home=allow_home,
    )
    root = addition.root
    if as_json:
        invocation.show_json({"workspace": root.workspace, "path": str(root.path), "added": addition.added})
    else:
        invocation.show(
            f'added {label(root.path)} to the roots of workspace "{root.workspace}"'
            if addition.added
            else f'{label(root.path)} is a root of workspace "{root.workspace}" already'
        )


@roots.command(epilog=example("imprint roots remove ~/src/acme --workspace acme"))
@click.argument("directory", metavar="DIR", type=click.Path(), help="A folder.")
@in_workspace
@as_json
@click.pass_obj
def remove(invocation: Invocation, directory: Path, workspace: str, as_json: bool) -> None:
    """Take a folder's approval back. What is indexed from it stays."""
    resolution = resolve_selected(invocation, workspace)
    root = invocation.application.roots.remove(directory, explicit=resolution.workspace)
    if as_json:
        invocation.show_json({"workspace": root.workspace, "path": str(root.path), "removed": True})
    else:
        invocation.show(
            f'removed {label(root.path)} from the roots of workspace "{root.workspace}"; what is indexed from it stays'
        )

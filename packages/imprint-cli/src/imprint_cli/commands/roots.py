"""`imprint roots`: the folders that a workspace may take in."""

from pathlib import Path
from typing import Annotated

import typer

from imprint_cli.invocation import current
from imprint_cli.options import AllowOverlap, AsJson, InWorkspace
from imprint_cli.rendering import columns, moment
from imprint_cli.scopes import resolve_selected

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Roots: the folders you approved. Nothing outside them is ever read into the workspace.",
)

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="A folder.")]


@app.command("list", epilog="Example: imprint roots list --workspace acme")
def list_(context: typer.Context, workspace: InWorkspace = None, as_json: AsJson = False) -> None:
    """List the roots of a workspace."""
    invocation = current(context)
    resolution = resolve_selected(invocation, workspace)
    roots = invocation.application.roots.list(explicit=resolution.workspace)
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
            f"workspace \"{resolution.workspace}\" has no roots; the first ingest or 'imprint roots add' adds one"
        )


@app.command(epilog="Example: imprint roots add ~/src/acme --workspace acme")
def add(
    context: typer.Context,
    directory: Directory,
    allow_overlap: AllowOverlap = False,
    allow_home: Annotated[
        bool, typer.Option("--allow-home", help="Insist on a home, a folder above one, or a file-system root.")
    ] = False,
    workspace: InWorkspace = None,
    as_json: AsJson = False,
) -> None:
    """Approve a folder. It is not read yet: 'imprint ingest' does that."""
    invocation = current(context)
    resolution = resolve_selected(invocation, workspace)
    addition = invocation.application.roots.add(
        directory.expanduser().absolute(),
        explicit=resolution.workspace,
        allow_overlap=allow_overlap,
        allow_home=allow_home,
    )
    root = addition.root
    if as_json:
        invocation.show_json({"workspace": root.workspace, "path": str(root.path), "added": addition.added})
    else:
        invocation.show(
            f'added {root.path} to the roots of workspace "{root.workspace}"'
            if addition.added
            else f'{root.path} is a root of workspace "{root.workspace}" already'
        )


@app.command(epilog="Example: imprint roots remove ~/src/acme --workspace acme")
def remove(
    context: typer.Context, directory: Directory, workspace: InWorkspace = None, as_json: AsJson = False
) -> None:
    """Take a folder's approval back. What is indexed from it stays."""
    invocation = current(context)
    resolution = resolve_selected(invocation, workspace)
    root = invocation.application.roots.remove(directory.expanduser().absolute(), explicit=resolution.workspace)
    if as_json:
        invocation.show_json({"workspace": root.workspace, "path": str(root.path), "removed": True})
    else:
        invocation.show(
            f'removed {root.path} from the roots of workspace "{root.workspace}"; what is indexed from it stays'
        )

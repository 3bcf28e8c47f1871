"""The command tree. Each command is a module of `imprint_cli.commands`, imported when it is called."""

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from imprint_cli import __version__
from imprint_cli.invocation import current

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    "status",
    "doctor",
    "ingest",
    "refresh",
    "add-text",
    "search",
    "show",
    "sources",
    "remember",
    "forget",
    "facts",
    "workspace",
    "roots",
    "config",
    "plugins",
)


class _CommandModules(Mapping[str, Any]):
    """Commands by name, each made from its module when it is looked up."""

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        module = importlib.import_module(f"imprint_cli.commands.{name.replace('-', '_')}")
        command = typer.main.get_command(module.app)
        command.name = name
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class _LazyGroup(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _CommandModules()  # type: ignore[assignment]  # nothing adds commands to it


app = typer.Typer(
    cls=_LazyGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: imprint ingest . && imprint search 'what you want to know'",
)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"imprint {__version__}")
        raise typer.Exit


@app.callback()
def imprint(
    context: typer.Context,
    data_dir: Annotated[
        Path | None,
        typer.Option("--data-dir", help="Folder that holds everything stored.", envvar="IMPRINT_DATA_DIR"),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="Configuration file to use instead of the usual one.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more, and show traces of faults.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Results and errors only: no notes, no progress.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours, as NO_COLOR=1 does.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Imprint remembers your code, documents and decisions, and finds them again. All of it stays on this device.

    What belongs together lives in a workspace; every command says which one it used and why.
    """
    invocation = current(context)
    invocation.data_dir = data_dir
    invocation.config = config
    invocation.verbose = verbose
    invocation.quiet = quiet
    invocation.no_color = no_color

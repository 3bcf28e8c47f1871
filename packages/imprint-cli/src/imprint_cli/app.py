"""The command tree. Each command is a module of `imprint_cli.commands`, imported when it is called."""

import importlib
from difflib import get_close_matches
from keyword import iskeyword
from pathlib import Path

import click

from imprint_cli import __version__
from imprint_cli.invocation import Invocation
from imprint_cli.words import PLACE, checked

__all__ = ["COMMANDS", "imprint"]

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
    "learn",
    "purge",
    "exclusions",
    "move",
    "wipe",
    "export",
    "import",
    "backup",
    "restore",
    "workspace",
    "roots",
    "jobs",
    "clients",
    "setup",
    "config",
    "plugins",
)


class _LazyGroup(click.Group):
    """Commands by name, each imported when it is looked up."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            if ctx.resilient_parsing:
                return None
            nearest = get_close_matches(cmd_name, COMMANDS, n=1)
            ctx.fail(f"there is no command {cmd_name!r}" + (f"; did you mean {nearest[0]!r}?" if nearest else ""))
        name = cmd_name.replace("-", "_") + ("_" if iskeyword(cmd_name) else "")
        command: click.Command = getattr(importlib.import_module(f"imprint_cli.commands.{name}"), name)
        return checked(command)


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Begin with: imprint ingest . && imprint search 'what you want to know'",
)
@click.option(
    "--data-dir",
    type=PLACE,
    envvar="IMPRINT_DATA_DIR",
    show_envvar=True,
    help="Folder that holds everything stored.",
)
@click.option("--config", type=PLACE, help="Configuration file to use instead of the usual one.")
@click.option("-v", "--verbose", is_flag=True, help="Say more, and show traces of faults.")
@click.option("--quiet", is_flag=True, help="Results and errors only: no notes, no progress.")
@click.option("--no-color", is_flag=True, help="No colours, as NO_COLOR=1 does.")
@click.version_option(__version__, message="imprint %(version)s", help="Print the version.")
@click.pass_obj
def imprint(
    invocation: Invocation, data_dir: Path | None, config: Path | None, verbose: bool, quiet: bool, no_color: bool
) -> None:
    """Imprint remembers your code, documents and decisions, and finds them again. All of it stays on this device.

    What belongs together lives in a workspace; every command says which one it used and why.
    """
    invocation.data_dir = data_dir
    invocation.config = config
    invocation.verbose = verbose
    invocation.quiet = quiet
    invocation.no_color = no_color

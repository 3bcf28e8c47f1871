"""`imprint setup`: another word for `imprint clients connect`."""

import click

from imprint_cli.commands.clients import connect
from imprint_cli.options import example

__all__ = ["setup"]

setup = click.Command(
    "setup",
    callback=connect.callback,
    params=list(connect.params),
    help=connect.help,
    epilog=example("imprint setup --all"),
)

"""Ask a person to choose a workspace; only where a person is."""

from collections.abc import Sequence

import click

from imprint.errors import UnansweredError
from imprint_cli.invocation import Invocation

__all__ = ["pick"]


def pick(invocation: Invocation, names: Sequence[str], *, active: str, question: str, usage: str) -> str:
    """Let a person choose a name, by its number or by itself.

    Args:
        names: What there is to choose from.
        active: Marked, and taken when the answer is empty.
        usage: What to write instead, told where nobody can answer.

    Raises:
        UnansweredError: Nobody is there to answer.
    """
    if not invocation.is_interactive:
        raise UnansweredError("Which workspace?", f"write '{usage}'")
    for number, name in enumerate(names, start=1):
        click.echo(f"  {number}  {name}" + ("  (active)" if name == active else ""), err=True)
    while True:
        answer = click.prompt(question, default=active, err=True).strip()
        if answer in names:
            return str(answer)
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        click.echo(f"{answer!r} is none of them", err=True)

"""Ask a person to choose a workspace; only where a person is."""

from collections.abc import Sequence

import click

from imprint.errors import UnansweredError
from imprint_cli.invocation import Invocation

__all__ = ["pick"]


def pick(
    invocation: Invocation,
    names: Sequence[str],
    *,
    active: str,
    question: str,
    usage: str,
    proposed: str = "",
    takes_new: bool = False,
) -> str:
    """Let a person choose a name, by its number or by itself.

    Args:
        names: What there is to choose from.
        active: Marked, and taken when the answer is empty: a repository's proposal never is.
        usage: What to write instead, told where nobody can answer.
        proposed: By the project; listed too, though there may be no workspace of this name.
        takes_new: Whether another name will do, once it is confirmed.

    Raises:
        UnansweredError: Nobody is there to answer.
    """
    if not invocation.is_interactive:
        raise UnansweredError("Which workspace?", f"write '{usage}'")
    offered = list(dict.fromkeys([*names, proposed])) if proposed else list(names)
    for number, name in enumerate(offered, start=1):
        marks = [
            *(["active"] if name == active else []),
            *(["proposed by this project"] if name == proposed else []),
            *([] if name in names else ["new"]),
        ]
        click.echo(f"  {number}  {name}" + (f"  ({', '.join(marks)})" if marks else ""), err=True)
    while True:
        answer = str(click.prompt(question, default=active, err=True)).strip()
        if answer in offered:
            return answer
        if answer.isdecimal() and 1 <= int(answer) <= len(offered):
            return offered[int(answer) - 1]
        if takes_new and not answer.isdecimal() and _is_wanted(answer):
            return answer
        click.echo(f"{answer!r} is none of them", err=True)


def _is_wanted(name: str) -> bool:
    """Whether a new name can be one, and is no slip of the finger."""
    from imprint.domain.names import explain_name_fault, find_name_fault

    fault = find_name_fault(name)
    if fault is not None:
        click.echo(f"no workspace can have this name: {explain_name_fault(fault)}", err=True)
        return False
    return click.confirm(f'There is no workspace "{name}" yet. Make it?', err=True)

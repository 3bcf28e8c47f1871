"""Options that many commands share."""

import click

from imprint.errors import ImprintError
from imprint_cli.invocation import Invocation

__all__ = [
    "allow_overlap",
    "as_json",
    "complete_workspace",
    "example",
    "in_workspace",
    "of_kinds",
    "of_project",
    "refuse_unknown_kinds",
]


def complete_workspace(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The names of this device's workspaces; none where they cannot be read, since completion must stay silent."""
    del parameter
    invocation = context.find_object(Invocation)
    try:
        records = invocation.application.workspaces.list() if invocation else ()
    except ImprintError:
        return []
    return [record.name for record in records if record.name.startswith(incomplete)]


def _refuse_empty_name(context: click.Context, parameter: click.Parameter, name: str) -> str:
    """Told from no name at all: a variable that is not set must not come to mean that none was named."""
    given = context.get_parameter_source(parameter.name or "")
    if not name and given is click.core.ParameterSource.COMMANDLINE and not context.resilient_parsing:
        from imprint.domain.names import parse_workspace_name

        return parse_workspace_name(name)
    return name


def refuse_unknown_kinds(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...] | str
) -> tuple[str, ...] | str:
    """A misspelt kind would find nothing, and nothing would say why."""
    from imprint.domain.sources import KINDS

    for kind in (given,) if isinstance(given, str) else given:
        if kind and kind not in KINDS:
            message = f"{kind!r} is none; kinds: {', '.join(KINDS)}"
            raise click.BadParameter(message, ctx=context, param=parameter)
    return given


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
allow_overlap = click.option(
    "--allow-overlap", is_flag=True, help="Confirm that a folder may be shared with another workspace."
)
in_workspace = click.option(
    "--workspace",
    default="",
    metavar="NAME",
    callback=_refuse_empty_name,
    help="Workspace to use, whatever the folder says.",
    shell_complete=complete_workspace,
)
of_kinds = click.option(
    "--kind",
    "kinds",
    multiple=True,
    metavar="KIND",
    callback=refuse_unknown_kinds,
    help="Only code, document, conversation, web or memory; or a memory's kind, such as decision. May be repeated.",
)
of_project = click.option("--project", default="", metavar="NAME", help="Only this project.")


def example(line: str) -> str:
    """An epilog that shows a command line as it is, unwrapped."""
    return f"\b\nExample: {line}"

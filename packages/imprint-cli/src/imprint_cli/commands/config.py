"""`imprint config`: settings and where they come from."""

from typing import Any

import click

from imprint.errors import ImprintError
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example
from imprint_cli.rendering import columns, label, printable

__all__ = ["config"]


def _complete_key(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    del context, parameter
    from imprint.domain.settings import specs

    return [spec.key for spec in specs() if spec.key.startswith(incomplete)]


def _complete_value(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """What a setting can be chosen from; none where that cannot be read, since completion must stay silent."""
    del parameter
    invocation = context.find_object(Invocation)
    try:
        choices = invocation.application.configuration.choices(context.params.get("key") or "") if invocation else ()
    except ImprintError:
        return []
    return [choice for choice in choices if choice.startswith(incomplete)]


_setting = click.argument(
    "key", metavar="KEY", help="A setting, as 'imprint config list' names it.", shell_complete=_complete_key
)


@click.group()
def config() -> None:
    """Settings, and where each value comes from."""


@config.command("list", epilog=example("imprint config list --origin"))
@click.option("--origin", is_flag=True, help="Show where each value comes from.")
@as_json
@click.pass_obj
def list_(invocation: Invocation, origin: bool, as_json: bool) -> None:
    """List every setting with its value."""
    from imprint.domain.settings import specs

    report = invocation.application.settings_report
    if as_json:
        invocation.show_json_lines({**_setting_as_json(report, spec.key), "help": spec.help} for spec in specs())
        return
    rows = [
        [spec.key, _shown(report.values[spec.key]), *([report.origins[spec.key].value] if origin else []), spec.help]
        for spec in specs()
    ]
    invocation.show(columns(["key", "value", *(["origin"] if origin else []), "help"], rows, invocation))


@config.command(epilog=example("imprint config get search.limit"))
@_setting
@as_json
@click.pass_obj
def get(invocation: Invocation, key: str, as_json: bool) -> None:
    """Print one setting's value."""
    from imprint.domain.settings import find_spec

    find_spec(key)
    report = invocation.application.settings_report
    if as_json:
        invocation.show_json(_setting_as_json(report, key))
    else:
        invocation.show(_shown(report.values[key]))


@config.command("set", epilog=example("imprint config set search.limit 5"))
@_setting
@click.argument(
    "value",
    metavar="VALUE",
    help="The value; a list of names is written with commas.",
    shell_complete=_complete_value,
)
@as_json
@click.pass_obj
def set_(invocation: Invocation, key: str, value: str, as_json: bool) -> None:
    """Write a setting into the configuration file. Its comments and order stay."""
    from imprint.domain.settings import find_spec

    config = invocation.application.config
    change = invocation.application.configuration.set(key, value)
    if as_json:
        plain = list(change.value) if isinstance(change.value, tuple) else change.value
        invocation.show_json({"key": key, "value": plain, "changed": change.changed, "file": str(config.path)})
        return
    already = "" if change.changed else ", as it was already"
    invocation.show(f"{key} is {_shown(change.value)} in {label(config.path)}{already}")
    variable = find_spec(key).environment
    if variable and invocation.application.environ.get(variable):
        invocation.note(f"{variable} is set in this shell and wins over the file")
    _tell_incomplete(invocation, key)


@config.command(epilog=example("imprint config unset search.limit"))
@_setting
@as_json
@click.pass_obj
def unset(invocation: Invocation, key: str, as_json: bool) -> None:
    """Take a setting out of the configuration file. Its default holds again."""
    from imprint.domain.settings import find_spec

    config = invocation.application.config
    changed = config.unset(key)
    if not changed:
        find_spec(key)
    if as_json:
        invocation.show_json({"key": key, "changed": changed, "file": str(config.path)})
    else:
        invocation.show(f"{key} is {'no longer' if changed else 'not'} set in {label(config.path)}")
    if changed:
        _tell_incomplete(invocation, key)


def _tell_incomplete(invocation: Invocation, key: str) -> None:
    """Say which clients have to be connected again for a setting to count; it is read only now that it is written."""
    from imprint.domain.settings import specs

    if not invocation.is_talkative or not any(spec.key == key and spec.changes_connections for spec in specs()):
        return
    try:
        names = invocation.application.connections.incomplete()
    except ImprintError:  # of another setting, or of a plugin: who asks for clients is told
        return
    if names:
        invocation.note(printable(f"for clients to follow, run 'imprint clients connect {' '.join(names)}'"))


def _setting_as_json(report: Any, key: str) -> dict[str, Any]:
    value = report.values[key]
    plain = list(value) if isinstance(value, tuple) else value
    return {"key": key, "value": plain, "origin": report.origins[key].value}


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)

"""`imprint config`: settings and where they come from."""

from typing import Any

import click

from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example
from imprint_cli.rendering import columns

__all__ = ["config"]


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
        invocation.show_json_lines({**_setting(report, spec.key), "help": spec.help} for spec in specs())
        return
    rows = [
        [spec.key, _shown(report.values[spec.key]), *([report.origins[spec.key].value] if origin else []), spec.help]
        for spec in specs()
    ]
    invocation.show(columns(["key", "value", *(["origin"] if origin else []), "help"], rows, invocation))


@config.command(epilog=example("imprint config get search.limit"))
@click.argument("key", metavar="KEY", help="A setting, as 'imprint config list' names it.")
@as_json
@click.pass_obj
def get(invocation: Invocation, key: str, as_json: bool) -> None:
    """Print one setting's value."""
    from imprint.domain.settings import find_spec

    find_spec(key)
    report = invocation.application.settings_report
    if as_json:
        invocation.show_json(_setting(report, key))
    else:
        invocation.show(_shown(report.values[key]))


@config.command("set", epilog=example("imprint config set search.limit 5"))
@click.argument("key", metavar="KEY", help="A setting, as 'imprint config list' names it.")
@click.argument("value", metavar="VALUE", help="The value; a list of names is written with commas.")
@as_json
@click.pass_obj
def set_(invocation: Invocation, key: str, value: str, as_json: bool) -> None:
    """Write a setting into the configuration file, whose comments and order stay."""
    from imprint.domain.settings import find_spec, parse_value

    config = invocation.application.config
    parsed = parse_value(key, value)
    changed = config.set(key, parsed)
    if as_json:
        plain = list(parsed) if isinstance(parsed, tuple) else parsed
        invocation.show_json({"key": key, "value": plain, "changed": changed, "file": str(config.path)})
        return
    invocation.show(f"{key} is {_shown(parsed)} in {config.path}" + ("" if changed else ", as it was already"))
    variable = find_spec(key).environment
    if variable and invocation.application.environ.get(variable):
        invocation.note(f"{variable} is set in this shell and wins over the file")


@config.command(epilog=example("imprint config unset search.limit"))
@click.argument("key", metavar="KEY", help="A setting, as 'imprint config list' names it.")
@as_json
@click.pass_obj
def unset(invocation: Invocation, key: str, as_json: bool) -> None:
    """Take a setting out of the configuration file, so that its default holds again."""
    from imprint.domain.settings import find_spec

    config = invocation.application.config
    changed = config.unset(key)
    if not changed:
        find_spec(key)
    if as_json:
        invocation.show_json({"key": key, "changed": changed, "file": str(config.path)})
    else:
        invocation.show(f"{key} is {'no longer' if changed else 'not'} set in {config.path}")


def _setting(report: Any, key: str) -> dict[str, Any]:
    value = report.values[key]
    plain = list(value) if isinstance(value, tuple) else value
    return {"key": key, "value": plain, "origin": report.origins[key].value}


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value)

"""`imprint config`: settings and where they come from."""

from typing import Annotated, Any

import typer

from imprint_cli.invocation import current
from imprint_cli.options import AsJson
from imprint_cli.rendering import columns

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Settings, and where each value comes from.")

Key = Annotated[str, typer.Argument(help="A setting, as 'imprint config list' names it.")]


@app.command("list", epilog="Example: imprint config list --origin")
def list_(
    context: typer.Context,
    origin: Annotated[bool, typer.Option("--origin", help="Show where each value comes from.")] = False,
    as_json: AsJson = False,
) -> None:
    """List every setting with its value."""
    from imprint.domain.settings import specs

    invocation = current(context)
    report = invocation.application.settings_report
    if as_json:
        invocation.show_json_lines(_setting(report, spec.key) for spec in specs())
        return
    rows = [
        [spec.key, _shown(report.values[spec.key]), *([report.origins[spec.key].value] if origin else []), spec.help]
        for spec in specs()
    ]
    invocation.show(columns(["setting", "value", *(["origin"] if origin else []), "what it is"], rows, invocation))


@app.command(epilog="Example: imprint config get search.limit")
def get(context: typer.Context, key: Key, as_json: AsJson = False) -> None:
    """Print one setting's value."""
    from imprint.domain.settings import find_spec

    invocation = current(context)
    find_spec(key)
    report = invocation.application.settings_report
    if as_json:
        invocation.show_json(_setting(report, key))
    else:
        invocation.show(_shown(report.values[key]))


@app.command("set", epilog="Example: imprint config set search.limit 5")
def set_(
    context: typer.Context,
    key: Key,
    value: Annotated[str, typer.Argument(help="The value; a list of names is written with commas.")],
    as_json: AsJson = False,
) -> None:
    """Write a setting into the configuration file, whose comments and order stay."""
    from imprint.domain.settings import find_spec, parse_value

    invocation = current(context)
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


@app.command(epilog="Example: imprint config unset search.limit")
def unset(context: typer.Context, key: Key, as_json: AsJson = False) -> None:
    """Take a setting out of the configuration file, so that its default holds again."""
    from imprint.domain.settings import find_spec

    invocation = current(context)
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

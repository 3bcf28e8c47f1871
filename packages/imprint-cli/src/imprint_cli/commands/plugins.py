"""`imprint plugins`: what this environment brings, and whether it works."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation
from imprint_cli.options import as_json, example
from imprint_cli.rendering import columns, count, printable

if TYPE_CHECKING:
    from imprint.plugins.references import PluginReference
    from imprint.plugins.registry import PluginRegistry
    from imprint.testing.runner import CheckResult

__all__ = ["plugins"]


@click.group()
def plugins() -> None:
    """Plugins: what is there, and whether it keeps its promises."""


@plugins.command("list", epilog=example("imprint plugins list"))
@as_json
@click.pass_obj
def list_(invocation: Invocation, as_json: bool) -> None:
    """List every plugin, blocked and failing ones too."""
    plugins = list(_describe_all(invocation.application.plugins))
    if as_json:
        invocation.show_json_lines(plugins)
        return
    rows = [
        [plugin["plugin"], plugin["state"], _origin(plugin), plugin["error"] or plugin["summary"]] for plugin in plugins
    ]
    invocation.show(columns(["plugin", "state", "distribution", "summary"], rows, invocation))


@plugins.command(epilog=example("imprint plugins show embedders/memvec"))
@click.argument("plugin", metavar="GROUP/NAME", help="A plugin, as 'imprint plugins list' names it.")
@as_json
@click.pass_obj
def show(invocation: Invocation, plugin: str, as_json: bool) -> None:
    """Show where a plugin is from and what it says about itself."""
    registry = invocation.application.plugins
    reference = registry.load(*_split(plugin)).reference
    details = {field: _plain(value) for field, value in _info(registry, reference).items()}
    shown = {**_describe(registry, reference), "module": reference.module, "details": details}
    if as_json:
        invocation.show_json(shown)
        return
    lines = [shown["plugin"], f"from: {_origin(shown)}", f"module: {reference.module}"]
    lines += [f"{field}: {_listed(value)}" for field, value in details.items() if field != "name"]
    invocation.show(printable("\n".join(lines)))


@plugins.command(epilog=example("imprint plugins check embedders/memvec"))
@click.argument("plugin", metavar="GROUP/NAME", help="A plugin, as 'imprint plugins list' names it.")
@click.option(
    "--model", default="", help="The model to check an embedder or a language model with; without it, its own."
)
@as_json
@click.pass_obj
def check(invocation: Invocation, plugin: str, model: str, as_json: bool) -> None:
    """Prove that a plugin keeps every promise of its group. Ends with 1 if it breaks one."""
    from imprint.testing.runner import run_checks

    handle = invocation.application.plugins.load(*_split(plugin))
    options = _check_options(handle.reference, model)
    results = []
    for result in run_checks(handle, **options):
        results.append(result)
        if as_json:
            invocation.show_json({"check": result.name, "passed": result.passed, **_findings(result)})
        else:
            invocation.show(printable(_verdict(result)))
    failed = sum(not result.passed for result in results)
    if not as_json:
        invocation.show(f"{count(len(results), 'check')}, {failed or 'none'} failed")
    if failed:
        raise click.exceptions.Exit(ExitCode.FAILED)


def _split(plugin: str) -> tuple[str, str]:
    group, slash, name = plugin.rpartition("/")
    if not slash or not name:
        raise click.UsageError("write GROUP/NAME, for instance embedders/memvec")
    return group, name


def _describe_all(registry: "PluginRegistry") -> Iterator[dict[str, Any]]:
    from imprint.plugins.groups import GROUPS

    for name in GROUPS:
        for reference in registry.references(name):
            yield _describe(registry, reference)


def _describe(registry: "PluginRegistry", reference: "PluginReference") -> dict[str, Any]:
    from imprint.errors import PluginError
    from imprint.plugins.groups import short_name

    described: dict[str, Any] = {
        "plugin": f"{short_name(reference.group)}/{reference.name}",
        "group": short_name(reference.group),
        "name": reference.name,
        "state": "ready",
        "distribution": reference.distribution,
        "version": reference.version,
        "summary": "",
        "error": None,
    }
    if registry.is_blocked(reference.group, reference.name):
        return {**described, "state": "blocked"}
    try:
        described["summary"] = _info(registry, reference)["summary"]
    except PluginError as error:
        return {**described, "state": "failed", "error": str(error)}
    return described


def _info(registry: "PluginRegistry", reference: "PluginReference") -> dict[str, Any]:
    import attrs

    from imprint.plugins.groups import short_name

    hook = f"describe_{short_name(reference.group).removesuffix('s')}"
    info = registry.load(reference.group, reference.name).call(hook)
    return attrs.asdict(info)


def _check_options(reference: "PluginReference", model: str) -> dict[str, object]:
    from imprint.plugins import EmbedderSettings, LanguageModelSettings

    if not model:
        return {}
    if reference.group == "imprint.embedders":
        return {"settings": EmbedderSettings(model=model)}
    if reference.group == "imprint.language_models":
        return {"settings": LanguageModelSettings(model=model)}
    raise click.UsageError("only embedders and language models have a model")


def _findings(result: "CheckResult") -> dict[str, object]:
    return {"proves": result.proves, "problem": result.problem or None, "hint": None if result.passed else result.hint}


def _verdict(result: "CheckResult") -> str:
    if result.passed:
        return f"passed  {result.name}"
    return f"FAILED  {result.name}: {result.problem}\n        {result.proves}\n        {result.hint}"


def _origin(plugin: dict[str, Any]) -> str:
    return f"{plugin['distribution']} {plugin['version']}".strip()


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else value


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)

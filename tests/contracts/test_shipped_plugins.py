"""The plugins that Imprint brings along keep the promises that strangers' plugins have to keep."""

from importlib.resources import files
from pathlib import Path

import pytest

from imprint.plugins import EmbedderSettings
from imprint.plugins.groups import GROUPS, short_name
from imprint.plugins.registry import PluginRegistry
from imprint.testing.checks.clients import client_checks
from imprint.testing.runner import run_checks
from imprint_client_plugins import copilot_cli, vscode_copilot

TRANSCRIPTS = Path(__file__).parents[1] / "samples" / "transcripts"
SHIPPED = [(short_name(group), name) for group, plugins in GROUPS.items() for name in plugins]
# Plugins without a model of their own are given one that lies on this machine.
OPTIONS = {("embedders", "model2vec"): {"settings": EmbedderSettings(model=str(files("imprint_memvec") / "model"))}}


@pytest.mark.parametrize(("group", "name"), SHIPPED)
def test_shipped_plugin_keeps_the_contract(group, name):
    handle = PluginRegistry().load(group, name)

    results = list(run_checks(handle, **OPTIONS.get((group, name), {})))

    assert [(result.name, result.problem) for result in results if not result.passed] == []
    assert results


@pytest.mark.parametrize(("group", "name"), SHIPPED)
def test_shipped_plugin_calls_itself_by_its_name_in_the_table(group, name):
    handle = PluginRegistry().load(group, name)

    assert handle.call(f"describe_{group.removesuffix('s')}").name == name


@pytest.mark.parametrize(("plugin", "name"), [(copilot_cli, "copilot-cli"), (vscode_copilot, "vscode-copilot")])
def test_shipped_client_keeps_the_contract_on_what_was_recorded(plugin, name):
    recorded = [path.read_bytes() for path in sorted((TRANSCRIPTS / name).rglob("*.jsonl"))]

    for check in client_checks(plugin, transcripts=recorded):
        if check.name in ("any-lines-are-read", "turns-can-be-stored", "reading-goes-on-where-it-stopped"):
            check()
    assert recorded

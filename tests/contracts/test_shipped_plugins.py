"""The plugins that Imprint brings along keep the promises that strangers' plugins have to keep."""

from importlib.resources import files
from pathlib import Path

import pytest

from imprint.plugins import EmbedderSettings
from imprint.plugins.groups import GROUPS, short_name
from imprint.plugins.registry import PluginRegistry
from imprint.testing.runner import run_checks

SHIPPED = [(short_name(group), name) for group, plugins in GROUPS.items() for name in plugins]
RECORDED = Path(__file__).parents[1] / "samples" / "transcripts"
NOT_RECORDED = ("claude-desktop", "cursor", "opencode")
"""Clients that were not run here, and one that keeps a database."""


def options(group, name):
    """What a plugin is checked with: one without a model of its own gets one that lies on this machine."""
    if (group, name) == ("embedders", "model2vec"):
        return {"settings": EmbedderSettings(model=str(files("imprint_memvec") / "model"))}
    if group == "clients":
        transcripts = [path.read_bytes() for path in sorted((RECORDED / name).rglob("*.json*"))]
        assert transcripts or name in NOT_RECORDED
        return {"transcripts": transcripts}
    return {}


@pytest.mark.parametrize(("group", "name"), SHIPPED)
def test_shipped_plugin_keeps_the_contract(group, name):
    handle = PluginRegistry().load(group, name)

    results = list(run_checks(handle, **options(group, name)))

    assert [(result.name, result.problem) for result in results if not result.passed] == []
    assert results


@pytest.mark.parametrize(("group", "name"), SHIPPED)
def test_shipped_plugin_calls_itself_by_its_name_in_the_table(group, name):
    handle = PluginRegistry().load(group, name)

    assert handle.call(f"describe_{group.removesuffix('s')}").name == name

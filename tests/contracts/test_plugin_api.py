"""Plugins outlive releases: what they are given, and what they must give back, changes on purpose only."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import plugin_api
import pytest

import imprint.plugins
from imprint.plugins.groups import GROUPS, short_name, spec_module
from imprint.plugins.hooks import group_hooks

ROOT = Path(__file__).parents[2]
PAGES = {
    group: ROOT / "docs" / "reference" / "plugins" / f"{short_name(group).replace('_', '-')}.md" for group in GROUPS
}
HOOKS = [(group, name) for group in GROUPS for name in group_hooks(group)]


def test_api_is_the_recorded_one():
    """After a wanted change: ``python tests/contracts/plugin_api.py``."""
    assert plugin_api.render_api() == plugin_api.RECORD.read_text(encoding="utf-8")


@pytest.mark.parametrize(("group", "name"), HOOKS)
def test_hookspec_says_what_it_is_and_since_when(group, name):
    specs = import_module(spec_module(group))

    assert re.search(r"^\s*\.\. versionadded:: \d+\.\d+$", getattr(specs, name).__doc__, re.MULTILINE)


@pytest.mark.parametrize(("group", "name"), HOOKS)
def test_reference_page_shows_the_hook_with_its_signature(group, name):
    page = PAGES[group].read_text(encoding="utf-8")
    shown = next(line.strip() for line in plugin_api.render_api().splitlines() if line.strip().startswith(f"{name}("))

    assert f"### `{name}`" in page
    assert f"def {shown}" in page


@pytest.mark.parametrize("group", GROUPS)
def test_reference_page_names_every_check_of_the_group(group):
    singular = short_name(group).removesuffix("s")
    checks = getattr(import_module(f"imprint.testing.checks.{short_name(group)}"), f"{singular}_checks")
    plugin = import_module(f"mutants.sound_{singular}")
    page = PAGES[group].read_text(encoding="utf-8")

    assert [check.name for check in checks(plugin) if f"`{check.name}`" not in page] == []


@pytest.mark.parametrize("group", GROUPS)
def test_reference_page_names_every_field_of_the_values_a_group_exchanges(group):
    specs = import_module(spec_module(group))
    values = {name for name in imprint.plugins.__all__ if hasattr(specs, name)}
    page = PAGES[group].read_text(encoding="utf-8")
    fields = [
        (name, field.name)
        for name in sorted(values)
        for field in getattr(getattr(imprint.plugins, name), "__attrs_attrs__", ())
    ]

    assert fields
    assert [(name, field) for name, field in fields if f"`{field}`" not in page] == []


def test_plugin_api_loads_neither_pluggy_nor_numpy_nor_metadata():
    """Programs that must start fast import a plugin's module directly."""
    command = "import imprint.plugins, sys; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", command], check=True, capture_output=True, text=True).stdout.split()

    assert "imprint.plugins" in loaded
    assert not {"pluggy", "numpy", "cattrs", "importlib.metadata", "asyncio"}.intersection(loaded)

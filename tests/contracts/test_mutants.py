"""The checks are checked: each has a broken plugin that it catches, and that no other check minds."""

from importlib import import_module

import pytest

from imprint.plugins.groups import GROUPS, short_name
from imprint.plugins.handles import hold_to_specs
from imprint.plugins.references import PluginReference
from imprint.testing.runner import run_checks

SETS = {short_name(group): import_module(f"mutants.{short_name(group)}") for group in GROUPS}
MUTANTS = [(group, name) for group, mutants in SETS.items() for name in mutants.MUTANTS]


def run(group, module):
    reference = PluginReference(group=f"imprint.{group}", name="mutant", module=module.__name__, distribution="tests")
    return list(run_checks(hold_to_specs(module, reference)))


@pytest.mark.parametrize("group", SETS)
def test_sound_plugin_passes_every_check_and_every_check_has_a_mutant(group):
    results = run(group, SETS[group].SOUND)

    assert [(result.name, result.problem) for result in results if not result.passed] == []
    assert {result.name for result in results} == SETS[group].MUTANTS.keys()


@pytest.mark.parametrize(("group", "name"), MUTANTS)
def test_mutant_fails_its_own_check_and_no_other(group, name):
    results = run(group, SETS[group].MUTANTS[name])

    assert {result.name: result.problem for result in results if not result.passed}.keys() == {name}

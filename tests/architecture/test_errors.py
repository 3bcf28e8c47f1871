"""The error tree: every leaf has a branch, a module, and a place in the table of names."""

import importlib
import pkgutil

import pytest

from imprint import errors
from imprint.errors import branches

MODULES = [module.name for module in pkgutil.iter_modules(errors.__path__)]
LEAVES = [
    getattr(errors, name)
    for module in MODULES
    if module not in {"branches", "quoting"}
    for name in importlib.import_module(f"imprint.errors.{module}").__all__
]


def test_table_of_names_is_what_the_modules_hold() -> None:
    held = {module: set(importlib.import_module(f"imprint.errors.{module}").__all__) for module in MODULES}

    assert {module: set(names) for module, names in errors._MODULES.items()} == held


@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: leaf.__name__)
def test_leaf_hangs_on_a_branch_and_is_named_as_an_error(leaf: type[Exception]) -> None:
    assert leaf.__name__.endswith("Error")
    assert any(issubclass(leaf, getattr(branches, name)) for name in branches.__all__)
    assert leaf.__doc__
    assert leaf.__subclasses__() or leaf.__str__ is not Exception.__str__

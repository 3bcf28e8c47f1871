"""What embedders use: the names that `imprint` exports, and the page that shows them."""

import ast
import doctest
import importlib
from pathlib import Path

import pytest

import imprint

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "embed-the-core.md"


def typed_exports() -> dict[str, str]:
    """Name → module, as a type checker reads them in ``imprint/__init__.py``."""
    tree = ast.parse(Path(imprint.__file__).read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module != "importlib"]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


def test_the_page_says_what_happens():
    done = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")

    assert done.failed == 0
    assert done.attempted > 20


def test_each_export_is_what_a_type_checker_takes_it_for():
    exports = typed_exports()

    assert sorted(exports) == sorted(imprint.__all__)
    for name, module in exports.items():
        assert getattr(imprint, name) is getattr(importlib.import_module(module), name)


def test_the_exports_are_listed():
    assert set(imprint.__all__) <= set(dir(imprint))


def test_a_name_that_is_none_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        imprint.no_such_name  # noqa: B018

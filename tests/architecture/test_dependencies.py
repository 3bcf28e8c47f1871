"""Each package declares what it imports, and each dependency has a reason."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent for path in (ROOT / "packages").glob("*/pyproject.toml"))


def imported(package: Path) -> set[str]:
    """The distributions of the modules that a package imports, others than its own and Python's."""
    names: set[str] = set()
    for file in (package / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    own = {path.name for path in (package / "src").iterdir()}
    return {normal(name) for name in names - own - sys.stdlib_module_names}


def declared(package: Path) -> set[str]:
    """The distributions that a package asks for, with those of its extras."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project.get("optional-dependencies", {}).values()
    asked = [*project.get("dependencies", []), *(line for extra in extras for line in extra)]
    return {normal(re.split(r"[^\w.-]", line)[0]) for line in asked}


def normal(name: str) -> str:
    return "imprint-core" if name == "imprint" else re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_a_package_declares_what_it_imports(package: Path):
    assert imported(package) - declared(package) == set()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_every_dependency_has_a_reason_in_the_list(package: Path):
    page = (ROOT / "docs" / "explanation" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w., -]+) \|", page, re.MULTILINE)
    listed = {normal(name) for row in rows for name in row.split(", ")}
    strangers = {name for name in declared(package) if not name.startswith(("imprint-", "tree-sitter-"))}

    assert strangers - listed == set()

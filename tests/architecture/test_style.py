"""What the style guide asks for and a parser can see."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "packages").glob("*/src/**/*.py"))
DOMAIN = [path for path in MODULES if "domain" in path.parts]
LONGEST = 400
BROAD_HANDLERS = {
    "imprint/bootstrap/session_directories.py": 1,
    "imprint/plugins/registry.py": 1,
    "imprint/plugins/handles.py": 1,
    "imprint/testing/conformance.py": 1,
    "imprint_cli/program.py": 1,
    "imprint_mcp/tools/answering.py": 1,
}


def name_of(path: Path) -> str:
    return path.relative_to(next(parent for parent in path.parents if parent.name == "src")).as_posix()


def is_broad(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.type, ast.Name) and handler.type.id in {"Exception", "BaseException"}


def raises_again(handler: ast.ExceptHandler) -> bool:
    """Tidying up and letting the error go on hides nothing."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_holds_one_idea(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


@pytest.mark.parametrize("path", DOMAIN, ids=name_of)
def test_domain_paths_have_a_flavour_of_their_own(path: Path) -> None:
    """`Path` and `PurePath` take the running machine's flavour."""
    assert not names_in(path) & {"Path", "PurePath", "print", "open"}


def test_broad_handlers_stand_only_where_a_stranger_is_called_or_a_program_ends() -> None:
    found: dict[str, int] = {}
    for path in MODULES:
        handlers = [
            node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ExceptHandler)
        ]
        broad = [handler for handler in handlers if is_broad(handler) and not raises_again(handler)]
        if broad:
            found[name_of(path)] = len(broad)

    assert found.keys() <= BROAD_HANDLERS.keys()
    assert all(count <= BROAD_HANDLERS[name] for name, count in found.items())


def test_every_package_has_the_same_version_and_front_ends_pin_it() -> None:
    projects = [
        tomllib.loads(path.read_text("utf-8"))["project"] for path in (ROOT / "packages").glob("*/pyproject.toml")
    ]
    versions = {project["version"] for project in projects}
    (version,) = versions
    ours = [
        requirement
        for project in projects
        for requirement in [*project["dependencies"], *project.get("optional-dependencies", {}).get("local", [])]
        if requirement.startswith("imprint-")
    ]

    assert ours
    assert all(requirement.endswith(f"=={version}") for requirement in ours)

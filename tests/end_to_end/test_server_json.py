"""What a publisher gives to the MCP registry: made from the packages, in the form that the registry takes.

The rules are those of its schema of 2025-12-11 and of its check of packages on PyPI, as far as this file can break
them.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "make_server_json.py"
OWNED = ("--namespace", "io.github.somebody", "--package", "imprint-mcp")
TEXTS = {"$schema", "name", "title", "description", "version"}


def make(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True, check=False)


def project() -> Any:
    return tomllib.loads((ROOT / "packages" / "imprint-mcp" / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def complaints(document: dict[str, Any]) -> Iterator[str]:
    """What the registry would say."""
    if not TEXTS | {"packages"} <= document.keys() <= TEXTS | {"packages", "repository"}:
        yield f"keys {sorted(document)}"
    if not all(isinstance(document[key], str) and document[key] for key in TEXTS):
        yield "a text that is none"
    if not re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", document["name"]) or len(document["name"]) > 200:
        yield f"name {document['name']}"
    if max(len(document["title"]), len(document["description"])) > 100:
        yield "a text that is too long"
    if not re.fullmatch(r"\d+\.\d+\.\d+([a-z.-].*)?", document["version"]):
        yield f"version {document['version']}"
    if "repository" in document and document["repository"].keys() != {"url", "source"}:
        yield "repository"
    for package in document["packages"]:
        yield from complaints_of_package(package)


def complaints_of_package(package: dict[str, Any]) -> Iterator[str]:
    texts = {"registryType", "registryBaseUrl", "identifier", "version", "runtimeHint"}
    if package.keys() != texts | {"transport", "environmentVariables"}:
        yield f"keys {sorted(package)}"
    if not all(isinstance(package[key], str) and package[key] for key in texts):
        yield "a text that is none"
    if (package["registryType"], package["registryBaseUrl"]) != ("pypi", "https://pypi.org"):
        yield "a registry that is not trusted"
    if package["transport"] != {"type": "stdio"}:
        yield "transport"
    for variable in package["environmentVariables"]:
        if not {"name", "description"} <= variable.keys() <= {"name", "description", "format"}:
            yield f"keys {sorted(variable)}"
        if not re.fullmatch(r"[A-Z_]+", variable["name"]) or variable.get("format", "string") not in (
            "string",
            "filepath",
        ):
            yield f"variable {variable}"


def test_the_file_is_what_the_registry_takes(tmp_path: Path):
    path = tmp_path / "server.json"

    done = make(*OWNED, "--repository", "https://github.com/somebody/imprint", "--output", str(path))

    document = json.loads(path.read_text(encoding="utf-8"))
    assert (done.returncode, done.stdout) == (0, "")
    assert list(complaints(document)) == []
    assert document["name"] == "io.github.somebody/imprint"
    assert document["repository"] == {"url": "https://github.com/somebody/imprint", "source": "github"}
    (package,) = document["packages"]
    assert (package["identifier"], package["runtimeHint"]) == ("imprint-mcp", "uvx")


def test_version_and_description_are_the_packages_and_the_variables_those_that_the_page_lists():
    document = json.loads(make(*OWNED).stdout)

    (package,) = document["packages"]
    page = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    assert document["version"] == package["version"] == project()["version"]
    assert document["description"] == project()["description"]
    assert {one["name"] for one in package["environmentVariables"]} == set(re.findall(r"`(IMPRINT_\w+)` \|", page))


def test_what_the_package_still_lacks_is_said():
    """PyPI takes a version once: what its README does not say cannot be put there afterwards."""
    ours, renamed = make(*OWNED).stderr, make("--namespace", "io.github.somebody", "--package", "memory-x").stderr

    assert ours.splitlines() == [
        line for line in renamed.splitlines() if "mcp-name: io.github.somebody/imprint" in line
    ]
    assert [word in renamed for word in ("name the package", "add a script")] == [True, True]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--namespace", "io.github.somebody"),
        ("--namespace", "io.github/somebody", "--package", "imprint-mcp"),
        ("--namespace", "io.github.somebody", "--package", "imprint mcp"),
        (*OWNED, "--repository", "git@github.com:somebody/imprint"),
    ],
)
def test_what_cannot_be_published_is_not_written(words: tuple[str, ...], tmp_path: Path):
    done = make(*words, "--output", str(tmp_path / "server.json"))

    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []

"""The name of a project, as its manifest gives it. A name is a label for people and filters; it identifies nothing."""

import json
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from functools import partial

__all__ = ["find_manifests", "parse_project_name"]

_LONGEST_NAME = 100
_GRADLE_NAME = r"rootProject\.name\s*=\s*[\"']([^\"']+)[\"']"


def parse_project_name(manifest: str, data: bytes) -> str:
    """The project's name in a manifest; empty where it gives none or cannot be parsed.

    Args:
        manifest: File name, as `find_manifests` gives it.
    """
    parse = _PARSERS.get(manifest) or next(
        (parse for suffix, parse in _SUFFIX_PARSERS.items() if manifest.endswith(suffix)), None
    )
    if parse is None:
        return ""
    try:
        name = parse(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return ""
    name = name.strip()
    return name if len(name) <= _LONGEST_NAME and name.isprintable() else ""


def find_manifests(names: Collection[str]) -> list[str]:
    """The manifests among the names of a folder's entries, those that name a project best first."""
    others = sorted(name for name in names if name.endswith(_SUFFIXES))
    return [name for name in _PARSERS if name in names] + others


def _at(document: object, *keys: str) -> str:
    for key in keys:
        document = document.get(key) if isinstance(document, Mapping) else None
    return document if isinstance(document, str) else ""


def _parse_pyproject(text: str) -> str:
    document = tomllib.loads(text)
    return _at(document, "project", "name") or _at(document, "tool", "poetry", "name")


def _parse_cargo(text: str) -> str:
    return _at(tomllib.loads(text), "package", "name")


def _parse_toml(text: str) -> str:
    return _at(tomllib.loads(text), "name")


def _parse_json(text: str) -> str:
    return _at(json.loads(text), "name")


def _parse_go_mod(text: str) -> str:
    module = _first(r"^module[ \t]+\"?([^\s\"]+)", text)
    return re.sub(r"/v\d+$", "", module).rpartition("/")[2]


def _parse_pom(text: str) -> str:
    """The artifact's own id: the first one that belongs neither to the parent nor to a dependency."""
    own = re.sub(
        r"<(parent|dependencies|build|profiles|dependencyManagement)\b.*?</\1>|<!--.*?-->", "", text, flags=re.DOTALL
    )
    return _first(r"<artifactId>\s*([^<\s]+)\s*</artifactId>", own)


def _by(pattern: str) -> Callable[[str], str]:
    """A parser that takes the first group of the first line that matches."""
    return partial(_first, pattern)


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else ""


# In order of precedence, for a folder that holds several.
_PARSERS: Mapping[str, Callable[[str], str]] = {
    "pyproject.toml": _parse_pyproject,
    "Cargo.toml": _parse_cargo,
    "go.mod": _parse_go_mod,
    "package.json": _parse_json,
    "pom.xml": _parse_pom,
    "settings.gradle": _by(_GRADLE_NAME),
    "settings.gradle.kts": _by(_GRADLE_NAME),
    "composer.json": _parse_json,
    "setup.cfg": _by(r"^\[metadata\][^\[]*?^name[ \t]*=[ \t]*(\S+)"),
    "pubspec.yaml": _by(r"^name:[ \t]*[\"']?([^\s\"'#]+)"),
    "mix.exs": _by(r"\bapp:\s*:(\w+)"),
    "Project.toml": _parse_toml,
    "deno.json": _parse_json,
    "CMakeLists.txt": _by(r"(?i)^\s*project\s*\(\s*\"?([\w.+-]+)"),
}
_SUFFIX_PARSERS: Mapping[str, Callable[[str], str]] = {
    ".gemspec": _by(r"\.name\s*=\s*[\"']([^\"']+)[\"']"),
    ".cabal": _by(r"(?i)^name:[ \t]*(\S+)"),
    ".csproj": _by(r"<(?:PackageId|AssemblyName)>\s*([^<$]+?)\s*</"),
}
_SUFFIXES = tuple(_SUFFIX_PARSERS)

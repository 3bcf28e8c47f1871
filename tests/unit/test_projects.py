"""The project's name in each kind of manifest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.projects import find_manifests, parse_project_name

POM = b"""<project>
  <!-- <artifactId>commented</artifactId> -->
  <parent><artifactId>parent</artifactId></parent>
  <dependencies><dependency><artifactId>library</artifactId></dependency></dependencies>
  <artifactId> billing </artifactId>
</project>"""


@pytest.mark.parametrize(
    ("manifest", "data", "name"),
    [
        ("pyproject.toml", b'[project]\nname = "acme-tools"\n', "acme-tools"),
        ("pyproject.toml", b'[tool.poetry]\nname = "old"\n', "old"),
        ("pyproject.toml", b"[tool.ruff]\nline-length = 100\n", ""),
        ("package.json", b'{"name": "@acme/web", "version": "1"}', "@acme/web"),
        ("package.json", b'{"type": "module"}', ""),
        ("package.json", b'["name"]', ""),
        ("package.json", b'{"name": 3}', ""),
        ("Cargo.toml", b'[package]\nname = "core"\n', "core"),
        ("Cargo.toml", b'[workspace]\nmembers = ["a"]\n', ""),
        ("go.mod", b"// comment\nmodule github.com/acme/api/v2\n\ngo 1.22\n", "api"),
        ("pom.xml", POM, "billing"),
        ("composer.json", b'{"name": "acme/shop"}', "acme/shop"),
        ("setup.cfg", b"[metadata]\nversion = 1\nname = legacy\n", "legacy"),
        ("setup.cfg", b"[options]\nname = other\n", ""),
        ("acme.gemspec", b"Gem::Specification.new do |s|\n  s.name = 'acme'\nend\n", "acme"),
        ("acme.cabal", b"cabal-version: 2\nname:  acme\n", "acme"),
        ("App.csproj", b"<Project><AssemblyName>App.Core</AssemblyName></Project>", "App.Core"),
        ("pubspec.yaml", b"name: app\nversion: 1\n", "app"),
        ("mix.exs", b"def project, do: [app: :phoenix]", "phoenix"),
        ("settings.gradle.kts", b'rootProject.name = "android"\n', "android"),
        ("CMakeLists.txt", b"cmake_minimum_required(VERSION 3)\nproject(Engine CXX)\n", "Engine"),
        ("Project.toml", b'name = "Solver"\n', "Solver"),
        ("deno.json", b'{"name": "@me/x"}', "@me/x"),
    ],
)
def test_each_manifest_gives_its_projects_name(manifest: str, data: bytes, name: str) -> None:
    assert parse_project_name(manifest, data) == name


def test_a_name_that_could_pose_as_something_else_is_none() -> None:
    for name in ("a\\u001b[31m", "x" * 101):
        assert parse_project_name("package.json", f'{{"name": "{name}"}}'.encode()) == ""


@given(
    data=st.binary(max_size=200), manifest=st.sampled_from(["pyproject.toml", "package.json", "pom.xml", "a.gemspec"])
)
def test_no_content_makes_it_fail(data: bytes, manifest: str) -> None:
    parse_project_name(manifest, data)


def test_nesting_without_end_gives_no_name() -> None:
    assert parse_project_name("package.json", b"[" * 100_000) == ""


def test_the_manifest_that_names_best_comes_first() -> None:
    names = ["CMakeLists.txt", "z.gemspec", "package.json", "main.py", "a.gemspec", "pyproject.toml"]

    assert find_manifests(names) == ["pyproject.toml", "package.json", "CMakeLists.txt", "a.gemspec", "z.gemspec"]

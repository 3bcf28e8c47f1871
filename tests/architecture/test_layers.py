"""Every contract of the architecture holds, and each is proved able to fail by a planted breach."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]

BREACHES = [
    ("layers", "imprint/domain/facts.py", "import imprint.protocols.clocks"),
    ("layers", "imprint/stray.py", ""),
    ("front-ends", "imprint/services/stray.py", "import imprint_cli"),
    ("pure", "imprint/domain/facts.py", "import os"),
    ("pure", "imprint/protocols/clocks.py", "import sqlite3"),
    ("pure", "imprint/plugins/specs/embedders.py", "import logging"),
    ("plugins-see-the-api", "imprint/default_plugins/stray.py", "import imprint.services"),
    ("plugins-see-the-api", "imprint_client_plugins/stray.py", "import imprint.services"),
    ("clients", "imprint_client_plugins/codex/stray.py", "import imprint_client_plugins.claude_code"),
    ("front-ends-see-services", "imprint_cli/stray.py", "import imprint.adapters"),
    ("front-ends-see-services", "imprint_mcp/stray.py", "import sqlite3"),
    ("front-ends", "imprint_mcp/stray.py", "import imprint_cli.program"),
    ("pluggy", "imprint/services/stray.py", "import pluggy"),
]


def lint_imports(folder: Path, contract: str) -> subprocess.CompletedProcess[str]:
    program = "import sys; from importlinter.cli import lint_imports_command as main; main(sys.argv[1:])"
    arguments = [str(ROOT / "pyproject.toml"), "--contract", contract, "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of every package's source, side by side, that a breach can be planted in."""
    for package in (ROOT / "packages").glob("*/src/*"):
        ignored = shutil.ignore_patterns("__pycache__", "*.safetensors", "tokenizer.json")
        shutil.copytree(package, tmp_path / package.name, ignore=ignored)
    return tmp_path


@pytest.mark.parametrize("contract", [contract["id"] for contract in SETTINGS["contracts"]])
def test_contract_holds(contract: str, sources: Path) -> None:
    result = lint_imports(sources, contract)

    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(("contract", "file", "line"), BREACHES)
def test_planted_breach_is_found(contract: str, file: str, line: str, sources: Path) -> None:
    planted = sources / file
    planted.write_text((planted.read_text("utf-8") if planted.exists() else "") + f"\n{line}\n", "utf-8")

    result = lint_imports(sources, contract)

    assert result.returncode == 1, result.stdout
    assert "BROKEN" in result.stdout or "exhaustive" in result.stdout, result.stdout


def test_every_contract_has_a_planted_breach() -> None:
    assert {contract for contract, _, _ in BREACHES} == {contract["id"] for contract in SETTINGS["contracts"]}

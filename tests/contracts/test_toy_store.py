"""The example plugin, as a stranger would install it: built, put on the path, found through its entry point."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "imprint-toy-store"

CHECK_INSTALLED = """
import json
from imprint.plugins.registry import PluginRegistry
from imprint.testing.runner import run_checks

registry = PluginRegistry()
handle = registry.load("vector_backends", "toy")
results = list(run_checks(handle))
print(json.dumps({
    "names": registry.names("vector_backends"),
    "distribution": handle.reference.distribution,
    "version": handle.reference.version,
    "place": handle.module.__file__,
    "checks": len(results),
    "problems": [[result.name, result.problem] for result in results if not result.passed],
}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder on the path with the wheel's contents, which is all that installing a pure wheel does."""
    folder = tmp_path_factory.mktemp("toy")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(EXAMPLE)],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed, *arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_installed_plugin_is_found_by_its_entry_point_and_keeps_the_contract(installed):
    process = run(installed, "-c", CHECK_INSTALLED)

    assert process.stderr == ""
    report = json.loads(process.stdout)
    assert Path(report.pop("place")).is_relative_to(installed)
    assert report.pop("checks") > 10
    assert report == {
        "names": ["local", "toy"],
        "distribution": "imprint-toy-store",
        "version": "0.1.0",
        "problems": [],
    }


def test_example_passes_its_own_tests(installed):
    process = run(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(EXAMPLE), str(EXAMPLE))

    assert process.returncode == 0, process.stdout

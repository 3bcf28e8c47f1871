"""What a check does with what it finds."""

import importlib
import subprocess
import sys

import pytest
from mutants import sound_embedder
from mutants.embedders import MUTANTS

from imprint.errors import PluginInvalidError
from imprint.plugins import hookimpl
from imprint.testing.checks.embedders import embedder_checks
from imprint.testing.conformance import CheckFailedError, UnexpectedPassError

NAME = "rows-are-of-length-one-or-zero"


def check_of(plugin, **options):
    return next(check for check in embedder_checks(plugin, **options) if check.name == NAME)


def test_failure_says_what_was_found_what_was_promised_and_where_to_look():
    check = check_of(MUTANTS[NAME])

    with pytest.raises(CheckFailedError) as caught:
        check()

    assert str(caught.value) == f"a row has length 2.000\n{check.proves}\nIf this fails, {check.hint}"


def test_what_a_plugin_raises_in_an_interpreter_of_its_own_is_told(tmp_path, monkeypatch):
    (tmp_path / "forgetful_embedder.py").write_text(
        "from imprint.plugins import EmbedderInfo, hookimpl\n"
        "@hookimpl\n"
        "def describe_embedder():\n"
        "    return EmbedderInfo(name='forgetful', summary='It forgot its model')\n"
        "@hookimpl\n"
        "def open_embedder(settings):\n"
        "    import a_model_that_is_nowhere\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    checks = embedder_checks(importlib.import_module("forgetful_embedder"))
    (check,) = (check for check in checks if str(check) == "works-without-a-network")

    with pytest.raises(CheckFailedError) as caught:
        check()

    assert "a_model_that_is_nowhere" in str(caught.value)


def test_expected_failure_passes_and_shows_that_it_is_one():
    check = check_of(MUTANTS[NAME], expected_failures={NAME: "the engine gives raw vectors"})

    check()

    assert str(check) == f"{NAME} (expected to fail)"


def test_expected_failure_that_does_not_fail_is_a_failure():
    check = check_of(sound_embedder, expected_failures={NAME: "the engine gives raw vectors"})

    with pytest.raises(UnexpectedPassError, match="the engine gives raw vectors"):
        check()


def test_expected_failure_of_no_check_is_refused():
    with pytest.raises(ValueError, match="no-such-check"):
        embedder_checks(sound_embedder, expected_failures={"no-such-check": "a slip"})


def test_module_that_does_not_fit_its_group_has_no_checks():
    class Module:
        __name__ = "half"

    half = Module()
    half.describe_embedder = hookimpl(lambda: None)

    with pytest.raises(PluginInvalidError):
        embedder_checks(half)


@pytest.mark.parametrize(
    ("group", "name", "missing"), [("extractors", "plain", "hypothesis"), ("embedders", "memvec", "numpy")]
)
def test_missing_extra_is_named(group, name, missing):
    command = (
        "import sys; from imprint.errors import MissingExtraError; from imprint.plugins.registry import PluginRegistry;"
        "from imprint.testing.runner import run_checks\n"
        f"handle = PluginRegistry().load({group!r}, {name!r}); sys.modules[{missing!r}] = None\n"
        "try: run_checks(handle)\n"
        "except MissingExtraError as error: print(error.extra, error.missing)"
    )

    shown = subprocess.run([sys.executable, "-c", command], check=True, capture_output=True, text=True).stdout

    assert shown.split() == ["testing", missing]

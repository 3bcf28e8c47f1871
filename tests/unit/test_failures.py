"""How faults of the program itself are told."""

import json
from pathlib import Path

import pytest

from imprint.errors import RootOverlapError
from imprint_cli.failures import Reporter, facts_of
from imprint_cli.invocation import Invocation

SECRET = "text of the user's"


def fail() -> None:
    raise ZeroDivisionError(SECRET)


def test_a_fault_is_told_in_a_sentence_and_its_place_goes_to_a_private_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    reporter = Reporter(Invocation(data_dir=tmp_path / "data"))

    with pytest.raises(ZeroDivisionError) as caught:
        fail()
    reporter.report_unexpected(caught.value)

    log = tmp_path / "data" / "logs" / "imprint.log"
    told = capsys.readouterr()
    assert told.out == ""
    assert "ZeroDivisionError" in told.err
    assert f"hint: the trace is in {log}" in told.err
    assert "Traceback" not in told.err
    assert "test_failures.py" in log.read_text()
    assert SECRET not in log.read_text()
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


def test_a_fault_that_cannot_be_logged_is_told_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    blocker = tmp_path / "file"
    blocker.write_text("")

    Reporter(Invocation(data_dir=blocker, as_json=True)).report_unexpected(ZeroDivisionError("x"))

    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["type"], error["error"]) == ("UnexpectedError", "ZeroDivisionError")
    assert "-v" in error["hint"]


def test_verbose_shows_the_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(ZeroDivisionError) as caught:
        fail()

    Reporter(Invocation(data_dir=tmp_path, verbose=True)).report_unexpected(caught.value)

    assert "Traceback" in capsys.readouterr().err


def test_the_facts_of_an_error_are_plain_values():
    error = RootOverlapError("acme", "/w/app", (("other", "/w"),))

    assert facts_of(error) == {"workspace": "acme", "path": "/w/app", "conflicts": [["other", "/w"]]}

"""Which of our programs a client is told to start."""

import os
import sys

import pytest

from imprint.adapters.our_programs import find_our_program
from imprint.errors import InvalidPathError, ProgramNotFoundError, TemporaryProgramError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")


def install(folder, name="imprint-mcp"):
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def interpreter(tmp_path, monkeypatch):
    """Makes this interpreter one of some environment."""

    def use(folder):
        monkeypatch.setattr(sys, "executable", str(tmp_path / folder / "python"))
        monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path / "nowhere"))
        return tmp_path / folder

    return use


def test_program_beside_the_interpreter_is_taken_whatever_the_search_path_says(interpreter, tmp_path):
    folder = interpreter("venv/bin")
    program = install(folder)
    other = install(tmp_path / "other")

    assert find_our_program("imprint-mcp", {"PATH": str(other.parent)}) == str(program)


def test_folder_of_a_version_is_left_for_the_link_to_it(interpreter, tmp_path):
    folder = interpreter("Cellar/imprint/1.2/bin")
    program = install(folder)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "imprint-mcp").symlink_to(program)

    assert find_our_program("imprint-mcp", {"PATH": str(tmp_path / "bin")}) == str(tmp_path / "bin" / "imprint-mcp")
    assert find_our_program("imprint-mcp", {"PATH": ""}) == str(program)


def test_link_to_another_program_is_not_taken_for_ours(interpreter, tmp_path):
    program = install(interpreter("Cellar/imprint/1.2/bin"))
    install(tmp_path / "bin")

    assert find_our_program("imprint-mcp", {"PATH": str(tmp_path / "bin")}) == str(program)


@pytest.mark.parametrize("folder", [".cache/uv/archive-v0/x/bin", "pipx/.cache/x/bin"])
def test_environment_of_one_run_is_refused(interpreter, folder):
    install(interpreter(folder))

    with pytest.raises(TemporaryProgramError):
        find_our_program("imprint-mcp", {})


def test_program_that_is_not_installed_is_told_with_where_it_was_looked_for(interpreter, tmp_path):
    folder = interpreter("venv/bin")

    with pytest.raises(ProgramNotFoundError) as caught:
        find_our_program("imprint-mcp", {"PATH": ""})

    assert caught.value.looked_in == (str(folder), str(tmp_path / "nowhere"))


def test_path_that_no_configuration_can_hold_is_refused(interpreter):
    install(interpreter("v\udcff/bin"))

    with pytest.raises(InvalidPathError):
        find_our_program("imprint-mcp", {})

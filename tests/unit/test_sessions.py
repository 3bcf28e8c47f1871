"""The directory of an agent's session: what its client names in the environment, else where the process works."""

from pathlib import Path

import pytest

from imprint.services.sessions import detect_session_directory
from imprint_client_plugins import claude_code

CWD = Path("/where/it/runs")


@pytest.mark.parametrize(
    ("environ", "cwd", "directory"),
    [
        ({}, CWD, CWD),
        ({}, None, None),
        ({"CLAUDE_PROJECT_DIR": "/the/project"}, CWD, Path("/the/project")),
        ({"CLAUDE_PROJECT_DIR": "/the/project"}, None, Path("/the/project")),
        ({"CLAUDE_PROJECT_DIR": ""}, CWD, CWD),
        ({"PWD": "/elsewhere", "COPILOT_PROJECT_DIR": "/elsewhere", "INIT_CWD": "/elsewhere"}, CWD, CWD),
    ],
)
def test_the_directory_is_the_named_one_else_the_working_directory(
    environ: dict[str, str], cwd: Path | None, directory: Path | None
):
    assert detect_session_directory(environ, cwd) == directory


@pytest.mark.parametrize("environ", [{}, {"CLAUDE_PROJECT_DIR": ""}, {"CLAUDE_PROJECT_DIR": "/the/project"}])
def test_the_clients_plugin_says_the_same_of_a_server_which_is_sent_nothing(environ: dict[str, str]):
    """Without `--client` the server asks no plugin, and needs none for Claude Code."""
    said = claude_code.detect_cwd({}, environ)

    assert detect_session_directory(environ, CWD) == (Path(said) if said else CWD)

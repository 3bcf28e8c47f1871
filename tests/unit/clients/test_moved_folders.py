"""Environment variables that move a client's folder."""

from pathlib import PurePosixPath
from types import ModuleType

import attrs
import pytest

from imprint.errors import InvalidPathError
from imprint.plugins import ClientHome
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import claude_code, codex, continue_dev, copilot_cli, gemini_cli, qwen_code

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
CLIENTS = [
    (claude_code, "CLAUDE_CONFIG_DIR", ""),
    (codex, "CODEX_HOME", ""),
    (continue_dev, "CONTINUE_GLOBAL_DIR", ""),
    (copilot_cli, "COPILOT_HOME", ""),
    (gemini_cli, "GEMINI_CLI_HOME", ".gemini"),
    (qwen_code, "QWEN_HOME", ""),
]
EACH = pytest.mark.parametrize(("plugin", "variable", "below"), CLIENTS, ids=[variable for _, variable, _ in CLIENTS])


def folder(plugin: ModuleType, variable: str, value: str) -> PurePosixPath:
    home = attrs.evolve(HOME, environ={variable: value})
    return plugin.find_installation(home, MemoryClientFiles.of_everything(home)).folder


@EACH
@pytest.mark.parametrize(("value", "place"), [("/elsewhere", "/elsewhere"), ("~/mine", "/home/me/mine")])
def test_a_folder_is_moved_to_a_path_or_below_the_home(
    plugin: ModuleType, variable: str, below: str, value: str, place: str
):
    assert folder(plugin, variable, value) == PurePosixPath(place) / below
    assert folder(plugin, variable, "") == folder(plugin, "OTHER", value)


@EACH
def test_a_folder_that_depends_on_the_working_directory_is_refused(plugin: ModuleType, variable: str, below: str):
    with pytest.raises(InvalidPathError):
        folder(plugin, variable, "mine")

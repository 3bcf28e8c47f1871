"""Connecting qwen-code: the MCP server, its hooks, permission rules, and its instructions."""

from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.installations import find_installed, moved_folder
from imprint_client_plugins.our_server import permission_rules
from imprint_client_plugins.registrations import plan_putting_in, plan_taking_out
from imprint_client_plugins.settings_files import SettingsClient

__all__ = ["describe_duties", "find_installation", "plan_connect", "plan_disconnect"]

_FOLDER_VARIABLE = "QWEN_HOME"
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")
_QWEN = SettingsClient(
    name="qwen-code",
    title="qwen-code",
    events=("SessionStart", "Stop", "PreCompact", "SessionEnd", "UserPromptSubmit"),
    rules=permission_rules(),
    instructions="QWEN.md",
    hooks_off=(("disableAllHooks",), True),
)


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder or its program."""
    folder = moved_folder(home, _FOLDER_VARIABLE) or home.path / ".qwen"
    return find_installed("qwen-code", home, files, folder=folder, program="qwen")


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its two files."""
    return plan_putting_in(_QWEN.registrations(installation, programs), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them."""
    return plan_taking_out(_QWEN.registrations(installation, _NOTHING), record, files)


def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """Nothing, unless the user's settings stand in the way."""
    return _QWEN.notes(installation, files)

"""Connecting Copilot CLI: the MCP server, its hooks, and its instructions, at user level."""

from collections.abc import Sequence

from imprint.domain.config_text.json_text import parse_json
from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.copilot_hook_files import register_hooks
from imprint_client_plugins.double_registrations import find_double_registrations
from imprint_client_plugins.installations import moved_folder
from imprint_client_plugins.instruction_blocks import InstructionsPart
from imprint_client_plugins.json_entries import JsonPart, Member
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out

__all__ = ["describe_duties", "find_installation", "plan_connect", "plan_disconnect"]

_CLIENT = "copilot-cli"
_FOLDER_VARIABLE = "COPILOT_HOME"
_SERVERS = "mcp-config.json"
_SETTINGS = "settings.json"
_EVENTS = ("sessionStart", "agentStop", "preCompact", "sessionEnd", "userPromptSubmitted")
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its program, or what it keeps in its folder: the folder alone may be there for VS Code's hooks."""
    folder = moved_folder(home, _FOLDER_VARIABLE) or home.path / ".copilot"
    program = files.find_program("copilot")
    is_used = files.is_folder(folder / "session-state") or files.read(folder / "config.json") is not None
    if program is None and not is_used:
        return None
    return Installation(client=_CLIENT, home=home, folder=folder, program=program)


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its three files."""
    return plan_putting_in(_registrations(installation, programs), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them."""
    return plan_taking_out(_registrations(installation, _NOTHING), record, files)


def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """Nothing but to choose, where our plugin is installed too."""
    path = installation.folder / _SETTINGS
    plugins = parse_json(files.read(path) or b"", str(path)).get(("enabledPlugins",))
    return tuple(find_double_registrations(plugins, installation.address))


def _registrations(installation: Installation, programs: OurPrograms) -> Sequence[Registration]:
    program, *arguments = programs.server
    server = {"type": "local", "command": program, "args": arguments, "tools": ["*"]}
    return (
        Registration(
            path=installation.folder / _SERVERS,
            part=JsonPart((Member(("mcpServers", "imprint"), server),)),
            purpose="register the MCP server",
        ),
        register_hooks(installation.folder / "hooks", _CLIENT, _EVENTS, programs, system=installation.home.system),
        Registration(
            path=installation.folder / "copilot-instructions.md",
            part=InstructionsPart(programs.instructions),
            purpose="tell the model when to use Imprint",
        ),
    )

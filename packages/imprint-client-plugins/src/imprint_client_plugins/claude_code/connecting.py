"""Connecting Claude Code: the MCP server at user scope, its hooks, permission rules, and its instructions.

Hooks and rules stand at user level, since a project's settings are read from the folder that a session starts in alone.
"""

from collections.abc import Sequence

from imprint.domain.config_text.json_text import parse_json
from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.double_registrations import TWO_SERVERS, find_double_registrations
from imprint_client_plugins.hook_commands import grouped_hook, wanted_hooks
from imprint_client_plugins.installations import find_installed, moved_folder
from imprint_client_plugins.instruction_blocks import InstructionsPart
from imprint_client_plugins.json_entries import JsonPart, Member
from imprint_client_plugins.our_server import SERVER, permission_rules
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out

__all__ = ["describe_duties", "find_installation", "plan_connect", "plan_disconnect"]

_CLIENT = "claude-code"
_FOLDER_VARIABLE = "CLAUDE_CONFIG_DIR"
# Without a timeout of its own, SessionEnd is ended after a second and a half.
_TIMEOUTS = {"SessionStart": 10, "Stop": 10, "PreCompact": 10, "SessionEnd": 10, "UserPromptSubmit": 10}
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder or its program."""
    folder = moved_folder(home, _FOLDER_VARIABLE) or home.path / ".claude"
    return find_installed(_CLIENT, home, files, folder=folder, program="claude")


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its three files."""
    return plan_putting_in(_registrations(installation, programs, files), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them."""
    return plan_taking_out(_registrations(installation, _NOTHING, files), record, files)


def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """Nothing but to choose, where our plugin is installed too."""
    path = installation.folder / "settings.json"
    plugins = parse_json(files.read(path) or b"", str(path)).get(("enabledPlugins",))
    return tuple(find_double_registrations(plugins, installation.address, cost=TWO_SERVERS))


def _registrations(installation: Installation, programs: OurPrograms, files: ClientFiles) -> Sequence[Registration]:
    program, *arguments = programs.server
    server = {"type": "stdio", "command": program, "args": arguments}
    hooks = (
        grouped_hook(_CLIENT, event, programs.hook, system=installation.home.system, timeout=timeout)
        for event, timeout in _TIMEOUTS.items()
    )
    settings = JsonPart((*permission_rules(), *wanted_hooks(hooks, programs)))
    return (
        Registration(
            path=_state_file(installation, files),
            part=JsonPart((Member(("mcpServers", SERVER), server),)),
            purpose="register the MCP server",
        ),
        Registration(
            path=installation.folder / "settings.json", part=settings, purpose="call the hooks, allow the tools"
        ),
        Registration(
            path=installation.folder / "CLAUDE.md",
            part=InstructionsPart(programs.instructions),
            purpose="tell the model when to use Imprint",
        ),
    )


def _state_file(installation: Installation, files: ClientFiles) -> CanonicalPath:
    """Beside its folder, or in it when that was moved; an old installation keeps its old file."""
    home = installation.home
    folder = installation.folder if home.environ.get(_FOLDER_VARIABLE) else home.path
    path, old = folder / ".claude.json", installation.folder / ".config.json"
    return old if files.read(path) is None and files.read(old) else path

"""Connecting Cursor: the MCP server and the hooks of the user, each in a file of its own."""

from collections.abc import Sequence

from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.plugins.clients import ClientHome, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.cursor.hooks import EVENT_KINDS
from imprint_client_plugins.hook_commands import called_hook, shell_command
from imprint_client_plugins.json_entries import FormatVersion, JsonPart, Member
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out

__all__ = ["find_installation", "plan_connect", "plan_disconnect"]

_CLIENT = "cursor"
_SECONDS = 10
_VERSION = 1
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder, or one of its programs."""
    folder = home.path / ".cursor"
    program = files.find_program("cursor") or files.find_program("cursor-agent")
    if not files.is_folder(folder) and program is None:
        return None
    return Installation(client=_CLIENT, home=home, folder=folder, program=program)


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its two files."""
    return plan_putting_in(_registrations(installation, programs), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them."""
    return plan_taking_out(_registrations(installation, _NOTHING), record, files)


def _registrations(installation: Installation, programs: OurPrograms) -> Sequence[Registration]:
    program, *arguments = programs.server
    hooks = [
        called_hook(
            _CLIENT,
            event,
            {
                "command": shell_command((*programs.hook, _CLIENT, event), installation.home.system),
                "timeout": _SECONDS,
            },
            is_grouped=False,
        )
        for event in EVENT_KINDS
    ]
    return (
        Registration(
            path=installation.folder / "mcp.json",
            part=JsonPart((Member(("mcpServers", "imprint"), {"command": program, "args": arguments}),)),
            purpose="register the MCP server",
        ),
        Registration(
            path=installation.folder / "hooks.json",
            part=JsonPart((FormatVersion(("version",), _VERSION), *hooks)),
            purpose="call the hooks",
        ),
    )

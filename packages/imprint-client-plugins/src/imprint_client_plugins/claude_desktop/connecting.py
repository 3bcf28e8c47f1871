"""Connecting Claude Desktop: the MCP server in its configuration. It has no hooks and no file of instructions."""

from collections.abc import Sequence

from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.app_folders import app_data, local_app_data
from imprint_client_plugins.json_entries import JsonPart, Member
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out

__all__ = ["describe_duties", "find_installation", "plan_connect", "plan_disconnect"]

_APP = "Claude"
_CONFIG = "claude_desktop_config.json"
_SERVER = ("mcpServers", "imprint")
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder, which is there once it was started."""
    folder = next((folder for folder in _folders(home, files) if files.is_folder(folder)), None)
    return None if folder is None else Installation(client="claude-desktop", home=home, folder=folder)


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its configuration."""
    return plan_putting_in(_registrations(installation, programs), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of it."""
    return plan_taking_out(_registrations(installation, _NOTHING), record, files)


def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """The app reads its configuration when it starts; whether it did since, nothing tells."""
    if not plan_taking_out(_registrations(installation, _NOTHING), ConnectionRecord(), files):
        return ()
    return (ClientNote(text="quit Claude Desktop and start it again, so that it sees the server"),)


def _registrations(installation: Installation, programs: OurPrograms) -> Sequence[Registration]:
    program, *arguments = programs.server
    return (
        Registration(
            path=installation.folder / _CONFIG,
            part=JsonPart((Member(_SERVER, {"command": program, "args": arguments}),)),
            purpose="register the MCP server",
        ),
    )


def _folders(home: ClientHome, files: ClientFiles) -> Sequence[CanonicalPath]:
    """On Windows an app from an MSIX package sees a copy of its own, and no other."""
    plain = app_data(home) / _APP
    if home.system != "windows":
        return (plain,)
    packages = local_app_data(home) / "Packages"
    packed = [
        packages / name / "LocalCache" / "Roaming" / _APP
        for name in files.names(packages)
        if name.startswith(f"{_APP}_")
    ]
    return (*packed, plain)

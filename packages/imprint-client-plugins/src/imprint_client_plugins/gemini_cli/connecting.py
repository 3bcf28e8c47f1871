"""Connecting Gemini CLI: the MCP server, its hooks, the tools that need no question, and its instructions."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from imprint.domain.config_text.json_text import parse_json
from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.errors import ClientFileUnreadableError, InvalidClientFileError
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.double_registrations import note_double_registration
from imprint_client_plugins.gemini_cli.policies import PolicyPart
from imprint_client_plugins.installations import find_installed, moved_folder
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out
from imprint_client_plugins.settings_files import SettingsClient

__all__ = ["describe_duties", "find_installation", "plan_connect", "plan_disconnect"]

_HOME_VARIABLE = "GEMINI_CLI_HOME"
_EXTENSION = PurePosixPath("extensions", "imprint", "gemini-extension.json")
_TRUSTED = frozenset({"TRUST_FOLDER", "TRUST_PARENT"})
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")
_GEMINI = SettingsClient(
    name="gemini-cli",
    title="Gemini CLI",
    events=("SessionStart", "AfterAgent", "SessionEnd", "BeforeAgent"),
    rules=(),
    instructions="GEMINI.md",
    hooks_off=(("hooksConfig", "enabled"), False),
)


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder or its program."""
    folder = (moved_folder(home, _HOME_VARIABLE) or home.path) / ".gemini"
    return find_installed("gemini-cli", home, files, folder=folder, program="gemini")


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its three files."""
    return plan_putting_in(_registrations(installation, programs), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them."""
    return plan_taking_out(_registrations(installation, _NOTHING), record, files)


def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """It starts no MCP server in a folder that its user has not trusted, and without a terminal does not run there."""
    notes = _GEMINI.notes(installation, files)
    if files.read(installation.folder / _EXTENSION) is not None:
        notes += (note_double_registration("extension imprint", installation.address),)
    if _GEMINI.read_setting(installation, files, "security", "folderTrust", "enabled") is False:
        return notes
    if not _TRUSTED.isdisjoint(_trusted_folders(installation, files).values()):
        return notes
    trust = ClientNote(
        text="Gemini CLI starts Imprint only in folders that you trust: say so where it asks, or with 'gemini trust'",
        is_standing=True,
    )
    return (*notes, trust)


def _registrations(installation: Installation, programs: OurPrograms) -> tuple[Registration, ...]:
    rules = Registration(
        path=installation.folder / "policies" / "imprint.toml", part=PolicyPart(), purpose="allow the tools"
    )
    return (*_GEMINI.registrations(installation, programs), rules)


def _trusted_folders(installation: Installation, files: ClientFiles) -> Mapping[str, str]:
    path = installation.folder / "trustedFolders.json"
    try:
        folders = parse_json(files.read(path) or b"", str(path)).get(())
    except (InvalidClientFileError, ClientFileUnreadableError):
        return {}
    found = folders.items() if isinstance(folders, dict) else ()
    return {folder: trust for folder, trust in found if isinstance(trust, str)}

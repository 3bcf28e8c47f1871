"""Connecting Copilot Chat in VS Code, in every build that is there: the MCP server, its hooks, and its instructions."""

from collections.abc import Sequence

import attrs

from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.copilot_hook_files import register_hooks
from imprint_client_plugins.instruction_blocks import InstructionsPart
from imprint_client_plugins.json_entries import JsonPart, Member
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out
from imprint_client_plugins.vscode_copilot.user_folders import PROGRAMS, user_folders

__all__ = [
    "INSTRUCTIONS_NAME",
    "describe_duties",
    "find_installation",
    "found_folders",
    "plan_connect",
    "plan_disconnect",
]

INSTRUCTIONS_NAME = "imprint.instructions.md"
"""Our own file among the user's instructions."""

_CLIENT = "vscode-copilot"
_EVENTS = ("sessionStart", "agentStop", "preCompact", "userPromptSubmitted")
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")
_FOR_EVERYTHING = b'---\napplyTo: "**"\n---\n'
"""Instructions without this are shown to the model only where it asks for them."""


@attrs.frozen
class _InstructionsFile:
    """A file of instructions of its own: our block below the words that have it read in every session."""

    content: str

    def put_in(self, data: bytes, place: str) -> bytes:
        headed = data if data.strip() else _FOR_EVERYTHING
        return InstructionsPart(self.content).put_in(headed, place)

    def take_out(self, data: bytes, before: bytes | None, place: str) -> bytes:
        return InstructionsPart(self.content).take_out(data, before, place)

    def is_blank(self, data: bytes) -> bool:
        return data.strip() in (b"", _FOR_EVERYTHING.strip())


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Any build: its user's folder or its program. The first that is there stands for all of them."""
    folders = list(user_folders(home))
    programs = [files.find_program(name) for name in PROGRAMS]
    for folder, program in zip(folders, programs, strict=True):
        if files.is_folder(folder) or program is not None:
            return Installation(client=_CLIENT, home=home, folder=folder, program=program)
    return None


def found_folders(installation: Installation, files: ClientFiles) -> Sequence[CanonicalPath]:
    """The users' folders of all builds that are there; that of the installation even where it is not made yet."""
    others = [folder for folder in user_folders(installation.home) if files.is_folder(folder)]
    return list(dict.fromkeys([installation.folder, *others]))


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into the files of each build, and into the hooks that they share."""
    return plan_putting_in(_registrations(installation, programs, files), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them."""
    return plan_taking_out(_registrations(installation, _NOTHING, files), record, files)


def describe_duties() -> tuple[ClientNote, ...]:
    """Servers start when their user has said that they are trusted; and half of VS Code's sessions are another's."""
    return (
        ClientNote(text="VS Code asks whether you trust the server 'imprint' when it first starts it: say yes"),
        ClientNote(
            text="sessions of the harness 'Copilot' are run by Copilot CLI, and need copilot-cli to be connected too"
        ),
    )


def _registrations(installation: Installation, programs: OurPrograms, files: ClientFiles) -> Sequence[Registration]:
    program, *arguments = programs.server
    server = {"type": "stdio", "command": program, "args": arguments}
    shared = register_hooks(
        installation.home.path / ".copilot" / "hooks", _CLIENT, _EVENTS, programs, system=installation.home.system
    )
    registrations = []
    for folder in found_folders(installation, files):
        registrations += [
            Registration(
                path=folder / "mcp.json",
                part=JsonPart((Member(("servers", "imprint"), server),), comments=True),
                purpose="register the MCP server",
            ),
            Registration(
                path=folder / "prompts" / INSTRUCTIONS_NAME,
                part=_InstructionsFile(programs.instructions),
                purpose="tell the model when to use Imprint",
                is_own=True,
            ),
        ]
    return (*registrations, shared)

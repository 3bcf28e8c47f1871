"""Gemini CLI and what was made of it: one ``settings.json`` with the MCP server and the hooks, and permissions too.

Its comments stay. Hooks stand at user level, since a project's settings are read from the folder that a session starts
in alone, and only where that is trusted.
"""

from collections.abc import Sequence

import attrs

from imprint.domain.config_text.json_text import parse_json
from imprint.plugins.clients import ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.hook_commands import grouped_hook, wanted_hooks
from imprint_client_plugins.instruction_blocks import InstructionsPart
from imprint_client_plugins.json_entries import JsonEntry, JsonPart, Member
from imprint_client_plugins.our_server import SERVER
from imprint_client_plugins.registrations import Registration

__all__ = ["SETTINGS", "SettingsClient"]

SETTINGS = "settings.json"
# Gemini CLI counts milliseconds. What was made of it counts seconds now, and takes a thousand and more for the
# milliseconds that it counted before.
_TIMEOUT = 10_000


@attrs.frozen(kw_only=True)
class SettingsClient:
    """A client of this kind.

    Attributes:
        name: The plugin's name.
        title: What people call it.
        events: Its own names of the events that call our hook.
        rules: What allows the server's tools there; none: that stands elsewhere.
        instructions: The file of instructions that its model reads, where no setting names another.
        hooks_off: The setting that turns all hooks off, and its value then.
    """

    name: str
    title: str
    events: Sequence[str]
    rules: Sequence[JsonEntry]
    instructions: str
    hooks_off: tuple[tuple[str, ...], bool]

    def registrations(self, installation: Installation, programs: OurPrograms) -> tuple[Registration, ...]:
        """Its two files, and our part in each."""
        program, *arguments = programs.server
        hooks = (
            grouped_hook(self.name, event, programs.hook, system=installation.home.system, timeout=_TIMEOUT)
            for event in self.events
        )
        server = Member(("mcpServers", SERVER), {"command": program, "args": arguments})
        return (
            Registration(
                path=installation.folder / SETTINGS,
                part=JsonPart((server, *self.rules, *wanted_hooks(hooks, programs)), comments=True),
                purpose="register the MCP server, call the hooks",
            ),
            Registration(
                path=installation.folder / self.instructions,
                part=InstructionsPart(programs.instructions),
                purpose="tell the model when to use Imprint",
            ),
        )

    def read_setting(self, installation: Installation, files: ClientFiles, *path: str) -> object:
        """A setting of the user's; `None` where there is none.

        Raises:
            InvalidClientFileError: The file is not what the client would read.
        """
        place = installation.folder / SETTINGS
        return parse_json(files.read(place) or b"", str(place)).get(path)

    def notes(self, installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
        """What in the user's settings keeps our part from being used."""
        found = []
        path, off = self.hooks_off
        if self.read_setting(installation, files, *path) is off:
            found.append(
                f"{self.title} runs no hooks while {'.'.join(path)} is {str(off).lower()} in {SETTINGS}: its "
                "sessions are told nothing and not learned"
            )
        named = self.read_setting(installation, files, "context", "fileName")
        if named and self.instructions not in (named if isinstance(named, list) else [named]):
            found.append(
                f"{self.title} does not read {self.instructions} while context.fileName names other files in "
                f"{SETTINGS}: add {self.instructions} to them, so that its model knows when to use Imprint"
            )
        return tuple(ClientNote(text=text, is_standing=True) for text in found)

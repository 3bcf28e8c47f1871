"""Connecting opencode: the MCP server, a plugin of ours in place of hooks, and our instructions.

The instructions are a file of their own that the configuration names: an ``AGENTS.md`` made for them would keep
opencode from reading the user's ``~/.claude/CLAUDE.md``, which it does where there is no ``AGENTS.md``.
"""

import json
from collections.abc import Sequence
from importlib.resources import files as files_of

from imprint.domain.paths import parse_path
from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.json_entries import JsonPart, ListedWord, Member
from imprint_client_plugins.own_files import OwnFile
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out

__all__ = ["data_folder", "find_installation", "plan_connect", "plan_disconnect"]

_CLIENT = "opencode"
_SERVER = "imprint"
# Each is read, the later ones over the earlier; its own commands write to the last that is there.
_CONFIGS = ("opencode.json", "opencode.jsonc")
_INSTRUCTIONS = "imprint.md"
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folders or its program: a fresh program has no folder, and an app brings no program."""
    folder = _base(home, "XDG_CONFIG_HOME", ".config") / "opencode"
    program = files.find_program("opencode")
    if program is None and not files.is_folder(folder) and not files.is_folder(data_folder(home)):
        return None
    return Installation(client=_CLIENT, home=home, folder=folder, program=program)


def data_folder(home: ClientHome) -> CanonicalPath:
    """Where it keeps its database, on every system."""
    return _base(home, "XDG_DATA_HOME", ".local", "share") / "opencode"


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its three files."""
    present = [name for name in _CONFIGS if files.read(installation.folder / name) is not None]
    config = present[-1] if present else _CONFIGS[0]
    return plan_putting_in(_registrations(installation, programs, (config,)), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them, whichever of its files it was put into."""
    return plan_taking_out(_registrations(installation, _NOTHING, _CONFIGS), record, files)


def _base(home: ClientHome, variable: str, *usual: str) -> CanonicalPath:
    moved = home.environ.get(variable)
    return parse_path(moved) if moved else home.path.joinpath(*usual)


def _registrations(installation: Installation, programs: OurPrograms, configs: Sequence[str]) -> Sequence[Registration]:
    folder = installation.folder
    server = {"type": "local", "command": list(programs.server), "enabled": True}
    entries = (
        Member(("mcp", _SERVER), server),
        ListedWord(("instructions",), str(folder / _INSTRUCTIONS)),
    )
    source = files_of(__package__).joinpath("plugin.js").read_text("utf-8")
    plugin = source.replace("@HOOK@", json.dumps(programs.hook)).replace("@RECALLS@", json.dumps(programs.recalls))
    return (
        *(
            Registration(path=folder / config, part=JsonPart(entries, comments=True), purpose="register the MCP server")
            for config in configs
        ),
        Registration(
            path=folder / "plugin" / "imprint.js",
            part=OwnFile(content=plugin, comment="//"),
            purpose="call the hooks",
        ),
        Registration(
            path=folder / _INSTRUCTIONS,
            part=OwnFile(content=programs.instructions, comment="<!--", comment_end=" -->"),
            purpose="tell the model when to use Imprint",
        ),
    )

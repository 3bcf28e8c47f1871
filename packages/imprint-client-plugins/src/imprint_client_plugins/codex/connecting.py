"""Connecting Codex: the MCP server, its hooks, and its instructions, for all of its faces at once."""

from collections.abc import Mapping, Sequence

import attrs

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK
from imprint.domain.config_text.json_text import JsonPath, parse_json
from imprint.domain.config_text.toml_text import TomlValue, find_table, put_table, take_table
from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.codex.hook_trust import are_trusted, without_groups
from imprint_client_plugins.double_registrations import TWO_SERVERS, find_double_registrations
from imprint_client_plugins.hook_commands import grouped_hook
from imprint_client_plugins.installations import find_installed, moved_folder
from imprint_client_plugins.instruction_blocks import InstructionsPart
from imprint_client_plugins.json_entries import Hook, JsonPart
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out

__all__ = ["describe_duties", "find_installation", "plan_connect", "plan_disconnect"]

_CLIENT = "codex"
_FOLDER_VARIABLE = "CODEX_HOME"
_CONFIG = "config.toml"
_HOOKS = "hooks.json"
_TABLE = ("mcp_servers", "imprint")
# Servers get six variables and those that their table names. Without these the server would use another data folder
# than the command line does wherever one of them moves it.
_PASSED_ON = ("IMPRINT_WORKSPACE", "IMPRINT_DATA_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
# Whoever trusted a hook trusted this command with this timeout: a change of either has it skipped until it is trusted
# anew. More than three seconds are not given to SessionEnd. What a subagent says has a transcript of its own, which
# nothing in the session's name leads to.
_TIMEOUTS = {"SessionStart": 10, "Stop": 10, "SubagentStop": 10, "PreCompact": 10, "SessionEnd": 3}
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")


@attrs.frozen
class _ServerPart:
    """Our table in ``config.toml``."""

    values: Mapping[str, TomlValue]

    def put_in(self, data: bytes, place: str) -> bytes:
        return put_table(data, _TABLE, self.values, place)

    def take_out(self, data: bytes, before: bytes | None, place: str) -> bytes:
        left = take_table(data, _TABLE, place)
        earlier = find_table(before, _TABLE, place) if before is not None else None
        if not isinstance(earlier, dict) or not _is_plain(earlier):
            return left
        values = {key: tuple(value) if isinstance(value, list) else value for key, value in earlier.items()}
        return put_table(left, _TABLE, values, place)

    def is_blank(self, data: bytes) -> bool:
        return not data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK).strip()


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder or its program."""
    folder = moved_folder(home, _FOLDER_VARIABLE) or home.path / ".codex"
    return find_installed(_CLIENT, home, files, folder=folder, program="codex")


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its three files."""
    return plan_putting_in(_registrations(installation, programs), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them, and of what Codex keeps about trusted hooks."""
    edits = plan_taking_out(_registrations(installation, _NOTHING), record, files)
    config, hooks = installation.folder / _CONFIG, installation.folder / _HOOKS
    if all(edit.path != hooks for edit in edits):
        return edits
    present = files.read(config)
    planned = next((edit for edit in edits if edit.path == config), None)
    left = planned.after if planned is not None else present
    if left is None or present is None:
        return edits
    groups = {event: [int(place[2]) for place in places] for event, places in _our_hooks(installation, files).items()}
    after = without_groups(left, str(hooks), groups, str(config))
    edit = FileEdit(path=config, before=present, after=after, purpose="take Imprint out")
    return tuple(one for one in edits if one is not planned) + ((edit,) if after != present else ())


def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """Hooks are skipped, without a word, until their user has said in Codex that they are trusted."""
    path = installation.folder / _CONFIG
    plugins = find_table(files.read(path) or b"", ("plugins",), str(path))
    doubles = tuple(find_double_registrations(plugins, installation.address, cost=TWO_SERVERS))
    if _are_trusted(installation, files):
        return doubles
    return (
        *doubles,
        ClientNote(
            text="Codex skips new hooks until you trust them: start 'codex' in a terminal and choose 'Review' or "
            "'Trust all' where it says 'Hooks need review'; until then sessions neither learn nor are reminded",
            is_standing=True,
        ),
    )


def _registrations(installation: Installation, programs: OurPrograms) -> Sequence[Registration]:
    program, *arguments = programs.server
    values: dict[str, TomlValue] = {
        "command": program,
        "args": tuple(arguments),
        "env_vars": (*_PASSED_ON, *installation.home.variables),
    }
    hooks = JsonPart(tuple(_hook_groups(installation.home.system, programs.hook).values()))
    return (
        Registration(path=installation.folder / _CONFIG, part=_ServerPart(values), purpose="register the MCP server"),
        Registration(path=installation.folder / _HOOKS, part=hooks, purpose="call the hooks"),
        Registration(
            path=installation.folder / "AGENTS.md",
            part=InstructionsPart(programs.instructions),
            purpose="tell the model when to use Imprint",
        ),
    )


def _is_plain(table: Mapping[str, object]) -> bool:
    """Whether a table holds nothing but text and lists of text."""
    return all(
        isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))
        for value in table.values()
    )


def _hook_groups(system: str, command: Sequence[str]) -> Mapping[str, Hook]:
    return {
        event: grouped_hook(_CLIENT, event, command, system=system, timeout=timeout)
        for event, timeout in _TIMEOUTS.items()
    }


def _our_hooks(installation: Installation, files: ClientFiles) -> Mapping[str, list[JsonPath]]:
    """By event, where our hooks stand in their file."""
    path = installation.folder / _HOOKS
    document = parse_json(files.read(path) or b"", str(path), comments=False)
    groups = _hook_groups(installation.home.system, _NOTHING.hook)
    return {event: group.places(document) for event, group in groups.items()}


def _are_trusted(installation: Installation, files: ClientFiles) -> bool:
    config = installation.folder / _CONFIG
    hooks = _our_hooks(installation, files)
    return are_trusted(files.read(config) or b"", str(installation.folder / _HOOKS), hooks, str(config))

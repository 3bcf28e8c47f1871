"""Connecting Codex: the MCP server, its hooks, and its instructions, for all of its faces at once."""

from collections.abc import Mapping, Sequence

import attrs

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK
from imprint.domain.config_text.json_text import JsonPath, JsonText, parse_json
from imprint.domain.config_text.toml_text import TomlValue, find_table, put_table, take_table
from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.codex.hook_trust import are_trusted, without_hooks
from imprint_client_plugins.double_registrations import TWO_SERVERS, find_double_registrations
from imprint_client_plugins.hook_commands import grouped_hook, wanted_hooks
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
_TIMEOUTS = {
    "SessionStart": 10,
    "Stop": 10,
    "SubagentStop": 10,
    "PreCompact": 10,
    "SessionEnd": 3,
    "UserPromptSubmit": 10,
}
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
    """What is still to be put into its three files; a hook that is not wanted any more goes with what is kept of it."""
    return _without_trust(plan_putting_in(_registrations(installation, programs), files), installation, files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them, and of what Codex keeps about trusted hooks."""
    return _without_trust(plan_taking_out(_registrations(installation, _NOTHING), record, files), installation, files)


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
            "'Trust all' where it says 'Hooks need review'; until then its sessions are told nothing and not learned",
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
    hooks = JsonPart(wanted_hooks(_hooks(installation.home.system, programs.hook), programs))
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


def _hooks(system: str, command: Sequence[str]) -> tuple[Hook, ...]:
    return tuple(
        grouped_hook(_CLIENT, event, command, system=system, timeout=timeout) for event, timeout in _TIMEOUTS.items()
    )


def _find_ours(data: bytes | None, place: str) -> Mapping[str, list[JsonPath]]:
    """By event, where our hooks stand in their file."""
    return _places(parse_json(data or b"", place, comments=False))


def _places(document: JsonText) -> Mapping[str, list[JsonPath]]:
    return {hook.event: hook.places(document) for hook in _hooks("", _NOTHING.hook)}


def _are_trusted(installation: Installation, files: ClientFiles) -> bool:
    config, hooks = installation.folder / _CONFIG, installation.folder / _HOOKS
    ours = _find_ours(files.read(hooks), str(hooks))
    return are_trusted(files.read(config) or b"", str(hooks), ours, str(config))


def _without_trust(edits: tuple[FileEdit, ...], installation: Installation, files: ClientFiles) -> tuple[FileEdit, ...]:
    """The edits, and what they leave of what Codex keeps about the hooks that they take out."""
    config, hooks = installation.folder / _CONFIG, installation.folder / _HOOKS
    changed = {edit.path: edit for edit in edits}
    present = files.read(config)
    left = changed[config].after if config in changed else present
    if hooks not in changed or left is None or present is None:
        return edits
    before = parse_json(changed[hooks].before or b"", str(hooks), comments=False)
    ours, kept = _places(before), _find_ours(changed[hooks].after, str(hooks))
    gone = {event: places[len(kept[event]) :] for event, places in ours.items()}
    after = without_hooks(left, str(hooks), gone, before, str(config))
    if after == left:
        return edits
    purpose = changed.get(config, changed[hooks]).purpose
    others = tuple(edit for edit in edits if edit.path != config)
    edit = FileEdit(path=config, before=present, after=after, purpose=purpose)
    return (*others, edit) if after != present else others

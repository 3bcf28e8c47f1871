"""Connecting Cline: the MCP server with each of its faces, files that it runs as hooks, and our instructions.

A hook is a file that is named by its event, and every file of an event is run: ``TaskComplete`` and ``TaskComplete.sh``
beside each other. So ours takes a name that is free, and a hook of somebody else's keeps its own.
"""

from collections.abc import Iterator, Sequence

from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.cline.hooks import EVENT_KINDS, render_context
from imprint_client_plugins.cline.places import Places, find_places
from imprint_client_plugins.hook_commands import shell_command
from imprint_client_plugins.json_entries import JsonPart, Member
from imprint_client_plugins.own_files import OwnFile, choose_place, is_free
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out

__all__ = ["RULES", "describe_duties", "find_installation", "plan_connect", "plan_disconnect"]

RULES = "imprint.md"
_CLIENT = "cline"
_SERVER = "imprint"
_SUFFIXES = (".sh", ".bash", ".zsh")
_WINDOWS_SUFFIXES = (".ps1",)
_EXECUTABLE = 0o700
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its command line or its extension."""
    places = find_places(home, files)
    if not places.is_command_line and not places.extensions:
        return None
    return Installation(client=_CLIENT, home=home, folder=places.folder, program=places.program)


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its files."""
    places = find_places(installation.home, files)
    home = installation.home
    hooks = [choose_place(list(_hooks(home, places, event, programs)), files) for event in EVENT_KINDS]
    own, shared = _rules(places, programs)
    rules = shared if places.extensions else own
    return plan_putting_in((*_servers(places, programs), *hooks, rules), files)


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them, wherever it was put."""
    places = find_places(installation.home, files)
    hooks = [hook for event in EVENT_KINDS for hook in _hooks(installation.home, places, event, _NOTHING)]
    registrations = (*_servers(places, _NOTHING), *hooks, *_rules(places, _NOTHING))
    return plan_taking_out(registrations, record, files)


def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """Where the extension's only place for a hook is taken by another."""
    places = find_places(installation.home, files)
    hooks = {event: _extension_hook(installation.home, places, event, _NOTHING) for event in EVENT_KINDS}
    taken = [event for event, hook in hooks.items() if not is_free(hook, files)]
    if not taken or not places.extensions:
        return ()
    return (
        ClientNote(
            text=f"the Cline extension runs your own {' and '.join(taken)} in {places.documents / 'Hooks'}, where it "
            "takes one hook an event: its tasks are learned by 'imprint learn' alone"
        ),
    )


def _servers(places: Places, programs: OurPrograms) -> Iterator[Registration]:
    program, *arguments = programs.server
    server = {"type": "stdio", "command": program, "args": arguments}
    for path in places.every_settings:
        part = JsonPart((Member(("mcpServers", _SERVER), server),))
        yield Registration(path=path, part=part, purpose="register the MCP server")


def _hooks(home: ClientHome, places: Places, event: str, programs: OurPrograms) -> Iterator[Registration]:
    """The places that a hook of ours can have, the best first: one that both faces run, then the command line's."""
    if places.extensions:
        yield _extension_hook(home, places, event, programs)
    for suffix in _WINDOWS_SUFFIXES if home.system == "windows" else _SUFFIXES:
        yield _hook(home, places.folder / "hooks" / f"{event}{suffix}", event, programs)


def _extension_hook(home: ClientHome, places: Places, event: str, programs: OurPrograms) -> Registration:
    suffix = ".ps1" if home.system == "windows" else ""
    return _hook(home, places.documents / "Hooks" / f"{event}{suffix}", event, programs)


def _hook(home: ClientHome, path: CanonicalPath, event: str, programs: OurPrograms) -> Registration:
    words = (*programs.hook, _CLIENT, event)
    nothing = render_context("").stdout
    if home.system == "windows":
        content = f"$input | & {' '.join(_quoted(words))}"
        head = ""
    else:
        content = f"{shell_command(words, home.system)} 2>/dev/null || echo '{nothing}'"
        head = "#!/bin/sh\n"
    return Registration(
        path=path, part=OwnFile(content=content, comment="#", head=head), purpose="call the hooks", mode=_EXECUTABLE
    )


def _quoted(words: Sequence[str]) -> Iterator[str]:
    """Words as PowerShell reads them."""
    return ("'" + word.replace("'", "''") + "'" for word in words)


def _rules(places: Places, programs: OurPrograms) -> tuple[Registration, Registration]:
    """The command line's own place, and the one that both faces read."""
    part = OwnFile(content=programs.instructions, comment="<!--", comment_end=" -->")
    purpose = "tell the model when to use Imprint"
    return (
        Registration(path=places.folder / "rules" / RULES, part=part, purpose=purpose),
        Registration(path=places.documents / "Rules" / RULES, part=part, purpose=purpose),
    )

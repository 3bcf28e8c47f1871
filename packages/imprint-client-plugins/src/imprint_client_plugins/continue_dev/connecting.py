"""Connecting Continue: the MCP server, and our instructions as a rule of the user's.

Both its faces read the servers of ``config.yaml``. Where there is none, one that we made would be read instead of the
user's old ``config.json`` or of what the command line has by default; so ours is then a file of its own, in a folder
that the extension reads and the command line (1.5.47) does not.
"""

from collections.abc import Iterator

from imprint.domain.plans import ConnectionRecord, FileEdit
from imprint.plugins.clients import ClientDocument, ClientHome, ClientNote, Installation, OurPrograms
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.installations import find_installed, moved_folder
from imprint_client_plugins.own_files import OwnFile
from imprint_client_plugins.registrations import Registration, plan_putting_in, plan_taking_out
from imprint_client_plugins.yaml_entries import YamlItem

__all__ = ["describe_duties", "find_installation", "find_rules", "plan_connect", "plan_disconnect"]

_CLIENT = "continue"
_FOLDER_VARIABLE = "CONTINUE_GLOBAL_DIR"
_SERVER = "imprint"
_CONFIG = "config.yaml"
_RULES = "imprint.md"
_SERVERS = "mcpServers"
_NOTHING = OurPrograms(server=("",), hook=("",), instructions="")


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder or its command line."""
    folder = moved_folder(home, _FOLDER_VARIABLE) or home.path / ".continue"
    return find_installed(_CLIENT, home, files, folder=folder, program="cn")


def plan_connect(installation: Installation, programs: OurPrograms, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is still to be put into its files, and taken out of the one that is not needed any more."""
    config, own, rules = _registrations(installation, programs)
    if files.read(config.path) is None:
        return plan_putting_in((own, rules), files)
    return (*plan_putting_in((config, rules), files), *plan_taking_out((own,), ConnectionRecord(), files))


def plan_disconnect(installation: Installation, record: ConnectionRecord, files: ClientFiles) -> tuple[FileEdit, ...]:
    """What is to be taken out of them, wherever it was put."""
    return plan_taking_out(_registrations(installation, _NOTHING), record, files)


def describe_duties(installation: Installation, files: ClientFiles) -> tuple[ClientNote, ...]:
    """Where the command line cannot know of us."""
    if files.read(installation.folder / _CONFIG) is not None:
        return ()
    return (
        ClientNote(
            text=f"there is no {_CONFIG}, so the editor's extension alone knows of Imprint; "
            "run this again once there is one"
        ),
    )


def find_rules(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """The rules of the user, but for ours."""
    folder = installation.folder / "rules"
    for name in files.names(folder):
        if name.endswith(".md") and name != _RULES:
            yield ClientDocument(path=folder / name)


def _registrations(
    installation: Installation, programs: OurPrograms
) -> tuple[Registration, Registration, Registration]:
    folder = installation.folder
    program, *arguments = programs.server
    item = YamlItem(
        key=_SERVERS,
        name=_SERVER,
        values={"name": _SERVER, "type": "stdio", "command": program, "args": arguments},
    )
    block = item.put_in(b'name: Imprint\nversion: "1"\nschema: v1\n', _SERVERS).decode()
    purpose = "register the MCP server"
    return (
        Registration(path=folder / _CONFIG, part=item, purpose=purpose),
        Registration(
            path=folder / _SERVERS / "imprint.yaml", part=OwnFile(content=block, comment="#"), purpose=purpose
        ),
        Registration(
            path=folder / "rules" / _RULES,
            part=OwnFile(content=programs.instructions, comment="<!--", comment_end=" -->"),
            purpose="tell the model when to use Imprint",
        ),
    )

"""What to say where a client has installed Imprint as its own plugin, and is to be connected besides."""

from collections.abc import Iterator, Mapping

from imprint.plugins.clients import ClientNote

__all__ = ["TWO_SERVERS", "find_double_registrations", "note_double_registration"]

_OURS = "imprint@"
_TWO_CALLS = "every hook is called twice"
TWO_SERVERS = "the tools are offered twice"
"""Where a client starts the plugin's server beside the connected one; elsewhere servers of one name are one."""


def find_double_registrations(plugins: object, client: str, *, cost: str = _TWO_CALLS) -> Iterator[ClientNote]:
    """One note for each of our plugins that is switched on.

    Args:
        plugins: What the client's configuration has by plugin: whether it is on, or a table with ``enabled``.
        cost: What it comes to that both are there.
    """
    for name, state in plugins.items() if isinstance(plugins, Mapping) else ():
        is_on = state.get("enabled", True) if isinstance(state, Mapping) else state
        if isinstance(name, str) and name.startswith(_OURS) and is_on is True:
            yield note_double_registration(f"plugin {name}", client, cost)


def note_double_registration(plugin: str, client: str, cost: str = _TWO_CALLS) -> ClientNote:
    """What to say of one: what it is, and what it comes to that both are there."""
    return ClientNote(
        text=f"the {plugin} is installed besides; nothing is learned twice, but {cost}: remove it, or run "
        f"'imprint clients disconnect {client}'",
        is_standing=True,
        unconnected=f"the {plugin} brings server and hooks, so that it need not be connected",
    )

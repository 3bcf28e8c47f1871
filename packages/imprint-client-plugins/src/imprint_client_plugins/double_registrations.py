"""What to say where a client has installed Imprint as its own plugin, and is to be connected besides."""

from collections.abc import Iterator, Mapping

from imprint.plugins.clients import ClientNote

__all__ = ["find_double_registrations"]

_OURS = "imprint@"


def find_double_registrations(plugins: object, client: str) -> Iterator[ClientNote]:
    """One note for each of our plugins that is switched on.

    Args:
        plugins: What the client's configuration has by plugin: whether it is on, or a table with ``enabled``.
    """
    for name, state in plugins.items() if isinstance(plugins, Mapping) else ():
        is_on = state.get("enabled", True) if isinstance(state, Mapping) else state
        if isinstance(name, str) and name.startswith(_OURS) and is_on is True:
            yield ClientNote(
                text=f"the plugin {name} brings the same server and hooks; nothing is learned twice, but the tools are "
                f"offered twice: remove the plugin, or run 'imprint clients disconnect {client}'"
            )

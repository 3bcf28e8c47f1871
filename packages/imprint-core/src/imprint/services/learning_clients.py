"""The clients that a run learns from, in every home that is in use."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from imprint.domain.paths import contains
from imprint.errors import ClientNotFoundError, ImprintError
from imprint.plugins.clients import Installation
from imprint.plugins.handles import PluginHandle
from imprint.plugins.registry import PluginRegistry
from imprint.services.homes import Homes, ReachedHome
from imprint.services.installations import ClientInHome
from imprint.services.learning_reports import LearnTally

__all__ = ["FoundClient", "find_clients"]

_GROUP = "clients"


class FoundClient(NamedTuple):
    """A client, where it is installed, and how its home is reached."""

    handle: PluginHandle
    installation: Installation
    home: ReachedHome


def find_clients(
    plugins: PluginRegistry, homes: Homes, tally: LearnTally, *, names: Sequence[str], paths: Sequence[Path]
) -> Iterator[FoundClient]:
    """Those that are there; what is wrong with one that was not named is listed.

    Args:
        names: Of clients; none: all.
        paths: Transcripts; where any are named, only homes that may have them are looked into.

    Raises:
        UnknownPluginError: No plugin knows a client of this name.
        ClientNotFoundError: A client that was named is not there.
    """
    handles = [plugins.load(_GROUP, name) for name in names] if names else plugins.handles(_GROUP)
    missing = {handle.reference.name: handle for handle in handles} if names else {}
    for home in _find_homes(homes, paths):
        for handle in handles:
            client = ClientInHome(handle=handle, home=home)
            try:
                installation = client.find()
            except ImprintError as error:
                if names and home.bridge is None:
                    raise
                tally.fail(client.address, error)
                continue
            if installation is not None:
                missing.pop(handle.reference.name, None)
                yield FoundClient(handle, installation, home)
    for handle in missing.values():
        raise ClientNotFoundError(handle.call("describe_client").title)


def _find_homes(homes: Homes, paths: Sequence[Path]) -> Iterator[ReachedHome]:
    """Those whose clients may have the transcripts; others are not looked for, which would cost something."""
    own = homes.here()
    yield own
    wanted = [type(own.home.path)(path) for path in paths]
    if wanted and all(contains(own.home.path, path) for path in wanted):
        return
    for home in homes.others():
        if not wanted or any(contains(home.home.path, path) for path in wanted):
            yield home

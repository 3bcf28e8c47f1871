"""Windows' subsystem for Linux: clients in its distributions for an Imprint on Windows, and the reverse."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl

if TYPE_CHECKING:
    from imprint.domain.sources import CanonicalPath
    from imprint.plugins.clients import ClientHome
    from imprint.plugins.homes import HomeInfo
    from imprint.protocols.homes import HomeHost


@hookimpl
def describe_home() -> "HomeInfo":
    from imprint.plugins.homes import HomeInfo

    return HomeInfo(name="wsl", summary="Windows and its Linux distributions, each from the other")


@hookimpl
def find_homes(host: "HomeHost") -> "Iterator[ClientHome]":
    from imprint_client_plugins.wsl.homes import find_homes

    return find_homes(host)


@hookimpl
def find_home_around(place: "CanonicalPath", host: "HomeHost") -> "ClientHome | None":
    from imprint_client_plugins.wsl.homes import find_home_around

    return find_home_around(place, host)


@hookimpl
def translate_path(path: "CanonicalPath", source: "ClientHome", target: "ClientHome") -> "CanonicalPath | None":
    from imprint_client_plugins.wsl.places import translate

    return translate(path, source, target)


@hookimpl
def wrap_command(command: tuple[str, ...], source: "ClientHome", target: "ClientHome") -> tuple[str, ...] | None:
    from imprint_client_plugins.wsl.commands import wrap_command

    return wrap_command(command, source, target)

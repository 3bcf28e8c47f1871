"""A plugin of homes that keeps every promise: a folder ``box`` in the user's home is another system; mutants change one
thing in it.
"""

from pathlib import PurePosixPath

from imprint.plugins import hookimpl


@hookimpl
def describe_home():
    from imprint.plugins import HomeInfo

    return HomeInfo(name="sound", summary="Keeps every promise")


@hookimpl
def find_homes(host):
    return iter([box_of(host)] if has_box(host) else [])


@hookimpl
def find_home_around(place, host):
    return box_of(host) if has_box(host) and place.is_relative_to(root_of(host)) else None


@hookimpl
def translate_path(path, source, target):
    if not is_plain(path):
        return None
    if source == target:
        return path
    inner, outer = source.traits.get("root"), target.traits.get("root")
    if inner:
        return PurePosixPath(inner, *path.parts[1:]) if not target.name else None
    if not outer or source.name or not path.is_relative_to(outer):
        return None
    return PurePosixPath("/", path.relative_to(outer))


@hookimpl
def wrap_command(command, source, target):
    if source == target:
        return command
    return ("run-outside", *command) if target.traits.get("root") and not source.name else None


def has_box(host):
    return host.system == "linux" and host.files.is_folder(root_of(host))


def root_of(host):
    return host.home.parent.parent / "boxes" / "box"


def box_of(host):
    from imprint.plugins import ClientHome

    root = root_of(host)
    return ClientHome(path=root / "home", system="linux", name="box", traits={"root": str(root)})


def is_plain(path):
    from imprint.domain.paths import parse_path
    from imprint.errors import InvalidPathError

    try:
        return isinstance(path, PurePosixPath) and parse_path(str(path)) == path
    except InvalidPathError:
        return False

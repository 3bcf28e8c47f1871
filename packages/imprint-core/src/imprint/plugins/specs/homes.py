"""Group ``imprint.homes``: homes of other systems on this machine, whose clients Imprint serves across the border.

Windows and the distributions of its Linux subsystem are such systems: each reaches the other's files by paths of its
own, and starts the other's programs by a command of its own.
"""

from collections.abc import Iterator

from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome
from imprint.plugins.homes import HomeInfo
from imprint.plugins.specs import hookspec
from imprint.protocols.homes import HomeHost

__all__ = ["describe_home", "find_home_around", "find_homes", "translate_path", "wrap_command"]


@hookspec(firstresult=True)
def describe_home() -> HomeInfo:
    """Say whose homes this plugin finds. Pure, and without heavy imports: listing plugins calls it.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def find_homes(host: HomeHost) -> Iterator[ClientHome]:
    """Find the homes of other systems that are in use now, in an order that stays; none on a machine without any.

    Nothing is started for it that is not running: no other system, and no program inside one. What is found there is
    data; a home that cannot be told for certain is left out.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def find_home_around(place: CanonicalPath, host: HomeHost) -> ClientHome | None:
    """The home on the system that a place belongs to; `None` for places of this system. Nothing is run.

    Args:
        place: As this process reaches it. It may lie beside the home, or above it.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def translate_path(path: CanonicalPath, source: ClientHome, target: ClientHome) -> CanonicalPath | None:
    """The path by which programs of one home's system reach what those of another call ``path``. Pure.

    Args:
        source: One of this plugin's homes or this system's own, like ``target``.

    Returns:
        `None` where there is none, or none that is certain; also for homes that this plugin does not know.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def wrap_command(command: tuple[str, ...], source: ClientHome, target: ClientHome) -> tuple[str, ...] | None:
    """The words by which clients of one home start a program of another home's system. Pure.

    What starts hands the program the client's working directory, as its own system calls it, and the client's home
    in ``IMPRINT_WSL_HOME``. The words stay the same as long as the program stays where it is.

    Args:
        command: The program's absolute path, and its arguments; they end the result as they are.
        source: Where the program lies.
        target: Whose clients start it.

    Returns:
        `None` where it cannot be started from there.

    .. versionadded:: 0.1
    """

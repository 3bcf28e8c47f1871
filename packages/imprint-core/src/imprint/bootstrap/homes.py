"""The homes of this machine, composed; and what a client across the border calls things, in this system's words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from imprint.adapters.client_files import RealClientFiles
from imprint.adapters.home_hosts import RealHomeHost, system_name
from imprint.adapters.project_folders import BRIDGED_HOME_VARIABLE, find_homes
from imprint.domain.hook_events import HookEvent, HookEventKind
from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidPathError, NoHomeError
from imprint.plugins.clients import ClientHome
from imprint.services.homes import Homes

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application
    from imprint.plugins.registry import PluginRegistry

__all__ = ["find_homes_around", "localize_event", "open_homes"]


def open_homes(environ: Mapping[str, str], plugins: "PluginRegistry") -> Homes:
    """Compose them; nothing is looked for yet.

    Raises:
        NoHomeError: The user has no home folder.
    """
    homes = find_homes(environ)
    if not homes:
        raise NoHomeError(option="the variable HOME")
    own = ClientHome(path=homes[0], system=system_name(), environ=environ)
    search_path = environ.get("PATH", "")
    return Homes(
        own=own,
        plugins=plugins,
        host=RealHomeHost(home=own.path, environ=environ),
        open_files=lambda home: RealClientFiles("" if home.name else search_path),
    )


def find_homes_around(place: CanonicalPath, application: "Application") -> tuple[CanonicalPath, ...]:
    """The home of the other system that a place belongs to."""
    try:
        reached = application.homes.around(place)
    except NoHomeError:
        return ()
    return (reached.home.path,) if reached is not None else ()


def localize_event(event: HookEvent, environ: Mapping[str, str]) -> HookEvent:
    """What a client across the border told its hook, with its paths as this process reaches them.

    A directory that cannot be told for certain is as if the client had not given it. Where a transcript cannot, nothing
    is to be done: without one, another conversation of the client might be meant.
    """
    from imprint.bootstrap.application import open_application

    try:
        place = parse_path(environ.get(BRIDGED_HOME_VARIABLE, ""))
    except InvalidPathError:
        return event
    with open_application(environ=environ) as application:
        reached = application.homes.around(place)
    if reached is None:
        return event
    transcript = reached.localize(event.transcript)
    if event.transcript and not transcript and event.kind is not HookEventKind.SESSION_START:
        return HookEvent(HookEventKind.OTHER)
    return event._replace(cwd=reached.localize(event.cwd), transcript=transcript)

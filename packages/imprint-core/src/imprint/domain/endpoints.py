"""Endpoints: the address of a program that answers over HTTP, and whether it is on this machine."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

import attrs

from imprint.errors import InvalidEndpointError

__all__ = ["Endpoint", "parse_endpoint"]

_SETTING = "language_model.url"
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*|[0-9A-Fa-f:.]+")
_PORTS = {"http": 80, "https": 443}


@attrs.frozen(kw_only=True)
class Endpoint:
    """Whom to ask, taken apart once, so that nobody else reads the address in another way.

    Attributes:
        path: What every request's path begins with; without a slash at its end.
    """

    is_secure: bool
    host: str
    port: int
    path: str

    @property
    def is_local(self) -> bool:
        """Whether it is this machine by its address alone; a name that only leads there does not count."""
        try:
            return self.host.lower() == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False


def parse_endpoint(url: str) -> Endpoint:
    """Take an address apart.

    Raises:
        InvalidEndpointError: It is none over HTTP, or says more than where to ask (a user, a query, a fragment).
    """
    if not url:
        raise InvalidEndpointError(_SETTING, "it is empty")
    if not (url.isascii() and url.isprintable()) or " " in url or "\\" in url:
        raise InvalidEndpointError(_SETTING, "it has letters that no address has")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidEndpointError(_SETTING, "it is no address") from None
    if parts.scheme not in _PORTS:
        raise InvalidEndpointError(_SETTING, "it begins neither with http:// nor with https://")
    if "@" in parts.netloc or "?" in url or "#" in url:
        raise InvalidEndpointError(_SETTING, "it says more than where to ask")
    if not _HOST.fullmatch(parts.hostname or ""):
        raise InvalidEndpointError(_SETTING, "it names no machine")
    return Endpoint(
        is_secure=parts.scheme == "https",
        host=parts.hostname or "",
        port=_PORTS[parts.scheme] if port is None else port,
        path=parts.path.rstrip("/"),
    )

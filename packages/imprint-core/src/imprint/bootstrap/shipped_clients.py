"""A client's plugin that we ship, for programs that have no time to ask the registry."""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

from imprint.adapters.quick_places import find_config_path

__all__ = ["import_shipped_client", "read_configuration"]

_BLOCKING_SETTING = "blocked"
_BLOCKING_VARIABLE = "IMPRINT_PLUGINS_BLOCK"


def import_shipped_client(client: str, environ: Mapping[str, str]) -> ModuleType | None:
    """Import the plugin of a name; `None` where the registry has to be asked: it is none of ours, or may be blocked."""
    if not client.replace("-", "").isalnum() or _may_be_blocked(client, environ):
        return None
    name = f"imprint_client_plugins.{client.replace('-', '_')}"
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in (name, name.partition(".")[0]):
            raise
        return None
    return module if hasattr(module, "describe_client") else None


def read_configuration(environ: Mapping[str, str]) -> str:
    """The configuration as it is written: most users have none, and reading it properly would take too long."""
    try:
        with open(find_config_path(environ), encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return ""


def _may_be_blocked(client: str, environ: Mapping[str, str]) -> bool:
    """Whether the user may have blocked a client's plugin: the registry knows, but would cost more than a hook may."""
    if client in environ.get(_BLOCKING_VARIABLE, ""):
        return True
    text = read_configuration(environ)
    return _BLOCKING_SETTING in text and (client in text or "\\" in text)  # a name may be spelled with escapes

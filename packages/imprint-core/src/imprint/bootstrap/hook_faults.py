"""The log of what went wrong in a client's hook, or when its plugin was asked by the server."""

from collections.abc import Mapping

__all__ = ["note_hook_fault"]


def note_hook_fault(client: str, event: str, error: BaseException, *, environ: Mapping[str, str]) -> None:
    """Write to the log which call failed, how and where, never what it was about; `imprint doctor` tells of it.

    Args:
        event: The client's name of it, or the program that asked.
    """
    from imprint.adapters.fault_logs import HOOK_LOG, note_fault
    from imprint.adapters.quick_places import find_data_path
    from imprint.errors import ImprintError

    try:
        folder = find_data_path(environ)
    except ImprintError:
        return
    note_fault(folder, HOOK_LOG, (client, event), error)

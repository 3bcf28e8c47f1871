"""Processes that go on when the one that began them, and the client above it, have ended."""

import os
import sys
from collections.abc import Mapping, Sequence

__all__ = ["start_detached"]

_NICENESS = 10


def start_detached(command: Sequence[str], environ: Mapping[str, str], folder: str) -> None:
    """Start a process in a session of its own, with nothing of ours open and with the least claim to the processor.

    This process takes on the folder and the priority: it is about to end.

    Raises:
        OSError: It cannot be started.
    """
    if sys.platform == "win32":
        _start_on_windows(command, environ, folder)
        return
    os.chdir(folder)  # no folder of the user's is kept in use
    os.nice(_NICENESS)
    for name in os.listdir("/dev/fd"):  # noqa: PTH208
        try:
            os.set_inheritable(int(name), int(name) <= 2)  # a client's pipe, kept open, would have it wait
        except OSError:
            continue
    streams = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
    # Quicker than `subprocess`, which is as much again to load as a bare interpreter.
    os.posix_spawn(command[0], list(command), environ, file_actions=streams, setsid=True)


def _start_on_windows(command: Sequence[str], environ: Mapping[str, str], folder: str) -> None:
    import subprocess

    flags = sum(
        getattr(subprocess, name, 0)
        for name in ("CREATE_NO_WINDOW", "CREATE_NEW_PROCESS_GROUP", "BELOW_NORMAL_PRIORITY_CLASS")
    )
    # A client's job object may end all that it holds; where it lets nothing out, the next session goes on.
    for breakaway in (getattr(subprocess, "CREATE_BREAKAWAY_FROM_JOB", 0), 0):
        try:
            subprocess.Popen(
                command,
                env=environ,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                creationflags=flags | breakaway,
                close_fds=True,
            )
        except OSError:
            if not breakaway:
                raise
        else:
            return

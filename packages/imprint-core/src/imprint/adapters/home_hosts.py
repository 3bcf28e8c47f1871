"""This system, as plugins of homes may look at it: meets `imprint.protocols.homes.HomeHost`."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from imprint.adapters.client_files import RealClientFiles
from imprint.domain.sources import CanonicalPath

__all__ = ["RealHomeHost", "system_name"]

_SYSTEMS: Final = {"darwin": "macos", "win32": "windows"}
_PATIENCE: Final = 5.0
_LONGEST_OUTPUT: Final = 1 << 16


def system_name() -> str:
    """``linux``, ``macos`` or ``windows``."""
    return _SYSTEMS.get(sys.platform, "linux")


@attrs.frozen(kw_only=True)
class RealHomeHost:
    """The machine itself.

    Attributes:
        patience: Seconds that a program is given.
    """

    home: CanonicalPath
    environ: Mapping[str, str]
    system: str = attrs.field(factory=system_name)
    patience: float = _PATIENCE

    @property
    def files(self) -> RealClientFiles:
        return RealClientFiles(self.environ.get("PATH", ""))

    def run(self, arguments: Sequence[str]) -> bytes | None:
        program = self.files.find_program(arguments[0])
        if program is None:
            return None
        try:
            done = subprocess.run(
                [str(program), *arguments[1:]],
                env=dict(self.environ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self.patience,
                check=False,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None
        return done.stdout if done.returncode == 0 and len(done.stdout) <= _LONGEST_OUTPUT else None

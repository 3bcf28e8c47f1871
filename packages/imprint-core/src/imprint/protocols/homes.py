"""What a plugin of homes is given to look around with."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from imprint.domain.sources import CanonicalPath
from imprint.protocols.clients import ClientFiles

__all__ = ["HomeHost"]


class HomeHost(Protocol):
    """The system that Imprint runs on, as far as it is needed to find homes beside its own."""

    @property
    def system(self) -> str:
        """``linux``, ``macos`` or ``windows``."""
        ...

    @property
    def home(self) -> CanonicalPath:
        """The user's own home."""
        ...

    @property
    def environ(self) -> Mapping[str, str]: ...

    @property
    def files(self) -> ClientFiles:
        """Files as this process reaches them, those of another system too."""
        ...

    def run(self, arguments: Sequence[str]) -> bytes | None:
        """What a program of this system writes to its output; it is given a few seconds and no input.

        Returns:
            `None` where it is not there, fails, writes too much or does not end in time.
        """
        ...

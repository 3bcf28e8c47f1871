"""Workspace names: what may be one, every way to be wrong, and the nearest spelling."""

from collections.abc import Iterable
from difflib import get_close_matches
from enum import StrEnum

from imprint.domain.sources import WorkspaceName
from imprint.errors import InvalidWorkspaceNameError

__all__ = [
    "DEFAULT_WORKSPACE",
    "LONGEST_NAME",
    "NameFault",
    "explain_name_fault",
    "find_name_fault",
    "is_windows_device",
    "nearest_name",
    "parse_workspace_name",
]

DEFAULT_WORKSPACE = WorkspaceName("default")
LONGEST_NAME = 40

_FIRST = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_LATER = _FIRST | {"-"}
_WINDOWS_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
)


class NameFault(StrEnum):
    """Why a text is no workspace name."""

    EMPTY = "empty"
    TOO_LONG = "too-long"
    BAD_FIRST_CHARACTER = "bad-first-character"
    BAD_CHARACTER = "bad-character"
    WINDOWS_DEVICE = "windows-device"
    UPPER_CASE = "upper-case"


_EXPLANATIONS = {
    NameFault.EMPTY: "it is empty",
    NameFault.TOO_LONG: f"it is longer than {LONGEST_NAME} characters",
    NameFault.BAD_FIRST_CHARACTER: "it must begin with a letter from a to z or a digit",
    NameFault.BAD_CHARACTER: "only letters from a to z, digits and hyphens may stand in it",
    NameFault.WINDOWS_DEVICE: "Windows reserves it for a device, and a workspace becomes a folder name",
    NameFault.UPPER_CASE: "letters must be lower case",
}


def find_name_fault(text: str) -> NameFault | None:
    """Tell why a text is no workspace name, or `None` when it is one.

    Upper case is reported only when nothing else is wrong, so that the lower-case spelling is a valid suggestion.
    """
    lowered = _lower(text)
    if not text:
        return NameFault.EMPTY
    if len(text) > LONGEST_NAME:
        return NameFault.TOO_LONG
    if lowered[0] not in _FIRST:
        return NameFault.BAD_FIRST_CHARACTER
    if not _LATER.issuperset(lowered):
        return NameFault.BAD_CHARACTER
    if lowered in _WINDOWS_DEVICES:
        return NameFault.WINDOWS_DEVICE
    return None if text == lowered else NameFault.UPPER_CASE


def is_windows_device(name: str) -> bool:
    """Whether Windows takes a file's name for a device, which it does whatever the suffix."""
    return name.partition(".")[0].rstrip(" ").lower() in _WINDOWS_DEVICES


def explain_name_fault(fault: NameFault) -> str:
    """Say what is wrong, as the second half of a sentence."""
    return _EXPLANATIONS[fault]


def parse_workspace_name(text: str) -> WorkspaceName:
    """Take a text as a workspace name.

    Raises:
        InvalidWorkspaceNameError: It is none; the error says why and, for upper case, what would do.
    """
    fault = find_name_fault(text)
    if fault is None:
        return WorkspaceName(text)
    suggestion = _lower(text) if fault is NameFault.UPPER_CASE else None
    raise InvalidWorkspaceNameError(text, fault.value, explain_name_fault(fault), suggestion)


def nearest_name(text: str, known: Iterable[str]) -> str | None:
    """Find the known name that a misspelt one most probably means."""
    matches = get_close_matches(_lower(text[: 2 * LONGEST_NAME]), sorted(known), n=1, cutoff=0.6)
    return matches[0] if matches else None


def _lower(text: str) -> str:
    """Lower ASCII letters only: other letters are wrong in either case."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)

"""Moments as clients count them: milliseconds since 1970."""

from datetime import UTC, datetime

__all__ = ["utc_of_milliseconds"]


def utc_of_milliseconds(moment: object) -> str:
    """UTC with milliseconds and ``Z``; empty where it is no moment."""
    if isinstance(moment, bool) or not isinstance(moment, int | float):
        return ""
    try:
        told = datetime.fromtimestamp(moment / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return told.isoformat(timespec="milliseconds").replace("+00:00", "Z")

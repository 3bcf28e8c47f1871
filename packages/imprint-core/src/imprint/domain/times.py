"""Moments as people write them become UTC."""

import re
from datetime import UTC, datetime, timedelta, tzinfo

from imprint.errors import InvalidTimeError

__all__ = ["format_moment", "moment_ns", "parse_moment", "shift", "storable_ns"]

_AGE = re.compile(r"(\d{1,6})\s*([smhdw])")
_MOST_NS = 2**63 - 1
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_moment(text: str, *, now: str, zone: tzinfo) -> str:
    """Turn what a person wrote into UTC ISO 8601 with milliseconds and ``Z``.

    Dates and times without an offset are those of the person's zone; a date, a day or a week means its first moment.
    An age (``90m``, ``12h``, ``7d``, ``2w``) counts back from now. Weeks begin on Monday.

    Args:
        text: ``2026-01-31``, ``2026-01-31T12:00``, ``2026-01-31T12:00:00+01:00``, ``now``, ``today``, ``yesterday``,
            ``this week``, ``last week``, ``this month``, ``last month`` or an age.
        now: UTC ISO 8601.
        zone: The person's time zone.

    Raises:
        InvalidTimeError: It is none of these, or lies beyond the calendar.
    """
    word = " ".join(text.lower().split())
    present = datetime.fromisoformat(now)
    try:
        moment = _relative(word, present, zone) or _absolute(text.strip(), zone)
        return format_moment(moment)
    except (ValueError, OverflowError, OSError):  # the last from zones that know no such year
        raise InvalidTimeError(text) from None


def format_moment(moment: datetime) -> str:
    """Write an aware moment as UTC ISO 8601 with milliseconds and ``Z``; as text such moments sort by time."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shift(moment: str, *, seconds: float) -> str:
    """A moment so many seconds later."""
    return format_moment(datetime.fromisoformat(moment) + timedelta(seconds=seconds))


def moment_ns(moment: str) -> int:
    """Nanoseconds since 1970 of an ISO 8601 moment; 0 where there is none."""
    return int(datetime.fromisoformat(moment).timestamp() * 1e9) if moment else 0


def storable_ns(nanoseconds: int) -> int:
    """Nanoseconds since 1970 as a database can hold them: a file system or a service may name any moment."""
    return max(-_MOST_NS, min(nanoseconds, _MOST_NS))


def _absolute(text: str, zone: tzinfo) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


def _relative(word: str, now: datetime, zone: tzinfo) -> datetime | None:
    if age := _AGE.fullmatch(word):
        return now - timedelta(**{_UNITS[age[2]]: int(age[1])})
    today = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - timedelta(days=today.weekday())
    first = today.replace(day=1)
    match word:
        case "now":
            return now
        case "today":
            return today
        case "yesterday":
            return today - timedelta(days=1)
        case "this week":
            return monday
        case "last week":
            return monday - timedelta(weeks=1)
        case "this month":
            return first
        case "last month":
            return (first - timedelta(days=1)).replace(day=1)
    return None

"""The machine's clock."""

import time
from datetime import UTC, datetime, timedelta, tzinfo

from imprint.domain.times import format_moment

__all__ = ["SystemClock", "SystemZone"]


class SystemClock:
    """Meets `imprint.protocols.clocks.Clock`."""

    def now(self) -> str:
        return format_moment(datetime.now(UTC))

    def monotonic(self) -> float:
        return time.monotonic()

    def zone(self) -> tzinfo:
        return SystemZone()


class SystemZone(tzinfo):
    """The machine's time zone with its summer times, as the C library knows them.

    `datetime.astimezone` alone would give today's offset to every date.
    """

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return None if moment is None else timedelta(seconds=self._local(moment).tm_gmtoff)

    def dst(self, moment: datetime | None) -> timedelta | None:
        return None if moment is None else timedelta(hours=1 if self._local(moment).tm_isdst > 0 else 0)

    def tzname(self, moment: datetime | None) -> str | None:
        return None if moment is None else self._local(moment).tm_zone

    def fromutc(self, moment: datetime) -> datetime:
        offset = time.localtime(moment.replace(tzinfo=UTC).timestamp()).tm_gmtoff
        return moment + timedelta(seconds=offset)

    @staticmethod
    def _local(moment: datetime) -> time.struct_time:
        return time.localtime(moment.replace(tzinfo=None).timestamp())

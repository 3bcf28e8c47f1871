from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.times import format_moment, parse_moment, shift
from imprint.errors import InvalidTimeError

BERLIN = ZoneInfo("Europe/Berlin")
KIRITIMATI = timezone(timedelta(hours=14))
NEW_YORK = ZoneInfo("America/New_York")
NOW = "2026-04-01T23:30:00.000Z"
"""A Wednesday in London and New York, already Thursday in Berlin; Berlin changed its clocks on 29 March."""


@pytest.mark.parametrize(
    ("text", "zone", "moment"),
    [
        ("2026-01-31", UTC, "2026-01-31T00:00:00.000Z"),
        ("2026-01-31", BERLIN, "2026-01-30T23:00:00.000Z"),
        ("2026-07-31", BERLIN, "2026-07-30T22:00:00.000Z"),
        ("2026-01-31T12:00", BERLIN, "2026-01-31T11:00:00.000Z"),
        ("2026-01-31 12:00:01.5", UTC, "2026-01-31T12:00:01.500Z"),
        ("2026-01-31T12:00:00+02:00", BERLIN, "2026-01-31T10:00:00.000Z"),
        ("2026-01-31T12:00:00Z", BERLIN, "2026-01-31T12:00:00.000Z"),
        ("now", BERLIN, "2026-04-01T23:30:00.000Z"),
        ("90m", BERLIN, "2026-04-01T22:00:00.000Z"),
        ("7d", BERLIN, "2026-03-25T23:30:00.000Z"),
        ("2w", BERLIN, "2026-03-18T23:30:00.000Z"),
        ("today", UTC, "2026-04-01T00:00:00.000Z"),
        ("today", BERLIN, "2026-04-01T22:00:00.000Z"),
        ("Yesterday", BERLIN, "2026-03-31T22:00:00.000Z"),
        ("yesterday", NEW_YORK, "2026-03-31T04:00:00.000Z"),
        ("this week", BERLIN, "2026-03-29T22:00:00.000Z"),
        ("last  week", BERLIN, "2026-03-22T23:00:00.000Z"),
        ("last week", NEW_YORK, "2026-03-23T04:00:00.000Z"),
        ("last week", KIRITIMATI, "2026-03-22T10:00:00.000Z"),
        ("this month", UTC, "2026-04-01T00:00:00.000Z"),
        ("last month", BERLIN, "2026-02-28T23:00:00.000Z"),
    ],
)
def test_a_moment_is_read_in_the_zone_of_the_person(text: str, zone, moment: str):
    assert parse_moment(text, now=NOW, zone=zone) == moment


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "d7", "-7d", "7 years", "999999w", "0001-01-01"])
def test_what_is_no_moment_is_refused(text: str):
    with pytest.raises(InvalidTimeError) as caught:
        parse_moment(text, now=NOW, zone=KIRITIMATI)

    assert caught.value.text == text


moments = st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2100, 1, 1))


@given(moments, moments)
def test_formatted_moments_sort_by_time(one: datetime, other: datetime):
    one, other = (moment.replace(tzinfo=UTC, microsecond=moment.microsecond // 1000 * 1000) for moment in (one, other))

    assert (one < other) == (format_moment(one) < format_moment(other))


@given(moments, st.sampled_from([UTC, BERLIN, NEW_YORK, KIRITIMATI]))
def test_last_week_begins_on_a_monday_midnight_seven_to_fourteen_days_ago(now: datetime, zone):
    now = now.replace(tzinfo=UTC)

    begins = datetime.fromisoformat(parse_moment("last week", now=format_moment(now), zone=zone)).astimezone(zone)

    assert (begins.weekday(), begins.hour, begins.minute) == (0, 0, 0)
    assert 7 <= (now.astimezone(zone).date() - begins.date()).days < 14


def test_a_shift_crosses_midnight():
    assert shift("2026-01-01T00:00:01.000Z", seconds=-2) == "2025-12-31T23:59:59.000Z"


@given(st.text(max_size=12))
def test_any_text_is_a_moment_or_refused(text: str):
    try:
        parsed = parse_moment(text, now=NOW, zone=BERLIN)
    except InvalidTimeError:
        return
    assert parsed.endswith("Z")

"""Gaming days and hours on the wall, and times as the wire writes them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from pipeline.simulate.offers import DAY_STARTS_AT, TIME_ZONE

if TYPE_CHECKING:
    from random import Random

ZONE: Final = ZoneInfo(TIME_ZONE)
SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
ROUND_MS: Final = 62 * SECOND
LONGEST_BLOCK: Final = 2 * HOUR + 30 * MINUTE


def instant(day: date, hour: int) -> int:
    """Milliseconds since 1970 UTC at a local hour of a day."""
    return int(datetime.combine(day, time(hour), ZONE).timestamp()) * 1_000


def turning_point(day: date) -> int:
    """The instant in the gaming day's night that is worth dealing across: a change of the clock, else midnight."""
    start, end = instant(day, DAY_STARTS_AT), instant(day + timedelta(days=1), DAY_STARTS_AT)
    at = start
    while at < end:
        here, there = (datetime.fromtimestamp(t / 1_000, ZONE).utcoffset() for t in (at, at + HOUR))
        if here != there:
            return at + HOUR
        at += HOUR
    return instant(day + timedelta(days=1), 0)


def openings(rng: Random, day: date, count: int) -> list[int]:
    """When a table's rounds of a gaming day open.

    Three blocks where they fit (from the start of the day, across midnight or the change of the clock, and up to the end of the day,
    so that the last round settles after it), otherwise evenly over the day.
    """
    start, end = instant(day, DAY_STARTS_AT), instant(day + timedelta(days=1), DAY_STARTS_AT)
    each = -(-count // 3)
    if each * ROUND_MS > LONGEST_BLOCK:
        step = (end - start - 2 * MINUTE) // count
        times = [start + 40 * SECOND + number * step for number in range(count)]
        times[-1] = end - 20 * SECOND
        return [at + int(rng.random() * min(SECOND, step - 60 * SECOND)) for at in times]
    middle = turning_point(day) - (each // 2) * ROUND_MS - 20 * SECOND
    last = count - 2 * each
    starts = [start + 40 * SECOND + n * ROUND_MS for n in range(min(each, count))]
    starts += [middle + n * ROUND_MS for n in range(min(each, max(0, count - each)))]
    starts += [end - 20 * SECOND - (last - 1 - n) * ROUND_MS for n in range(max(0, last))]
    return [at + int(rng.random() * SECOND) for at in starts]


class Writer:
    """Writes times in UTC, or with the studio's offset; remembers each second, since a round has few."""

    def __init__(self, local: bool) -> None:
        self._zone = ZONE if local else UTC
        self._known: dict[int, tuple[str, str]] = {}

    def __call__(self, at: int) -> str:
        """RFC 3339 with milliseconds."""
        second, fraction = divmod(at, 1_000)
        if second not in self._known:
            if len(self._known) > 10_000:
                self._known.clear()
            text = datetime.fromtimestamp(second, self._zone).isoformat()
            self._known[second] = (text[:19], "Z" if self._zone is UTC else text[19:])
        before, after = self._known[second]
        return f"{before}.{fraction:03d}{after}"

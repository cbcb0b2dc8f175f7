"""Amounts and times from their text, whole columns at a time, exact from the digits on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import MONEY, TIME
from pipeline.feeds.suspect import AMOUNT, LAST_YEAR, NUMBER
from pipeline.feeds.suspect import TIME as TIME_TEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

_MILLIS: Final = r"^[1-8][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9]\.[0-9]{3}(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$"
_BARE: Final = r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-5][0-9](?:\.[0-9]{1,9})?$"
_FORMAT: Final = "%Y-%m-%dT%H:%M:%S"
_NAIVE: Final = pl.Datetime("us")


def quote_numbers(lines: pl.Series, amounts: Sequence[str]) -> pl.Series:
    """Puts amounts that are JSON numbers in quotes, digit by digit as they stand; other numbers are left as they are.

    Args:
        lines: records as ``pipeline.feeds.strict`` writes them: no space, and a quote within a text always behind a backslash, so that
            ``"stake":`` can only be a key.
        amounts: names of the fields that hold amounts.
    """
    names = "|".join(amounts)
    # Between two amounts stands at least one other character beside the comma, so no match eats the start of the next.
    return lines.str.replace_all(rf'"({names})":({NUMBER})([,}}])', '"$1":"$2"$3')


def unquoted(lines: pl.Series, amounts: Sequence[str]) -> pl.Series:
    """Whether an amount of a record is neither text nor null."""
    return lines.str.contains(rf'"(?:{"|".join(amounts)})":[^"n]')


def money(text: pl.Series) -> tuple[pl.Series, pl.Series | None]:
    r"""Amounts in major units, as DECIMAL(18,6), and which texts are none (None: all are amounts).

    Only ``^\d{1,12}(\.\d{1,6})?$`` is an amount (round-log/1).
    """
    good = text.str.contains(AMOUNT)
    if good.all(ignore_nulls=True):
        return text.cast(MONEY), None
    return pl.select(pl.when(good).then(text).alias(text.name)).to_series().cast(MONEY), ~good.fill_null(value=True)


def times(text: pl.Series) -> tuple[pl.Series, pl.Series, pl.Series | None]:
    """Times in UTC to the microsecond, the digits written after the seconds, and which texts are none (None: all are times).

    A time is RFC 3339 with an offset and at most nine digits after the seconds; those after the sixth are cut off.
    """
    if text.str.contains(_MILLIS).all(ignore_nulls=True):
        time = text.str.slice(0, 19).str.to_datetime(_FORMAT, time_unit="us", strict=False)
        time = (time.cast(pl.Int64) + text.str.slice(20, 3).cast(pl.Int64) * 1000 - _offsets(text.str.slice(23))).cast(_NAIVE)
        digits = pl.select(pl.when(text.is_not_null()).then(pl.lit(3, pl.Int8)).alias(text.name)).to_series()
    else:
        time, digits = _any_times(text)
    bad = text.is_not_null() & time.is_null()
    return time.dt.replace_time_zone("UTC").cast(TIME), digits, bad if bad.any() else None


def in_zone(text: pl.Series, zone: str) -> pl.Series:
    """Texts with their offset where they are times of the wall clock of ``zone`` without one, ``2026-11-03T15:00:00.250``.

    A time that the clock does not show, or shows twice because it was turned back, is left without: nothing says which it is.
    """
    bare = text.str.contains(_BARE)
    if not bare.any():
        return text
    wall = text.str.slice(0, 10) + "T" + text.str.slice(11, 8)
    local = wall.str.to_datetime(_FORMAT, time_unit="us", strict=False).dt.replace_time_zone(zone, ambiguous="null", non_existent="null")
    whole = wall + text.str.slice(19) + local.dt.to_string("%:z")
    return pl.select(pl.when(bare & whole.is_not_null()).then(whole).otherwise(text).alias(text.name)).to_series()


def _offsets(zones: pl.Series) -> pl.Series | int:
    """Microseconds that clocks with the offsets ``Z`` or ``-04:00`` are ahead of UTC; a feed writes few of them, each is read once."""
    ahead = {zone: _offset(zone) for zone in zones.unique().drop_nulls()}
    return zones.replace_strict(ahead, default=None, return_dtype=pl.Int64) if len(ahead) > 1 else sum(ahead.values())


def _offset(zone: str) -> int:
    if zone == "Z":
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[4:])
    return (-minutes if zone.startswith("-") else minutes) * 60_000_000


def _any_times(text: pl.Series) -> tuple[pl.Series, pl.Series]:
    t = pl.col("t")
    parts = (
        text.alias("t")
        .to_frame()
        .select(pl.when(t.str.contains(TIME_TEXT)).then(t.str.to_uppercase()))
        .with_columns(
            body=t.str.slice(0, 19).str.to_datetime(_FORMAT, time_unit="us", strict=False),
            fraction=t.str.extract(r"\.([0-9]+)").fill_null(""),
            zone=t.str.extract(r"([+-][0-9]{2}:[0-9]{2})$"),
        )
        .with_columns(
            micros=(pl.col("fraction") + "000000").str.slice(0, 6).cast(pl.Int64),
            hours=pl.col("zone").str.slice(1, 2).cast(pl.Int64),
            minutes=pl.col("zone").str.slice(4, 2).cast(pl.Int64),
        )
    )
    east = pl.when(pl.col("zone").str.starts_with("-")).then(-1).otherwise(1)
    offset = (east * (pl.col("hours") * 60 + pl.col("minutes")) * 60_000_000).fill_null(0)
    possible = pl.col("body").dt.year() <= LAST_YEAR
    out = parts.select(
        time=pl.when(possible).then(pl.col("body").cast(pl.Int64) + pl.col("micros") - offset).cast(_NAIVE),
        digits=pl.when(pl.col("body").is_not_null()).then(pl.col("fraction").str.len_bytes()).cast(pl.Int8),
    )
    return out["time"].alias(text.name), out["digits"].alias(text.name)

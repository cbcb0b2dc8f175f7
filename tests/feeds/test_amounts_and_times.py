from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.schema import MONEY
from pipeline.core.times import GamingDay
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.gaming_day import gaming_days
from pipeline.feeds.suspect import why_unread
from pipeline.feeds.typed import money, times

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = {
    '"0"': "0", '"12.50"': "12.5", '"999999999999.999999"': "999999999999.999999", '"0.000001"': "0.000001", '"00012"': "12",
    "0": "0", "12.50": "12.5", "5": "5", "999999999999.123": "999999999999.123", "123456789.012345": "123456789.012345", "0.10": "0.1",
}  # fmt: skip
BAD = (
    '""', '"-1"', "-1", "-0", '"+5"', '"1e3"', "1e3", "1E2", "1e400", '"NaN"', '"Infinity"', '" 1.00"', '"1.00 "', '"1.0000000"',
    "1.0000000",
    '"1234567890123"', "1234567890123", "999999999999.1234", "1234567890.123456", '"1."', '".5"', '"1,50"', '"\uff11"',
    "true", "[]", '{"a":1}', '"0x1"', '"1_0"', '"1\\n"', '"\\ud800"',
)  # fmt: skip


@pytest.mark.parametrize("field", ["stake", "paid"])
@pytest.mark.parametrize("spelling", GOOD)
def test_an_amount_is_exact_from_its_digits_on(field: str, spelling: str, a_line: Callable[..., bytes], read: Any, tables: Any) -> None:
    old = {"stake": b'"stake":"10.00"', "paid": b'"paid":"0.00"'}[field]
    line = a_line().replace(old, f'"{field}":{spelling}'.encode())
    wagers = tables(read([line, a_line(round_id="R2")]))["wagers"]
    assert wagers.filter(pl.col("round_id") == "R1")[field].unique().to_list() == [Decimal(GOOD[spelling])]


@pytest.mark.parametrize("spelling", BAD)
def test_an_impossible_amount_refuses_the_whole_round(spelling: str, a_line: Callable[..., bytes], read: Any, tables: Any) -> None:
    bad = a_line().replace(
        b'"stake":"10.00","placed_at":"2026-11-03T15:00:21', f'"stake":{spelling},"placed_at":"2026-11-03T15:00:21'.encode()
    )
    delivery = read([a_line(round_id="R0"), bad, a_line(round_id="R2")], limits=ReadLimits())
    (row,) = delivery.quarantine().collect().to_dicts()
    assert (row["source_line"], row["raw"]) == (2, bad)
    assert "participants[0].wagers[1].stake" in row["reason"] or "lone surrogate" in row["reason"]
    assert tables(delivery)["rounds"]["round_id"].to_list() == ["R0", "R2"]


def test_a_feed_that_writes_numbers(a_round: Any, read: Any, tables: Any, books: Any) -> None:
    lines = []
    for number in range(9):
        made = a_round(round_id=f"R{number}", meters=[{"meter_id": "m", "before": 100.5, "after": 101}])
        made["participants"][0]["wagers"][0] |= {"stake": 12.5, "paid": 0, "bonus_paid": None}
        made["displayed"] = {"decks": 1, "limits": [{"kind": "ante", "currency": "USD", "min": 5, "max": 500.25}]}
        lines.append(json.dumps(made).encode().replace(b'"stake": 12.5', b'"stake": 12.50'))
    delivery = read(lines, limits=ReadLimits(block_bytes=4_000, workers=1))
    got = tables(delivery)
    assert books(delivery)["accepted"] == 9
    assert got["wagers"]["stake"].to_list() == [Decimal("12.5"), Decimal(10)] * 9
    assert got["meters"]["before"].to_list() == [Decimal("100.5")] * 9
    assert got["displayed"].filter(pl.col("what") == "limits")["max"].to_list() == [Decimal("500.25")] * 9


@given(st.lists(st.one_of(st.none(), st.text(alphabet="0123456789.-+e ", max_size=22), st.from_regex(r"\A[0-9]{1,12}(\.[0-9]{1,6})?\Z"))))
def test_a_column_of_amounts_is_read_as_each_of_them_alone(texts: list[str | None]) -> None:
    amounts, bad = money(pl.Series("stake", texts, dtype=pl.String))
    assert amounts.dtype == MONEY
    for number, text in enumerate(texts):
        record = json.dumps({"participants": [{"wagers": [{"paid": text}]}]}).encode()
        refused = why_unread(record, frozenset({"participants.wagers.paid"}), frozenset()) is not None
        assert (bad is not None and bad[number]) == refused
        assert amounts[number] == (None if text is None or refused else Decimal(text))


TIMES = {
    "2026-11-03T11:00:01.000Z": (datetime(2026, 11, 3, 11, 0, 1, tzinfo=UTC), 3),
    "2026-11-03T11:00:01Z": (datetime(2026, 11, 3, 11, 0, 1, tzinfo=UTC), 0),
    "2026-11-03t11:00:01.5z": (datetime(2026, 11, 3, 11, 0, 1, 500_000, tzinfo=UTC), 1),
    "2026-11-03T11:00:01.123456789+05:30": (datetime(2026, 11, 3, 5, 30, 1, 123_456, tzinfo=UTC), 9),
    "2026-11-03T00:00:00.25-03:00": (datetime(2026, 11, 3, 3, 0, 0, 250_000, tzinfo=UTC), 2),
    "2024-02-29T23:59:59-00:00": (datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC), 0),
}
NO_TIMES = {
    "2026-11-03T11:00:01": "time without offset", "2026-11-03T11:00:01.000": "time without offset", "2026-11-03": "time without offset",
    "2026-11-03 11:00:01Z": "no RFC 3339 time", "": "no RFC 3339 time", "2026-11-03T11:00:01.Z": "no RFC 3339 time",
    "2026-11-03T11:00:01.1234567890Z": "no RFC 3339 time", "2026-11-03T11:00Z": "no RFC 3339 time", "1762167601": "no RFC 3339 time",
    "2026-11-03T11:00:01+0530": "no RFC 3339 time", "2026-11-03T23:59:60Z": "no RFC 3339 time", "0999-01-01T00:00:00Z": "no RFC 3339 time",
    "2026-02-29T00:00:00.000Z": "impossible time", "2026-11-31T00:00:00Z": "impossible time", "2026-13-01T00:00:00Z": "impossible time",
    "2026-11-03T24:00:00Z": "impossible time", "2026-11-03T11:60:00Z": "impossible time", "2026-11-03T11:00:00+24:00": "no RFC 3339 time",
    "2026-11-03T11:00:00+05:60": "no RFC 3339 time", "9999-12-31T23:59:59Z": "impossible time",
    "2026-00-10T00:00:00.000Z": "impossible time",
}  # fmt: skip


@pytest.mark.parametrize("beside", [None, "2026-11-03T11:00:01.000Z", "2026-11-03T11:00:01+01:00"])
def test_times_keep_their_instant_and_their_digits(beside: str | None) -> None:
    got, digits, bad = times(pl.Series("t", [*TIMES, beside]))
    assert bad is None
    assert list(zip(got, digits, strict=True))[:-1] == list(TIMES.values())


@pytest.mark.parametrize("text", NO_TIMES)
@pytest.mark.parametrize("beside", [None, "2026-11-03T11:00:01.000Z", "2026-11-03T11:00:01+01:00"])
def test_what_is_no_time_is_refused(text: str, beside: str | None) -> None:
    got, _, bad = times(pl.Series("t", [text, beside]))
    assert bad is not None
    assert bad.to_list() == [True, False]
    assert got[0] is None
    reason = why_unread(json.dumps({"opened_at": text}).encode(), frozenset(), frozenset({"opened_at"}))
    assert reason is not None
    assert NO_TIMES[text] in reason


@given(
    st.datetimes(datetime(1000, 1, 2), datetime(9998, 12, 30)),  # noqa: DTZ001
    st.integers(0, 9),
    st.integers(-1439, 1439),
    st.sampled_from("Tt"),
)
def test_any_time_is_read_as_python_reads_it(moment: datetime, written: int, offset: int, letter: str) -> None:
    fraction = f"{moment.microsecond:06d}123"[:written]
    zone = f"{'-' if offset < 0 else '+'}{abs(offset) // 60:02d}:{abs(offset) % 60:02d}"
    text = f"{moment:%Y-%m-%d}{letter}{moment:%H:%M:%S}{'.' if written else ''}{fraction}{zone}"
    if len(text) < 25 or moment.year < 1000:
        return
    got, digits, bad = times(pl.Series("t", [text]))
    assert bad is None
    python = datetime.fromisoformat(f"{moment:%Y-%m-%dT%H:%M:%S}.{fraction[:6]:0<6}{zone}")
    assert (got[0], digits[0]) == (python.astimezone(UTC), written)


NEW_YORK = GamingDay("America/New_York", 360)
RIGA = GamingDay("Europe/Riga", 360)
UNTIL_HALF_TWO = GamingDay("America/New_York", 90)
CUTS = [
    # an ordinary day: 06:00 in New York in winter is 11:00 UTC
    (NEW_YORK, "2026-01-15T10:59:59Z", date(2026, 1, 14)), (NEW_YORK, "2026-01-15T11:00:00Z", date(2026, 1, 15)),
    # 2026-03-08, clocks go forward at 02:00: the day that began on the 7th has 23 hours
    (NEW_YORK, "2026-03-07T11:00:00Z", date(2026, 3, 7)), (NEW_YORK, "2026-03-08T09:59:59Z", date(2026, 3, 7)),
    (NEW_YORK, "2026-03-08T10:00:00Z", date(2026, 3, 8)),
    # 2026-11-01, clocks go back at 02:00: the day that began on 31 October has 25 hours
    (NEW_YORK, "2026-10-31T10:00:00Z", date(2026, 10, 31)), (NEW_YORK, "2026-11-01T10:59:59Z", date(2026, 10, 31)),
    (NEW_YORK, "2026-11-01T11:00:00Z", date(2026, 11, 1)),
    # a start inside the hour that comes twice: 01:30 is struck at 05:30 and at 06:30 UTC
    (UNTIL_HALF_TWO, "2026-11-01T05:29:59Z", date(2026, 10, 31)), (UNTIL_HALF_TWO, "2026-11-01T05:30:00Z", date(2026, 11, 1)),
    (RIGA, "2026-03-29T02:59:59Z", date(2026, 3, 28)), (RIGA, "2026-03-29T03:00:00Z", date(2026, 3, 29)),
    (RIGA, "2026-10-25T03:59:59Z", date(2026, 10, 24)), (RIGA, "2026-10-25T04:00:00Z", date(2026, 10, 25)),
]  # fmt: skip


@pytest.mark.parametrize(("filed", "moment", "day"), CUTS)
def test_the_gaming_day_starts_at_the_filed_hour_of_the_wall_clock(filed: GamingDay, moment: str, day: date) -> None:
    rounds = pl.DataFrame({"studio_id": ["s1", "s2"], "dated_at": [datetime.fromisoformat(moment)] * 2})
    assert gaming_days(rounds, {"s1": filed}).to_list() == [day, datetime.fromisoformat(moment).date()]


@pytest.mark.parametrize(
    ("gone", "dated"),
    [
        ((), "2026-11-03T15:00:00"),
        (("opened_at",), "2026-11-03T15:00:12"),
        (("opened_at", "bets_closed_at"), "2026-11-03T15:00:08.394000"),
        (("opened_at", "bets_closed_at", "placed_at"), "2026-11-03T15:00:13.700000"),
        (("opened_at", "bets_closed_at", "placed_at", "card_readings"), "2026-11-03T15:00:28.900000"),
        (("opened_at", "bets_closed_at", "placed_at", "card_readings", "posted_at"), None),
    ],
)
def test_a_round_is_dated_by_the_first_time_that_is_there(
    gone: tuple[str, ...], dated: str | None, a_round: Any, read: Any, tables: Any
) -> None:
    made = a_round(**{name: ... for name in gone if name != "placed_at"})
    for wager in made["participants"][0]["wagers"]:
        if "placed_at" in gone:
            del wager["placed_at"]
    delivery = read([made, a_round(round_id="R2")], limits=ReadLimits())
    times_by_round = dict(tables(delivery)["rounds"].select("round_id", pl.col("dated_at").dt.replace_time_zone(None)).iter_rows())
    if dated is None:
        assert delivery.quarantine().collect()["reason"].to_list() == ["no time to date the round by"]
        assert "R1" not in times_by_round
    else:
        assert times_by_round["R1"].isoformat() == dated

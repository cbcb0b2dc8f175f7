"""One night in which nearly every check has something to find, and much beside it that it must leave alone: the same each time.

The rounds are those of ``nasty_chunks``, whose clocks, decks, numbers, signatures, payments and meters go wrong as well. Nothing here knows
what is right.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.feeds.control_totals import CONTROL_TOTALS
from pipeline.feeds.roster import ROSTER
from pipeline.filings.licence import FILED_LICENCE
from tests.support.chunks import DAY, Row, make_chunk
from tests.support.edge_night import edge_filings, edge_rounds
from tests.support.filings import filing, make_filed
from tests.support.ledger import entry
from tests.support.nasty_chunks import _round

if TYPE_CHECKING:
    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk

EVENING = datetime.fromisoformat("2026-11-03T15:00:00+00:00")


@cache
def untidy_filed() -> Filed:
    """Filings by table: a plain one, two operators' of one table, and one with linked bets, limits, meters and early decisions."""
    extra = {"odds": {"pair": {"meter": "10 %"}, "straight": "6 for 1", "high_card": {"flat": "25.00", "currency": "USD"}},
             "judged_on": "player_three", "forfeited_by_fold": True, "stake_returned": False}  # fmt: skip
    limits = [{"kind": kind, "currency": "USD", "min": "2.00", "max": "50.00"} for kind in ("ante", "pair_plus")]
    usual: Row = {"wagers": {"progressive": extra}, "limits": limits, "supervisors": ["S1"], "meters": {"M1": {"share_of": "progressive"}}}
    evidence = {"approved_on": date(2026, 11, 5), "licence_ref": "L-7", "licence_from": date(2026, 11, 4), "licence_to": date(2026, 12, 1)}
    return make_filed(
        filing(filing_id="plain", tables=["TCP-01"], operators=["op-1"], **usual, **evidence),
        filing(filing_id="others", tables=["TCP-01"], operators=["op-2"], jurisdiction="XX", decks=3, deck_alternation=False, **usual),
        filing(filing_id="linked", tables=["TCP-02"], linked_equal=True, on_timeout="fold", dealer_cards_read="at_draw", **usual),
        *edge_filings(),
    )


@cache
def untidy_chunk(rounds: int = 150) -> Chunk:
    """So many rounds of two tables, some told again or restated, and those that chance brings too seldom."""
    rng = Random(20261103)  # noqa: S311 - rounds for a test, the same each time
    told: list[Row] = []
    for number in range(rounds):
        one = _untidy(rng, number)
        told.append(one)
        if rng.random() < 0.08:
            told.append(
                {**_untidy(rng, number, table_id=one["table_id"]), "round_id": one["round_id"], "revision": rng.choice([None, 2, 3])}
            )
        if rng.random() < 0.05:
            again = {key: value for key, value in one.items() if key != "revision"}
            told.append(again | {"round_id": f"copy {number}", "table_id": rng.choice(["TCP-01", "TCP-02"])})
    return make_chunk(*told, *edge_rounds())


def _untidy(rng: Random, number: int, **fields: Any) -> Row:
    pick = rng.choice
    table = pick(["TCP-01", "TCP-02"])
    begin = EVENING + timedelta(seconds=40 * number)
    control: Row = {
        "table_id": table, "at": begin.isoformat(), "sequence": pick([number] * 12 + [number - 1, None]),
        "deck_id": pick(["red", "blue", "green", None]),
        "dealer_id": pick(["D1", "D1", "D2", None]), "verified_by": pick(["D1", "D1", "D2", "S1", None]),
        "shuffler_in_use": pick([None, None, False]),
        "bets_closed_at": pick(["+10.000"] * 4 + ["+3.000", "+4", None]), "dealer_revealed_at": pick([None, "+30.000", "+25.000", "+24.5"]),
        "verified_at": pick(["+40.000"] * 4 + ["+42.500", "+9.000", None]),
        "posted_at": pick(["+41.000"] * 4 + ["+39.900", "+41", "+60.000", None]),
        "filing_id": pick([None, None, "plain", "linked", "none"]), "recorded_at": pick([None, "+50.000"]), **fields,
    }  # fmt: skip
    if rng.random() < 0.1:
        control["stream_outages"] = pick(
            [[{"from": "+24.000", "to": "+26.000"}], [{"from": "+20.000"}], [{"from": "+1.000", "to": "+2.000"}]]
        )
    if rng.random() < 0.3:
        control["displayed"] = _shown(rng)
    told = _round(rng, f"r{number:03}", calm=rng.random() < 0.7, **control)
    void = told["void"]
    if void and rng.random() < 0.5:
        void |= {"reason": pick(["misdeal", None, ""]), "authorised_by": pick(["PIT", None]), "at": pick([void["at"], None])}
    for read in told["card_readings"]:
        if read["source"] == "manual":
            read |= {"by": pick(["PIT-2", None, " "]), "read_at": _later(begin, pick([15, 26, 60]))}
    for person in told["participants"]:
        _spoil(rng, person, begin)
    for meter in told["meters"]:
        meter |= {"seq": pick([number, None]), "paid": pick(["0.00", "5.00", None]), "reseed": pick(["0.00", "100.00", None])}
        meter |= {"after": pick(["1000.30", "1000.00", "995.30", None]), "kind": meter["kind"] or "progressive"}
    return told


def _spoil(rng: Random, person: Row, begin: datetime) -> None:
    pick = rng.choice
    if person["decision"]:
        person |= {"decided_at": pick([person.get("decided_at"), _later(begin, pick([8, 24, 25, 26, 31])), None]),
                   "decided_by": pick(["player"] * 4 + ["timeout", "disconnect", "operator", None])}  # fmt: skip
    for wager in person["wagers"]:
        if rng.random() < 0.3:
            wager["placed_at"] = pick([_later(begin, pick([-1, 9, 11, 25, 31])), None])
        wager["paid"] = pick([wager["paid"], wager["stake"], "20.00", "0", None])
        wager["paid_at"] = None if wager["paid"] is None else pick([_later(begin, pick([20, 41, 42])), None])


def _later(begin: datetime, seconds: int) -> str:
    return (begin + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _shown(rng: Random) -> Row:
    lines = ("straight_flush", "three_of_a_kind", "straight", "flush", "pair", "mini_royal", "high_card")
    odds = [
        {"kind": "pair_plus", "line": line, "price": rng.choice(["40 to 1", "6 to 1", "1:1", "six"])}
        for line in lines
        if rng.random() < 0.6
    ]
    limits = [{"kind": "ante", "currency": rng.choice(["USD", None]), "min": rng.choice(["2.00", "1.00"]), "max": "50.00"}]
    return {"read_at": "+1.000", "odds": odds, "limits": limits, "decks": rng.choice([2, 1, None])}


def untidy_surroundings() -> dict[str, pl.DataFrame]:
    """Control totals, roster and what the licence says, by name."""
    total = {"studio_id": "studio-7", "gaming_day": DAY, "first_round_id": "r000", "last_round_id": "r149", "currency": "USD"}
    totals = [
        {**total, "table_id": "TCP-01", "rounds": 80, "handle": Decimal("10.00"), "returned": Decimal("20.00")},
        {**total, "table_id": "TCP-02", "rounds": 1, "handle": Decimal("0.00"), "returned": Decimal("0.00"), "currency": "CHF"},
        {**total, "table_id": "TCP-09", "rounds": 7, "handle": Decimal("5.00"), "returned": Decimal("0.00")},
        *_totals(),
    ]
    roster = [
        {"dealer_id": "D1", "game": "three_card_poker", "certified_from": first, "certified_to": last}
        for first, last in ((date(2026, 1, 1), date(2026, 11, 2)), (date(2026, 11, 5), None))
    ] + _roster()
    said = [
        {"filing_no": number, "kind": kind, "key": f"{kind}.{key}", "check_id": check_id, "message": f"{kind} {key} by {check_id}",
         "citation": "§ 1"}
        for number in (0, 2) for kind in ("pair_plus", "progressive") for key in ("odds.pair", "odds.flush")
        for check_id in ("paytable_not_licensed", "paytable_expired", "paytable_expiring", "rule_not_licensed")
    ]  # fmt: skip
    return {
        "control_totals": pl.DataFrame(totals, schema=CONTROL_TOTALS.schema),
        "roster": pl.DataFrame(roster, schema=ROSTER.schema),
        "filed_licence": pl.DataFrame(
            [{name: row.get(name) for name in FILED_LICENCE.schema} for row in said], schema=FILED_LICENCE.schema
        ),
    }


def _totals() -> list[Row]:
    """Control totals that the log meets, in each way of counting, meets but for one thing, or has nothing to set against."""
    base: Row = {"studio_id": "studio-7", "gaming_day": DAY, "table_id": "TCP-03", "currency": "USD", "rounds": 3}
    money = [("51.00", "69.00"), ("30.00", "78.00"), ("60.00", "69.00"), ("39.00", "78.00"), ("51.00", "60.00"), ("30.01", "69.00")]
    dated, numbered = (("total 1012", "total 1011"), ("total 1011", "total 1013"))
    none = {"table_id": "TCP-09", "first_round_id": "none", "last_round_id": "none"}
    rows: list[Row] = [{"handle": handle, "returned": returned} for handle, returned in money]
    rows += [{"first_round_id": numbered[0], "last_round_id": numbered[1]}, {"rounds": 4}, {"gaming_day": date(2026, 11, 2), "rounds": 9}]
    rows += [{"studio_id": "studio-8", "rounds": 9}, {**none, "rounds": 1, "handle": "1.00", "returned": "1.00"}]
    rows += [{**none, "rounds": 0, "handle": "0.00", "returned": "0.00"}]
    usual = {"first_round_id": dated[0], "last_round_id": dated[1], "handle": "51.00", "returned": "69.00"}
    return [{**base, **usual, **row, **{key: Decimal((usual | row)[key]) for key in ("handle", "returned")}} for row in rows]


def _roster() -> list[Row]:
    """One with a certificate that lapsed and one that goes on, one with two that lapsed."""
    days = {
        "D3": [(date(2026, 1, 1), date(2026, 3, 1)), (date(2026, 2, 1), None)],
        "D4": [(date(2026, 1, 1), date(2026, 3, 1)), (date(2026, 2, 1), date(2026, 6, 1))],
    }
    return [
        {"dealer_id": dealer, "game": "three_card_poker", "certified_from": first, "certified_to": last}
        for dealer, each in days.items()
        for first, last in each
    ]


def untidy_quarantine() -> list[str]:
    """Lines that hold numbers missing at a table, and numbers that are not."""
    return [f'{{"table_id": "TCP-12", "sequence": {number}' for number in range(1, 17)]


def untidy_ledger(chunk: Chunk) -> list[Row]:
    """What a wallet books of the night's first rounds: mostly what was staked and paid, with some of it twice, short, late or gone."""
    rng = Random(7)  # noqa: S311
    booked: list[Row] = []
    for wager in chunk.wagers.filter("is_current").iter_rows(named=True):
        if wager["operator_id"] != "op-1" or wager["player_id"] is None:
            continue
        at = (wager["placed_at"] or EVENING).timestamp() - EVENING.timestamp()
        who = {name: wager[name] for name in ("player_id", "round_id", "currency")}
        for kind, amount in (("debit", wager["stake"]), ("credit", wager["paid"])):
            way = rng.random()
            if amount is None or way < 0.15:
                continue
            sum_of = amount - Decimal("0.01") if way > 0.9 and amount else amount
            delay = {"debit": 0, "credit": 20}[kind] + (5 * 3600 if 0.85 < way < 0.9 else 0)
            one = entry(kind, f"{sum_of:f}", at + delay, **{**who, "txn_id": f"{kind}-{wager['wager_key']}"})
            booked += [one, {**one, "txn_id": f"again-{wager['wager_key']}"}] if 0.8 < way < 0.85 else [one]
            booked += [entry("cancel", f"{amount:f}", at + 30, **who, txn_id=one["txn_id"])] if 0.7 < way < 0.75 else []
    return booked

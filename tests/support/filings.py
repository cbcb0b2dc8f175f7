"""Filings for tests: what a TOML filing says, written as keywords, as the five frames of ``Filed``.

``make_filed(filing(wagers={"pair_plus": {...}}))`` starts from a clean Pennsylvania filing of studio-7 with ante bonus 5-4-1,
Pair Plus 40-30-6-4-1 and Six Card Bonus A; ``filing(without=("six_card_bonus",), tie="player_wins")`` changes it.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.core.filed import FILED_LIMITS, FILED_LINES, FILED_METERS, FILED_WAGERS, FILINGS, Filed

if TYPE_CHECKING:
    from pipeline.core.schema import Table

Row = dict[str, Any]

ANTE_BONUS: Row = {"odds": {"straight_flush": "5 to 1", "three_of_a_kind": "4 to 1", "straight": "1 to 1"}}
PAIR_PLUS: Row = {
    "odds": {"straight_flush": "40 to 1", "three_of_a_kind": "30 to 1", "straight": "6 to 1", "flush": "4 to 1", "pair": "1 to 1"},
    "forfeited_by_fold": True,
}
SIX_CARD_BONUS: Row = {
    "odds": {
        "royal_flush": "1000 to 1", "straight_flush": "200 to 1", "four_of_a_kind": "50 to 1", "full_house": "25 to 1",
        "flush": "20 to 1", "straight": "10 to 1", "three_of_a_kind": "5 to 1",
    },
    "forfeited_by_fold": False,
}  # fmt: skip
JUDGED_ON = {
    "ante": "showdown",
    "play": "showdown",
    "ante_bonus": "player_three",
    "pair_plus": "player_three",
    "six_card_bonus": "best_five_of_six",
}
BASE: Row = {
    "filing_id": "keystone-tcp-2026", "revision": 1, "operator": "Keystone Example", "studio_id": "studio-7", "jurisdiction": "US-PA",
    "effective_from": date(2026, 1, 1), "effective_to": None, "tables": ["TCP-01", "TCP-02"], "operators": None, "currencies": ["USD"],
    "decks": 2, "deck_alternation": True, "timezone": "America/New_York", "starts_at": "06:00", "qualifier": "Q", "tie": "push",
    "on_timeout": None, "dealer_cards_read": "at_reveal", "stakes_may_be_added": False, "linked_equal": False,
    "void_returns_folded": True, "late_credit_grace_s": 4 * 3600, "open_round_limit_s": 24 * 3600, "supervisors": [],
    "cap_amount": None, "cap_currency": None, "cap_per": None, "cap_kinds": None, "cap_cut": None, "source_file": "keystone.toml",
}  # fmt: skip


def filing(
    *,
    wagers: dict[str, Row] | None = None,
    without: tuple[str, ...] = (),
    limits: list[Row] | None = None,
    meters: dict[str, Row] | None = None,
    cap: Row | None = None,
    **keys: Any,
) -> Row:
    """A filing.

    Args:
        wagers: wager kinds added to, or in place of, the usual three (``ante_bonus``, ``pair_plus``, ``six_card_bonus``); a table
            has ``odds`` and, for a side wager, ``forfeited_by_fold``, ``judged_on``, ``stake_returned``, ``rounding``, ``super_royal``.
        without: usual kinds that it does not offer.
        limits: rows of ``kind, currency, min, max``.
        meters: meters by id: ``currency, seed, contribution_num, contribution_den, share_of, several_winners``.
        cap: ``amount, currency, per, kinds, cut`` of the aggregate payout limit.
        **keys: any other column of ``FILINGS``.
    """
    usual = {"ante_bonus": ANTE_BONUS, "pair_plus": PAIR_PLUS, "six_card_bonus": SIX_CARD_BONUS}
    kinds = {name: table for name, table in usual.items() if name not in without} | (wagers or {})
    limit = {"cap_amount": Decimal(cap["amount"]), **{f"cap_{k}": cap.get(k) for k in ("currency", "per", "kinds", "cut")}} if cap else {}
    return {**BASE, **limit, **keys, "kinds": kinds, "limits": limits or [], "meters": meters or {}}


def make_filed(*filings: Row) -> Filed:
    """The frames of these filings, numbered in the order given; without any: no filing at all."""
    rows: dict[str, list[Row]] = {name: [] for name in ("filings", "wagers", "lines", "limits", "meters")}
    for number, told in enumerate(filings):
        digest = hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()
        rows["filings"].append({**told, "filing_no": number, "fingerprint": digest})
        for kind, table in {"ante": {}, "play": {}, **told["kinds"]}.items():
            rows["wagers"].append({
                "judged_on": JUDGED_ON.get(kind), "forfeited_by_fold": False, "rounding": "exact", "alone": True, **table,
                "filing_no": number, "kind": kind,
            })  # fmt: skip
            odds = table.get("odds") or ({"win": "1 to 1"} if kind in ("ante", "play") else {})
            rows["lines"] += [{"filing_no": number, "kind": kind, "line": line, **_price(price)} for line, price in odds.items()]
        rows["limits"] += [
            {**limit, "filing_no": number, "min": _money(limit.get("min")), "max": _money(limit.get("max"))} for limit in told["limits"]
        ]
        for meter_id, meter in told["meters"].items():
            base = {"currency": "USD", "contribution_num": 1, "contribution_den": 10, "several_winners": "share_equally"}
            fixed = {"fixed_awards_from_meter": False, "filing_no": number, "meter_id": meter_id, "seed": _money(meter.get("seed"))}
            rows["meters"].append({**base, **fixed, **{k: v for k, v in meter.items() if k != "seed"}})
    return Filed(
        filings=_frame(FILINGS, rows["filings"]),
        wagers=_frame(FILED_WAGERS, rows["wagers"]),
        lines=_frame(FILED_LINES, rows["lines"]),
        limits=_frame(FILED_LIMITS, rows["limits"]),
        meters=_frame(FILED_METERS, rows["meters"]),
    )


def _price(price: str | Row) -> Row:
    if isinstance(price, str):
        num, basis, den = re.fullmatch(r"(\d+) (to|for) (\d+)", price).groups()  # type: ignore[union-attr]
        return {"basis": basis, "num": int(num), "den": int(den), "odds": price}
    if "flat" in price:
        odds = f"flat {price['flat']} {price['currency']}"
        return {"basis": "flat", "flat": Decimal(price["flat"]), "currency": price["currency"], "odds": odds}
    share = Decimal(price["meter"].removesuffix("%").strip())
    return {"basis": "meter", "num": int(share * 10**6), "den": 100 * 10**6, "odds": f"meter {price['meter']}"}


def _money(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _frame(table: Table, rows: list[Row]) -> pl.DataFrame:
    return pl.DataFrame([{c.name: row.get(c.name) for c in table.columns} for row in rows], schema=table.schema)

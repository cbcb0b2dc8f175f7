"""What a void took is settled as if it had not been called; what no void took is left out."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from pipeline.settle.unvoided import settle_unvoided
from tests.support.chunks import make_chunk, make_round, player
from tests.support.filings import filing, make_filed

VOID = {"reason": "misdeal", "authorised_by": "PIT-2", "at": "+36.000"}
BETS = [("ante", "10.00", "10.00"), ("play", "10.00", "10.00")]


def unvoided(*rounds: Any) -> dict[str, tuple[str, Decimal | None]]:
    chunk = make_chunk(*rounds)
    rows = settle_unvoided(chunk, make_filed(filing())).join(chunk.wagers.select("wager_key", "wager_id"), on="wager_key")
    return {row["wager_id"]: (row["settlement"], row["expected"]) for row in rows.iter_rows(named=True)}


@pytest.mark.parametrize("status", ["accepted", "cancelled"])
def test_a_voided_round_is_settled_in_both_wire_shapes(status: str) -> None:
    bets = [{"kind": kind, "stake": "10.00", "status": status} for kind in ("ante", "play")]
    told = unvoided(make_round(wagers=bets, status="voided", void={**VOID, "scope": "round"}))
    assert told == {"r1-p1-ante": ("settled", Decimal(20)), "r1-p1-play": ("settled", Decimal(20))}


def test_a_part_void_is_lifted_and_rejected_wagers_stay_rejected() -> None:
    people = [player(*BETS, {"kind": "pair_plus", "stake": "5.00", "status": "rejected"})]
    told = unvoided(make_round(participants=people, void={**VOID, "scope": "part", "player_ids": ["p1"]}))
    assert told["r1-p1-ante"] == ("settled", Decimal(20))
    assert told["r1-p1-pair_plus"] == ("not_accepted", None)


def test_rounds_without_a_void_are_left_out() -> None:
    told = unvoided(make_round(wagers=BETS), make_round(wagers=BETS, round_id="r2", status="voided"))
    assert set(told) == {"r2-p1-ante", "r2-p1-play"}
    nothing = settle_unvoided(make_chunk(make_round(wagers=BETS)), make_filed(filing()))
    assert nothing.schema.names() == ["wager_key", "settlement", "expected", "expected_bonus"]
    assert nothing.select(pl.len()).item() == 0

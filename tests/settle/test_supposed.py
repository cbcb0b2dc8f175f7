"""What a void took is settled as if it had not been called, late corrections by both readings; other rounds are left out."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from pipeline.settle.supposed import settle_reread, settle_unvoided
from tests.support.chunks import make_chunk, make_round, player, reading, readings_of
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


@pytest.mark.parametrize("named", [{"player_ids": ["p1"]}, {"hand_ids": ["H1"]}, {"wager_ids": ["r1-p1-ante"]}])
def test_a_part_void_is_lifted_and_rejected_wagers_stay_rejected(named: dict[str, list[str]]) -> None:
    people = [player(*BETS, {"kind": "pair_plus", "stake": "5.00", "status": "rejected"})]
    told = unvoided(make_round(participants=people, void={**VOID, "scope": "part", **named}))
    assert told["r1-p1-ante"] == ("settled", Decimal(20))
    assert told["r1-p1-pair_plus"] == ("not_accepted", None)


def test_rounds_without_a_void_are_left_out() -> None:
    told = unvoided(make_round(wagers=BETS), make_round(wagers=BETS, round_id="r2", status="voided"))
    assert set(told) == {"r2-p1-ante", "r2-p1-play"}
    nothing = settle_unvoided(make_chunk(make_round(wagers=BETS)), make_filed(filing()))
    assert nothing.schema.names() == ["wager_key", "settlement", "expected", "expected_bonus"]
    assert nothing.select(pl.len()).item() == 0


def reread(*rounds: Any) -> dict[str, tuple[Decimal | None, Decimal | None]]:
    chunk = make_chunk(*rounds)
    rows = settle_reread(chunk, make_filed(filing())).join(chunk.wagers.select("wager_key", "wager_id"), on="wager_key")
    return {row["wager_id"]: (row["first_due"], row["last_due"]) for row in rows.iter_rows(named=True)}


def corrected(was: str, *, read_at: str, more: tuple[Any, ...] = (), **told: Any) -> Any:
    """Card 2 of H1 (Qs Qd 5h) first read as ``was`` and corrected to Qd; the dealer has Ad 7c 2s."""
    readings = readings_of({"H1": "Qs Qd 5h", "dealer": "Ad 7c 2s"})
    readings[1]["card"] = was
    fixed = reading(7, "H1", 2, "Qd", replaces=2, source="manual", by="PIT-2", read_at=read_at)
    return make_round(wagers=BETS, readings=[*readings, fixed, *more], **told)


def test_a_card_corrected_after_the_decision_is_settled_by_both_readings() -> None:
    assert reread(corrected("2d", read_at="+26.000")) == {"r1-p1-ante": (Decimal(0), Decimal(20)), "r1-p1-play": (Decimal(0), Decimal(20))}


def test_the_hand_posted_by_the_first_reading_does_not_stand_in_the_way_of_the_last() -> None:
    told = corrected("2d", read_at="+60.000")
    told["hands"][0]["cards"] = ["Qs", "2d", "5h"]
    assert reread(told)["r1-p1-ante"] == (Decimal(0), Decimal(20))


def test_of_a_chain_the_first_and_the_last_reading_are_taken() -> None:
    again = reading(8, "H1", 2, "2d", replaces=7, read_at="+28.000")
    assert reread(corrected("Qc", read_at="+26.000", more=(again,)))["r1-p1-ante"] == (Decimal(20), Decimal(0))


def test_a_card_corrected_in_time_stands_in_both() -> None:
    dealer = [reading(8, "dealer", 1, "Kd", replaces=4, read_at="+50.000")]
    told = corrected("??", read_at="+15.000", more=tuple(dealer), dealer="Kd 7c 2s")
    assert reread(told)["r1-p1-ante"] == (Decimal(20), Decimal(20))


def test_a_first_reading_that_cannot_be_read_leaves_it_open() -> None:
    assert reread(corrected("??", read_at="+26.000"))["r1-p1-ante"] == (None, Decimal(20))


def test_rounds_without_a_late_correction_are_not_settled_again() -> None:
    assert reread(corrected("2d", read_at="+15.000", posted_at=None)) == {}
    first_read_late = corrected("2d", read_at="+15.000")
    first_read_late["card_readings"][0]["read_at"] = "2026-11-03T15:00:50.000Z"
    assert reread(first_read_late, make_round(wagers=BETS, round_id="r2")) == {}
    assert set(reread(corrected("2d", read_at="+26.000"), make_round(wagers=BETS, round_id="r2"))) == {"r1-p1-ante", "r1-p1-play"}


def test_money_is_of_one_type_whether_or_not_there_is_any() -> None:
    some, none = (
        settle_reread(make_chunk(told), make_filed(filing())) for told in (corrected("2d", read_at="+26.000"), make_round(wagers=BETS))
    )
    assert some.schema == none.schema

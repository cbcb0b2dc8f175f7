"""Settle hand-made rounds with the Polars engine and look at the result by wager id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.settle.wagers import settle
from tests.support.chunks import Row, make_chunk, make_round
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    from decimal import Decimal

HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH = "Ks 9d 4h", "Qs Qd 5h", "Kh 9h 4h", "6c 7d 8h", "6c 6d 6h", "6h 7h 8h"
MINI_ROYAL, MINI_ROYAL_SPADES = "Ah Kh Qh", "As Ks Qs"
DEALER_ACE, DEALER_UNQUALIFIED, DEALER_TRIPS = "Ad 7c 2s", "Jd 7c 2s", "Tc Td Ts"


def settled(*rounds: Row, under: list[Row] | None = None) -> dict[str, Row]:
    """What the engine says of each wager, by wager id, under these filings (without: the usual one)."""
    chunk = make_chunk(*rounds)
    result = settle(chunk, make_filed(*([filing()] if under is None else under)))
    named = result.join(chunk.wagers.select("wager_key", "wager_id"), on="wager_key", how="left")
    return {row["wager_id"]: row for row in named.to_dicts()}


def settled_one(*wagers: Any, under: list[Row] | None = None, **fields: Any) -> dict[str, Row]:
    """The same for one round r1 of one participant p1, by wager kind."""
    told = make_round(wagers=list(wagers), **fields)
    return {name.removeprefix("r1-p1-"): row for name, row in settled(told, under=under).items()}


def due(row: Row) -> tuple[str | None, str | None]:
    """``(expected, expected_bonus)`` as plain text without trailing zeros."""
    return plain(row["expected"]), plain(row["expected_bonus"])


def plain(amount: Decimal | None) -> str | None:
    """A decimal without trailing zeros or exponent."""
    return None if amount is None else f"{amount.normalize():f}"

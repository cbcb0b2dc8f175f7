"""What every way of every root cause hands back where it differs from what is due: by wager, and on many nasty rounds in sum."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.money import amount
from pipeline.reconcile.causes import HYPOTHESES
from pipeline.reconcile.causes.cases import cases_of, order_of_rounds
from pipeline.reconcile.causes.reproduce import WAYS, tried
from pipeline.reconcile.causes.separated import on_specimens
from pipeline.reconcile.causes.specimens import SPECIMENS
from pipeline.reconcile.payouts import settlements
from pipeline.settle.terms import terms_of
from pipeline.settle.wagers import settle
from tests.support.chunks import Row, make_chunk, make_round, reading
from tests.support.filings import SIX_CARD_BONUS, filing, make_filed
from tests.support.golden import kept
from tests.support.nasty_chunks import nasty_chunk, nasty_filed

if TYPE_CHECKING:
    import pytest

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk

FOLDER = Path(__file__).parent / "ways"
NAMES = [f"{HYPOTHESES[each.cause_no].name}, way {number}" for number, each in enumerate(WAYS)]

RARE = {
    "a straight flush with a pair": ("5h 6h 7h", "8h 9h 9c"),
    "two threes of a kind": ("7s 7d 7c", "Kd Ks Kh"),
    "a flush and a straight to the ace of other cards": ("Th Jh 2h", "Qh Ks Ah"),
    "a straight flush and a straight to the ace of other cards": ("9h Th Jh", "Qh Kh As"),
}

CLOSE = (
    ("9s 9d 5c", "9c 9h 3c"), ("9s 9d Ac", "9c 9h 4c"), ("3s 3d Ac", "4s 4d 2c"), ("Qs Qd 5h", "Ks Kd 4h"), ("Kh 9h 4h", "Kd 9d 3d"),
    ("2h 7h 9h", "3d 7d 9d"), ("Ks 9d 4h", "Kd 9s 3h"), ("Ks Td 4h", "Kd 9s 5h"), ("7s 6d 5h", "8s 7d 6h"), ("4s 4d 4h", "3s 3d 3h"),
    ("Ac 5d 9h", "Kc Qd Jh"), ("Th 9d 2s", "Qc 3h 2d"), ("Ah Kh Qh", "As 2s 3s"), ("Qs 5h Qd", "9h Ac 9s"),
)  # fmt: skip
"""Hands of either side that one card decides."""


def misread(number: int, *wrong: tuple[str, int, str]) -> Row:
    """A round in which these cards were first read as others."""
    cards = {"H1": "Qs Qd 5h", "dealer": "Ad 7c 2s"}
    places = [(name, place, card) for name, text in cards.items() for place, card in enumerate(text.split(), 1)]
    first = {(name, place): card for name, place, card in wrong}
    told = [reading(seq, name, place, first.get((name, place), card)) for seq, (name, place, card) in enumerate(places, 1)]
    again = [(seq, *at) for seq, at in enumerate(places, 1) if at[:2] in first]
    told += [reading(6 + more, name, place, card, replaces=seq) for more, (seq, name, place, card) in enumerate(again, 1)]
    wagers = [("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00"), ("six_card_bonus", "5.00")]
    return make_round(cards["H1"], cards["dealer"], wagers, round_id=f"m{number}", readings=told)


def in_file(request: pytest.FixtureRequest, name: str, lines: list[str]) -> tuple[list[str], list[str]]:
    """What is told now, and what lies in the folder."""
    return lines, kept(request, FOLDER / name, "".join(f"{line}\n" for line in lines)).splitlines()


def cases_and_rows(chunk: Chunk, filed: Filed) -> tuple[pl.DataFrame, pl.DataFrame]:
    terms = terms_of(filed)
    settled = settlements(chunk, settle(chunk, filed), filed).filter(pl.col("settlement").is_in(["settled", "voided"]))
    cases, facts = cases_of(chunk, settled, order_of_rounds(chunk.rounds), chunk, filed, terms)
    return cases, tried(cases, facts, range(len(WAYS)), hits_only=False)


def by_wager(found: pl.DataFrame) -> list[str]:
    alike = found.sort("way_no", "case_no").group_by("way_no", "rule", "detail", maintain_order=True)
    rows = alike.agg(paid=pl.format("{}={}", "case_no", "amount").str.join(" ")).iter_rows(named=True)
    return [f"{NAMES[row['way_no']]} ({row['detail']}; {row['rule']}): {row['paid']}" for row in rows]


def test_each_way_on_the_specimens(request: pytest.FixtureRequest) -> None:
    cases, found = on_specimens()
    due = [
        f"{row['case_no']}: {SPECIMENS[row['round_key']].words}, {row['kind']} of {amount(row['stake'], 'USD')}: {row['due']} due"
        for row in cases.iter_rows(named=True)
    ]
    now, before = in_file(request, "specimens.txt", due + by_wager(found))
    assert now == before


def test_each_way_on_cards_that_were_misread_and_on_rare_hands(request: pytest.FixtureRequest) -> None:
    rounds = [make_round(*cards, [("six_card_bonus", "5.00")], round_id=f"r{number}") for number, cards in enumerate(RARE.values())]
    main = [("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00")]
    both = [(*cards, main) for pair in CLOSE for cards in (pair, pair[::-1])]
    rounds += [make_round(*each, round_id=f"c{number}", table_id="TCP-02") for number, each in enumerate(both)]
    rounds += [make_round(wagers=[("pair_plus", "3.333333", paid)], round_id=f"u{paid}") for paid in ("0.66", "0.06", "66.66666")]
    rounds += [
        misread(0, ("H1", 2, "9d")),
        misread(1, ("dealer", 3, "7h")),
        misread(2, ("H1", 1, "7h"), ("H1", 3, "7s"), ("dealer", 1, "3d")),
    ]
    royal = {**SIX_CARD_BONUS, "odds": {"royal_flush": "1000 to 1", **SIX_CARD_BONUS["odds"]}}
    _, found = cases_and_rows(make_chunk(*rounds), make_filed(filing(wagers={"six_card_bonus": royal})))
    now, before = in_file(request, "rare.txt", by_wager(found))
    assert now == before


def test_each_way_on_nasty_rounds(request: pytest.FixtureRequest) -> None:
    rng = Random(5)  # noqa: S311 - rounds for a test, the same each time
    filed = nasty_filed(rng)
    _, found = cases_and_rows(nasty_chunk(rng, 160), filed)
    told = found.sort("way_no", "case_no", "rule", "detail", "amount").group_by("way_no", maintain_order=True).agg(
        pl.len(), pl.col("is_hit", "amount").sum(), first=pl.col("detail").first(),
        rows=pl.format("{} {} {} {}", "case_no", pl.col("rule"), pl.col("detail").fill_null(""), "amount").str.join("\n"),
    )  # fmt: skip
    lines = [
        f"{NAMES[way]}: {many} wagers, {hits} paid so, {sum_} in all, as in '{first}', {hashlib.sha256(rows.encode()).hexdigest()[:16]}"
        for way, many, hits, sum_, first, rows in told.iter_rows()
    ]
    now, before = in_file(request, "nasty.txt", lines)
    assert now == before

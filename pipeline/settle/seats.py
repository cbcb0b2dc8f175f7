"""What a participant's wagers are settled on: the hand, the dealer's hand, the filing in force and what the wagers tell of the decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.cards import RANKS
from pipeline.settle.counted_cards import counted_cards
from pipeline.settle.hands import PAIR, rank, strength, three_card_class
from pipeline.settle.six_cards import six_card_classes
from pipeline.settle.terms import filings_in_force

if TYPE_CHECKING:
    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk


def seats_of(chunk: Chunk, filed: Filed) -> pl.DataFrame:
    """One row for each participant. Each hand is ranked once, however many play on it.

    Returns:
        ``participant_key, decision, round_status, conflicting, filing_no, tie, void_returns_folded``; of the hand ``three_class,
        six_class, distrust, versus`` (1 beats the dealer's, 0 equal, -1 loses); of the dealer's ``dealer_class, dealer_distrust,
        dealer_qualifies`` (null without a filing or without cards to trust).
    """
    hands = counted_cards(chunk).lazy().with_columns(three_class=three_card_class()).with_columns(strength=strength()).collect()
    dealers = hands.filter("is_dealer").select(
        "round_key", dealer_class="three_class", dealer_strength="strength", dealer_bits="bits", dealer_top=rank("high"),
        dealer_distrust="distrust",
    )  # fmt: skip
    dealt = hands.filter(~pl.col("is_dealer")).join(dealers, on="round_key", how="left", maintain_order="left")
    players = dealt.lazy().select(
        "hand_key",
        "three_class",
        "distrust",
        versus=(pl.col("strength") - pl.col("dealer_strength")).sign(),
        six_class=six_card_classes(dealt["bits"] | dealt["dealer_bits"]),
        was_found=pl.lit(value=True),
    )
    rounds = chunk.rounds.lazy().select("round_key", "conflicting", round_status="status")
    terms = filed.filings.lazy().select(
        "filing_no",
        "tie",
        "void_returns_folded",
        threshold=pl.col("qualifier").replace_strict({name: place for place, name in enumerate(RANKS)}, return_dtype=pl.UInt8),
    )
    in_force = filings_in_force(chunk.participants, filed.filings).lazy()
    return (
        chunk.participants.lazy()
        .select("participant_key", "round_key", "hand_key", "table_id", "operator_id", "decision")
        .join(players, on="hand_key", how="left")
        .join(dealers.lazy(), on="round_key", how="left")
        .join(rounds, on="round_key", how="left")
        .join(in_force, on=["table_id", "operator_id"], how="left", nulls_equal=True, validate="m:1")
        .join(terms, on="filing_no", how="left")
        .select(
            "participant_key", "decision", "round_status", "conflicting", "filing_no", "tie", "void_returns_folded", "three_class",
            "six_class", "versus", "dealer_class",
            distrust=pl.when("was_found").then("distrust").otherwise(pl.lit("wrong_card_count")),
            dealer_distrust=pl.when(pl.col("dealer_class").is_null()).then(pl.col("dealer_distrust").fill_null("wrong_card_count")),
            dealer_qualifies=(pl.col("dealer_class") >= PAIR) | (pl.col("dealer_top") >= pl.col("threshold")),
        )
        .with_columns(dealer_qualifies=pl.when(pl.col("filing_no").is_not_null()).then("dealer_qualifies"))
        .collect()
    )  # fmt: skip


def decisions_of(wagers: pl.DataFrame) -> pl.DataFrame:
    """What a participant's ante and play wagers tell: whether they folded is read from these, the claim is only compared with it.

    A wager was made if it was accepted, or if it was cancelled within a void.

    Args:
        wagers: ``participant_key, kind, status, in_void``.

    Returns:
        ``participant_key`` and the Booleans ``ante_made, play_made, play_stands`` (accepted, not voided), ``ante_held, play_held`` (not
        rejected).
    """
    accepted, held = pl.col("status") == "accepted", pl.col("status") != "rejected"
    made = accepted | (held & pl.col("in_void"))
    is_ante, is_play = pl.col("kind") == "ante", pl.col("kind") == "play"
    return (
        wagers.lazy()
        .filter(is_ante | is_play)
        .group_by("participant_key")
        .agg(
            ante_made=(is_ante & made).any(),
            play_made=(is_play & made).any(),
            play_stands=(is_play & accepted & ~pl.col("in_void")).any(),
            ante_held=(is_ante & held).any(),
            play_held=(is_play & held).any(),
        )
        .collect()
    )

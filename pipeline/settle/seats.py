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
        ``participant_key, claims_fold, round_status, conflicting, filing_no``; of the filing ``tie_wins, void_keeps_folded``; of the hand
        ``three_class, six_class, distrust, versus`` (1 beats the dealer's, 0 equal, -1 loses); of the dealer's ``dealer_class,
        dealer_distrust, dealer_qualifies`` (null without a filing or without cards to trust).
    """
    hands = (
        counted_cards(chunk)
        .lazy()
        .with_columns(three_class=three_card_class())
        .with_columns(strength=strength())
        .collect(engine="in-memory")
    )
    dealers = hands.filter("is_dealer").select(
        "round_key", dealer_class="three_class", dealer_strength="strength", dealer_bits="bits", dealer_top=rank("high"),
        dealer_distrust="distrust",
    )  # fmt: skip
    rounds = chunk.rounds.select("round_key", "conflicting", round_status="status").join(dealers, on="round_key", how="left")
    dealt = hands.filter(~pl.col("is_dealer")).join(dealers, on="round_key", how="left")
    players = dealt.lazy().select(
        "hand_key",
        "three_class",
        "distrust",
        versus=(pl.col("strength") - pl.col("dealer_strength")).sign().cast(pl.Int8),
        six_class=six_card_classes(dealt["bits"] | dealt["dealer_bits"]),
        was_found=pl.lit(value=True),
    )
    filings = filed.filings.sort("filing_no").select(
        tie_wins=pl.col("tie") == "player_wins",
        void_keeps_folded=~pl.col("void_returns_folded"),
        threshold=pl.col("qualifier").replace_strict(list(RANKS), list(range(len(RANKS)))),
    )
    in_force = filings_in_force(chunk.participants, filed.filings).lazy()
    qualifies = (pl.col("dealer_class") >= PAIR) | (pl.col("dealer_top") >= pl.col("threshold"))
    return (
        chunk.participants.lazy()
        .select("participant_key", "round_key", "hand_key", "table_id", "operator_id", claims_fold=(pl.col("decision") == "fold"))
        .join(players, on="hand_key", how="left")
        .join(rounds.lazy(), on="round_key", how="left")
        .join(in_force, on=["table_id", "operator_id"], how="left", nulls_equal=True, validate="m:1")
        .with_columns(pl.lit(column).gather("filing_no").alias(column.name) for column in filings)
        .select(
            "participant_key", "round_status", "conflicting", "filing_no", "three_class", "six_class", "versus", "dealer_class",
            pl.col("claims_fold", "tie_wins", "void_keeps_folded").fill_null(value=False),
            distrust=pl.when("was_found").then("distrust").otherwise(pl.lit("wrong_card_count")),
            dealer_distrust=pl.when(pl.col("dealer_class").is_null()).then(pl.col("dealer_distrust").fill_null("wrong_card_count")),
            dealer_qualifies=pl.when(pl.col("filing_no").is_not_null()).then(qualifies),
        )
        .collect(engine="in-memory")
    )  # fmt: skip


def decisions_of(wagers: pl.DataFrame) -> pl.DataFrame:
    """What a participant's ante and play wagers tell: whether they folded is read from these, the claim is only compared with it.

    A wager was made if it was accepted, or if it was cancelled within a void.

    Args:
        wagers: ``participant_key`` and the Booleans ``is_ante, is_play, is_accepted, is_rejected, in_void``.

    Returns:
        ``participant_key`` and the Booleans ``ante_made, play_made, play_stands`` (accepted, not voided), ``ante_held, play_held`` (not
        rejected).
    """
    held = ~pl.col("is_rejected")
    made = pl.col("is_accepted") | (held & pl.col("in_void"))
    return (
        wagers.lazy()
        .filter(pl.col("is_ante") | pl.col("is_play"))
        .select(
            "participant_key",
            ante_made=pl.col("is_ante") & made,
            play_made=pl.col("is_play") & made,
            play_stands=pl.col("is_play") & pl.col("is_accepted") & ~pl.col("in_void"),
            ante_held=pl.col("is_ante") & held,
            play_held=pl.col("is_play") & held,
        )
        .group_by("participant_key")
        .agg(pl.all().any())
        .collect(engine="in-memory")
    )

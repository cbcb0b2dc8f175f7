"""Wrong input: the right rules on other cards, on another stake, or under another filing."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.money import micros
from pipeline.reconcile.causes.cards import read_again
from pipeline.reconcile.causes.hypothesis import BROAD, NARROW, USUAL, VAGUE, Facts, Hypothesis, Way
from pipeline.reconcile.causes.payment import IS_SHOWDOWN, IS_SIDE, ON_SIX
from pipeline.settle.hands import card_bit
from pipeline.settle.six_cards import six_card_classes

_PLACES: Final = ("low", "middle", "high")
_STANDING: Final = ~pl.col("is_voided")
_FILED: Final = ("judged_on", "forfeited_by_fold", "stake_returned", "rounding", "bonus_rounding")


def with_cards(cases: pl.DataFrame) -> pl.DataFrame:
    """Cases whose ``p_*`` or ``d_*`` cards were replaced, read anew; six cards that repeat one are no hand."""
    read = read_again(cases)
    wanted = read.select(ON_SIX.any()).item()
    if not wanted:
        return read.with_columns(six_class=pl.lit(None, pl.UInt8))
    bits = [card_bit(pl.col(f"{side}_{place}")).cast(pl.UInt64) for side in ("p", "d") for place in _PLACES]
    mask = bits[0]
    for bit in bits[1:]:
        mask = mask | bit
    masks = read.select(mask=mask).select(pl.when(pl.col("mask").bitwise_count_ones() == 6).then("mask")).to_series()
    return read.with_columns(six_class=six_card_classes(masks))


def _first_read(player: bool, dealer: bool) -> Way:
    """Cards as they were read before they were corrected, on these sides of the table."""

    def spread(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
        found = cases
        misread = []
        for side, key, wanted in (("p", "hand_key", player), ("d", "dealer_key", dealer)):
            if wanted:
                first = facts.first_read.select(
                    pl.col("hand_key").alias(key),
                    *(pl.col(place).alias(f"new_{place}") for place in _PLACES),
                    pl.col("misread").alias(f"{side}_misread"),
                )
                found = found.join(first, on=key, maintain_order="left").with_columns(
                    pl.col(f"new_{place}").alias(f"{side}_{place}") for place in _PLACES
                )
                found = found.drop(f"new_{place}" for place in _PLACES)
                misread.append(f"{side}_misread")
        return with_cards(found.with_columns(detail=pl.concat_str(misread, separator="; ")))

    return Way(_STANDING, spread=spread)


def _other_hand(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """The player's cards replaced by those of each other hand of the round."""
    others = facts.hands.filter(~pl.col("is_dealer") & pl.col("low").is_not_null()).select(
        "round_key", other_key="hand_key", other_id="hand_id", **{f"p_{place}": place for place in _PLACES}
    )
    found = cases.drop(f"p_{place}" for place in _PLACES).join(others, on="round_key", maintain_order="left_right")
    found = found.filter(pl.col("other_key").ne_missing(pl.col("hand_key")))
    return with_cards(found.with_columns(detail=pl.concat_str(pl.lit("hand "), "other_id")))


def _stale(player: bool, dealer: bool) -> Way:
    """The cards of the round before on the table: of the same hand, or of the only one that it had."""

    def spread(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
        found = cases.join(facts.before, on="round_key", maintain_order="left")
        if player:
            hands = facts.hands.filter(~pl.col("is_dealer"))
            named = hands.select(before_key="round_key", hand_id="hand_id", **{f"named_{place}": place for place in _PLACES})
            alone = hands.filter(pl.len().over("round_key") == 1)
            lone = alone.select(before_key="round_key", **{f"lone_{place}": place for place in _PLACES})
            found = found.join(named, on=["before_key", "hand_id"], how="left", maintain_order="left").join(
                lone, on="before_key", how="left", maintain_order="left"
            )
            found = found.with_columns(pl.coalesce(f"named_{place}", f"lone_{place}").alias(f"p_{place}") for place in _PLACES)
        if dealer:
            dealers = facts.hands.filter("is_dealer").select(before_key="round_key", **{f"dealt_{place}": place for place in _PLACES})
            found = found.join(dealers, on="before_key", how="left", maintain_order="left")
            found = found.with_columns(pl.col(f"dealt_{place}").alias(f"d_{place}") for place in _PLACES)
        which = "" if player and dealer else " (the player's cards)" if player else " (the dealer's cards)"
        told = pl.concat_str(pl.lit("round "), "before_id", pl.lit(which))
        return with_cards(found.with_columns(detail=told).select(*cases.columns, "detail"))

    return Way(_STANDING if player and dealer else _STANDING & (IS_SHOWDOWN | ON_SIX), spread=spread)


def _stakes(cases: pl.DataFrame, facts: Facts, on: list[str]) -> pl.DataFrame:
    others = facts.stakes.select(*on, other_stake="stake", other_kind=pl.col("kind"), other_player="player_id", other_key="wager_key")
    found = cases.join(others, on=on, maintain_order="left_right").filter(
        pl.col("other_key") != pl.col("wager_key"), pl.col("other_stake") != pl.col("stake")
    )
    return found.unique(["case_no", "other_stake"], keep="first", maintain_order=True)


def _stake_told(whose: pl.Expr) -> pl.Expr:
    amount = pl.col("other_stake").cast(pl.Decimal(18, 2)).cast(pl.String)
    return pl.concat_str(pl.lit("stake "), amount, pl.lit(" of the "), pl.col("other_kind").str.replace_all("_", " "), whose)


def _own_other_stake(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """The stake replaced by that of each other wager of the participant."""
    found = _stakes(cases, facts, ["participant_key"])
    return found.with_columns(stake=pl.col("other_stake"), detail=_stake_told(pl.lit("")))


def _own_other_winnings(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """The same for what is won; the stake that comes back is the wager's own."""
    found = _stakes(cases, facts, ["participant_key"])
    more = pl.when("is_free").then(pl.lit(0, pl.Int128)).otherwise(micros("stake") - micros("other_stake"))
    return found.with_columns(
        stake=pl.col("other_stake"), stake_beside=more, detail=pl.concat_str(_stake_told(pl.lit("")), pl.lit(", its own handed back"))
    )


def _another_players_stake(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """The stake replaced by that of another player's wager of the same kind on the same hand."""
    found = _stakes(cases, facts, ["round_key", "hand_key", "kind"])
    return found.with_columns(
        stake=pl.col("other_stake"),
        detail=_stake_told(pl.concat_str(pl.lit(" of player "), pl.col("other_player").fill_null("without id"))),
    )


def _other_operator(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """Everything filed replaced by each other filing that is in force on the day at the studio; one of the same table comes first."""
    day, studio = cases["gaming_day"][0], cases["studio_id"][0]
    filings = facts.filed.filings.filter(
        pl.col("studio_id") == studio, pl.col("effective_from") <= day, pl.col("effective_to").is_null() | (day <= pl.col("effective_to"))
    ).select(
        "tables", other_no="filing_no", detail=pl.concat_str(pl.lit("filing "), "filing_id"), tie_wins=pl.col("tie") == "player_wins",
        threshold=pl.col("qualifier").replace_strict(list("23456789TJQKA"), list(range(13)), return_dtype=pl.UInt8),
    )  # fmt: skip
    found = (
        cases.drop("tie_wins", "threshold")
        .join(filings, how="cross", maintain_order="left_right")
        .filter(pl.col("other_no") != pl.col("filing_no"))
    )
    found = found.sort("case_no", ~pl.col("tables").list.contains(pl.col("table_id")), "other_no", maintain_order=True)
    found = found.with_columns(filing_no=pl.col("other_no")).with_columns(offer_no=facts.terms.offer_no())
    found = found.with_columns(pl.lit(facts.terms.offers[name]).gather("offer_no").alias(name) for name in _FILED)
    offered = found.with_columns(is_offered=pl.lit(facts.terms.offers["is_offered"]).gather("offer_no")).filter("is_offered")
    return with_cards(offered.with_columns(pl.col("forfeited_by_fold").fill_null(value=False)))


WRONG_INPUT: Final = (
    Hypothesis(
        "first_reading_used", NARROW, "a card counts as it was read before it was corrected",
        (_first_read(player=True, dealer=False), _first_read(player=False, dealer=True), _first_read(player=True, dealer=True)),
        "the cards as first read",
    ),
    Hypothesis(
        "other_hand", BROAD, "another seat's cards are settled",
        (Way(_STANDING & pl.col("hand_key").is_not_null(), spread=_other_hand),),
        "another seat's cards",
    ),
    Hypothesis(
        "stale_result", BROAD, "the cards of the round before are settled",
        (_stale(player=True, dealer=True), _stale(player=True, dealer=False), _stale(player=False, dealer=True)),
        "the cards of the round before",
    ),
    Hypothesis(
        "paid_other_stake", VAGUE, "the wager is settled on the stake of another",
        (
            Way(_STANDING, spread=_own_other_stake),
            Way(_STANDING & IS_SIDE, {"amount": pl.col("amount") + pl.col("stake_beside")}, spread=_own_other_winnings),
            Way(_STANDING, spread=_another_players_stake),
        ),
        "the stake of another wager",
    ),
    Hypothesis(
        "filing_of_other_operator", USUAL, "the wager is settled under another filing in force at the studio",
        (Way(_STANDING, spread=_other_operator, by_detail=True),),
        "the other filing",
    ),
)  # fmt: skip

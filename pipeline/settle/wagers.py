"""The Polars engine: what is due on every wager under the filing in force, over whole columns.

Stages: who is settled at all (void, status, filing, decision), what needs no look at a card (a fold), whether the cards can be trusted,
what the hand pays, and what the filed aggregate limit leaves of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.money import from_micros, micros
from pipeline.core.schema import ENGINE
from pipeline.settle import hands, six_cards
from pipeline.settle.meters import with_pools
from pipeline.settle.payout_limit import limited
from pipeline.settle.prices import ONE, ZERO, rounded, stake_comes_back, winnings_fraction
from pipeline.settle.seats import decisions_of, seats_of
from pipeline.settle.terms import CLASSES, FLAT, METER, WIN_CLASS, Terms, terms_of
from pipeline.settle.void_scope import voided_wagers

if TYPE_CHECKING:
    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk

_WAGER_COLUMNS: Final = (
    "wager_key", "round_key", "participant_key", "hand_key", "operator_id", "player_id", "kind", "currency", "play_mode", "stake", "paid",
    "bonus_paid", "status", "funding",
)  # fmt: skip
_PRICE_PARTS: Final = ("line", "basis", "num", "den", "flat", "price_currency", "odds")
_IS_ANTE, _IS_PLAY = pl.col("kind") == "ante", pl.col("kind") == "play"
_IS_SHOWDOWN = _IS_ANTE | _IS_PLAY
_ON_SIX = pl.col("judged_on") == "best_five_of_six"


def settle(chunk: Chunk, filed: Filed) -> pl.DataFrame:
    """Settle every current wager of a chunk under its filing in force.

    Args:
        chunk: whole rounds of one studio and gaming day.
        filed: all filings.

    Returns:
        ``schema.ENGINE``: a row for each current wager, in the order of ``wager_key``.
    """
    terms = terms_of(filed)
    rounds_money = (terms.offers.select(pl.any_horizontal(pl.col("rounding", "bonus_rounding") != "exact").any()).item()) or False
    due = _due(_priced(_judged(_placed(chunk, filed, terms)), terms, chunk.meters, filed.meters), to_minor_unit=rounds_money)
    return _stated(due, _cuts(due, filed.filings))


def _placed(chunk: Chunk, filed: Filed, terms: Terms) -> pl.DataFrame:
    """The wagers beside what they are settled on: seat, decision, offer, void."""
    current = chunk.wagers.filter("is_current")
    current = current if current["wager_key"].is_sorted() else current.sort("wager_key")
    voids = chunk.rounds.select(((pl.col("status") == "voided") | pl.col("has_void")).any()).item()
    in_void = pl.col("wager_key").is_in(voided_wagers(current, chunk.rounds).implode()) if voids else pl.lit(value=False)
    wagers = current.select(*_WAGER_COLUMNS, in_void=in_void)
    seats = seats_of(chunk, filed).join(decisions_of(wagers), on="participant_key", how="left")
    told = ("ante_made", "play_made", "play_stands", "ante_held", "play_held")
    offered = ("judged_on", "forfeited_by_fold", "stake_returned", "rounding", "bonus_rounding", "is_offered")
    return (
        wagers.lazy()
        .join(seats.lazy(), on="participant_key", how="left", maintain_order="left")
        .with_columns(terms.offer_no().alias("offer_no"), *(pl.col(fact).fill_null(value=False) for fact in told))
        .with_columns(pl.lit(terms.offers[column]).gather("offer_no").alias(column) for column in offered)
        .with_columns(pl.col("forfeited_by_fold", "is_offered").fill_null(value=False))
        .collect()
    )


def _judged(placed: pl.DataFrame) -> pl.DataFrame:
    """Add ``settlement`` (settled where nothing speaks against it so far), ``settlement_reason, is_forfeit`` and ``is_live``."""
    status, claim_fold = pl.col("status"), (pl.col("decision") == "fold").fill_null(value=False)
    after_fold = claim_fold & pl.col("play_stands") & (_IS_SHOWDOWN | pl.col("forfeited_by_fold"))
    folded = pl.col("ante_made") & ~pl.col("play_made")
    state = (
        pl.when("conflicting")
        .then(pl.lit("unsettleable"))
        .when((status == "rejected") | ((status == "cancelled") & ~pl.col("in_void")))
        .then(pl.lit("not_accepted"))
        .when("in_void")
        .then(pl.lit("voided"))
        .when(pl.col("round_status") != "settled")
        .then(pl.lit("pending"))
        .otherwise(pl.lit("settled"))
    )
    reason = (
        pl.when("conflicting")
        .then(pl.lit("conflicting_round"))
        .when(pl.col("settlement") == "not_accepted")
        .then("status")
        .when(pl.col("settlement") == "pending")
        .then("round_status")
        .when(pl.col("settlement") == "voided")
        .then(None)
        .when(pl.col("filing_no").is_null())
        .then(pl.lit("no_filing_in_force"))
        .when(~pl.col("is_offered"))
        .then(pl.lit("wager_not_offered"))
        .when(_IS_PLAY & ~pl.col("ante_made"))
        .then(pl.lit("play_without_ante"))
        .when(after_fold)
        .then(pl.lit("play_after_fold"))
        .when("is_forfeit")
        .then(None)
        .when(pl.col("distrust").is_not_null())
        .then("distrust")
        .when((_IS_SHOWDOWN | _ON_SIX) & pl.col("dealer_distrust").is_not_null())
        .then(pl.lit("dealer: ") + pl.col("dealer_distrust"))
    )
    return (
        placed.lazy()
        .with_columns(settlement=state, is_forfeit=folded & (_IS_ANTE | pl.col("forfeited_by_fold")))
        .with_columns(settlement_reason=reason)
        .with_columns(is_live=(pl.col("settlement") == "settled") & pl.col("settlement_reason").is_null() & ~pl.col("is_forfeit"))
        .collect()
    )


def _priced(judged: pl.DataFrame, terms: Terms, meters: pl.DataFrame, filed_meters: pl.DataFrame) -> pl.DataFrame:
    """Add ``outcome`` and the prices hit: ``main_*`` of the wager itself, ``bonus_*`` of the ante bonus; some become unsettleable."""
    versus = pl.col("versus")
    showdown = (
        pl.when(~pl.col("dealer_qualifies"))
        .then(pl.when(_IS_ANTE).then(pl.lit("win")).otherwise(pl.lit("push")))
        .when(versus > 0)
        .then(pl.lit("win"))
        .when(versus < 0)
        .then(pl.lit("lose"))
        .when(pl.col("tie") == "player_wins")
        .then(pl.lit("win"))
        .otherwise(pl.lit("push"))
    )
    hit = pl.when(_ON_SIX).then("six_class").otherwise(pl.col("three_class"))
    main_class = pl.when(~_IS_SHOWDOWN).then(hit).when(pl.col("outcome") == "win").then(WIN_CLASS)
    number = pl.col("offer_no") * CLASSES
    priced = (
        judged.lazy()
        .with_columns(outcome=pl.when(pl.col("is_live") & _IS_SHOWDOWN).then(showdown))
        .with_columns(
            main_no=pl.when("is_live").then(number + main_class.cast(pl.UInt32)),
            bonus_no=pl.when(pl.col("is_live") & _IS_ANTE).then(number + pl.col("three_class").cast(pl.UInt32)),
        )
        .with_columns(
            pl.lit(terms.pays[part]).gather(f"{price}_no").alias(f"{price}_{part}") for price in ("main", "bonus") for part in _PRICE_PARTS
        )
        .collect()
    )
    with_meters = (terms.pays["basis"] == METER).any()
    for price in ("main", "bonus"):
        no_pool = [pl.lit(None, pl.Int128).alias(f"{price}_{part}") for part in ("pool", "winners")]
        priced = with_pools(priced, price, meters, filed_meters) if with_meters else priced.with_columns(no_pool)
    side = pl.when(pl.col("main_line").is_null()).then(pl.lit("lose")).otherwise(pl.lit("win"))
    unpayable = (
        pl.when(pl.any_horizontal(_is_foreign(price) for price in ("main", "bonus")))
        .then(pl.lit("flat_currency"))
        .when(pl.any_horizontal(_lacks_meter(price) for price in ("main", "bonus")))
        .then(pl.lit("meter_missing"))
    )
    return (
        priced.lazy()
        .with_columns(
            outcome=pl.when("is_live").then(pl.when(_IS_SHOWDOWN).then("outcome").otherwise(side)),
            settlement_reason=pl.coalesce("settlement_reason", unpayable),
        )
        .with_columns(
            settlement=pl.when((pl.col("settlement") == "settled") & pl.col("settlement_reason").is_not_null())
            .then(pl.lit("unsettleable"))
            .otherwise("settlement")
        )
        .collect()
    )


def _is_foreign(price: str) -> pl.Expr:
    flat = (pl.col(f"{price}_basis") == FLAT).fill_null(value=False)
    return flat & pl.col(f"{price}_price_currency").ne_missing(pl.col("currency"))


def _lacks_meter(price: str) -> pl.Expr:
    return (pl.col(f"{price}_basis") == METER).fill_null(value=False) & pl.col(f"{price}_pool").is_null()


def _due(priced: pl.DataFrame, *, to_minor_unit: bool) -> pl.DataFrame:
    """Add ``expected`` and ``expected_bonus`` in millionths, before any aggregate limit; a free wager hands back no stake."""
    free = pl.col("funding") == "free"
    stakes_back = pl.when(pl.col("outcome") == "win").then(stake_comes_back("main")).otherwise(pl.col("outcome") == "push")
    won, shares = winnings_fraction("main")
    won = pl.when(pl.col("outcome") == "win").then(won).otherwise(ZERO)
    shares = pl.when(pl.col("outcome") == "win").then(shares).otherwise(ONE)
    handed_back = won + (stakes_back.cast(pl.Int128) - free.cast(pl.Int128)) * micros("stake") * shares
    bonus, bonus_shares = winnings_fraction("bonus")
    is_due = (pl.col("settlement") == "settled") & ~pl.col("is_forfeit")
    settled = pl.when(is_due).then(rounded(handed_back.clip(lower_bound=0), shares, "rounding", to_minor_unit=to_minor_unit))
    has_bonus = pl.col("bonus_line").is_not_null()
    settled_bonus = (
        pl.when(is_due & has_bonus).then(rounded(bonus, bonus_shares, "bonus_rounding", to_minor_unit=to_minor_unit)).otherwise(ZERO)
    )
    nothing_paid = (pl.col("paid").fill_null(0) == 0) & (pl.col("bonus_paid").fill_null(0) == 0)
    fold_kept = (
        ~pl.col("void_returns_folded").fill_null(value=True)
        & pl.col("ante_held")
        & ~pl.col("play_held")
        & (pl.col("decision") == "fold").fill_null(value=False)
        & (_IS_ANTE | pl.col("forfeited_by_fold"))
    )
    refund = pl.when(free | ((pl.col("status") == "cancelled") & nothing_paid) | fold_kept).then(ZERO).otherwise(micros("stake"))
    owed = pl.col("settlement").is_in(["settled", "voided"])
    return (
        priced.lazy()
        .with_columns(
            expected=pl.when(pl.col("settlement") == "voided")
            .then(refund)
            .when(owed)
            .then(pl.when("is_forfeit").then(ZERO).otherwise(settled)),
            expected_bonus=pl.when(owed & _IS_ANTE).then(settled_bonus),
        )
        .collect()
    )


def _cuts(due: pl.DataFrame, filings: pl.DataFrame) -> pl.DataFrame | None:
    if filings["cap_amount"].is_not_null().any():
        return limited(due.filter(pl.col("settlement") == "settled"), filings)
    return None


def _stated(due: pl.DataFrame, cuts: pl.DataFrame | None) -> pl.DataFrame:
    """The engine's columns: names for classes, decimals for millionths, and the filing's key that decided."""
    is_settled, is_voided = pl.col("settlement") == "settled", pl.col("settlement") == "voided"
    expected, bonus, is_cut = pl.col("expected"), pl.col("expected_bonus"), pl.lit(value=False)
    if cuts is not None:
        due = due.join(cuts, on="wager_key", how="left", maintain_order="left")
        is_cut = pl.col("cut_expected").is_not_null()
        expected, bonus = expected - pl.col("cut_expected").fill_null(0), bonus - pl.col("cut_bonus").fill_null(0)
    three, five = pl.lit(hands.CLASS_CATEGORIES).gather("three_class"), pl.lit(six_cards.CLASS_CATEGORIES).gather("six_class")
    paid_line = is_settled & ~pl.col("is_forfeit")
    line = {
        name: pl.when(paid_line & _IS_ANTE).then(f"bonus_{name}").when(paid_line & ~_IS_PLAY).then(f"main_{name}")
        for name in ("line", "odds")
    }
    decided = (
        pl.when(is_voided)
        .then(pl.lit("void"))
        .when(~is_settled)
        .then(None)
        .when(is_cut)
        .then(pl.lit("aggregate_payout_limit"))
        .when(pl.col("is_forfeit"))
        .then(pl.when(_IS_ANTE).then(pl.lit("fold")).otherwise(pl.concat_str("kind", pl.lit(".forfeited_by_fold"))))
        .when(_IS_SHOWDOWN & ~pl.col("dealer_qualifies"))
        .then(pl.lit("qualifier"))
        .when(_IS_SHOWDOWN & (pl.col("versus") == 0))
        .then(pl.lit("tie"))
        .when(_IS_SHOWDOWN)
        .then(pl.concat_str(pl.lit("wagers."), "kind"))
        .when(pl.col("main_line").is_null())
        .then(pl.concat_str("kind", pl.lit(".odds")))
        .otherwise(pl.concat_str("kind", pl.lit(".odds."), "main_line"))
    )
    forfeit_or = pl.when("is_forfeit").then(pl.lit("forfeit")).otherwise("outcome")
    outcome = pl.when(is_voided).then(pl.lit("void")).when(is_settled).then(forfeit_or)
    judged = pl.when(_ON_SIX).then(five).when(_IS_SHOWDOWN | (pl.col("judged_on") == "player_three")).then(three)
    return (
        due.lazy()
        .select(
            "wager_key", "settlement", "settlement_reason", "filing_no", "dealer_qualifies", **line,
            hand_category=judged,
            dealer_category=pl.lit(hands.CLASS_CATEGORIES).gather("dealer_class"),
            outcome=outcome,
            expected=from_micros(expected),
            expected_bonus=from_micros(bonus),
            rule=decided,
        )
        .select(pl.col(column.name).cast(column.dtype) for column in ENGINE.columns)
        .collect()
    )  # fmt: skip

"""The cases to be diagnosed: wagers with everything that a hypothesis may look at."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.cards import RANKS
from pipeline.core.money import micros
from pipeline.core.schema import Chunk
from pipeline.reconcile.causes.hypothesis import Facts
from pipeline.reconcile.causes.payment import settled_again
from pipeline.reconcile.causes.six_cards import six_card_facts
from pipeline.settle.counted_cards import counted_cards
from pipeline.settle.dues import priced
from pipeline.settle.hands import card_number
from pipeline.settle.meters import with_pools
from pipeline.settle.standing import standing_of
from pipeline.settle.terms import METER

if TYPE_CHECKING:
    from pipeline.core.filed import Filed
    from pipeline.settle.terms import Terms

_PLACES: Final = ("low", "middle", "high")
_LOGGED: Final = ("studio_id", "gaming_day", "table_id", "hand_key", "hand_id", "player_id", "operator_id", "round_id", "wager_id")
_STANDING: Final = (
    "wager_key", "round_key", "participant_key", "kind", "currency", "stake", "is_ante", "is_play", "is_free", "is_real", "filing_no",
    "three_class", "dealer_class", "versus", "six_class", "dealer_qualifies", "tie_wins", "ante_made", "offer_no", "judged_on",
    "forfeited_by_fold", "stake_returned", "rounding", "bonus_rounding", "main_pool", "main_winners", "bonus_pool", "bonus_winners",
)  # fmt: skip
_RIGHT: Final = ("outcome", "main_line", "main_basis", "main_odds", "bonus_line", "bonus_odds")


def only_rounds(chunk: Chunk, keys: pl.Series) -> Chunk:
    """The rounds of a chunk with these keys, and everything in them."""
    wanted = pl.DataFrame({"round_key": keys.unique()})
    frames = {field.name: getattr(chunk, field.name) for field in fields(chunk)}
    return Chunk(**{name: frame.join(wanted, on="round_key", how="semi", maintain_order="left") for name, frame in frames.items()})


def joined(earlier: Chunk | None, chunk: Chunk) -> Chunk:
    """Two chunks as one."""
    if earlier is None:
        return chunk
    return Chunk(**{field.name: pl.concat([getattr(earlier, field.name), getattr(chunk, field.name)]) for field in fields(chunk)})


def order_of_rounds(rounds: pl.DataFrame) -> pl.DataFrame:
    """``round_key, before_key, before_id``: each current round and the one before it on its table; null for a table's first."""
    current = rounds.filter("is_current").select("table_id", "round_key", "round_id").sort("round_key")
    return current.select(
        "round_key", before_key=pl.col("round_key").shift(1).over("table_id"), before_id=pl.col("round_id").shift(1).over("table_id")
    )


def cases_of(
    chunk: Chunk, settled: pl.DataFrame, before: pl.DataFrame, around: Chunk, filed: Filed, terms: Terms
) -> tuple[pl.DataFrame, Facts]:
    """Lay out wagers for diagnosis.

    Args:
        chunk: the rounds of the wagers, whole.
        settled: ``results.SETTLEMENTS`` of the wagers, which are settled or voided.
        before: see ``order_of_rounds``.
        around: ``chunk`` and the rounds before its rounds on their tables.
        filed: the filings.
        terms: the same, laid out for settling.

    Returns:
        The cases, a row a wager in the order of ``wager_key`` (``case_no`` runs from 0), and the facts beside them. Amounts that are
        computed are Int128 millionths: ``paid`` and ``due`` in all, ``plain`` (what the right rule makes due before an aggregate limit),
        ``refund``, ``play_stake``, ``side_stake``. Cards: ``p_low, p_middle, p_high, p_1, p_2, p_3`` and the same with ``d_``.
    """
    standing = _priced(chunk, filed, terms)
    logged = chunk.wagers.filter("is_current").select("wager_key", *_LOGGED)
    wanted = settled.select(
        "wager_key", is_voided=pl.col("settlement") == "voided",
        paid=micros("paid").fill_null(0) + micros("bonus_paid").fill_null(0),
        due=micros("expected") + micros("expected_bonus").fill_null(0),
        is_cut=(pl.col("rule") == "aggregate_payout_limit").fill_null(value=False),
    ).with_columns(refund=pl.when("is_voided").then("due"))  # fmt: skip
    folded = (pl.col("ante_made") & ~pl.col("play_made")).fill_null(value=False)
    hands = _hands(around)
    found = (
        wanted.join(standing.with_columns(folded=folded), on="wager_key", maintain_order="left")
        .join(logged, on="wager_key", maintain_order="left")
        .join(_stakes_of_participants(chunk), on="participant_key", how="left", maintain_order="left")
        .join(_voids(chunk), on="round_key", how="left", maintain_order="left")
        .join(_seen(hands, "p", "hand_key"), on="hand_key", how="left", maintain_order="left")
        .join(
            _seen(hands.filter("is_dealer"), "d", "dealer_key"), left_on="round_key", right_on="d_round", how="left", maintain_order="left"
        )
        .with_columns(threshold=_thresholds(filed), ante_made=pl.col("ante_made").fill_null(value=False))
        .with_row_index("case_no")
        .pipe(six_card_facts)
    )
    right = settled_again(found, terms, {}).select(
        *(pl.col(name).alias(f"right_{name}") for name in _RIGHT), is_forfeit_right="is_forfeit", plain="amount"
    )
    facts = Facts(filed, terms, hands, _first_read(around), _stakes(chunk), before)
    return found.hstack(right.collect(engine="in-memory")), facts


def _priced(chunk: Chunk, filed: Filed, terms: Terms) -> pl.DataFrame:
    standing = priced(standing_of(chunk, filed, terms), terms, chunk.meters, filed.meters)
    if not (terms.pays["basis"] == METER).any() or chunk.meters.is_empty():
        return standing.select(*_STANDING, "play_made")
    # A broken rule may take a hand for one that wins the meter's share; whoever truly won it shares it still.
    share = standing.with_columns(main_basis=pl.lit(METER, pl.UInt8), main_line=pl.lit("")).drop("main_pool", "main_winners")
    pools = with_pools(share, "main", chunk.meters, filed.meters)["main_pool"]
    return standing.with_columns(main_pool=pl.coalesce("main_pool", pools), main_winners=pl.col("main_winners").fill_null(1)).select(
        *_STANDING, "play_made"
    )


def _thresholds(filed: Filed) -> pl.Expr:
    ranks = pl.col("qualifier").replace_strict(list(RANKS), list(range(len(RANKS))), return_dtype=pl.UInt8)
    return pl.lit(filed.filings.sort("filing_no").select(ranks).to_series()).gather("filing_no")


def _hands(around: Chunk) -> pl.DataFrame:
    """The current hands with the cards that count, and in dealt order where they were posted."""
    current = around.hands.filter("is_current")
    places = [pl.col("cards").list.get(place, null_on_oob=True).alias(f"text_{place + 1}") for place in range(3)]
    dealt = current.select("hand_key", "hand_id", *places).with_columns(
        card_number(pl.col(f"text_{place}")).alias(f"dealt_{place}") for place in (1, 2, 3)
    )
    return dealt.drop("text_1", "text_2", "text_3").join(
        counted_cards(around).drop("bits", "distrust"), on="hand_key", maintain_order="left"
    )


def _seen(hands: pl.DataFrame, side: str, key: str) -> pl.DataFrame:
    dealers = {} if side == "p" else {"d_round": pl.col("round_key")}
    return hands.select(
        pl.col("hand_key").alias(key), **dealers, **{f"{side}_{place}": pl.col(place) for place in _PLACES},
        **{f"{side}_{place}": pl.col(f"dealt_{place}") for place in (1, 2, 3)},
    )  # fmt: skip


def _first_read(around: Chunk) -> pl.DataFrame:
    """The hands with a corrected card, as they were first read."""
    readings = around.card_readings.filter("is_current")
    corrected = readings.filter(pl.col("replaces").is_not_null()).select("hand_key").unique()
    first = (
        readings.filter(pl.col("replaces").is_null()).join(corrected, on="hand_key", how="semi").sort("hand_key", "position", "reading_no")
    )
    told = pl.concat_str("card", pl.lit(" at place "), pl.col("position").cast(pl.String), pl.lit(" of "), "to")
    last = readings.filter(pl.col("replaces").is_not_null()).select("hand_key", "position").unique()
    named = first.join(last, on=["hand_key", "position"], how="semi").group_by("hand_key").agg(misread=told.str.join(", "))
    return (
        first.with_columns(number=card_number(pl.col("card")))
        .group_by("hand_key")
        .agg(
            count=pl.len(),
            low=pl.col("number").min(),
            middle=pl.col("number").sort().get(1, null_on_oob=True),
            high=pl.col("number").max(),
            known=pl.col("number").count(),
        )
        .filter((pl.col("count") == 3) & (pl.col("known") == 3))
        .join(named, on="hand_key")
        .select("hand_key", *_PLACES, "misread")
    )


def _stakes(chunk: Chunk) -> pl.DataFrame:
    taken = chunk.wagers.filter(pl.col("is_current") & (pl.col("status") != "rejected"))
    return taken.select("round_key", "participant_key", "hand_key", "player_id", "wager_key", "kind", "stake").sort("wager_key")


def _stakes_of_participants(chunk: Chunk) -> pl.DataFrame:
    is_play, is_main = pl.col("kind") == "play", pl.col("kind").is_in(["ante", "play"])
    accepted = chunk.wagers.filter(pl.col("is_current") & (pl.col("status") == "accepted"))
    return accepted.group_by("participant_key").agg(
        play_stake=micros(pl.col("stake").filter(is_play).sum()), side_stake=micros(pl.col("stake").filter(~is_main).sum())
    )


def _voids(chunk: Chunk) -> pl.DataFrame:
    is_part = pl.col("status") != "voided"
    return chunk.rounds.select("round_key", round_has_void=pl.col("has_void") | ~is_part, void_is_part=pl.col("has_void") & is_part)

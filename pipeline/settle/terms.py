"""What is filed, laid out for settling: the filing in force for each seat, the wagers it offers and what each class of hand pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import DUE
from pipeline.settle.hands import THREE_CARD_CLASSES
from pipeline.settle.six_cards import SIX_CARD_CLASSES

if TYPE_CHECKING:
    from pipeline.core.filed import Filed

BASES: Final = ("to", "for", "flat", "meter")
TO, FOR, FLAT, METER = range(4)
WIN_CLASS: Final = max(len(THREE_CARD_CLASSES), len(SIX_CARD_CLASSES))
"""The class of a showdown won, beside the classes of hands."""

CLASSES: Final = WIN_CLASS + 1
SHOWDOWN_KINDS: Final = ("ante", "play")

_FALLING_THROUGH: Final = {
    "mini_royal": ("mini_royal", "straight_flush"),
    "mini_royal_spades": ("mini_royal_spades", "mini_royal", "straight_flush"),
    "royal_flush": ("royal_flush", "straight_flush"),
    "super_royal_other": ("super_royal_other", "six_card_royal", "royal_flush", "straight_flush"),
    "super_royal_diamonds": ("super_royal_diamonds", "six_card_royal", "royal_flush", "straight_flush"),
}
"""For each class with lines more general than its own: those that can pay it, the most specific first."""


def filings_in_force(participants: pl.DataFrame, filings: pl.DataFrame) -> pl.DataFrame:
    """The filing that governs each seat: of the studio, by table, operator and gaming day, both ends of its dates included.

    Args:
        participants: of one studio and gaming day.
        filings: as ``filed.FILINGS``; at most one governs a (studio, table, operator, day).

    Returns:
        ``table_id, operator_id, filing_no``, a row for each governed seat.
    """
    day = pl.col("gaming_day")
    governing = (
        participants.select("studio_id", "gaming_day")
        .head(1)
        .join(filings.select("studio_id", "filing_no", "effective_from", "effective_to", "operators", table_id="tables"), on="studio_id")
        .filter((pl.col("effective_from") <= day) & (pl.col("effective_to").is_null() | (day <= pl.col("effective_to"))))
        .select("filing_no", "operators", "table_id")
        .explode("table_id", empty_as_null=True)
    )
    seats = participants.select("table_id", "operator_id").unique()
    governs = pl.col("operators").is_null() | pl.col("operators").list.contains(pl.col("operator_id"))
    return seats.join(governing, on="table_id").filter(governs).select("table_id", "operator_id", "filing_no")


@dataclass(frozen=True, slots=True)
class Terms:
    """What is filed as dense tables, so that a wager finds its terms by position.

    Attributes:
        kinds: every kind that is filed, and ante and play.
        offers: a row for each filing and kind, at ``filing_no`` times the number of kinds, plus the kind's: ``filing_no, kind,
            is_offered, judged_on, forfeited_by_fold, stake_returned, rounding, bonus_rounding``, and the keys that decide where no line
            does: ``own_rule`` and, after a fold, ``fold_rule``.
        pays: a row for each offer and class of hand, at the offer's place times ``CLASSES``, plus the class: ``line, basis`` (index
            into ``BASES``), ``num, den`` (Int128), ``flat`` (DECIMAL(38,6)), ``price_currency, odds``; all null where it pays nothing.
            On an ante the classes of hands pay its bonus, and ``WIN_CLASS`` is what ante and play win. ``rule`` is the line's key.
    """

    kinds: pl.Enum
    offers: pl.DataFrame
    pays: pl.DataFrame

    def offer_no(self) -> pl.Expr:
        """Place in ``offers`` of a wager with ``filing_no`` and ``kind``; null where the filing or the kind is unknown."""
        number = pl.col("kind").cast(self.kinds, strict=False).to_physical().cast(pl.UInt32)
        return pl.col("filing_no").cast(pl.UInt32) * len(self.kinds.categories) + number


def terms_of(filed: Filed) -> Terms:
    """Lay out all filings; whoever reads one sees to it that it offers ante and play, at even money where nothing else is filed."""
    names = filed.wagers["kind"].unique().sort()
    kinds = pl.Enum(names.filter(names != "ante_bonus"))
    offers = _offers(filed, kinds)
    return Terms(kinds, offers, _pays(filed, offers))


def _offers(filed: Filed, kinds: pl.Enum) -> pl.DataFrame:
    is_showdown = pl.col("kind").is_in(SHOWDOWN_KINDS)
    wagers = filed.wagers.select(
        "filing_no", "kind", "judged_on", "forfeited_by_fold", "stake_returned", "rounding", is_filed=pl.lit(value=True)
    )
    bonus = filed.wagers.filter(pl.col("kind") == "ante_bonus").select("filing_no", kind=pl.lit("ante"), bonus_rounding="rounding")
    key = ["filing_no", "kind"]
    return (
        filed.filings.select("filing_no")
        .sort("filing_no")
        .join(pl.DataFrame({"kind": kinds.categories}), how="cross", maintain_order="left_right")
        .join(wagers, on=key, how="left", maintain_order="left")
        .join(bonus, on=key, how="left", maintain_order="left")
        .with_columns(
            is_offered=is_showdown | pl.col("is_filed").is_not_null(),
            judged_on=pl.when(is_showdown).then(pl.lit("showdown")).otherwise("judged_on"),
            forfeited_by_fold=pl.col("forfeited_by_fold").fill_null(value=False) & ~is_showdown,
            stake_returned=pl.col("stake_returned").fill_null(value=False),
            own_rule=pl.when(is_showdown).then(pl.concat_str(pl.lit("wagers."), "kind")).otherwise(pl.concat_str("kind", pl.lit(".odds"))),
            fold_rule=pl.when(pl.col("kind") == "ante").then(pl.lit("fold")).otherwise(pl.concat_str("kind", pl.lit(".forfeited_by_fold"))),
        )
    )


def _pays(filed: Filed, offers: pl.DataFrame) -> pl.DataFrame:
    """The most specific filed line pays; nothing else falls through."""
    lines = filed.lines.select(
        "filing_no", "kind", "line", pl.col("num", "den").cast(pl.Int128), pl.col("flat").cast(DUE), "odds", price_currency="currency",
        basis=pl.col("basis").replace_strict(list(BASES), list(range(len(BASES))), return_dtype=pl.UInt8),
    )  # fmt: skip
    is_ante = pl.col("kind") == "ante"
    judged_on = pl.when(is_ante).then(pl.lit("player_three")).otherwise("judged_on").alias("judged_on")
    laddered = (
        offers.select("filing_no", "kind", judged_on, priced=pl.when(is_ante).then(pl.lit("ante_bonus")).otherwise("kind"))
        .join(_ladder(), on="judged_on")
        .join(lines.rename({"kind": "priced"}), on=["filing_no", "priced", "line"])
        .sort("step")
        .unique(["filing_no", "kind", "hand_class"], keep="first")
        .drop("judged_on", "priced", "step")
    )
    wins = lines.filter(pl.col("kind").is_in(SHOWDOWN_KINDS) & (pl.col("line") == "win"))
    won = wins.with_columns(hand_class=pl.lit(WIN_CLASS, pl.Int64))
    rule = pl.when(~pl.col("kind").is_in(SHOWDOWN_KINDS) & pl.col("line").is_not_null()).then(
        pl.concat_str("kind", pl.lit(".odds."), "line")
    )
    return (
        offers.select("filing_no", "kind")
        .join(pl.DataFrame({"hand_class": range(CLASSES)}), how="cross", maintain_order="left_right")
        .join(
            pl.concat([laddered, won], how="diagonal"),
            on=["filing_no", "kind", "hand_class"],
            how="left",
            maintain_order="left",
            validate="1:1",
        )
        .with_columns(rule=rule)
    )


def _ladder() -> pl.DataFrame:
    """``judged_on, hand_class, line, step``: the lines that can pay each class of hand, the most specific first."""
    classes = {"player_three": THREE_CARD_CLASSES, "best_five_of_six": SIX_CARD_CLASSES}
    rows = [
        (judged_on, hand_class, line, step)
        for judged_on, names in classes.items()
        for hand_class, name in enumerate(names)
        for step, line in enumerate(_FALLING_THROUGH.get(name, (name,)))
    ]
    return pl.DataFrame(rows, schema=["judged_on", "hand_class", "line", "step"], orient="row")

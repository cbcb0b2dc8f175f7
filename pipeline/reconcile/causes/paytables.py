"""Another paytable: every licensed and every filed table, and every licensed and filed price of a line, tried on the hand."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.schema import DUE, PolarsType
from pipeline.filings.catalogue import licensed
from pipeline.reconcile.causes.hypothesis import BROAD, NARROW, Facts, Hypothesis, Way
from pipeline.reconcile.causes.payment import IS_SHOWDOWN, ON_SIX
from pipeline.settle.hands import MINI_ROYAL, THREE_CARD_CLASSES
from pipeline.settle.prices import ZERO, rounded, winnings_fraction
from pipeline.settle.six_cards import SIX_CARD_CLASSES
from pipeline.settle.terms import BASES, FOR, TO, WIN_CLASS

_FALLING: Final = {
    "mini_royal_spades": ("mini_royal", "straight_flush"),
    "mini_royal": ("straight_flush",),
    "royal_flush": ("straight_flush",),
    "super_royal_other": ("six_card_royal", "royal_flush", "straight_flush"),
    "super_royal_diamonds": ("six_card_royal", "royal_flush", "straight_flush"),
}
_STANDING: Final = ~pl.col("is_voided") & ~pl.col("is_forfeit_right")
_ON_THREE: Final = (pl.col("judged_on") == "player_three").fill_null(value=False)
_MINI: Final = ((pl.col("is_ante") | _ON_THREE) & (pl.col("three_class") >= MINI_ROYAL)).fill_null(value=False)
_MINI_LINES: Final = ("mini_royal", "mini_royal_spades")
_PRICE: Final[dict[str, PolarsType]] = {"basis": pl.UInt8, "num": pl.Int128, "den": pl.Int128, "flat": DUE, "odds": pl.String}


def _licensed_prices() -> pl.DataFrame:
    """``source, priced, line, basis, num, den, odds`` of every licensed price that is odds; ``whole`` for the tables of the ante bonus."""
    catalogue = licensed()
    rows = [
        (table.name, "ante_bonus", line, price.basis, price.num, price.den, price.text, True)
        for table in catalogue.ante_bonus
        for line, price in table.odds.items()
    ]
    rows += [
        (line.section, kind, name, price.basis, price.num, price.den, price.text, False)
        for kind, wager in catalogue.wagers.items()
        for name, line in wager.lines.items()
        for price in (*line.prices, *((line.floor,) if line.floor else ()))
    ]
    rows += [
        (catalogue.mini_royal_section, "ante_bonus", "mini_royal", table.mini_royal_floor.basis, table.mini_royal_floor.num,
         table.mini_royal_floor.den, table.mini_royal_floor.text, False)
        for table in catalogue.ante_bonus
        if table.mini_royal_floor
    ]  # fmt: skip
    names = ["source", "priced", "line", "basis", "num", "den", "odds", "whole"]
    return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None).with_columns(flat=pl.lit(None, DUE)).pipe(_typed)


def _filed_prices(facts: Facts) -> pl.DataFrame:
    names = facts.filed.filings.select("filing_no", source=pl.concat_str(pl.lit("filing "), "filing_id"))
    return (
        facts.filed.lines.join(names, on="filing_no")
        .select("source", "line", "basis", "num", "den", "odds", "flat", priced="kind", whole=pl.lit(value=True))
        .pipe(_typed)
    )


def _typed(prices: pl.DataFrame) -> pl.DataFrame:
    basis = pl.col("basis").replace_strict(list(BASES), list(range(len(BASES))))
    known = prices.filter(pl.col("basis") != "meter").with_columns(basis)
    return known.with_columns(pl.col(name).cast(dtype) for name, dtype in _PRICE.items()).select(
        "source", "priced", "line", *_PRICE, "whole"
    )


def prices_tried(facts: Facts) -> pl.DataFrame:
    """Every price of every line, by where it stands: ``source, priced, line, basis, num, den, flat, odds, whole``."""
    by_licence = _licensed_prices()
    return pl.concat([_filed_prices(facts), by_licence, _of_like_kinds(by_licence, facts)]).unique(maintain_order=True)


def _of_like_kinds(by_licence: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """For filed kinds of which no price is licensed: the licensed prices of the kinds that are judged on the same cards."""
    licensed_on = [(kind, wager.judged_on) for kind, wager in licensed().wagers.items()]
    judged = pl.DataFrame(licensed_on, schema={"priced": pl.String, "judged_on": pl.String}, orient="row")
    filed = facts.filed.wagers.select("judged_on", like=pl.col("kind")).drop_nulls().unique(maintain_order=True)
    unpriced = filed.join(by_licence, left_on="like", right_on="priced", how="anti", maintain_order="left")
    found = by_licence.join(judged, on="priced", maintain_order="left").join(unpriced, on="judged_on", maintain_order="left_right")
    return found.with_columns(priced="like").select(by_licence.columns)


def _hand_classes() -> pl.DataFrame:
    """``on_six, hand_class, line, step``: which lines can pay a class of hand, the most specific first."""
    rows = [
        (on_six, number, line, step)
        for on_six, classes in ((False, THREE_CARD_CLASSES), (True, SIX_CARD_CLASSES))
        for number, name in enumerate(classes)
        for step, line in enumerate((name, *_FALLING.get(name, ())))
    ]
    rows.append((False, WIN_CLASS, "win", 0))
    return pl.DataFrame(rows, schema={"on_six": pl.Boolean, "hand_class": pl.UInt8, "line": pl.String, "step": pl.Int64}, orient="row")


def _tries(facts: Facts, *, whole: bool) -> pl.DataFrame:
    """``priced, on_six, hand_class, detail, new_*``: what each class of hand gets under each whole table, or at each price of its line.

    Under a whole table, a class that none of its lines pays gets nothing: a row without a price.
    """
    prices = prices_tried(facts)
    if not whole:
        found = prices.join(_hand_classes(), on="line").with_columns(by_price=pl.struct("line", "odds"))
        found = found.unique(["priced", "on_six", "hand_class", "by_price"], keep="first", maintain_order=True)
    else:
        tables = prices.filter("whole").select("source", "priced").unique(maintain_order=True)
        classes = _hand_classes().select("on_six", "hand_class").unique(maintain_order=True)
        best = (
            prices.filter("whole")
            .join(_hand_classes(), on="line")
            .sort("step", maintain_order=True)
            .unique(["source", "priced", "on_six", "hand_class"], keep="first", maintain_order=True)
        )
        found = tables.join(classes, how="cross", maintain_order="left_right").join(
            best, on=["source", "priced", "on_six", "hand_class"], how="left", maintain_order="left"
        )
    price = pl.concat_str(pl.col("line").str.replace_all("_", " "), pl.lit(" at "), "odds")
    at_price = pl.when(pl.col("line").is_null()).then(pl.lit("no line for the hand")).otherwise(price)
    # A table is one rule however many of its lines show it; so the detail that findings are weighed by names the table alone.
    told = pl.concat_str("source", pl.lit(": "), at_price) if whole else pl.concat_str(price, pl.lit(" ("), "source", pl.lit(")"))
    return found.select("priced", "on_six", "hand_class", "line", rule=pl.col("source") if whole else told, detail=told, **_as_new())


def _as_new() -> dict[str, pl.Expr]:
    none = {f"new_{name}": pl.lit(None, pl.Int128) for name in ("pool", "winners")}
    return {f"new_{name}": pl.col(name) for name in _PRICE} | none


def _minis() -> Way:
    """Every price at which a mini royal is licensed or filed anywhere, where none is filed for the wager."""

    def spread(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
        told = pl.concat_str(pl.lit("mini royal at "), "odds")
        minis = prices_tried(facts).filter(pl.col("line").is_in(list(_MINI_LINES))).unique("odds", keep="first", maintain_order=True)
        return cases.join(minis.select(detail=told, **_as_new()), how="cross", maintain_order="left_right")

    line = pl.when(pl.col("is_ante")).then("right_bonus_line").otherwise("right_main_line")
    unfiled = _STANDING & _MINI & ~line.is_in(list(_MINI_LINES)).fill_null(value=False)
    return Way(unfiled, {"amount": pl.when("is_ante").then(_new_bonus()).otherwise(_new_main())}, spread=spread, by_detail=True)


def _spread(*, whole: bool, bonus: bool) -> Way:
    """The wager's own price, or the ante bonus, replaced."""

    def spread(cases: pl.DataFrame, facts: Facts) -> pl.DataFrame:
        own = pl.when(IS_SHOWDOWN).then(pl.when(pl.col("right_outcome") == "win").then(pl.lit(WIN_CLASS, pl.UInt8)))
        hand_class = pl.col("three_class") if bonus else own.when(ON_SIX).then("six_class").otherwise("three_class")
        keyed = cases.with_columns(priced=pl.lit("ante_bonus") if bonus else pl.col("kind"), on_six=ON_SIX, hand_class=hand_class)
        tries = _tries(facts, whole=whole).filter(pl.col("priced").is_in(keyed["priced"].unique().implode()))
        found = keyed.join(tries, on=["priced", "on_six", "hand_class"], maintain_order="left_right")
        return found.filter(pl.col("new_odds").ne_missing(pl.col("right_bonus_odds" if bonus else "right_main_odds")))

    touches = _STANDING & (pl.col("is_ante") if bonus else pl.lit(value=True)) & pl.col("three_class").is_not_null()
    return Way(touches, {"amount": _new_bonus() if bonus else _new_main()}, spread=spread, by_detail=True)


def _new_fraction() -> tuple[pl.Expr, pl.Expr]:
    return winnings_fraction("new")


def _new_bonus() -> pl.Expr:
    paid = rounded(*_new_fraction(), "bonus_rounding", to_minor_unit=True)
    return pl.col("main") + pl.when(pl.col("new_odds").is_not_null()).then(paid).otherwise(ZERO)


def _new_main() -> pl.Expr:
    winnings, shares = _new_fraction()
    back = pl.when((pl.col("new_basis") == TO) | ((pl.col("new_basis") != FOR) & pl.col("stake_returned"))).then(1).otherwise(0)
    kept = back.cast(pl.Int128) - pl.col("is_free").cast(pl.Int128)
    stake = pl.col("stake").reinterpret(dtype=pl.Int128)
    paid = rounded((winnings + kept * stake * shares).clip(lower_bound=0), shares, "rounding", to_minor_unit=True)
    return pl.when(pl.col("new_odds").is_not_null()).then(paid).otherwise(ZERO) + pl.col("bonus")


PAYTABLES: Final = (
    Hypothesis("mini_royal_unfiled", NARROW, "a mini royal is paid at a price of its own where none is filed", (_minis(),)),
    Hypothesis(
        "other_paytable", BROAD, "the hand is paid by another paytable, or its line at another price",
        tuple(_spread(whole=whole, bonus=bonus) for whole in (False, True) for bonus in (False, True)),
    ),
)  # fmt: skip

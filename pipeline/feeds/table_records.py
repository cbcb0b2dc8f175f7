"""From the rows of flat tables to records of ``round-log/1``: what belongs to a round is gathered under it, whole columns at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import CARDS
from pipeline.feeds.frames import DEALER
from pipeline.feeds.records import shaped
from pipeline.feeds.staged import TELLING
from pipeline.feeds.table_columns import COLUMNS, KEY, PERSON, TELLS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pipeline.feeds.profile import Cards

_VOID_LISTS: Final = ("hand_ids", "player_ids", "wager_ids")


def _no_reasons() -> pl.DataFrame:
    return pl.DataFrame(schema={TELLING: pl.Int64, "reason": pl.String})


@dataclass(slots=True)
class Gathered:
    """The rounds of some rows.

    Args:
        records: their records (``records.RECORD``), ``telling`` being the order of their rows in ``rounds``.
        links: table to ``row, telling``: which tellings a row belongs to; null where its round does not exist.
        broken: ``telling, reason`` of the tellings of which a row cannot be read or belongs to nothing; one may stand here twice.
    """

    records: pl.DataFrame
    links: dict[str, pl.DataFrame] = field(default_factory=dict)
    broken: pl.DataFrame = field(default_factory=_no_reasons)


def gather(frames: Mapping[str, pl.DataFrame], with_revision: Collection[str], cards: Cards | None) -> Gathered:
    """The records of whole rounds.

    Args:
        frames: table to its rows (``table_files``), sorted by ``row``; ``rounds``, ``participants`` and ``wagers`` at least.
        with_revision: the tables that name the telling's revision; those of another belong to every telling of their round.
        cards: how cards are spelt; None: as in ``round-log/1``.
    """
    if cards is not None:
        frames = {name: _respelt(frame, cards) for name, frame in frames.items()}
    rounds = frames["rounds"].with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias(TELLING))
    found = Gathered(rounds, {"rounds": rounds.select("row", TELLING)})
    children: dict[str, pl.DataFrame] = {}
    for name, frame in frames.items():
        if name != "rounds":
            by = TELLS if {"rounds", name} <= set(with_revision) else KEY
            found.links[name] = _linked(frame, rounds, by)
            children[name] = found.links[name].drop_nulls().join(frame, on="row", how="left", maintain_order="left")
    children["rounds"] = rounds
    notes = [_faults(name, frame) for name, frame in children.items()]
    parts = [
        *(_listed(children[name], name) for name in ("card_readings", "meters") if name in children),
        *(_hands(children["hands"]) if "hands" in children else ()),
    ]
    entries, orphans = _entries(children["participants"], children["wagers"])
    parts.append(entries)
    notes.append(orphans)
    for name, made in (("voids", _voids), ("displayed", _displayed)):
        if name in children:
            part, differing = made(children[name])
            parts.append(part)
            notes.append(differing)
    for part in parts:
        rounds = rounds.join(part, on=TELLING, how="left", maintain_order="left")
    found.records = shaped(rounds)
    found.broken = pl.concat([_no_reasons(), *notes])
    return found


def _linked(frame: pl.DataFrame, rounds: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    known = rounds.filter(pl.all_horizontal(pl.col(KEY).is_not_null())).select(TELLING, *by)
    return frame.select("row", *by).join(known, on=by, how="left", nulls_equal=True, maintain_order="left_right").select("row", TELLING)


def _respelt(frame: pl.DataFrame, cards: Cards) -> pl.DataFrame:
    spelling = cards.spelling()

    def ours(card: pl.Expr) -> pl.Expr:
        return card.replace_strict(spelling, default=card, return_dtype=pl.String)

    if "card" in frame.columns:
        return frame.with_columns(ours(pl.col("card")))
    return frame.with_columns(pl.col("cards").list.eval(ours(pl.element()))) if "cards" in frame.columns else frame


def _faults(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    faulty = frame.filter(pl.col("fault").is_not_null())
    return faulty.select(TELLING, reason=pl.format("{}, row {}: {}", pl.lit(name), "row", "fault"))


def _listed(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    return _nested(frame, [column for column in COLUMNS[name] if column not in TELLS], name)


def _nested(frame: pl.DataFrame, columns: Iterable[str], into: str) -> pl.DataFrame:
    return frame.group_by(TELLING, maintain_order=True).agg(pl.struct(columns).alias(into))


def _hands(frame: pl.DataFrame) -> list[pl.DataFrame]:
    """``dealer_hand`` is the dealer's first row; a second one is a hand posted twice."""
    is_dealer = (pl.col("is_dealer").fill_null(value=False) | (pl.col("hand_id") == DEALER)).fill_null(value=False)
    frame = frame.with_columns(hand_id=pl.when(is_dealer).then(pl.lit(DEALER)).otherwise("hand_id"), dealt=is_dealer)
    first = pl.col("dealt") & (pl.col("dealt").cum_sum().over(TELLING) == 1)
    return [
        frame.filter(first).select(TELLING, dealer_hand=pl.col("cards").cast(CARDS)),
        _nested(frame.filter(~first), ("hand_id", "cards"), "hands"),
    ]


def _entries(persons: pl.DataFrame, wagers: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """``participants`` with their wagers, and the tellings in which a wager names no participant."""
    named = [pl.col(name).fill_null("") for name in PERSON]
    persons = persons.with_columns(entry=pl.int_range(pl.len(), dtype=pl.Int64))
    first = persons.select(TELLING, *named, "entry").unique([TELLING, *PERSON], keep="first", maintain_order=True)
    placed = wagers.with_columns(named).join(first, on=[TELLING, *PERSON], how="left", maintain_order="left")
    orphans = placed.filter(pl.col("entry").is_null() & pl.col("fault").is_null())
    reason = pl.format("wagers, row {}: no such participant in this round", "row")
    columns = [column for column in COLUMNS["wagers"] if column not in {*TELLS, *PERSON}]
    nested = placed.filter(pl.col("entry").is_not_null()).group_by("entry", maintain_order=True).agg(wagers=pl.struct(columns))
    persons = persons.join(nested, on="entry", how="left", maintain_order="left")
    said = [column for column in COLUMNS["participants"] if column not in TELLS]
    return _nested(persons, [*said, "wagers"], "participants"), orphans.select(TELLING, reason=reason)


def _voids(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """``void``: the rows of a round are one void, whose lists are joined."""
    single = [column for column in COLUMNS["voids"] if column not in {*TELLS, *_VOID_LISTS}]
    lists = [
        pl.when(pl.col(name).is_not_null().any())
        .then(pl.col(name).drop_nulls().list.explode(keep_nulls=False, empty_as_null=False).implode())
        .alias(name)
        for name in _VOID_LISTS
    ]
    void = frame.group_by(TELLING, maintain_order=True).agg(*(pl.col(name).drop_nulls().first() for name in single), *lists)
    return void.select(TELLING, void=pl.struct(*single, *_VOID_LISTS)), _differing(frame, "voids", single)


def _displayed(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """``displayed``: a row is a price (it has a line or a price), a limit (a least or a most), a number of decks, or several of these."""
    is_limit = pl.col("min").is_not_null() | pl.col("max").is_not_null()
    is_price = pl.col("line").is_not_null() | pl.col("price").is_not_null() | ~(is_limit | pl.col("decks").is_not_null())
    shown = frame.group_by(TELLING, maintain_order=True).agg(
        pl.col("read_at").drop_nulls().first(),
        pl.col("decks").drop_nulls().first(),
        odds=pl.struct("operator_id", "kind", "line", "price").filter(is_price),
        limits=pl.struct("operator_id", "kind", "currency", "min", "max").filter(is_limit),
    )
    return shown.select(TELLING, displayed=pl.struct(pl.exclude(TELLING))), _differing(frame, "displayed", ("read_at", "decks"))


def _differing(frame: pl.DataFrame, name: str, columns: Iterable[str]) -> pl.DataFrame:
    """The tellings whose rows say different things of what a round has but one of."""
    counts = frame.group_by(TELLING, maintain_order=True).agg(pl.col(columns).drop_nulls().n_unique())
    found = [
        counts.filter(pl.col(column) > 1).select(TELLING, reason=pl.lit(f"{name}: its rows differ in {column}, of which a round has one"))
        for column in columns
    ]
    return pl.concat([_no_reasons(), *found])

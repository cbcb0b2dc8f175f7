"""On which night each round stands: an index of hashes, so that a delivery need not look into every night for the rounds that it brings.

Each publish writes one piece of it, sorted by publish: the rounds of its own nights, and behind those the pieces before it that are not
more than twice as large, so that pieces grow with age and a lake of many nights has few. A piece covers all publishes from the one in its
first row up to its own. Publishes by an older version, or with hashes of another version of Polars, have none of use: their nights' files
are read instead, and the next publish takes them into its piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.lake.tables import ROUND_DAYS
from pipeline.lake.working_copy import brought

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date
    from pathlib import Path

    from pipeline.lake.earlier import Published
    from pipeline.lake.facts import PartitionFacts

MOST_ROWS: Final = 4_000_000
"""Of a piece: what one publish may have to write of those before it."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """The rounds of the publishes from ``first`` on; ``ROUND_DAYS``."""

    first: int
    rows: int
    frame: pl.LazyFrame


def nights_telling(lake: Published, rounds: pl.DataFrame, told_as: pl.Expr) -> set[tuple[str, date]]:
    """The studios and gaming days on which a telling of one of these rounds was published, and perhaps still is.

    Args:
        lake: the lake.
        rounds: one column of hashes.
        told_as: what makes such a hash of ``studio_id`` and ``round_id``.
    """
    wanted = rounds.lazy().select(_signed(pl.first()))
    found: set[tuple[str, date]] = set()
    for piece in _pieces(lake, told_as):
        told = piece.frame.join(wanted, on="round_hash", how="semi").select("studio_id", "gaming_day").unique()
        found.update(told.collect(engine="streaming").iter_rows())
    return found


def round_days(lake: Published, staging: Path, partitions: Sequence[PartitionFacts], told_as: pl.Expr) -> Iterator[pl.DataFrame]:
    """The piece that the next publish writes, frame by frame (``tables.ROUND_DAYS``).

    Args:
        lake: the lake before it.
        staging: where the files of these partitions lie.
        partitions: what it publishes.
        told_as: what makes a hash of ``studio_id`` and ``round_id``.
    """
    number = lake.state.number + 1 if lake.state else 1
    own = _own(staging, number, partitions, told_as).collect()
    rows, taken = own.height, [own.lazy()]
    for piece in _pieces(lake, told_as):
        if piece.rows > 2 * rows or rows + piece.rows > MOST_ROWS:
            break
        rows += piece.rows
        taken.append(piece.frame)
    return (frame.collect() for frame in reversed(taken))


def _pieces(lake: Published, told_as: pl.Expr) -> Iterator[_Piece]:
    """All of the index, the latest piece first."""
    number = lake.state.number if lake.state else 0
    while number:
        piece = _piece(lake, number, told_as)
        yield piece
        number = piece.first - 1


def _piece(lake: Published, number: int, told_as: pl.Expr) -> _Piece:
    one = lake.chain[number]
    facts = one.delivery.get(ROUND_DAYS.name)
    if facts is None or one.versions["polars"] != pl.__version__:
        rows = sum(part.tables["rounds"].rows for part in one.partitions if "rounds" in part.tables)
        return _Piece(number, rows, _own(lake.root, number, one.partitions, told_as))
    if facts.file is None:
        return _Piece(number, 0, ROUND_DAYS.empty().lazy())
    frame = pl.scan_parquet(brought(lake.root, facts), glob=False)
    return _Piece(frame.select(pl.first("number")).head(1).collect().item(), facts.rows, frame)


def _own(root: Path, number: int, partitions: Sequence[PartitionFacts], told_as: pl.Expr) -> pl.LazyFrame:
    """The rounds of a publish's own nights, from their files."""
    tables = [part.tables["rounds"] for part in partitions if "rounds" in part.tables]
    told = [
        pl.scan_parquet(brought(root, facts), glob=False).select(
            pl.lit(number, pl.Int64).alias("number"), "studio_id", _signed(told_as), "gaming_day"
        )
        for facts in tables
        if facts.file
    ]
    return pl.concat([ROUND_DAYS.empty().lazy(), *told]).unique().sort(ROUND_DAYS.schema.names())


def _signed(told_as: pl.Expr) -> pl.Expr:
    return told_as.reinterpret(signed=True).alias("round_hash")

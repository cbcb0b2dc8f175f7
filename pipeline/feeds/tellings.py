"""Which telling of a round counts, where a round was told more than once.

A round's *tellings* are its distinct contents: what is equal after parsing stands once, whenever and however often it came. Some of
them *hold*: the one that counts, or, where nothing decides between them, several that conflict. A delivery brings some tellings, new
ones or known ones (round-log/1):

- of those that it brings, the ones with the highest ``revision``, then with the latest ``recorded_at``, stand for it;
- these hold from then on, unless their revision is lower than that of the tellings which hold, or, where a revision is missing or both
  are the same, their ``recorded_at`` is earlier. Where neither decides, the later delivery counts;
- of several that hold, all conflict, and the one whose canonical JSON sorts first is current.

So the order in which deliveries arrive matters only where neither ``revision`` nor ``recorded_at`` tells two contents apart. Such a
round has more than one row without a revision in ``rounds``, and ``round_restated`` says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.feeds.canonical import canonical
from pipeline.feeds.staged import ROW_BITS, TELLING, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.feeds.stage import Stage

_BATCH: Final = 50_000
_ROUND: Final = ("studio_id", "round_id")
_CONTENT: Final = (*_ROUND, "content")


def decide(stage: Stage, origin: pl.DataFrame) -> Standing:
    """What stands of every round in ``stage`` that was told more than once.

    Args:
        stage: all of a delivery, and what was published of its rounds before.
        origin: ``block, source_file`` of each block of the delivery.
    """
    index = stage.index().with_columns(block=pl.col(TELLING) // (1 << ROW_BITS), published=stage.is_published())
    index = index.join(origin, on="block", how="left").drop("block")
    told = index.filter(pl.col("round_hash").is_duplicated()).sort("source_file", "source_line", TELLING)
    same = ["round_hash", "text_hash", "text_hash_2"]
    apart = told.unique(same, keep="first", maintain_order=True)
    dropped = [told.join(apart, on=TELLING, how="anti")[TELLING]]
    placed, kept = [], []
    for batch in _batches(apart.filter(pl.col("round_hash").is_duplicated())):
        told_each = canonical(stage.tellings(batch[TELLING]))
        told_each = told_each.join(batch.select(TELLING, "published", "source_file", "source_line"), on=TELLING, how="left")
        told_each = told_each.join(stage.was_published.placed, on=TELLING, how="left")
        once = _once(told_each)
        dropped.append(told_each.join(once, on=TELLING, how="anti")[TELLING])
        standing = _placed(once)
        placed.append(standing)
        kept.append(_kept(stage, standing))
    return _joined(stage.was_published, pl.concat(dropped).unique(), placed, kept)


def _batches(told: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """All tellings of a round together, some fifty thousand at a time."""
    told = told.sort("round_hash")
    number = (pl.col("round_hash").rank("min").cast(pl.Int64) - 1) // _BATCH
    yield from told.with_columns(batch=number).partition_by("batch", maintain_order=True, include_key=False) if told.height else []


def _once(told: pl.DataFrame) -> pl.DataFrame:
    """One row a content, with ``delivered`` (this delivery brings it), ``held`` (it held before) and its place before, ``nth``.

    It is the row whose times are written with the most digits; one that was published under another gaming day gives way, since its
    filing now starts the day at another hour.
    """
    new, old = ~pl.col("published"), pl.col("published")
    told = told.with_columns(
        delivered=new.any().over(_CONTENT),
        held=(pl.col("is_current") | pl.col("conflicting")).fill_null(value=False).any().over(_CONTENT),
        nth=pl.col("nth").min().over(_CONTENT),
        day_now=pl.col("gaming_day").filter(new).first().over(_CONTENT),
    ).with_columns(stale=(old & (pl.col("day_now") != pl.col("gaming_day"))).fill_null(value=False))
    best = ["stale", "digits", "published", "source_file", "source_line", TELLING]
    return told.sort(best, descending=[False, True, True, False, False, False]).unique(_CONTENT, keep="first", maintain_order=True)


def _placed(once: pl.DataFrame) -> pl.DataFrame:
    """``telling, nth, is_current, conflicting`` and the round of each content."""
    known = pl.struct(
        pl.col("revision").is_not_null(), pl.col("revision").fill_null(0).alias("r"),
        pl.col("recorded_at").is_not_null().alias("timed"), pl.col("recorded_at").cast(pl.Int64).fill_null(0).alias("t"),
    )  # fmt: skip
    once = once.with_columns(rank=known.rank("dense").over(_ROUND))
    stands = pl.col("delivered") & (pl.col("rank") == pl.col("rank").filter("delivered").max().over(_ROUND))
    once = once.with_columns(stands=stands.fill_null(value=False))

    def of(name: str, those: str) -> pl.Expr:
        return pl.col(name).filter(those).first().over(_ROUND)

    not_earlier = (of("recorded_at", "stands") >= of("recorded_at", "held")).fill_null(value=True)
    revision, before = of("revision", "stands"), of("revision", "held")
    wins = pl.when(revision != before).then(revision > before).otherwise(not_earlier)
    once = once.with_columns(holds=pl.when(pl.col("delivered").any().over(_ROUND) & wins).then("stands").otherwise("held"))
    once = once.sort("sorting", "content").with_columns(
        is_current=pl.col("holds") & (pl.col("holds").cum_sum().over(_ROUND) == 1),
        conflicting=pl.col("holds") & (pl.col("holds").sum().over(_ROUND) > 1),
    )
    order = ("revision", "recorded_at", "nth", "sorting", "content")
    in_order = once.sort(order, nulls_last=[name == "nth" for name in order])
    nth = pl.int_range(pl.len(), dtype=pl.Int64).over(_ROUND).alias("nth")
    return in_order.select(TELLING, nth, "is_current", "conflicting", *_ROUND, "sorting", "content")


def _kept(stage: Stage, placed: pl.DataFrame) -> pl.DataFrame:
    """Wagers of a conflicting telling that those which sort before it have not."""
    rivals = placed.filter("conflicting").select(TELLING, *_ROUND, "sorting", "content", "is_current")
    if rivals.is_empty():
        return Standing().kept
    wagers = stage.tellings(rivals[TELLING]).wagers.select(TELLING, "wager_no", "wager_id")
    first = (
        wagers.join(rivals, on=TELLING, how="inner")
        .sort("sorting", "content", "wager_no")
        .unique([*_ROUND, "wager_id"], keep="first", maintain_order=True)
    )
    return first.filter(~pl.col("is_current")).select(TELLING, "wager_no")


def _joined(was: Standing, dropped: pl.Series, placed: list[pl.DataFrame], kept: list[pl.DataFrame]) -> Standing:
    changed = pl.concat([Standing().placed, *(one.select(Standing().placed.columns) for one in placed)])
    gone = pl.concat([changed[TELLING], dropped]).to_frame()
    untouched, still = was.placed.join(gone, on=TELLING, how="anti"), was.kept.join(gone, on=TELLING, how="anti")
    return Standing(dropped=dropped, placed=pl.concat([untouched, changed]), kept=pl.concat([still, *kept]))

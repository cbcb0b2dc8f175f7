"""Which telling of a round counts, where a round was told more than once.

Within a delivery (round-log/1): equal after parsing is an exact repeat; of others the highest ``revision``, then the latest
``recorded_at`` counts; where these are equal or missing, the tellings conflict. A later delivery restates an earlier one, unless its
revision, or without one its ``recorded_at``, is lower.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.feeds.canonical import canonical
from pipeline.feeds.staged import TELLING, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.feeds.stage import Stage

_BATCH: Final = 50_000
_ROUND: Final = ("studio_id", "round_id")


def decide(stage: Stage, origin: pl.DataFrame) -> Standing:
    """What stands of every round in ``stage`` that was told more than once.

    Args:
        stage: all of a delivery, and what was published of its rounds before.
        origin: ``block, source_file`` of each block of the delivery.
    """
    index = stage.index().with_columns(block=pl.col(TELLING) // (1 << 24), published=stage.is_published())
    index = index.join(origin, on="block", how="left").drop("block")
    told = index.filter(pl.col("round_hash").is_duplicated()).sort("source_file", "source_line", TELLING)
    same = ["round_hash", "text_hash", "text_hash_2"]
    apart = told.unique(same, keep="first", maintain_order=True)
    dropped = [told.join(apart, on=TELLING, how="anti")[TELLING]]
    placed, kept = [], []
    for batch in _batches(apart.filter(pl.col("round_hash").is_duplicated())):
        texts = canonical(stage.tellings(batch[TELLING]))
        texts = texts.join(batch.select(TELLING, "published", "source_file", "source_line"), on=TELLING, how="left")
        repeats, ranked = _rank(texts, stage.was_published.placed)
        dropped.append(repeats)
        placed.append(ranked)
        kept.append(_kept(stage, ranked))
    return _joined(stage.was_published, dropped, placed, kept)


def _batches(told: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """All tellings of a round together, some fifty thousand at a time."""
    told = told.sort("round_hash")
    number = (pl.col("round_hash").rank("min").cast(pl.Int64) - 1) // _BATCH
    yield from told.with_columns(batch=number).partition_by("batch", maintain_order=True, include_key=False) if told.height else []


def _rank(texts: pl.DataFrame, was: pl.DataFrame) -> tuple[pl.Series, pl.DataFrame]:
    """The repeats, and ``telling, nth, is_current, conflicting`` (with the round) of what a delivery changes."""
    texts = texts.join(
        was.rename({"is_current": "was_current", "conflicting": "was_conflicting", "nth": "was_nth"}), on=TELLING, how="left"
    )
    new, old = texts.filter(~pl.col("published")), texts.filter("published")
    once = new.sort("digits", "source_file", "source_line", descending=[True, False, False]).unique(
        [*_ROUND, "content"], keep="first", maintain_order=True
    )
    once = _topped(once, "new", pl.lit(value=True))
    old = _topped(old.with_columns(_held()), "old", pl.col("held"))
    again = _known_before(once, old)
    repeats = new.filter(~pl.col(TELLING).is_in(once.filter(~again)[TELLING].implode()))[TELLING]
    once = once.filter(~again)
    if once.is_empty():
        return repeats, _placed(once)
    wins = _restates(once.unique(_ROUND), old.unique(_ROUND))
    once = once.join(wins, on=_ROUND, how="left").with_columns(pl.col("wins").fill_null(value=True))
    rivals = pl.col("top").sum().over(_ROUND) > 1
    once = once.sort("revision", "recorded_at", "sorting", "content", nulls_last=False).with_columns(
        pl.int_range(pl.len(), dtype=pl.Int64).over(_ROUND).alias("place"),
        conflicting=pl.col("wins") & pl.col("top") & rivals,
    )
    first_top = pl.col("top") & (pl.col("place") == pl.col("place").filter("top").min().over(_ROUND))
    before = old.group_by(_ROUND).agg((pl.col("was_nth").max() + 1).alias("before"))
    once = once.join(before, on=_ROUND, how="left").with_columns(
        nth=pl.col("place") + pl.col("before").fill_null(0), is_current=pl.col("wins") & first_top
    )
    replaced = old.join(once.filter("wins").select(_ROUND).unique(), on=_ROUND, how="semi").with_columns(
        nth=pl.col("was_nth"), is_current=pl.lit(value=False), conflicting=pl.col("was_conflicting")
    )
    return repeats, pl.concat([_placed(once), _placed(replaced)])


def _placed(frame: pl.DataFrame) -> pl.DataFrame:
    if frame.is_empty():
        return Standing().placed.with_columns(studio_id=pl.lit(""), round_id=pl.lit(""))
    return frame.select(TELLING, "nth", "is_current", "conflicting", *_ROUND)


def _held() -> pl.Expr:
    """Whether a published telling is one of those that counted until now: the current one, and those that conflict with it."""
    conflict = (pl.col("was_current") & pl.col("was_conflicting")).any().over(_ROUND)
    return (pl.col("was_current") | (pl.col("was_conflicting") & conflict)).alias("held")


def _topped(frame: pl.DataFrame, prefix: str, eligible: pl.Expr) -> pl.DataFrame:
    """Adds ``top`` (the highest of those eligible in their round) and the revision and time that the top has."""
    lowest = pl.lit(-(2**63), pl.Int64)
    time = pl.col("recorded_at").cast(pl.Int64)
    frame = frame.with_columns(eligible=eligible).with_columns(
        r=pl.when("eligible").then(pl.col("revision").fill_null(lowest)), has=pl.when("eligible").then(pl.col("revision").is_not_null())
    )
    # A round with the revision -2^63 is no lower than one without: the second is looked at first.
    frame = frame.with_columns(r=pl.struct("has", "r").rank("dense").over(_ROUND)).with_columns(
        leads=pl.col("eligible") & (pl.col("r") == pl.col("r").filter("eligible").max().over(_ROUND))
    )
    frame = frame.with_columns(t=pl.when("leads").then(time.fill_null(lowest)))
    frame = frame.with_columns(top=pl.col("leads") & (pl.col("t") == pl.col("t").max().over(_ROUND)))
    return frame.with_columns(
        pl.col("revision").filter("top").first().over(_ROUND).alias(f"{prefix}_revision"),
        pl.col("recorded_at").filter("top").first().over(_ROUND).alias(f"{prefix}_recorded_at"),
        pl.col("top").sum().over(_ROUND).alias(f"{prefix}_tops"),
    )


def _known_before(new: pl.DataFrame, old: pl.DataFrame) -> pl.Series:
    """Which new tellings say what was published already and would change nothing."""
    state = old.select(*_ROUND, "old_revision", held_count=pl.col("held").sum().over(_ROUND)).unique(_ROUND)
    same = old.select(*_ROUND, "content", "held", known=pl.lit(value=True)).unique([*_ROUND, "content"], keep="first", maintain_order=True)
    joined = new.select(*_ROUND, "content", "top", "revision", "new_tops").join(
        same, on=[*_ROUND, "content"], how="left", maintain_order="left"
    ).join(state, on=_ROUND, how="left", maintain_order="left")  # fmt: skip
    joined = joined.with_columns(pl.col("known").fill_null(value=False), pl.col("held").fill_null(value=False))
    all_held = (pl.col("top") & pl.col("held")).sum().over(_ROUND) == pl.col("new_tops")
    affirms = pl.col("top") & pl.col("held") & all_held & (pl.col("new_tops") == pl.col("held_count"))
    outranked = pl.col("revision") < pl.col("old_revision")
    return joined.select((pl.col("known") & (affirms | ~pl.col("top") | outranked)).fill_null(value=False).alias("again")).to_series()


def _restates(new: pl.DataFrame, old: pl.DataFrame) -> pl.DataFrame:
    """``wins``: whether a round's new telling counts more than the published one."""
    both = new.select(*_ROUND, "new_revision", "new_recorded_at").join(
        old.select(*_ROUND, "old_revision", "old_recorded_at"), on=_ROUND, how="inner"
    )
    later = (pl.col("new_recorded_at") >= pl.col("old_recorded_at")).fill_null(value=True)
    by_revision = pl.when(pl.col("new_revision") == pl.col("old_revision")).then(later).otherwise(
        pl.col("new_revision") > pl.col("old_revision")
    )  # fmt: skip
    return both.select(*_ROUND, wins=by_revision.fill_null(later))


def _kept(stage: Stage, ranked: pl.DataFrame) -> pl.DataFrame:
    """Wagers of a conflicting telling that the one which stands does not have."""
    rivals = ranked.filter("conflicting")
    if rivals.is_empty() or not rivals["is_current"].any():
        return Standing().kept
    rivals = rivals.join(rivals.filter("is_current").select(_ROUND).unique(), on=_ROUND, how="semi").filter(~stage.is_published())
    wagers = stage.tellings(rivals[TELLING]).wagers.select(TELLING, "wager_no", "wager_id")
    first = (
        wagers.join(rivals, on=TELLING, how="inner")
        .sort("nth", "wager_no")
        .unique([*_ROUND, "wager_id"], keep="first", maintain_order=True)
    )
    return first.filter(~pl.col("is_current")).select(TELLING, "wager_no")


def _joined(was: Standing, dropped: list[pl.Series], placed: list[pl.DataFrame], kept: list[pl.DataFrame]) -> Standing:
    changed = pl.concat([Standing().placed, *(one.select(Standing().placed.columns) for one in placed)])
    untouched = was.placed.join(changed, on=TELLING, how="anti")
    still = was.kept.join(changed, on=TELLING, how="anti")
    return Standing(dropped=pl.concat(dropped).unique(), placed=pl.concat([untouched, changed]), kept=pl.concat([still, *kept]))

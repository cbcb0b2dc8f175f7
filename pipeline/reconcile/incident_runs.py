"""Where a broken rule was at work: the run of rounds, and whom at the table it struck, that hits tell from wagers paid rightly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable

LEAST_RUN: Final = 3
"""How many hits more than misses make an incident; fewer in a row come about by chance."""

STRUCK: Final = {
    "operator": "operator_id", "filing": "filing_id", "dealer": "dealer_id", "deck": "deck_id", "software": "software_version",
    "reader": "device_id",
}  # fmt: skip
"""Whom a rule may strike alone, and the column that names it; where two explain it equally well, the earlier."""

RULE: Final = ("table_id", "part", "way_no", "rule")
_TABLE: Final = ""
_WHOM: Final = (*RULE, "struck", "struck_id")
_COUNTS: Final = ("hits", "misses")


def best_runs(counted: pl.DataFrame, group: Iterable[str]) -> pl.DataFrame:
    """The run of rounds of each group in which hits less misses is most.

    Args:
        counted: the group's columns, ``round_key, hits, misses``.
        group: the columns that tell groups apart.

    Returns:
        The group's columns, ``run`` (hits less misses in it), and ``first_key`` and ``last_key``, the rounds that bound it; of runs
        worth the same, the earliest and shortest.
    """
    group = list(group)
    started = _summed(counted, group)
    run = started.with_columns(floor=pl.col("before").cum_min().over(group)).with_columns(run=pl.col("up_to") - pl.col("floor"))
    best = run.sort("run", "round_key", descending=[True, False]).unique(group, keep="first", maintain_order=True)
    ends = best.select(*group, "run", "floor", last_key="round_key")
    from_floor = started.join(ends, on=group, nulls_equal=True).filter(
        (pl.col("round_key") <= pl.col("last_key")) & (pl.col("before") == pl.col("floor"))
    )
    starts = from_floor.group_by(group).agg(first_key=pl.col("round_key").max())
    return ends.join(starts, on=group, nulls_equal=True).select(*group, "run", "first_key", "last_key")


def runs_through(counted: pl.DataFrame, group: Iterable[str]) -> pl.DataFrame:
    """``group, round_key, run``: hits less misses in the best of the runs that a round lies in, 0 where that is no incident."""
    group = list(group)
    started = _summed(counted, group)
    most, least = pl.col("up_to").cum_max(reverse=True).over(group), pl.col("before").cum_min().over(group)
    through = started.select(*group, "round_key", run=most - least)
    return through.with_columns(run=pl.when(pl.col("run") >= LEAST_RUN).then("run").otherwise(0))


def _summed(counted: pl.DataFrame, group: list[str]) -> pl.DataFrame:
    """A row a group and round, in order: ``net`` (hits less misses), and its sum ``before`` and ``up_to`` the round."""
    by_round = counted.group_by(*group, "round_key").agg(net=pl.col("hits").sum() - pl.col("misses").sum()).sort(*group, "round_key")
    summed = by_round.with_columns(up_to=pl.col("net").cum_sum().over(group))
    return summed.with_columns(before=pl.col("up_to") - pl.col("net"))


def systematic(hits: pl.DataFrame, misses: pl.DataFrame) -> pl.DataFrame:
    """The incidents in which a rule was broken throughout.

    Of each rule at a table the run worth most is taken, for the whole table or for whom it struck alone; then the best of the hits that
    are left, and so on.

    Args:
        hits: a row a wager: ``RULE``, ``round_key``, ``hit_no`` and the columns of ``STRUCK``.
        misses: how often the rule was kept: ``RULE``, ``round_key, misses`` and the columns of ``STRUCK``.

    Returns:
        ``incident_no, RULE, struck, struck_id, first_key, last_key`` and ``hit_nos``, the hits in it; ``struck`` is '' for the table.
    """
    against = _by_whom(misses.with_columns(hits=pl.lit(0, pl.Int64)))
    found: list[pl.DataFrame] = []
    while not hits.is_empty():
        told = pl.concat([against, _by_whom(hits.with_columns(hits=pl.lit(1, pl.Int64), misses=pl.lit(0, pl.Int64)))])
        runs = _choose(told)
        taken = struck_by(hits, runs).select("hit_no", *RULE, "struck", "struck_id", "first_key", "last_key")
        if taken.is_empty():
            break
        found.append(taken.group_by(*_WHOM, "first_key", "last_key").agg(hit_nos=pl.col("hit_no").sort()))
        concerned = runs.select(RULE)
        hits = hits.join(taken, on="hit_no", how="anti", maintain_order="left").join(concerned, on=RULE, how="semi", maintain_order="left")
        against = against.join(concerned, on=RULE, how="semi")
    nothing = hits.clear().select(
        *RULE,
        struck=pl.lit(_TABLE),
        struck_id=pl.lit(_TABLE),
        first_key="round_key",
        last_key="round_key",
        hit_nos=pl.concat_list("hit_no"),
    )
    return pl.concat([nothing, *found]).sort(*RULE, "first_key", "struck", "struck_id").with_row_index("incident_no")


def struck_by(rows: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """The rows, with the columns of ``STRUCK``, that lie in a run of their rule (or of any, where they have none) and on whom it struck."""
    on = [name for name in RULE if name in rows.columns and name in runs.columns]
    of_whom = pl.coalesce(pl.when(pl.col("struck") == whom).then(name) for whom, name in STRUCK.items())
    within = pl.col("round_key").is_between("first_key", "last_key")
    return rows.join(runs, on=on, maintain_order="left").filter(within & ((pl.col("struck") == _TABLE) | (of_whom == pl.col("struck_id"))))


def _by_whom(counted: pl.DataFrame) -> pl.DataFrame:
    """``RULE, struck, struck_id, round_key, hits, misses``: of the whole table, and of each that a rule may strike alone."""
    whole = counted.with_columns(struck=pl.lit(_TABLE), struck_id=pl.lit(_TABLE))
    alone = [counted.with_columns(struck=pl.lit(whom), struck_id=name).drop_nulls("struck_id") for whom, name in STRUCK.items()]
    each = pl.concat([part.select(*_WHOM, "round_key", *_COUNTS) for part in (whole, *alone)])
    return each.group_by(*_WHOM, "round_key").agg(pl.col(_COUNTS).sum())


def _choose(told: pl.DataFrame) -> pl.DataFrame:
    """Of each rule the run worth most, where it is an incident; the whole table's unless one alone is clearly worth more."""
    runs = best_runs(told, _WHOM)
    inside = (
        told.join(runs, on=_WHOM)
        .group_by(_WHOM)
        .agg(
            outside_hits=pl.col("hits").filter(~pl.col("round_key").is_between("first_key", "last_key")).sum(),
            outside=(pl.col("hits") + pl.col("misses")).filter(~pl.col("round_key").is_between("first_key", "last_key")).sum(),
            all=(pl.col("hits") + pl.col("misses")).sum(),
        )
    )
    # A fault that comes and goes by chance at this rate makes runs of about this worth; an incident is worth more.
    rate = ((pl.col("outside_hits") + 0.1) / (pl.col("outside") + 1)).clip(upper_bound=0.45)
    by_chance = pl.col("all").log() / ((1 - rate) / rate).log()
    order = {whom: place for place, whom in enumerate((_TABLE, *STRUCK))}
    return (
        runs.join(inside, on=_WHOM)
        .filter((pl.col("run") >= LEAST_RUN) & (pl.col("run") > by_chance))
        .with_columns(
            worth=pl.col("run") + pl.when(pl.col("struck") == _TABLE).then(LEAST_RUN - 1).otherwise(0),
            place=pl.col("struck").replace_strict(order, return_dtype=pl.Int64),
        )
        .sort(*RULE, "worth", "place", "struck_id", descending=[False] * len(RULE) + [True, False, False])
        .unique(RULE, keep="first", maintain_order=True)
        .select(*_WHOM, "run", "first_key", "last_key")
    )

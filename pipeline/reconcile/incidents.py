"""From one wrong payment to many: the money findings of a day as incidents, each with its bounds, its proof and what changed there."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from pipeline.core.results import FINDINGS, INCIDENTS
from pipeline.core.schema import DUE
from pipeline.reconcile.causes import HYPOTHESES, UNEXPLAINED
from pipeline.reconcile.causes.reproduce import WAYS
from pipeline.reconcile.incident_runs import RULE, STRUCK, struck_by, systematic
from pipeline.reconcile.incident_words import sentence

if TYPE_CHECKING:
    from pipeline.reconcile.context import RunContext

SYSTEMATIC, ISOLATED = "systematic", "isolated"
MOST_ALSO: Final = 5
"""How many other causes an incident names at most."""

_CHANGES: Final = {"dealer": "dealer_id", "software": "software_version", "filing": "filing_id", "reader": "device_id"}
"""What may change at a table and bound an incident, and the column that shows it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a night's diagnosis has gathered.

    Attributes:
        likeliest: a row a wager that was not paid what was due: ``round_id, wager_id, filing_no, part``, and of its likeliest cause
            ``way_no, rule, detail``, null where nothing reproduces it.
        weighed: how often each rule was broken and kept: ``round_key, operator_id, filing_no, table_id, part, way_no, rule, hits, misses``.
        readers: ``round_key, device_id``: the reader devices of a round, where the log names them.
        filing_ids: the filings' ids by ``filing_no``.
    """

    likeliest: pl.DataFrame
    weighed: pl.DataFrame
    readers: pl.DataFrame
    filing_ids: pl.Series


def with_incidents(
    findings: pl.DataFrame, evidence: Evidence, rounds: pl.LazyFrame, context: RunContext
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Group a day's money findings.

    Args:
        findings: ``results.FINDINGS`` with their causes.
        evidence: what the diagnosis has gathered.
        rounds: ``schema.ROUNDS`` of the whole day.
        context: the run and the day.

    Returns:
        The findings with their ``incident_id``, and ``results.INCIDENTS``: every money finding on real money stands in one incident.
    """
    told = findings.filter(pl.col("root_cause").is_not_null() & (pl.col("severity") != "info"))
    if told.is_empty():
        return findings, INCIDENTS.empty()
    known = _rounds(rounds.filter(pl.col("table_id").is_in(told["table_id"].unique().implode(), nulls_equal=True)), evidence)
    hits = _hits(told, evidence, known)
    misses = _misses(evidence, hits, known)
    runs = systematic(hits.filter(pl.col("way_no").is_not_null()).select(*RULE, "round_key", "hit_no", *STRUCK.values()), misses)
    grouped = _grouped(hits, runs)
    one = _summed(grouped).join(_opportunities(grouped, runs, misses), on="group_no", how="left", maintain_order="left")
    one = one.join(_also(one, grouped, evidence, known), on="group_no", how="left", maintain_order="left")
    one = one.join(_changes(one, misses, known), on="group_no", how="left", maintain_order="left")
    one = _told(one, context)
    named = grouped.join(one.select("group_no", "incident_id"), on="group_no").select("finding_id", "incident_id")
    marked = findings.drop("incident_id").join(named, on="finding_id", how="left", maintain_order="left")
    table = one.select(pl.col(name).cast(dtype) for name, dtype in INCIDENTS.schema.items())
    return (
        marked.select(FINDINGS.schema.names()),
        table.sort("table_id", "kind", "first_at", "incident_id", nulls_last=True),
    )


def _rounds(rounds: pl.LazyFrame, evidence: Evidence) -> pl.DataFrame:
    """The current rounds with what may bound an incident; the filing is the one that the table claims."""
    current = (
        rounds.filter("is_current")
        .select("round_key", "round_id", "table_id", "dealer_id", "deck_id", "software_version", "filing_id", at="dated_at")
        .collect()
    )
    return current.join(evidence.readers, on="round_key", how="left", maintain_order="left").sort("round_key")


def _hits(told: pl.DataFrame, evidence: Evidence, known: pl.DataFrame) -> pl.DataFrame:
    """A row a finding, with its rule (of what was not tried, why not), and with whom that may have struck."""
    of_round = known.drop("table_id", "filing_id").rename({"round_key": "key"})
    return (
        told.select(
            "finding_id", "round_id", "wager_id", "table_id", "operator_id", "player_id", "currency", "delta", "root_causes",
            cause=pl.col("root_cause"), not_tried=pl.when(pl.col("root_cause") == UNEXPLAINED).then("root_cause_detail"),
        )
        .join(evidence.likeliest, on=["round_id", "wager_id"], how="left", maintain_order="left")
        .join(of_round, on="round_id", how="left", maintain_order="left")
        .with_columns(round_key=pl.col("key"), filing_id=_filing(evidence), rule=pl.coalesce("rule", "not_tried"))
        .drop("key", "filing_no", "not_tried")
        .with_row_index("hit_no")
    )  # fmt: skip


def _misses(evidence: Evidence, hits: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """How often the rules that the findings name were kept, with whom they then did not strike."""
    rules = hits.select(RULE).drop_nulls("way_no").unique()
    kept = evidence.weighed.filter(pl.col("misses") > 0).join(rules, on=RULE, how="semi")
    return (
        kept.with_columns(filing_id=_filing(evidence))
        .join(known.drop("table_id", "filing_id"), on="round_key")
        .select(*RULE, "round_key", "misses", *STRUCK.values())
    )


def _filing(evidence: Evidence) -> pl.Expr:
    return pl.lit(evidence.filing_ids).gather(pl.col("filing_no"))


def _grouped(hits: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """The hits with the number of their group: the incident that they are part of, else the rule and table that they share."""
    taken = runs.select("incident_no", "struck", "struck_id", "first_key", "last_key", hit_no="hit_nos").explode("hit_no")
    found = hits.join(taken, on="hit_no", how="left", maintain_order="left")
    key = ["incident_no", "table_id", "part", "way_no", "rule", "cause"]
    numbers = found.select(key).unique().sort(key, nulls_last=True).with_row_index("group_no")
    return found.join(numbers, on=key, how="left", nulls_equal=True, maintain_order="left")


def _summed(grouped: pl.DataFrame) -> pl.DataFrame:
    """A row a group: its rule, bounds, players and money."""
    player = pl.struct("operator_id", "player_id")
    over, under = pl.col("delta").filter(pl.col("delta") > 0), pl.col("delta").filter(pl.col("delta") < 0)
    money = (
        grouped.filter(pl.col("currency").is_not_null())
        .group_by("group_no", "currency")
        .agg(
            wagers=pl.len().cast(pl.Int64), players=player.n_unique().cast(pl.Int64),
            overpaid=over.sum().cast(DUE), underpaid=(-under.sum()).cast(DUE),
        )
        .sort("currency")
        .group_by("group_no")
        .agg(money=pl.struct("currency", "wagers", "players", "overpaid", "underpaid"))
    )  # fmt: skip
    detail = pl.when(pl.col("detail").n_unique() == 1).then(pl.col("detail").first())
    return (
        grouped.sort("round_key", "hit_no", nulls_last=True)
        .group_by("group_no")
        .agg(
            pl.col("incident_no", *RULE, "cause", "struck", "struck_id").first(),
            root_cause_detail=pl.coalesce(pl.when(pl.col("rule").first() != "").then(pl.col("rule").first()), detail),
            hits=pl.len().cast(pl.Int64), players=player.n_unique().cast(pl.Int64),
            first_key=pl.col("round_key").min(), last_key=pl.col("round_key").max(),
            first_round_id=pl.col("round_id").first(), last_round_id=pl.col("round_id").last(),
            first_at=pl.col("at").min(), last_at=pl.col("at").max(),
        )
        .join(money, on="group_no", how="left", maintain_order="left")
        .sort("group_no")
    )  # fmt: skip


def _opportunities(grouped: pl.DataFrame, runs: pl.DataFrame, misses: pl.DataFrame) -> pl.DataFrame:
    """``group_no, opportunities``: hits and misses within the incident's bounds; of what stands alone, over the table's day."""
    numbers = grouped.group_by("group_no", "incident_no", *RULE).agg(hits=pl.len().cast(pl.Int64)).drop_nulls("way_no")
    within = struck_by(misses, runs).group_by("incident_no").agg(pl.col("misses").sum())
    all_day = misses.group_by(RULE).agg(pl.col("misses").sum())
    incidents = numbers.drop_nulls("incident_no").join(within, on="incident_no", how="left")
    alone = numbers.filter(pl.col("incident_no").is_null()).join(all_day, on=RULE, how="left", nulls_equal=True)
    both = pl.concat([part.select("group_no", "hits", "misses") for part in (incidents, alone)])
    return both.select("group_no", opportunities=pl.col("hits") + pl.col("misses").fill_null(0))


def _also(one: pl.DataFrame, grouped: pl.DataFrame, evidence: Evidence, known: pl.DataFrame) -> pl.DataFrame:
    """``group_no, also_explained_by``: the other causes that the wagers within an incident's bounds cannot tell from it."""
    bounds = one.drop_nulls("incident_no").select(
        "group_no", "table_id", "part", "struck", "struck_id", "first_key", "last_key", "opportunities", "cause", "hits"
    )
    ways = pl.DataFrame(
        {"way_no": range(len(WAYS)), "other": [HYPOTHESES[way.cause_no].name for way in WAYS]}, schema_overrides={"way_no": pl.UInt16}
    )
    each = (
        grouped.drop_nulls("incident_no")
        .select("group_no", other="root_causes")
        .explode("other")
        .group_by("group_no", "other")
        .len("named")
    )
    tried = (
        bounds.join(each, on="group_no")
        .filter((pl.col("named") == pl.col("hits")) & (pl.col("other") != pl.col("cause")))
        .join(ways, on="other")
        .rename({"hits": "least"})
    )
    weighed = evidence.weighed.with_columns(filing_id=_filing(evidence)).join(known.drop("table_id", "filing_id"), on="round_key")
    return (
        struck_by(weighed, tried)
        .group_by("group_no", "way_no", "rule", "other", "opportunities", "least")
        .agg(pl.col("hits", "misses").sum())
        .filter((pl.col("hits") >= pl.col("least")) & (pl.col("misses") <= pl.col("opportunities") - pl.col("least")))
        .group_by("group_no", "other")
        .agg(pl.col("way_no").min())
        .sort("group_no", "way_no")
        .group_by("group_no", maintain_order=True)
        .agg(also_explained_by=pl.col("other").head(MOST_ALSO))
    )


def _changes(one: pl.DataFrame, misses: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """``group_no, began_with, ended_with``: what differs between an incident's bounds and the wagers paid rightly next to them."""
    bounds = one.drop_nulls("incident_no").select("group_no", *RULE, "struck", "struck_id", "first_key", "last_key")
    everywhere = bounds.with_columns(first_key=pl.lit(-1, pl.Int64), last_key=pl.lit(2**62, pl.Int64))
    right = struck_by(misses, everywhere).select("group_no", right_key="round_key")
    near = bounds.join(right, on="group_no", how="left").group_by("group_no", "first_key", "last_key").agg(
        before=pl.col("right_key").filter(pl.col("right_key") < pl.col("first_key")).max(),
        after=pl.col("right_key").filter(pl.col("right_key") > pl.col("last_key")).min(),
    )  # fmt: skip
    shown = known.select("round_key", *_CHANGES.values())
    told = near.select("group_no")
    for name, earlier, later in (("began_with", "before", "first_key"), ("ended_with", "last_key", "after")):
        sides = near.join(shown, left_on=earlier, right_on="round_key", how="left").join(
            shown, left_on=later, right_on="round_key", how="left", suffix="_then"
        )
        changed = [
            pl.when(pl.col(column) != pl.col(f"{column}_then")).then(
                pl.concat_str(pl.lit(f"{what} "), f"{column}_then", pl.lit(" after "), column)
            )
            for what, column in _CHANGES.items()
        ]
        joined = pl.concat_str(changed, separator=", ", ignore_nulls=True)
        told = told.join(sides.select("group_no", pl.when(joined != "").then(joined).alias(name)), on="group_no")
    return told


def _told(one: pl.DataFrame, context: RunContext) -> pl.DataFrame:
    """The groups with id, extent, day and sentence."""
    extent = (
        pl.when(pl.col("incident_no").is_not_null()).then(pl.lit(SYSTEMATIC))
        .when(pl.col("cause") == UNEXPLAINED).then(pl.lit(UNEXPLAINED)).otherwise(pl.lit(ISOLATED))
    )  # fmt: skip
    named = one.with_columns(
        extent=extent, run_id=pl.lit(context.run_id), studio_id=pl.lit(context.studio_id), gaming_day=pl.lit(context.gaming_day),
        struck=pl.when(pl.col("struck") != "").then("struck"), struck_id=pl.when(pl.col("struck") != "").then("struck_id"),
    ).rename({"part": "kind", "cause": "root_cause"})  # fmt: skip
    rows = named.to_dicts()
    return named.with_columns(
        incident_id=pl.Series([_identity(row) for row in rows], dtype=pl.String),
        message=pl.Series([sentence(row) for row in rows], dtype=pl.String),
    )


def _identity(row: dict[str, Any]) -> str:
    """What makes an incident the same in every run: not its amounts, nor how many wagers are in it."""
    place = None if row["way_no"] is None else [way.cause_no for way in WAYS[: row["way_no"]]].count(WAYS[row["way_no"]].cause_no)
    named = [row[name] for name in ("studio_id", "gaming_day", "table_id", "kind", "root_cause", "rule", "struck", "struck_id")]
    first = row["first_round_id"] if row["extent"] == SYSTEMATIC else None
    return hashlib.sha256(repr([str(each) for each in (*named, place, first)]).encode()).hexdigest()[:32]

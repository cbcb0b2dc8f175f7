"""Why the money is wrong: each wrongly paid wager settled again with one rule broken at a time.

What a hypothesis would hand back is compared with what was paid, to the last digit. Where several reproduce it, the wagers that were
paid rightly testify: over the rounds of a table, in order of time, a wager paid as the broken rule says counts for it and one paid
otherwise counts against it, and the best run of rounds around the wager is what the hypothesis is worth. A fault of one wager in a
thousand is thus told from a rule that was broken from nine to eleven, and that from what was broken at another hour.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.arrow import on_its_own
from pipeline.core.schema import Chunk
from pipeline.reconcile.catalogue import contract_checks
from pipeline.reconcile.causes import HYPOTHESES, UNEXPLAINED
from pipeline.reconcile.causes.cases import cases_of, joined, only_rounds, order_of_rounds
from pipeline.reconcile.causes.hypothesis import BROAD, NARROW, USUAL, VAGUE
from pipeline.reconcile.causes.reproduce import AT_ONCE, WAYS, tried
from pipeline.reconcile.incident_runs import runs_through
from pipeline.reconcile.incidents import Evidence, with_incidents
from pipeline.reconcile.kept import Kept
from pipeline.reconcile.payouts import settlements
from pipeline.settle.terms import terms_of
from pipeline.settle.wagers import settle

if TYPE_CHECKING:
    from pipeline.core.filed import Filed
    from pipeline.reconcile.causes.hypothesis import Facts
    from pipeline.reconcile.context import RunContext

_ROWS_AT_ONCE: Final = 1_000_000
"""Rounds times rules of the tables that are diagnosed together, for memory's sake."""

MOST_NAMED: Final = 8
"""How many causes a finding names at most."""

_PRIOR: Final = {NARROW: 1.0, USUAL: 1.0, BROAD: 1 / 3, VAGUE: 1 / 10}
"""What a hypothesis is worth before anything is seen: one that can mean many things reproduces an amount by chance more often."""

_RARER: Final = 1 / 3
"""The same for a rarer way of one."""

_GROUP: Final = ("table_id", "part")
_RULE: Final = (*_GROUP, "way_no", "rule")
_ANYWHERE: Final = ("table_id", "way_no", "rule")
_RULE_TYPES: Final = {"table_id": pl.String, "part": pl.String, "way_no": pl.UInt16, "rule": pl.String}
_COUNTS: Final = {"hits": pl.Int64, "misses": pl.Int64}
_WAGER: Final = {"round_id": pl.String, "wager_id": pl.String, "operator_id": pl.String, "participant_key": pl.Int64, "round_key": pl.Int64}
_HITS: Final = {**_WAGER, **_RULE_TYPES, "detail": pl.String}
_WRONG: Final = {"round_id": pl.String, "wager_id": pl.String, "filing_no": pl.Int32, "part": pl.String, "is_tried": pl.Boolean}
_WEIGHED: Final = {"operator_id": pl.String, "filing_no": pl.Int32, **_RULE_TYPES, "round_key": pl.Int64, **_COUNTS}
_READERS: Final = {"table_id": pl.String, "round_key": pl.Int64, "device_id": pl.String}
_STRUCK: Final = {"participant_key": pl.Int64, **_RULE_TYPES, **_COUNTS}
NOT_RECORDED: Final = "nothing is recorded as paid"
RIGHT_IN_ALL: Final = "what was paid in all is what was due"
NO_RESULT: Final = "the wager has no result to settle again"


def _diagnosed_checks() -> list[str]:
    """The checks whose findings have a cause: the contract's money family, less the disagreement of the engines."""
    return [named.check_id for named in contract_checks().values() if named.family == "money" and named.check_id != "engine_disagreement"]


class Diagnosis:
    """The causes of a night's money findings.

    ``examine`` each chunk as it is settled; then, where ``needs_weighing``, ``weigh`` each chunk again, in the same order; then
    ``diagnosed`` puts the causes into the findings. What comes out does not depend on how the night is cut into chunks.

    Args:
        filed: the filings of the run.
        kept: where the evidence is kept that has a row for each round and rule.
    """

    def __init__(self, filed: Filed, kept: Kept | None = None) -> None:
        self._filed = filed
        self._kept = kept or Kept()
        self._terms = terms_of(filed)
        self._last: Chunk | None = None
        self._wrong: list[pl.DataFrame] = [pl.DataFrame(schema=_WRONG)]
        self._hits: list[pl.DataFrame] = [pl.DataFrame(schema=_HITS)]
        self._rules: pl.DataFrame | None = None

    def examine(self, chunk: Chunk, settled: pl.DataFrame) -> None:
        """Find what reproduces each wrong payment of a chunk.

        Args:
            chunk: whole rounds, each chunk later than those before.
            settled: ``results.SETTLEMENTS`` of it.
        """
        wrong = settled.filter(pl.col("delta") != 0)
        if not wrong.is_empty():
            self._wrong.append(on_its_own(wrong.select("round_id", "wager_id", "filing_no", part=_part(), is_tried=_is_tried())))
            self._examine(chunk, _recorded(wrong))
        self._last = _last_rounds(self._last, chunk)

    @property
    def needs_weighing(self) -> bool:
        """Whether any payment has more than one cause that reproduces it."""
        return any(not hits.is_empty() for hits in self._hits)

    def weigh(self, chunk: Chunk) -> None:
        """Count, at the tables with causes, what each of them says of every wager of a chunk."""
        if self._rules is None:
            self._rules = pl.concat(self._hits).select(_RULE).unique()
            self._last = None
        concerned = self._rules["table_id"].unique().implode()
        keys = chunk.rounds.filter(pl.col("is_current") & pl.col("table_id").is_in(concerned))["round_key"]
        rounds_at_once = max(1, AT_ONCE * chunk.rounds.height // max(1, chunk.wagers.height))
        for some in keys.to_frame().iter_slices(rounds_at_once):
            concerned_rounds = only_rounds(chunk, some["round_key"])
            self._keep("readers", _readers(concerned_rounds))
            self._weigh(concerned_rounds, chunk, self._rules)
        self._last = _last_rounds(self._last, chunk)

    def diagnosed(self, findings: pl.DataFrame, rounds: pl.LazyFrame, context: RunContext) -> tuple[pl.DataFrame, pl.DataFrame]:
        """What the night's findings come to.

        Args:
            findings: ``results.FINDINGS`` without causes.
            rounds: ``schema.ROUNDS`` of the whole night.
            context: the run and the day.

        Returns:
            The findings, by table, with their causes (of the money family what reproduces the payment or ``unexplained``, of others
            null) and incidents; and ``results.INCIDENTS``. The detail of ``unexplained`` says why nothing was tried, and is null where
            all was.
        """
        files = self._kept.files()
        by_table, hits = findings.sort("table_id", nulls_last=True, maintain_order=True), pl.concat(self._hits)
        weighed, struck, readers = (
            pl.scan_parquet(files[name], glob=False) if name in files else pl.LazyFrame(schema=types)
            for name, types in (("weighed", _WEIGHED), ("struck", _STRUCK), ("readers", _READERS))
        )
        parts = []
        for some in _some_tables(weighed):
            counted = weighed.filter(some).collect()
            likely = _ranked(hits.filter(some), counted, struck.filter(some).collect())
            read = readers.filter(some).drop("table_id").collect()
            parts.append(self._diagnosed(by_table.filter(some), likely, counted, read, rounds, context))
        whole, incidents = zip(*parts, strict=True)
        return pl.concat(whole), pl.concat(incidents)

    def _diagnosed(
        self,
        findings: pl.DataFrame,
        likely: pl.DataFrame,
        weighed: pl.DataFrame,
        readers: pl.DataFrame,
        rounds: pl.LazyFrame,
        context: RunContext,
    ) -> tuple[pl.DataFrame, pl.DataFrame]:
        wager = ["round_id", "wager_id"]
        causes = likely.group_by(wager, maintain_order=True).agg(
            causes=pl.col("cause").head(MOST_NAMED), cause_detail=pl.col("detail").first()
        )
        named = pl.col("check_id").is_in(_diagnosed_checks()) & pl.col("wager_id").is_not_null()
        reproduced = pl.col("causes").is_not_null()
        wrong = pl.concat(self._wrong)
        told = (
            findings.join(causes, on=wager, how="left", maintain_order="left")
            .join(wrong.select(*wager, "is_tried"), on=wager, how="left", maintain_order="left")
            .with_columns(
                root_cause=pl.when(named & reproduced).then(pl.col("causes").list.first()).when(named).then(pl.lit(UNEXPLAINED)),
                root_causes=pl.when(named & reproduced).then("causes").when(named).then(pl.lit([], pl.List(pl.String))),
                root_cause_detail=pl.when(named & reproduced).then("cause_detail").when(named).then(_why_not_tried()),
            )
            .select(findings.columns)
        )
        likeliest = likely.unique(wager, keep="first", maintain_order=True).select(*wager, "way_no", "rule", "detail")
        about = wrong.drop("is_tried").join(likeliest, on=wager, how="left", maintain_order="left")
        names = self._filed.filings.sort("filing_no")["filing_id"]
        return with_incidents(told, Evidence(about, weighed, readers, names), rounds, context)

    def _examine(self, chunk: Chunk, wrong: pl.DataFrame) -> None:
        cases, facts = self._cases(only_rounds(chunk, wrong["round_key"]), chunk, wrong)
        found = tried(cases, facts, range(len(WAYS)), hits_only=True)
        about = cases.select("case_no", *_WAGER, "table_id", part=_part())
        self._hits.append(on_its_own(found.join(about, on="case_no", maintain_order="left").select(list(_HITS))))

    def _weigh(self, concerned: Chunk, chunk: Chunk, rules: pl.DataFrame) -> None:
        settled = settlements(concerned, settle(concerned, self._filed), self._filed)
        testifying = _recorded(settled).filter((pl.col("play_mode") == "real") & (pl.col("status") != "rejected"))
        parts = testifying.select(*_GROUP[:1], part=_part()).unique()
        asked = rules.join(parts, on=_GROUP, how="semi")
        named = (
            testifying.with_columns(part=_part())
            .join(asked.select(_GROUP).unique(), on=_GROUP, how="semi", maintain_order="left")
            .drop("part")
        )
        if named.is_empty():
            return
        cases, facts = self._cases(concerned, chunk, named)
        about = cases.with_columns(part=_part())
        each = asked.group_by("way_no", maintain_order=True)
        weighed, struck = zip(*(_weighed(about, facts, int(str(way_no)), of_way) for (way_no,), of_way in each), strict=True)
        self._keep("weighed", pl.concat(weighed))
        self._keep("struck", pl.concat(struck))

    def _keep(self, name: str, rows: pl.DataFrame) -> None:
        self._kept.add(name, rows.to_arrow(compat_level=pl.CompatLevel.oldest()))

    def _cases(self, rounds: Chunk, chunk: Chunk, settled: pl.DataFrame) -> tuple[pl.DataFrame, Facts]:
        earlier = self._last
        keys = rounds.rounds["round_key"]
        known = chunk.rounds if earlier is None else pl.concat([earlier.rounds, chunk.rounds])
        before = (
            order_of_rounds(known)
            .filter(pl.col("before_key").is_not_null())
            .join(pl.DataFrame({"round_key": keys}), on="round_key", how="semi")
        )
        around = _of_both(earlier, chunk, pl.concat([keys, before["before_key"]]))
        return cases_of(rounds, settled, before, around, self._filed, self._terms)


def _weighed(cases: pl.DataFrame, facts: Facts, way_no: int, rules: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """``_WEIGHED`` and ``_STRUCK`` of a way on these cases."""
    asked_of = cases.join(rules.select(_GROUP).unique(), on=_GROUP, how="semi", maintain_order="left")
    found = tried(asked_of, facts, [way_no], hits_only=False)
    told = found.join(cases.select("case_no", "operator_id", "filing_no", "participant_key", *_GROUP, "round_key"), on="case_no")
    told = told.join(rules, on=_RULE, how="semi")
    counted = {"hits": pl.col("is_hit").sum().cast(pl.Int64), "misses": (~pl.col("is_hit")).sum().cast(pl.Int64)}
    weighed = told.group_by("operator_id", "filing_no", *_RULE, "round_key").agg(**counted)
    struck = told.filter(pl.col("is_hit").any().over("participant_key", *_RULE)).group_by("participant_key", *_RULE).agg(**counted)
    return weighed.select(list(_WEIGHED)), struck.select(list(_STRUCK))


def _ranked(hits: pl.DataFrame, weighed: pl.DataFrame, struck: pl.DataFrame) -> pl.DataFrame:
    """The hits with their ``cause``, once a wager and cause, the likeliest of a wager first."""
    by_operator = ("operator_id", *_RULE)
    runs, own_runs = runs_through(weighed, _RULE), runs_through(weighed, by_operator).rename({"run": "own_run"})
    worth = [_PRIOR[HYPOTHESES[each.cause_no].rank] * (1 if each.is_usual else _RARER) for each in WAYS]
    ways = pl.DataFrame(
        {
            "way_no": range(len(WAYS)), "cause_no": [each.cause_no for each in WAYS], "prior": worth,
            "cause": [HYPOTHESES[each.cause_no].name for each in WAYS], "rank": [HYPOTHESES[each.cause_no].rank for each in WAYS],
        },
        schema_overrides={"way_no": pl.UInt16},
    )  # fmt: skip
    wager = ["round_id", "wager_id"]
    return (
        hits.join(_rates(weighed), on=_RULE, how="left")
        .join(runs, on=[*_RULE, "round_key"], how="left")
        .join(own_runs, on=[*by_operator, "round_key"], how="left", nulls_equal=True)
        .join(_beside(struck, _RULE).rename({"beside": "beside_kind"}), on=["participant_key", *_RULE], how="left")
        .join(_beside(struck, _ANYWHERE), on=["participant_key", *_ANYWHERE], how="left")
        .with_columns(run=pl.max_horizontal("run", "own_run").fill_null(0))
        .with_columns(beside=pl.max_horizontal("beside", "beside_kind").fill_null(1))
        .join(ways, on="way_no")
        .with_columns(likelihood=pl.col("rate") * pl.col("prior"))
        .sort(
            *wager, "run", "beside", "likelihood", "rank", "cause_no", "way_no", "rule", "detail",
            descending=[False, False, True, True, True, *[False] * 5], nulls_last=True,
        )
        .unique([*wager, "cause"], keep="first", maintain_order=True)
    )  # fmt: skip


def _some_tables(weighed: pl.LazyFrame) -> list[pl.Expr]:
    """Tables that are diagnosed together, in order; what is at no table goes with the last."""
    table = pl.col("table_id")
    counted = weighed.group_by(table).len().sort(table).collect().with_columns(part=pl.col("len").cum_sum() // _ROWS_AT_ONCE)
    bounds = counted.group_by("part", maintain_order=True).agg(table.last())["table_id"].to_list()[:-1]
    first = [table <= bounds[0]] if bounds else []
    between = [(table > after) & (table <= last) for after, last in pairwise(bounds)]
    return [*first, *between, (table > bounds[-1]) | table.is_null() if bounds else pl.lit(value=True)]


def _beside(struck: pl.DataFrame, rule: tuple[str, ...]) -> pl.DataFrame:
    """``participant_key``, the rule and ``beside``: hits less misses on a participant's wagers, which one fault strikes together."""
    return struck.group_by("participant_key", *rule).agg(beside=pl.col("hits").sum() - pl.col("misses").sum())


def _rates(weighed: pl.DataFrame) -> pl.DataFrame:
    """``_RULE`` and ``rate``: hits by opportunities over the table's day, with one opportunity more than there was.

    So one hit of one is worth less than ten of ten; and of two rules that each explain a lone fault, the one that had fewer occasions to
    show is the likelier.
    """
    hits, misses = pl.col("hits").sum(), pl.col("misses").sum()
    return weighed.group_by(_RULE).agg(rate=hits / (hits + misses + 1))


def _recorded(settled: pl.DataFrame) -> pl.DataFrame:
    """Settled and voided wagers on which something is recorded as paid, be it nothing."""
    return settled.filter(_is_tried())


def _is_tried() -> pl.Expr:
    recorded = pl.col("paid").is_not_null() | pl.col("bonus_paid").is_not_null()
    return pl.col("settlement").is_in(["settled", "voided"]) & recorded


def _why_not_tried() -> pl.Expr:
    """Of a money finding beside ``is_tried`` of its wager, which is null where that was not paid wrongly in all."""
    is_split = pl.col("check_id") == "bonus_split_mismatch"
    elsewhere = pl.when(is_split).then(pl.lit(RIGHT_IN_ALL)).otherwise(pl.lit(NO_RESULT))
    return pl.when(pl.col("is_tried").is_null()).then(elsewhere).when(~pl.col("is_tried")).then(pl.lit(NOT_RECORDED))


def _part() -> pl.Expr:
    """What is weighed together: ante and play, which one rule settles, or a kind of side wager."""
    return pl.when(pl.col("kind").is_in(["ante", "play"])).then(pl.lit("main")).otherwise("kind")


def _readers(chunk: Chunk) -> pl.DataFrame:
    """``_READERS`` of the rounds: the devices that read their cards, by name."""
    read = chunk.card_readings.filter(pl.col("is_current") & pl.col("device_id").is_not_null())
    return read.group_by("table_id", "round_key").agg(pl.col("device_id").unique().sort().str.join(" and "))


def _last_rounds(earlier: Chunk | None, chunk: Chunk) -> Chunk:
    """The last current round of each table."""
    rounds = chunk.rounds if earlier is None else pl.concat([earlier.rounds, chunk.rounds])
    last = rounds.filter("is_current").group_by("table_id").agg(pl.col("round_key").max())["round_key"]
    both = _of_both(earlier, chunk, last)
    return Chunk(**{field.name: on_its_own(getattr(both, field.name)) for field in fields(both)})


def _of_both(earlier: Chunk | None, chunk: Chunk, keys: pl.Series) -> Chunk:
    return joined(None if earlier is None else only_rounds(earlier, keys), only_rounds(chunk, keys))

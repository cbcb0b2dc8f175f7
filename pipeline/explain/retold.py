"""Rounds of the lake settled again, as they were when they were published: by both engines, under the same filings, and under another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.errors import LakeError
from pipeline.core.results import FINDINGS, SETTLEMENTS
from pipeline.core.wallet import RECONCILIATION, WALLET
from pipeline.filings.load import assemble
from pipeline.lake.earlier import published_rounds, rows_of
from pipeline.lake.filed import filed_with, filings_with
from pipeline.reconcile.payouts import settlements
from pipeline.reconcile.session import open_session
from pipeline.settle.agreement import COMPARED, compare, settled_result
from pipeline.settle.twin import Twin
from pipeline.settle.wagers import settle

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk
    from pipeline.filings.submission import Filing
    from pipeline.lake.earlier import Published

_HELD: Final = (SETTLEMENTS, FINDINGS, WALLET, RECONCILIATION)


@dataclass(frozen=True, slots=True)
class Retold:
    """Rounds of one studio and gaming day.

    Attributes:
        number: the publish that they are current with.
        chunk: everything told of them.
        filed: the filings of that publish.
        filings: the same, whole, by ``filing_no``.
        published: name to rows of these rounds: ``settlements``, ``findings``, ``wallet``, ``reconciliation``.
        engines: a row for each current wager, by ``wager_key``: what each engine says (``ours_*``, ``twin_*``, of ``agreement.COMPARED``),
            ``rule`` and ``odds``, whether they ``agree``, and whether the result is ``as_published``.
        hands: a row for each current hand: ``hand_key, hand_id, is_dealer, cards`` (those that count, as read or posted), ``distrust,
            category, strength``.
        replaced: ``round_key, reading_no`` of the readings that another replaces.
        rules: ``wager_key, compared, bonus_compared``: the rule of Pennsylvania that the deciding key, and that of the ante bonus,
            compares with; wagers under a filing of Pennsylvania only.
        instead: ``results.SETTLEMENTS`` under the other filing; None where none was named.
    """

    number: int
    chunk: Chunk
    filed: Filed
    filings: list[Filing]
    published: dict[str, pl.DataFrame]
    engines: pl.DataFrame
    hands: pl.DataFrame
    replaced: pl.DataFrame
    rules: pl.DataFrame
    instead: pl.DataFrame | None


def retell(lake: Published, studio_id: str, gaming_day: date, round_ids: Sequence[str], other: Filing | None = None) -> Retold:
    """Settle rounds of the lake again.

    Args:
        lake: the lake.
        studio_id: the studio.
        gaming_day: the gaming day.
        round_ids: the rounds.
        other: a filing to settle them under as well: its terms, as if it governed their tables for every operator that day.

    Raises:
        LakeError: the lake has not this day, or a filing in it is damaged.
    """
    number = lake.number(studio_id, gaming_day)
    if number is None:
        raise LakeError(f"has no {gaming_day} of studio {studio_id}", str(lake.root), "name a day that was audited")
    chunk = published_rounds(lake, studio_id, gaming_day, round_ids)
    wanted = pl.col("round_id").is_in(list(round_ids))
    published = {table.name: rows_of(lake, studio_id, gaming_day, table, wanted) for table in _HELD}
    filed = filed_with(lake, number)
    with open_session() as con:
        twin = Twin(con)
        # The other filing first: what is asked of the connection after it is about the one in force.
        instead = None if other is None else _settled(twin, chunk, _governing(other, chunk, studio_id, gaming_day))[0]
        again, engines = _settled(twin, chunk, filed)
        return Retold(
            number=number,
            chunk=chunk,
            filed=filed,
            filings=filings_with(lake, number),
            published=published,
            engines=engines.with_columns(as_published=_same(again, published["settlements"])),
            hands=con.sql(_HANDS).pl(),
            replaced=con.sql("SELECT round_key, reading_no FROM replaced_readings").pl(),
            rules=_rules(again, filed, twin),
            instead=instead,
        )


def _settled(twin: Twin, chunk: Chunk, filed: Filed) -> tuple[pl.DataFrame, pl.DataFrame]:
    ours, theirs = settle(chunk, filed), twin.settle(chunk, filed)
    differing = compare(ours, theirs)
    said = [frame.select(pl.col(COMPARED).name.prefix(f"{name}_")) for name, frame in (("ours", ours), ("twin", theirs))]
    agree = (~pl.col("wager_key").is_in(differing["wager_key"].implode())).alias("agree")
    engines = pl.concat([ours.select("wager_key", "rule", "odds", agree), *said], how="horizontal")
    return settlements(chunk, settled_result(ours, differing), filed), engines


def _governing(other: Filing, chunk: Chunk, studio_id: str, gaming_day: date) -> Filed:
    tables = tuple(sorted(chunk.rounds["table_id"].drop_nulls().unique()))
    governing = replace(other, studio_id=studio_id, tables=tables, operators=None, effective_from=gaming_day, effective_to=gaming_day)
    return assemble([governing]).filed


def _same(again: pl.DataFrame, published: pl.DataFrame) -> pl.Series:
    """Whether each wager comes out as it was published."""
    judged = [name for name in COMPARED if name != "filing_no"]
    before = published.select("wager_key", pl.col(judged).name.prefix("published_"))
    both = again.join(before, on="wager_key", how="left", maintain_order="left")
    return both.select(pl.all_horizontal(pl.col(name).eq_missing(pl.col(f"published_{name}")) for name in judged)).to_series()


def _rules(again: pl.DataFrame, filed: Filed, twin: Twin) -> pl.DataFrame:
    bonus = filed.wagers.filter(kind="ante_bonus").select("filing_no", "paytable")
    there = filed.filings.filter(jurisdiction="US-PA").select("filing_no")
    asked = again.join(there, on="filing_no", how="semi").join(bonus, on="filing_no", how="left")
    of_bonus = pl.when((pl.col("kind") == "ante") & pl.col("line").is_not_null()).then("ante_bonus.odds." + pl.col("line"))
    twin.con.register("rules_asked", asked.select("wager_key", "rule", "paytable", bonus_rule=of_bonus))
    compared = "pennsylvania_rule(rule, paytable) AS compared, pennsylvania_rule(bonus_rule, paytable) AS bonus_compared"
    rules: pl.DataFrame = twin.con.sql(f"SELECT wager_key, {compared} FROM rules_asked").pl()
    return rules


_HANDS: Final = """
WITH counted AS (
    SELECT hand_key, list(card ORDER BY position, reading_no) AS cards
    FROM (
        SELECT hand_key, position, card, min(reading_no) AS reading_no
        FROM counted_readings WHERE hand_key IS NOT NULL GROUP BY hand_key, position, card
    )
    GROUP BY hand_key
)
SELECT
    hands.hand_key, hands.round_key, hands.hand_id, hands.is_dealer, hands.cards AS posted, coalesce(counted.cards, hands.cards) AS cards,
    state.distrust, state.category, state.strength
FROM current_hands AS hands
LEFT JOIN counted ON counted.hand_key = hands.hand_key
LEFT JOIN hand_state AS state ON state.hand_key = hands.hand_key
ORDER BY hands.hand_key
"""

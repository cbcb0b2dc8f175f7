"""All that a case holds, gathered from the lake and the source files."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from pipeline.case.scope import Round, Scope, rounds_in
from pipeline.core.schema import CHUNK_TABLES
from pipeline.explain.retold import Retold, retell
from pipeline.explain.sources import Found, Place, SourceFile, known_files, raw_records
from pipeline.explain.tell import Teller
from pipeline.feeds.inputs import TABLE_SUFFIXES
from pipeline.lake import open_lake
from pipeline.lake.earlier import Published
from pipeline.lake.layout import checked_root
from pipeline.lake.scan import sql_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from pathlib import Path

    import duckdb

    from pipeline.explain.story import RoundStory
    from pipeline.filings.submission import Filing

MOST_TOLD: Final = 40
"""Rounds that a page tells one by one; the data and the evidence hold all."""

MOST_PLAYERS: Final = 12
"""Players whose other rounds are shown, where the case is about no one player."""

_ENGINE: Final = ("settlement", "outcome", "line", "expected", "expected_bonus", "hand_category", "dealer_category", "dealer_qualifies")


@dataclass(frozen=True, slots=True)
class Gathered:
    """A case before it is written.

    Attributes:
        scope: what was asked for.
        rounds: what it is about, in the order of time.
        stories: of ``MOST_TOLD`` of them, in the order of time: those with findings, then the first others.
        tables: name to rows: the lake's tables of these rounds, ``engines``, ``accounts``, ``around_table``, ``around_player``,
            ``incidents``, and ``what_if`` where another filing was named.
        filings: the filings that they were judged by.
        other: the other filing.
        runs: the runs that published them, rows of the view ``runs``.
        known: what is on record of the source files.
        found: what was found of them.
    """

    scope: Scope
    rounds: list[Round]
    stories: list[RoundStory]
    tables: dict[str, pl.DataFrame]
    filings: list[Filing]
    other: Filing | None
    runs: list[dict[str, Any]]
    known: dict[str, list[SourceFile]]
    found: Found


def gather(lake: Path, scope: Scope, other: Filing | None = None, folders: Sequence[Path] = ()) -> Gathered:
    """Gather a case.

    Args:
        lake: the lake.
        scope: which rounds.
        other: a filing to settle them under as well.
        folders: where the source files lie now; none: where the audit read them.

    Raises:
        ResettleError: see ``scope.rounds_in``.
    """
    shown = Published(checked_root(lake))
    with open_lake(lake) as con:
        rounds = rounds_in(con, scope)
        nights: dict[tuple[str, date], list[str]] = defaultdict(list)
        for studio_id, gaming_day, round_id in rounds:
            nights[studio_id, gaming_day].append(round_id)
        retold = {night: retell(shown, *night, ids, other) for night, ids in nights.items()}
        places = {place: round_id for one in retold.values() for place, round_id in _places(one).items()}
        known = known_files(con, _with_siblings(con, {name for name, _ in places}))
        places |= {(name, 1): None for name in known if name.lower().endswith(TABLE_SUFFIXES)}
        found = raw_records(places, known, folders, withheld=shown.key_fingerprint is not None)
        tables = _tables(con, scope, rounds, list(retold.values()))
        tellers = {night: Teller(con, one, other, known, found) for night, one in retold.items()}
        numbers = sorted({one.number for one in retold.values()})
        return Gathered(
            scope=scope,
            rounds=rounds,
            stories=[tellers[studio, day].tell(round_id) for studio, day, round_id in _told(rounds, tables["findings"])],
            tables=tables,
            filings=_filings(list(retold.values())),
            other=other,
            runs=con.sql("SELECT * FROM runs WHERE number IN (SELECT unnest($numbers)) ORDER BY number", params={"numbers": numbers})
            .pl()
            .to_dicts(),
            known=known,
            found=found,
        )


def _told(rounds: list[Round], findings: pl.DataFrame) -> list[Round]:
    """The rounds that are told one by one: those with findings before the others, as many as are told, in the order of time."""
    grave = findings.filter(pl.col("severity") != "info").select("studio_id", "gaming_day", "round_id")
    found = set(grave.rows())
    return sorted(sorted(rounds, key=lambda one: one not in found)[:MOST_TOLD], key=rounds.index)


def _places(retold: Retold) -> dict[Place, str | None]:
    """Where every telling of the rounds was read, and every entry of the wallet about them."""
    told = [retold.chunk.rounds, retold.published["wallet"]]
    rows = pl.concat([frame.select("source_file", "source_line", "round_id") for frame in told]).unique().sort(pl.all())
    return {(file, line): round_id for file, line, round_id in rows.iter_rows()}


def _with_siblings(con: duckdb.DuckDBPyConnection, names: Iterable[str]) -> set[str]:
    """The names, and with a flat table the others of its folder: its rounds lie in all of them."""
    found = set(names)
    folders = {name.rpartition("/")[0] for name in found if name.lower().endswith(TABLE_SUFFIXES)}
    if folders:
        every = con.execute("SELECT DISTINCT source_file FROM source_files").fetchall()
        found |= {name for (name,) in every if name.lower().endswith(TABLE_SUFFIXES) and name.rpartition("/")[0] in folders}
    return found


def _tables(con: duckdb.DuckDBPyConnection, scope: Scope, rounds: list[Round], retold: list[Retold]) -> dict[str, pl.DataFrame]:
    tables = {table.name: pl.concat([getattr(one.chunk, table.name) for one in retold]) for table in CHUNK_TABLES}
    tables |= {name: pl.concat([one.published[name] for one in retold]) for name in retold[0].published}
    key = ["studio_id", "gaming_day", "round_id", "wager_id", "wager_key"]
    named = [one.published["settlements"].select(key) for one in retold]
    engines = [left.join(one.engines, on="wager_key", how="left", maintain_order="left") for left, one in zip(named, retold, strict=True)]
    tables["engines"] = pl.concat(engines).drop("ours_filing_no", "twin_filing_no")
    instead = [one.instead for one in retold if one.instead is not None]
    if instead:
        tables["what_if"] = pl.concat(instead)
    con.register(
        "chosen", pl.DataFrame(rounds, schema={"studio_id": pl.String, "gaming_day": pl.Date, "round_id": pl.String}, orient="row")
    )
    tables["accounts"] = con.sql(sql_text("case", "accounts.sql")).pl()
    con.register("asked_players", _players(scope, tables))
    for name in ("around_table", "around_player"):
        tables[name] = con.sql(sql_text("case", f"{name}.sql")).pl()
    named = tables["findings"]["incident_id"].drop_nulls().unique().to_list()
    asked = "SELECT * FROM incidents WHERE incident_id IN (SELECT unnest(CAST($ids AS VARCHAR[]))) ORDER BY first_at, incident_id"
    tables["incidents"] = con.sql(asked, params={"ids": named}).pl()
    return tables


def _players(scope: Scope, tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """The players whose other rounds are shown: the one in question, else those who were paid wrongly, else the first."""
    settled = tables["settlements"].filter(pl.col("player_id").is_not_null())
    if scope.player is not None:
        settled = settled.filter(pl.col("player_id") == scope.player)
    if scope.finding is not None:
        about = tables["findings"].filter((pl.col("finding_id") == scope.finding) & pl.col("player_id").is_not_null())
        settled = settled.join(about, on=["operator_id", "player_id"], how="semi") if about.height else settled
    wrong = (pl.col("delta") != 0).fill_null(value=False).sum()
    people = settled.group_by("studio_id", "operator_id", "player_id").agg(wrong=wrong, first=pl.col("wager_key").min())
    order = people.sort("wrong", "first", "operator_id", "player_id", descending=[True, False, False, False])
    return order.head(MOST_PLAYERS).select("studio_id", "operator_id", "player_id")


def _filings(retold: list[Retold]) -> list[Filing]:
    """The filings in force on the rounds, each once."""
    cited = {fingerprint for one in retold for fingerprint in one.published["settlements"]["filing_fingerprint"].drop_nulls()}
    found = {filing.fingerprint: filing for one in retold for filing in one.filings if filing.fingerprint in cited}
    return sorted(found.values(), key=lambda filing: (filing.filing_id, filing.revision))

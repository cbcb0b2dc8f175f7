"""The wallet's ledger of a delivery: read, placed by round among what is delivered and what is published, given out night by night."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

import msgspec
import polars as pl

from pipeline.core.schema import TIME
from pipeline.core.wallet import RECONCILIATION, WALLET
from pipeline.feeds.gaming_day import gaming_days
from pipeline.feeds.wallet_ledger import read_ledger
from pipeline.feeds.wallet_stage import ROUND_PLACES, STUDIO_PLACES, WalletStage
from pipeline.lake.working_copy import brought

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import duckdb

    from pipeline.core.schema import Chunk
    from pipeline.core.times import GamingDay
    from pipeline.feeds.blocks import ReadLimits
    from pipeline.feeds.log_files import LogFile
    from pipeline.feeds.pseudonyms import Pseudonyms
    from pipeline.feeds.stage import Stage
    from pipeline.feeds.wallet_ledger import Ledger
    from pipeline.feeds.wallet_profile import WalletProfile
    from pipeline.filings.load import Filings
    from pipeline.lake import PartitionWriter
    from pipeline.lake.earlier import Published
    from pipeline.steps import Progress

Night = tuple[str, date]

_AWAITED: Final = "a credit is awaited"
_PLACED: Final = "placed"
_GIVEN: Final = "given.json"
_DAY: Final = timedelta(days=1)


class WalletLedger:
    """What the wallet booked, for the nights of a run.

    Args:
        filings: the filings of the run.
        lake: the opened lake.
        folder: an empty folder for its staging.
    """

    def __init__(self, filings: Filings, lake: Published, folder: Path) -> None:
        self._filings = filings
        self._lake = lake
        self._folder = folder
        self._ledger: Ledger | None = None
        self._stage: WalletStage | None = None
        self._is_given = False

    def read(
        self,
        files: Sequence[LogFile],
        profile: WalletProfile | None,
        progress: Progress,
        limits: ReadLimits | None = None,
        pseudonyms: Pseudonyms | None = None,
    ) -> None:
        """Read the ledger's files.

        Raises:
            InputError: one cannot be read at all.
        """
        self._ledger = read_ledger(files, self._folder / "read", profile, limits=limits, progress=progress.read, pseudonyms=pseudonyms)
        self._is_given = True

    def place(self, stage: Stage, only_day: date | None = None) -> list[Night]:
        """Place the entries, with those published before that may belong with them.

        Args:
            stage: the rounds of the delivery.
            only_day: the one gaming day that was asked for.

        Returns:
            The nights to settle: those delivered, and those that the ledger opens again.
        """
        pieces = self._ledger.pieces if self._ledger else ()
        delivered = stage.partitions()
        known = self._published_nights(delivered, pieces)
        published = [file for night in known if (file := self._file(night, "wallet"))]
        if not pieces and not published:
            return delivered
        rounds = pl.concat([ROUND_PLACES.to_frame(), *self._places(stage, delivered, known)]).unique(
            ["studio_id", "round_id"], keep="first"
        )
        self._stage = WalletStage(self._folder / _PLACED)
        self._stage.place(pieces, published, rounds, self._studios(rounds), delivered, only_day)
        return sorted({*delivered, *self._stage.nights, *self._waiting(delivered, known, pieces)})

    def source_files(self) -> list[pl.DataFrame]:
        """The books of the ledger's files (``schema.SOURCE_FILES``)."""
        placed = self._stage
        counts = (placed.repeats, placed.other_day) if placed else ({}, {})
        return [self._ledger.source_files(*counts)] if self._ledger else []

    def quarantine(self) -> list[pl.DataFrame]:
        """The records that cannot be read (``schema.QUARANTINE``)."""
        return [self._ledger.spool.rows().collect()] if self._ledger else []

    def of(self, night: Night) -> NightWallet | None:
        """The wallet's side of a night; None where no ledger was given and none is published for it."""
        if self._stage is None or not (self._is_given or self._stage.holds(night)):
            return None
        clocks = self._stage.clocks
        oldest = pl.DataFrame({"studio_id": [night[0]] * clocks.height, "dated_at": clocks["oldest"]}, schema_overrides={"dated_at": TIME})
        clocks = clocks.with_columns(gaming_days(oldest, self._filings.gaming_days).alias("from_day"))
        return NightWallet(self._stage, night, clocks.drop("oldest"))

    def save(self) -> None:
        """Write what another process needs to give out the nights."""
        if self._stage is not None:
            self._stage.save()
            (self._folder / _PLACED / _GIVEN).write_bytes(msgspec.json.encode(self._is_given))

    @classmethod
    def opened(cls, filings: Filings, lake: Published, folder: Path) -> WalletLedger:
        """A ledger that was saved, to give out its nights only."""
        ledger = cls(filings, lake, folder)
        if (given := folder / _PLACED / _GIVEN).exists():
            ledger._stage = WalletStage.opened(folder / _PLACED)
            ledger._is_given = msgspec.json.decode(given.read_bytes(), type=bool)
        return ledger

    def _waiting(self, delivered: Sequence[Night], known: Sequence[Night], pieces: Sequence[Path]) -> Iterator[Night]:
        """The published nights on which something could not be judged yet, and perhaps now can be.

        That is a credit that was awaited or a stake that the ledger did not reach, where the operator's ledger goes on; and a booking
        from before the log, where the log now reaches further back.
        """
        operators = (
            pl.scan_parquet(list(pieces)).select("operator_id").unique().collect() if pieces else pl.DataFrame({"operator_id": [""]})
        )
        goes_on = pl.col("operator_id").is_in(operators["operator_id"].implode())
        for studio, day in known:
            if file := self._file((studio, day), "reconciliation"):
                earlier = any(one == studio and before < day for one, before in delivered)
                open_ended = ~pl.col("examined") | (pl.col("status") == _AWAITED)
                again = pl.when(pl.col("standing") == "unknown").then(pl.lit(earlier)).otherwise(goes_on)
                if pl.scan_parquet(file, glob=False).filter(open_ended & again).head(1).collect().height:
                    yield studio, day

    def _published_nights(self, delivered: Sequence[Night], pieces: Sequence[Path]) -> list[Night]:
        """The published nights that may have something to do with it: a day around those delivered and around the ledger's own times."""
        days = {day + step for _, day in delivered for step in (-_DAY, timedelta(0), _DAY)}
        if pieces:
            first, last = (
                pl.scan_parquet(list(pieces)).select(pl.col("at").min().alias("a"), pl.col("at").max().alias("b")).collect().row(0)
            )
            days |= {first.date() + _DAY * n for n in range(-2, (last.date() - first.date()).days + 2)}
        published = self._lake.state.partitions if self._lake.state else ()
        return [(key.studio_id, key.gaming_day) for key in published if key.gaming_day in days]

    def _places(self, stage: Stage, delivered: Sequence[Night], known: Sequence[Night]) -> Iterator[pl.DataFrame]:
        for night in delivered:
            yield _placed(stage.standing_rows(night)[0].lazy())
        for night in sorted({*known} - {*delivered}):
            if file := self._file(night, "rounds"):
                yield _placed(pl.scan_parquet(file, glob=False).filter("is_current"))

    def _file(self, night: Night, table: str) -> Path | None:
        facts = self._lake.facts(*night)
        told = facts.tables.get(table) if facts else None
        return brought(self._lake.root, told) if told and told.file else None

    def _studios(self, rounds: pl.DataFrame) -> pl.DataFrame:
        """``STUDIO_PLACES`` of every studio that has rounds or a filing."""
        filed, days = self._filings.filed.filings, self._filings.gaming_days
        known = {
            studio: (sorted(found), first)
            for studio, found, first in rounds.group_by("studio_id")
            .agg(pl.col("gaming_day").unique(), pl.col("dated_us").min())
            .iter_rows()
        }
        rows = [
            {
                "studio_id": studio, **_clock(days.get(studio)), "operators": _operators(filed.filter(pl.col("studio_id") == studio)),
                "days": known.get(studio, ([], None))[0], "known_from": known.get(studio, ([], None))[1],
            }
            for studio in sorted({*known, *days})
        ]  # fmt: skip
        frame = pl.DataFrame(rows, schema={**STUDIO_PLACES, "known_from": pl.Int64})
        return frame.with_columns(pl.from_epoch("known_from", "us").dt.replace_time_zone("UTC").cast(TIME)).select(STUDIO_PLACES.names())


class NightWallet:
    """The wallet's side of one night, chunk by chunk beside its rounds.

    Args:
        stage: the placed entries.
        night: the studio and the gaming day.
        clocks: ``operator_id, newest, from_day``: until when the ledger has entries of an operator, and from which gaming day on.
    """

    def __init__(self, stage: WalletStage, night: Night, clocks: pl.DataFrame) -> None:
        self._stage = stage
        self._night = night
        self._clocks = clocks
        self._first = True

    def enter(self, con: duckdb.DuckDBPyConnection, chunk: Chunk) -> None:
        """Put the entries of a chunk's rounds into the connection as ``wallet_entries``, and ``wallet_clocks`` beside them.

        Those of rounds that the log does not know come with the first chunk.
        """
        rounds = chunk.rounds.filter("is_current")
        hours = rounds["dated_at"].dt.epoch("s") // 3600
        theirs = self._stage.entries(self._night, (hours.min() or 0, hours.max() or 0))  # type: ignore[arg-type]
        found = [theirs.join(rounds.select("round_id"), on="round_id", how="semi", maintain_order="left")]
        if self._first:
            found.append(self._stage.entries(self._night))
            self._first = False
        con.register("rows_entered", pl.concat(found))
        con.execute("CREATE OR REPLACE TEMP TABLE wallet_entries AS FROM rows_entered")
        con.unregister("rows_entered")
        con.register("wallet_clocks", self._clocks)

    def leave(self, con: duckdb.DuckDBPyConnection, writer: PartitionWriter) -> None:
        """Write what the checks' views made of the chunk: ``wallet`` and ``reconciliation``."""
        studio, day = self._night
        own = (pl.lit(studio).alias("studio_id"), pl.lit(day, pl.Date).alias("gaming_day"))
        for table, sql, order in ((WALLET, _ENTRIES, _ENTRY_ORDER), (RECONCILIATION, _LINES, _LINE_ORDER)):
            columns = [f'"{name}"' for name in table.schema if name not in {"studio_id", "gaming_day"}]
            rows = con.sql(f"SELECT {', '.join(columns)} FROM ({sql}) ORDER BY {order}").pl().with_columns(own)
            writer.append(table.name, rows.select(pl.col(name).cast(kind) for name, kind in table.schema.items()))

    def keep(self, writer: PartitionWriter) -> None:
        """Write the entries of a night of which no round is known (yet): they wait for it, and nothing is said of them."""
        studio, day = self._night
        for rows in self._stage.slices(self._night) if self._stage.holds(self._night) else ():
            refused = pl.col("status") == "rejected"
            moved = pl.when(refused).then(0).when(pl.col("type") == "debit").then(0 - pl.col("amount")).otherwise("amount")
            own = rows.with_columns(pl.lit(studio).alias("studio_id"), pl.lit(day, pl.Date).alias("gaming_day"), moved.alias("moved"))
            writer.append("wallet", own.select(pl.col(name).cast(kind) for name, kind in WALLET.schema.items()))


_ENTRIES: Final = """
    SELECT b.*, s.round_key
    FROM wallet_booked AS b
    LEFT JOIN (SELECT round_id, min(round_key) AS round_key FROM current_rounds GROUP BY round_id) AS s USING (round_id)"""
_ENTRY_ORDER: Final = """
    round_key NULLS FIRST, round_id, operator_id, player_id, "at", type, txn_id, status, amount, currency, wager_id, ref_id, ref_finding,
    source_file, source_line"""

_LINES: Final = f"""
    SELECT
        * EXCLUDE (standing, fault), coalesce(standing, 'unknown') AS standing, fault AS check_id,
        CASE
            WHEN unreached IS NOT NULL THEN 'not compared: ' || unreached
            WHEN is_awaited THEN '{_AWAITED}'
            WHEN fault IS NOT NULL THEN replace(substr(fault, 8), '_', ' ')
            WHEN NOT in_log THEN 'nothing stays moved'
            ELSE 'agrees'
        END AS status
    FROM wallet_lines"""
_LINE_ORDER: Final = "round_key NULLS FIRST, round_id, operator_id, player_id, currency"


def _placed(rounds: pl.LazyFrame) -> pl.DataFrame:
    dated = pl.col("dated_at")
    return rounds.select(
        "studio_id", "round_id", "gaming_day", (dated.dt.epoch("s") // 3600).alias("hour"), dated.dt.epoch("us").alias("dated_us")
    ).collect()


def _clock(day: GamingDay | None) -> dict[str, object]:
    return {"timezone": "UTC", "starts_at_minutes": 0} if day is None else {
        "timezone": day.timezone, "starts_at_minutes": day.starts_at_minutes
    }  # fmt: skip


def _operators(filings: pl.DataFrame) -> list[str] | None:
    """The operators that the studio's filings name; None where one of them names none, which means all."""
    named: Iterable[list[str] | None] = filings["operators"].to_list()
    return None if not filings.height or None in named else sorted({operator for one in named if one for operator in one})

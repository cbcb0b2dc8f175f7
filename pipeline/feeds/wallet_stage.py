"""A ledger's entries on disk, by the studio, gaming day and hour of their rounds, until those are settled.

DuckDB places them, within bounded memory: an entry is looked up by its round, repeats are dropped, and each gaming day becomes a file
in the order of the hours, of which a chunk of rounds reads its own.
"""

from __future__ import annotations

from datetime import date
from importlib.resources import files as package_files
from typing import TYPE_CHECKING, Final

import duckdb
import msgspec
import polars as pl

from pipeline.core.schema import TIME
from pipeline.core.wallet import ENTRY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pipeline.core.schema import PolarsType

Night = tuple[str, date]


def _schema(columns: Mapping[str, PolarsType]) -> pl.Schema:
    return pl.Schema(columns)


ROUND_PLACES: Final = pl.Schema(
    {"studio_id": pl.String, "round_id": pl.String, "gaming_day": pl.Date, "hour": pl.Int64, "dated_us": pl.Int64}
)
"""Where a round lies: its gaming day, its hour since 1970 (UTC) and the time that dates it."""

STUDIO_PLACES: Final = _schema(
    {
        "studio_id": pl.String, "timezone": pl.String, "starts_at_minutes": pl.Int64, "operators": pl.List(pl.String),
        "days": pl.List(pl.Date), "known_from": TIME,
    }
)  # fmt: skip
"""A studio: its gaming day as filed, its operators (null: any), the days of which rounds are known and the first time among them."""

STAGED_ENTRY: Final = _schema(
    {
        **{name: kind for name, kind in ENTRY.schema.items() if name != "studio_id"},
        "round_known": pl.Boolean, "before_log": pl.Boolean, "hour": pl.Int64, "id_reused": pl.Boolean,
    }
)  # fmt: skip
"""An entry as a night reads it: ``round_known`` where the log knows its round; ``before_log`` where the log does not reach back to it;
``id_reused`` where its id stands for another accepted entry too."""

_SLICE: Final = 500_000
_NIGHTS: Final = "nights.json"
_CLOCKS: Final = "clocks.arrow"
_ORDER: Final = (
    'hour, round_id, operator_id, player_id, "at", type, txn_id, status, amount, currency, wager_id, ref_id, source_file, source_line'
)


class WalletStage:
    """Places entries and gives them out a gaming day at a time.

    Args:
        folder: an empty folder for its files; made when it is not there.
        memory_limit: how much memory placing may take, as DuckDB reads it.
    """

    def __init__(self, folder: Path, memory_limit: str = "2GB") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._memory_limit = memory_limit
        self._files: dict[Night, str] = {}
        self.repeats: dict[str, int] = {}
        self.other_day: dict[str, int] = {}
        self.nights: set[Night] = set()
        self.clocks = pl.DataFrame(schema={"operator_id": pl.String, "oldest": TIME, "newest": TIME})

    def place(
        self,
        pieces: Sequence[Path],
        published: Sequence[Path],
        rounds: pl.DataFrame,
        studios: pl.DataFrame,
        settling: Collection[Night],
        only_day: date | None = None,
    ) -> None:
        """Places the entries of a ledger, and those published before that may belong with them.

        Args:
            pieces: Parquet files of ``core.wallet.ENTRY``.
            published: Parquet files of ``core.wallet.WALLET`` of an earlier run.
            rounds: ``ROUND_PLACES``, a row a round.
            studios: ``STUDIO_PLACES``, a row a studio.
            settling: the nights that are settled anyway.
            only_day: take in this gaming day only; the new entries of others are counted.

        Afterwards ``repeats`` and ``other_day`` count new entries by file, ``nights`` are the studios and days with new entries or
        from which published ones have moved, and ``clocks`` says from when until when there are entries of an operator.
        """
        with duckdb.connect(self._folder / "placing.duckdb", config={"autoinstall_known_extensions": "false"}) as con:
            for setting in (f"memory_limit = '{self._memory_limit}'", "preserve_insertion_order = false", "TimeZone = 'UTC'"):
                con.execute(f"SET {setting}")
            con.register("round_places", rounds)
            con.register("studio_places", studios)
            con.register("no_entries", ENTRY.empty())
            con.execute(f"CREATE TEMP VIEW entries AS {_entries(pieces, published)}")
            con.execute(f"CREATE TABLE placed AS {_sql('placed')}")
            con.execute(f"CREATE TABLE told_again AS {_sql('told_again')}")
            self.repeats = _counted(con, "SELECT source_file, count(*) FROM told_again WHERE again AND NOT published GROUP BY ALL")
            new = "from_day IS NULL AND rowid NOT IN (SELECT row_no FROM told_again WHERE again)"
            if only_day is not None:
                other = f"gaming_day <> DATE '{only_day.isoformat()}'"
                self.other_day = _counted(con, f"SELECT source_file, count(*) FROM placed WHERE {new} AND {other} GROUP BY ALL")
                new += f" AND NOT ({other})"
            self.clocks = con.sql('SELECT operator_id, min("at") AS oldest, max("at") AS newest FROM placed GROUP BY ALL ORDER BY ALL').pl()
            moved = "from_day IS NOT NULL AND (from_day <> gaming_day OR from_studio <> studio_id)"
            nights = f"""
                SELECT DISTINCT studio_id, gaming_day FROM placed WHERE ({new}) OR ({moved})
                UNION SELECT DISTINCT from_studio, from_day FROM placed WHERE {moved}"""
            self.nights = {(studio, day) for studio, day in con.execute(nights).fetchall() if only_day in {None, day}}
            held = con.execute("SELECT DISTINCT studio_id, gaming_day FROM placed ORDER BY ALL").fetchall()
            for number, night in enumerate(night for night in held if night in self.nights or night in settling):
                self._files[night] = f"night-{number:06d}.parquet"
                self._write(con, night)

    def save(self) -> None:
        """Writes beside the entries what another process needs to give them out."""
        (self._folder / _NIGHTS).write_bytes(msgspec.json.encode([(*night, file) for night, file in self._files.items()]))
        self.clocks.write_ipc(self._folder / _CLOCKS, compression="uncompressed")

    @classmethod
    def opened(cls, folder: Path) -> WalletStage:
        """Placed entries that were saved, to be given out only."""
        stage = cls(folder)
        told = msgspec.json.decode((folder / _NIGHTS).read_bytes(), type=list[tuple[str, date, str]])
        stage._files = {(studio, day): file for studio, day, file in told}
        stage.clocks = pl.read_ipc(folder / _CLOCKS)
        return stage

    def holds(self, night: Night) -> bool:
        """Whether there are entries of a studio's gaming day."""
        return night in self._files

    def entries(self, night: Night, hours: tuple[int, int] | None = None) -> pl.DataFrame:
        """Entries of a studio's gaming day (``STAGED_ENTRY``), in order.

        Args:
            night: the studio and the gaming day.
            hours: the first and the last hour of the rounds that are wanted; None: those whose round the log does not know.
        """
        if night not in self._files:
            return pl.DataFrame(schema=STAGED_ENTRY)
        wanted = pl.col("hour") == -1 if hours is None else pl.col("hour").is_between(*hours)
        rows = pl.scan_parquet(self._folder / self._files[night], glob=False).filter(wanted).collect()
        return rows.select(pl.col(name).cast(kind) for name, kind in STAGED_ENTRY.items())

    def slices(self, night: Night) -> Iterator[pl.DataFrame]:
        """All entries of a studio's gaming day, a part at a time."""
        scan = pl.scan_parquet(self._folder / self._files[night], glob=False)
        for start in range(0, scan.select(pl.len()).collect().item(), _SLICE):
            yield scan.slice(start, _SLICE).select(pl.col(name).cast(kind) for name, kind in STAGED_ENTRY.items()).collect()

    def _write(self, con: duckdb.DuckDBPyConnection, night: Night) -> None:
        columns = _named(name for name in STAGED_ENTRY if name != "id_reused")
        path = str(self._folder / self._files[night]).replace("'", "''")
        con.execute(f"""
            COPY (
                SELECT {columns}, coalesce(t.id_reused, false) AS id_reused
                FROM (SELECT *, rowid AS row_no FROM placed WHERE studio_id = $studio AND gaming_day = $day) AS p
                LEFT JOIN (SELECT row_no, again, id_reused FROM told_again) AS t USING (row_no)
                WHERE coalesce(NOT t.again, true)
                ORDER BY {_ORDER}
            ) TO '{path}' (FORMAT parquet, COMPRESSION lz4, ROW_GROUP_SIZE 122880)""",
            {"studio": night[0], "day": night[1]},
        )  # fmt: skip


def _counted(con: duckdb.DuckDBPyConnection, sql: str) -> dict[str, int]:
    return dict(con.execute(sql).fetchall())


def _entries(pieces: Sequence[Path], published: Sequence[Path]) -> str:
    columns = _named(ENTRY.schema)
    new = f"SELECT {columns}, CAST(NULL AS VARCHAR) AS from_studio, CAST(NULL AS DATE) AS from_day FROM "
    old = f"SELECT {columns}, studio_id AS from_studio, gaming_day AS from_day FROM "
    return " UNION ALL ".join([f"{new} no_entries", *(sql + _files(paths) for sql, paths in ((new, pieces), (old, published)) if paths)])


def _named(columns: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def _files(paths: Sequence[Path]) -> str:
    named = ", ".join("'" + str(path).replace("'", "''") + "'" for path in paths)
    return f"read_parquet([{named}], hive_partitioning = false)"


def _sql(name: str) -> str:
    return package_files("sql").joinpath("wallet", f"{name}.sql").read_text(encoding="utf-8")

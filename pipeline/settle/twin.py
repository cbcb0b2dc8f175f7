"""The second engine: settles a chunk in SQL, with its own ranking tables, beside and apart from the Polars engine.

The SQL stands in ``sql/macros.sql`` and ``sql/settle/``, where analysts can read and run it; this module only feeds it.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.arrow import as_views
from pipeline.core.filed import FILED_TABLES
from pipeline.core.schema import CHUNK_TABLES, ENGINE

if TYPE_CHECKING:
    import duckdb

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk

FIRST_OF_A_CHUNK: Final = "20_"
"""Files of ``sql/settle/`` that sort before this make tables that hang on no log and no filing: they run once."""

CURRENT: Final = ("rounds", "hands", "card_readings", "participants", "wagers", "displayed", "meters")
"""Tables of which a view ``current_<name>`` shows the rows that stand now."""


class Twin:
    """The SQL engine on one DuckDB connection.

    Args:
        con: the connection, with the macros in it. The ranking tables are made in it at once; a chunk's tables stand until the next.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con
        self._chunk_sql = [text for name, text in settle_files() if name >= FIRST_OF_A_CHUNK]
        for name, text in settle_files():
            if name < FIRST_OF_A_CHUNK:
                con.execute(text)

    def register(self, chunk: Chunk, filed: Filed) -> None:
        """Shows the chunk's seven tables and the five filed ones to SQL under their names, and the views ``current_*``."""
        for table in CHUNK_TABLES:
            self.con.register(table.name, as_views(getattr(chunk, table.name)))
        for table in FILED_TABLES:
            self.con.register(table.name, as_views(getattr(filed, table.name.removeprefix("filed_"))))
        for name in CURRENT:
            self.con.execute(f"CREATE OR REPLACE TEMP VIEW current_{name} AS SELECT * FROM {name} WHERE is_current")

    def settle(self, chunk: Chunk, filed: Filed) -> pl.DataFrame:
        """Settles every current wager of the chunk.

        Args:
            chunk: whole rounds of one studio and gaming day.
            filed: all filings of the run.

        Returns:
            One row a current wager, sorted by ``wager_key``, with the columns of ``schema.ENGINE``. The view ``twin`` shows the same
            rows, and the tables on the way to it (``hand_state``, ``counted_readings``, ``void_scope``, …) stay for the checks.
        """
        self.register(chunk, filed)
        for text in self._chunk_sql:
            self.con.execute(text)
        return self._words()

    def _words(self) -> pl.DataFrame:
        # Verdicts are few: their texts are cheaper to join here than to carry out of DuckDB wager by wager.
        key = ["verdict_no", "is_missing", "is_cut"]
        amounts, verdicts = self.con.sql("FROM twin_amounts").pl(), self.con.sql("FROM twin_verdicts").pl()
        told: pl.DataFrame = amounts.join(verdicts, on=key, how="inner", validate="m:1")
        in_order = told if told["wager_key"].is_sorted() else told.sort("wager_key")
        return in_order.select(pl.col(column.name).cast(column.dtype) for column in ENGINE.columns)


def settle_files() -> list[tuple[str, str]]:
    """Name and text of each file of ``sql/settle/``, in the order in which they run."""
    found = [entry for entry in files("sql").joinpath("settle").iterdir() if entry.name.endswith(".sql")]
    return sorted((entry.name, entry.read_text(encoding="utf-8")) for entry in found)

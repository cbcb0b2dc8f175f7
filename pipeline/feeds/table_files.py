"""One flat table's file, CSV or Parquet, as frames of text columns with the place of each row and what is wrong with it.

A frame has ``row`` (line of the CSV or row of the Parquet, from 1), ``offset`` (in the decompressed CSV), ``raw`` (bytes of the CSV's
line), ``fault`` (why the row cannot be read; null: it can) and the table's columns in the types of ``table_columns.COLUMNS``.
"""

from __future__ import annotations

import csv
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from polars.exceptions import PolarsError

from pipeline.core.errors import InputError
from pipeline.core.schema import CARDS
from pipeline.feeds.blocks import Block, BlockReader
from pipeline.feeds.inputs import table_name
from pipeline.feeds.log_files import sha256_of
from pipeline.feeds.reader import FileFacts
from pipeline.feeds.records import AMOUNTS
from pipeline.feeds.strict import too_long
from pipeline.feeds.table_columns import COLUMNS, KEY, NEEDED, TIMES, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pipeline.core.schema import PolarsType
    from pipeline.feeds.blocks import LongLine, ReadLimits
    from pipeline.feeds.log_files import LogFile

_FIELD: Final = r'(?:[^",]*|"(?:[^"]|"")*")'
_ROW: Final = f"^{_FIELD}(?:,{_FIELD})*$"
_BATCH: Final = 65_536
_PLACE: Final[dict[str, PolarsType]] = {"row": pl.Int64, "offset": pl.Int64, "raw": pl.Binary, "fault": pl.String}


class TableFile:
    """Reads one file once. ``facts``, ``blank`` and ``unknown`` are known when ``frames`` has come to its end.

    Args:
        file: the file.
        limits: sizes of blocks and lines.
        studio_id: the studio of every row of a table that does not name it.
    """

    def __init__(self, file: LogFile, limits: ReadLimits, studio_id: str | None) -> None:
        self.file = file
        self.table = table_name(file)
        self.columns: frozenset[str] = frozenset()
        self.blank = 0
        self.unknown: tuple[str, ...] = ()
        self.facts = FileFacts(file.name, "", 0, 0)
        self._limits = limits
        self._studio_id = studio_id

    @property
    def is_parquet(self) -> bool:
        """Not a CSV."""
        return self.file.path.suffix.lower() == ".parquet"

    def frames(self, seen: Callable[[str, int], None]) -> Iterator[pl.DataFrame]:
        """The rows, in order.

        Raises:
            InputError: the file cannot be opened, is cut off, has no header, lacks a column, or names one twice.
        """
        yield from self._of_parquet(seen) if self.is_parquet else self._of_csv(seen)

    def _of_parquet(self, seen: Callable[[str, int], None]) -> Iterator[pl.DataFrame]:
        path = self.file.path
        try:
            with pq.ParquetFile(path) as file:
                self._head(file.schema_arrow.names)
                row = 1
                for batch in file.iter_batches(_BATCH, columns=sorted(self.columns)):
                    frame = pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch])))
                    place = {"row": pl.int_range(row, row + frame.height, dtype=pl.Int64, eager=True)}
                    yield self._made(frame.with_columns(**place, offset=pl.lit(0, pl.Int64), raw=pl.lit(None, pl.Binary)), None)
                    row += frame.height
        except (pa.ArrowException, PolarsError, UnicodeDecodeError, OSError) as error:
            raise InputError(f"no Parquet, or cut off: {error}", self.file.name, "fetch the file again") from error
        digest, size = sha256_of(path), path.stat().st_size
        seen(self.file.name, size)
        self.facts = FileFacts(self.file.name, digest, size, row - 1)

    def _of_csv(self, seen: Callable[[str, int], None]) -> Iterator[pl.DataFrame]:
        reader = BlockReader(self.file.path, self._limits, lambda done: seen(self.file.name, done))
        header: list[str] | None = None
        for block in reader.blocks():
            if isinstance(block, Block):
                lines = block.lines()
                rows = list(zip(range(block.first_line, block.first_line + len(lines)), _offsets(block, lines), lines, strict=True))
                if header is None:
                    header, rows = self._header(rows[0][2]), rows[1:]
                yield self._of_rows(rows, header)
            elif header is None:
                raise self._no_header()
            else:
                yield self._too_long(block)
        if header is None:
            raise self._no_header()
        self.facts = FileFacts(self.file.name, reader.sha256, reader.size, reader.lines - 1)

    def _no_header(self) -> InputError:
        return InputError("a CSV without a header", self.file.name, f"its first line names the columns: {','.join(COLUMNS[self.table])}")

    def _header(self, line: bytes) -> list[str]:
        try:
            (names,) = csv.reader([line.decode().rstrip("\r")], strict=True)
        except (ValueError, csv.Error):
            raise self._no_header() from None
        names = [name.strip() for name in names]
        self._head(names)
        return names

    def _head(self, names: Sequence[str]) -> None:
        known = COLUMNS[self.table]
        needed = [name for name in KEY if name != "studio_id" or self._studio_id is None] + [*NEEDED.get(self.table, ())]
        if missing := [name for name in needed if name not in names]:
            raise InputError(f"lacks the column {', '.join(missing)}", self.file.name, "export it with that column")
        if twice := sorted({name for name in names if name in known and list(names).count(name) > 1}):
            raise InputError(
                f"names the column {', '.join(twice)} twice", self.file.name, "nothing says which of the two counts: take one out"
            )
        self.columns = frozenset(names) & known.keys()
        self.unknown = tuple(name for name in names if name not in known)

    def _of_rows(self, rows: list[tuple[int, int, bytes]], header: list[str]) -> pl.DataFrame:
        frame = pl.DataFrame(rows, schema={"row": pl.Int64, "offset": pl.Int64, "raw": pl.Binary}, orient="row")
        text, is_text = _texts([raw for _, _, raw in rows])
        frame = frame.with_columns(text=text.str.strip_suffix("\r"), is_text=is_text)
        is_blank = (pl.col("text").str.strip_chars() == "").fill_null(value=False)
        filled = frame.filter(~is_blank)
        self.blank += frame.height - filled.height
        count = pl.col("text").str.replace_all(r'"(?:[^"]|"")*"', "").str.count_matches(",", literal=True) + 1
        filled = filled.with_columns(
            fault=pl.when(~pl.col("is_text"))
            .then(pl.lit("not UTF-8"))
            .when(pl.col("raw").bin.size() > self._limits.line_bytes)
            .then(pl.lit(f"line longer than {self._limits.line_bytes} bytes"))
            .when(~pl.col("text").str.contains(_ROW))
            .then(pl.lit("a quote that is not closed, or stands within a field"))
            .when(count != len(header))
            .then(pl.format("{} fields where the header names {}", count, pl.lit(len(header))))
        )
        good, broken = filled.filter(pl.col("fault").is_null()), filled.filter(pl.col("fault").is_not_null())
        cells = _cells(good["text"], header).select(pl.when(pl.all() != "").then(pl.all()))
        made = self._made(pl.concat([good.drop("text", "is_text", "fault"), cells.select(sorted(self.columns))], how="horizontal"), None)
        if broken.is_empty():
            return made
        # The ids are looked for where the header says, so that no other row of the round is taken in without this one.
        split = pl.col("text").str.split(",")
        ids = {
            name: split.list.get(header.index(name), null_on_oob=True).str.strip_chars('" ')
            for name in KEY
            if name in self.columns
        }  # fmt: skip
        lost = self._made(broken.with_columns(**ids).drop("text", "is_text"), "fault", only=KEY)
        return pl.concat([made, lost]).sort("row")

    def _too_long(self, line: LongLine) -> pl.DataFrame:
        fault = too_long(line.size, self._limits)
        frame = pl.DataFrame({"row": [line.line], "offset": [line.offset], "raw": [line.head], "fault": [fault]}, schema=_PLACE)
        return self._made(frame, "fault", only=())

    def _made(self, frame: pl.DataFrame, fault: str | None, only: Sequence[str] | None = None) -> pl.DataFrame:
        """The frame with every column of the table as text, and in ``fault`` the first that is none."""
        columns: dict[str, pl.Series] = {}
        faults: list[pl.Series] = [frame[fault]] if fault is not None else []
        for name, kind in COLUMNS[self.table].items():
            if name in self.columns and (only is None or name in only) and name in frame.columns:
                columns[name], bad = as_text(frame[name], name, kind)
                if bad is not None:
                    faults.append(_fault(frame[name], bad, name, kind))
            else:
                columns[name] = pl.Series(name, [None] * frame.height, dtype=kind)
        if "studio_id" not in self.columns and self._studio_id is not None:
            columns["studio_id"] = pl.Series("studio_id", [self._studio_id] * frame.height, dtype=pl.String)
        told = (
            pl.select(pl.coalesce(faults).alias("fault")).to_series()
            if faults
            else pl.Series("fault", [None] * frame.height, dtype=pl.String)
        )
        return pl.DataFrame([*frame.select("row", "offset", "raw").get_columns(), told, *columns.values()])


def _offsets(block: Block, lines: list[bytes]) -> list[int]:
    return list(accumulate((len(line) + 1 for line in lines[:-1]), initial=block.offset)) if lines else []


def _texts(lines: list[bytes]) -> tuple[pl.Series, pl.Series]:
    """The lines as text, and which of them are UTF-8."""
    try:
        return pl.Series(lines, dtype=pl.Binary).cast(pl.String), pl.Series([True] * len(lines), dtype=pl.Boolean)
    except pl.exceptions.ComputeError:
        texts = [line.decode(errors="replace") for line in lines]
        same = [text.encode() == line for text, line in zip(texts, lines, strict=True)]
        return pl.Series(texts, dtype=pl.String), pl.Series(same, dtype=pl.Boolean)


def _cells(rows: pl.Series, header: list[str]) -> pl.DataFrame:
    """Well-formed rows as columns of text, under the names of the header; of an unknown name that stands twice, the last."""
    names = [f"column_{number}" for number in range(len(header))]
    if rows.is_empty():
        cells = pl.DataFrame(schema=dict.fromkeys(names, pl.String))
    else:
        cells = pl.read_csv(
            "\n".join(rows.to_list()).encode(),
            has_header=False,
            schema=dict.fromkeys(names, pl.String),
            quote_char='"',
            raise_if_empty=False,
        )
        if cells.height != rows.len():  # pragma: no cover - what is well-formed is one row a line
            raise AssertionError("a row of a CSV was not read as one")
    return cells.select(**dict(zip(header, map(pl.col, names), strict=True)))


def _fault(column: pl.Series, bad: pl.Series, name: str, kind: PolarsType) -> pl.Series:
    wanted = (
        "amount" if name in AMOUNTS else "time" if name in TIMES else "list of spans" if name == "stream_outages"
        else "list of texts" if kind == CARDS else "whole number" if kind == pl.Int64 else "true or false" if kind == pl.Boolean else "text"
    )  # fmt: skip
    if column.dtype in {pl.String, pl.Float64}:
        told = pl.format("{}: no {} {}", pl.lit(name), pl.lit(wanted), column.cast(pl.String).str.slice(0, 60))
    else:
        told = pl.lit(f"{name}: {column.dtype} where {wanted} should be")
    return pl.select(pl.when(bad).then(told)).to_series()

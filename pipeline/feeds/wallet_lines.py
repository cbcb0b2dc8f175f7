"""Ledgers of lines: NDJSON and CSV. A block of lines becomes records as text, and the lines that are none."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
import polars as pl
from msgspec import UNSET, Raw, UnsetType

from pipeline.core.errors import InputError
from pipeline.feeds.shape import decoded
from pipeline.feeds.strict import Refused, StrictDecoder
from pipeline.feeds.suspect import NUMBER, why_unread
from pipeline.feeds.typed import unquoted
from pipeline.feeds.wallet_profile import FIELDS
from pipeline.feeds.wallet_record import PLACE, TEXTS

if TYPE_CHECKING:
    from pipeline.feeds.blocks import Block, ReadLimits
    from pipeline.feeds.wallet_profile import WalletProfile

_FIELD: Final = '("(?:[^"]|"")*"|[^",]*)'
_OTHER: Final = "other "


@dataclass(slots=True)
class TextLines:
    """What a block holds.

    Args:
        texts: ``wallet_record.TEXTS``; ``place`` is the line's place in the block, from 0.
        lines: the lines of the block.
        refused: the lines that are no records.
        blank: number of blank lines.
        unknown: columns that the format does not know, and how often each is filled.
    """

    texts: pl.DataFrame
    lines: list[bytes]
    refused: list[Refused] = field(default_factory=list)
    blank: int = 0
    unknown: Counter[str] = field(default_factory=Counter)


class LineReader(Protocol):
    """Reads the blocks of one file. May be used from several threads."""

    def read(self, block: Block) -> TextLines:
        """The records of a block."""


class NdjsonLedger:
    """Ledgers with one JSON object a line.

    Args:
        profile: what the ledger calls its fields.
        limits: the longest line.
    """

    def __init__(self, profile: WalletProfile, limits: ReadLimits) -> None:
        self._profile = profile
        self._amount = profile.column("amount")
        of_text = _struct(profile, str | UnsetType | None)
        self._decoder = StrictDecoder(of_text, _struct(profile, Raw | UnsetType), limits)
        self._dtype = decoded(msgspec.inspect.type_info(of_text))

    def read(self, block: Block) -> TextLines:
        """The records of a block."""
        strict = self._decoder.read(block)
        lines = pl.scan_lines(io.BytesIO(strict.text)).collect().to_series()
        if lines.len() != len(strict.at):  # pragma: no cover - the encoder writes one line a record
            raise AssertionError("a record was written on more than one line")
        at = pl.Series(PLACE, strict.at, dtype=pl.Int64)
        refused = strict.refused
        if strict.numeric:
            sign = "-?" if self._profile.debits_negative else ""
            lines = lines.str.replace_all(rf'"({self._amount})":({sign}{NUMBER})([,}}])', '"$1":"$2"$3')
            wrong = unquoted(lines, (self._amount,))
            refused = refused + self._impossible(block, strict.lines, at.filter(wrong))
            at, lines = at.filter(~wrong), lines.filter(~wrong)
        records = lines.str.json_decode(self._dtype).struct.unnest()
        given = [name for name in FIELDS if self._profile.column(name) in records.columns]
        texts = records.select(at, *(pl.col(self._profile.column(name)).alias(name) for name in given))
        return TextLines(_all_fields(texts), strict.lines, refused, strict.blank, strict.unknown)

    def _impossible(self, block: Block, lines: list[bytes], bad: pl.Series) -> list[Refused]:
        places = frozenset({self._amount})
        whys = [(at, why_unread(lines[at], places, frozenset()) or f"{self._amount}: impossible amount") for at in bad]
        return [Refused(block.first_line + at, -1, why, lines[at]) for at, why in whys]


class CsvLedger:
    """Ledgers with a header and one row a line (RFC 4180), quoted or not.

    A field may not hold a line break, which no field of a ledger does: so a quote that is never closed costs its own line and no other.

    Args:
        profile: what the ledger calls its columns.
        header: the first line.
        name: the file's name, for errors.

    Raises:
        InputError: a column that is needed is missing, or one stands twice.
    """

    def __init__(self, profile: WalletProfile, header: bytes, name: str) -> None:
        try:
            self._header = next(csv.reader([header.decode().rstrip("\r")], strict=True), [])
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"its header cannot be read: {error}", f"{name}:1", "the first line must name the columns") from None
        theirs = {profile.column(one): one for one in FIELDS if one not in profile.constants}
        demand_columns(self._header, profile, f"{name}:1")
        self._at = {theirs[column]: place for place, column in enumerate(self._header) if column in theirs}
        self._others = {column: place for place, column in enumerate(self._header) if column not in theirs}
        self._quoted = "^" + ",".join([_FIELD] * len(self._header)) + "$"

    def read(self, block: Block) -> TextLines:
        """The records of a block."""
        raw = block.lines()
        refused: list[Refused] = []
        lines, at = _decoded(block, raw, refused)
        frame = pl.DataFrame({PLACE: at, "line": lines}, schema={PLACE: pl.Int64, "line": pl.String})
        if block.first_line == 1:
            frame = frame.filter(pl.col(PLACE) > 0)
        frame = frame.with_columns(pl.col("line").str.strip_suffix("\r"))
        is_blank = pl.col("line").str.strip_chars(" \t") == ""
        blank = frame.select(is_blank.sum()).item()
        frame = frame.filter(~is_blank)
        width = len(self._header)
        commas, quoted = pl.col("line").str.count_matches(",", literal=True), pl.col("line").str.contains('"', literal=True)
        plain = frame.filter(~quoted & (commas == width - 1))
        apart = frame.filter(quoted).with_columns(fields=pl.col("line").str.extract_groups(self._quoted))
        whole = apart.filter(pl.col("fields").struct[0].is_not_null())
        refused += [
            Refused(block.first_line + place, -1, f"{count + 1} fields where the header names {width}", raw[place])
            for place, count in frame.filter(~quoted & (commas != width - 1)).select(PLACE, commas).iter_rows()
        ]
        refused += [
            Refused(block.first_line + place, -1, f"quotes that do not close, or other than the header's {width} fields", raw[place])
            for place in apart.filter(pl.col("fields").struct[0].is_null())[PLACE]
        ]
        fields = plain.select(PLACE, fields=pl.col("line").str.split_exact(",", width - 1))
        texts = pl.concat([self._texts(fields), self._texts(whole.select(PLACE, "fields"), quoted=True)]).sort(PLACE)
        unknown = Counter({name: int(texts[f"{_OTHER}{name}"].is_not_null().sum()) for name in self._others})
        return TextLines(_all_fields(texts), raw, refused, blank, +unknown)

    def _texts(self, frame: pl.DataFrame, *, quoted: bool = False) -> pl.DataFrame:
        wanted = {**self._at, **{f"{_OTHER}{name}": place for name, place in self._others.items()}}
        names = frame["fields"].struct.fields if frame.height else []
        if not names:
            return pl.DataFrame(schema={PLACE: pl.Int64, **dict.fromkeys(wanted, pl.String)})

        def text(place: int) -> pl.Expr:
            value = pl.col("fields").struct.field(names[place])
            if quoted:
                inner = value.str.strip_prefix('"').str.strip_suffix('"').str.replace_all('""', '"', literal=True)
                value = pl.when(value.str.starts_with('"')).then(inner).otherwise(value)
            return pl.when(value != "").then(value)

        return frame.select(PLACE, *(text(place).alias(name) for name, place in wanted.items()))


def demand_columns(columns: list[str], profile: WalletProfile, where: str) -> None:
    """Refuses a ledger without a column that it needs, or with one twice.

    Raises:
        InputError: says which.
    """
    if missing := [name for name in profile.required if name not in columns]:
        raise InputError(f"lacks the column {', '.join(missing)}", where, "name it in the file, or say in a --profile what it is called")
    if twice := sorted({name for name in columns if columns.count(name) > 1}):
        raise InputError(f"names the column {', '.join(twice)} twice", where, "every column needs a name of its own")


def _all_fields(texts: pl.DataFrame) -> pl.DataFrame:
    absent = [pl.lit(None, pl.String).alias(name) for name in FIELDS if name not in texts.columns]
    return texts.with_columns(absent).select(TEXTS.names())


def _decoded(block: Block, raw: list[bytes], refused: list[Refused]) -> tuple[list[str], list[int]]:
    try:
        return block.data.decode().split("\n")[: len(raw)], list(range(len(raw)))
    except UnicodeDecodeError:
        lines, at = [], []
        for place, line in enumerate(raw):
            try:
                lines.append(line.decode())
                at.append(place)
            except UnicodeDecodeError as error:
                refused.append(Refused(block.first_line + place, -1, f"not UTF-8 (byte {error.start})", line))
        return lines, at


def _struct(profile: WalletProfile, amount: Any) -> Any:
    """The JSON types of an entry, under the ledger's own names."""
    text = str | UnsetType | None
    named = [name for name in FIELDS if name not in profile.constants]
    fields = [(name, amount if name == "amount" else text, UNSET) for name in named]
    return msgspec.defstruct("Entry", fields, rename={name: profile.column(name) for name in named}, gc=False)

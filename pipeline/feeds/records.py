"""The seam between the formats and the one typed path: records in the shape of ``round-log/1``.

A format brings its records into a frame with the columns of ``RECORD``: a row a telling of a round, nested as the log nests it, amounts and
times as the text that stood in the source. From there on there is one way to judge amounts, times, identities and closed lists,
whatever the source was: ``pipeline.feeds.intake``.
"""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any, Final

import msgspec
import polars as pl

from pipeline.feeds.shape import RoundOfText, decoded
from pipeline.feeds.staged import TELLING
from pipeline.feeds.suspect import why_undecoded, why_unread

if TYPE_CHECKING:
    from collections.abc import Iterable

AMOUNT_PLACES: Final = frozenset(
    {f"participants.wagers.{name}" for name in ("stake", "paid", "bonus_paid")}
    | {f"displayed.limits.{name}" for name in ("min", "max")}
    | {f"meters.{name}" for name in ("before", "contribution", "paid", "reseed", "after")}
)
TIME_PLACES: Final = frozenset(
    {"opened_at", "bets_closed_at", "dealer_revealed_at", "verified_at", "posted_at", "recorded_at", "void.at", "displayed.read_at"}
    | {"stream_outages.from", "stream_outages.to", "card_readings.read_at", "participants.decided_at"}
    | {"participants.wagers.placed_at", "participants.wagers.paid_at"}
)
AMOUNTS: Final = tuple(sorted({place.rpartition(".")[2] for place in AMOUNT_PLACES}))
"""No other field of the format bears one of these names."""

UNDATED: Final = "no time to date the round by"
"""Why a record is refused in which every value can be read."""


def _fields(kind: msgspec.inspect.Type) -> Iterable[msgspec.inspect.Field]:
    return kind.fields if isinstance(kind, msgspec.inspect.StructType) else ()


_SHAPE: Final = msgspec.inspect.type_info(RoundOfText)
RECORD: Final = pl.Schema((one.encode_name, decoded(one.type)) for one in _fields(_SHAPE))
"""The columns of a frame of records: the fields of ``round-log/1``, all of them optional here but the key ``telling`` beside them."""


def shaped(records: pl.DataFrame) -> pl.DataFrame:
    """The records with every column of ``RECORD``, null where they have none, and ``telling``.

    Args:
        records: ``telling`` and any of the columns of ``RECORD``.
    """
    there = set(records.columns)
    return records.select(
        TELLING, *((pl.col(name) if name in there else pl.lit(None)).cast(kind).alias(name) for name, kind in RECORD.items())
    )


def misfits(records: pl.DataFrame) -> pl.Series:
    """The tellings that lack an identity, a status or a wager's kind, or hold a value outside a closed list (``funding``, …)."""
    judged = [fit for one in _fields(_SHAPE) if (fit := _fits(pl.col(one.encode_name), one.type, required=one.required)) is not None]
    fits = reduce(and_, judged)
    return records.filter(~fits.fill_null(value=False))[TELLING]


def text_hashes(records: pl.DataFrame) -> tuple[pl.Series, pl.Series]:
    """Two hashes of what each record says; equal records have equal ones."""
    text = records.select(pl.struct(pl.exclude(TELLING)).struct.json_encode()).to_series()
    return text.hash(seed=1), text.hash(seed=2)


def why_refused(records: pl.DataFrame) -> list[str]:
    """Why each of these records, of which something cannot be read, was refused: the slow path, for the few."""
    decoder = msgspec.json.Decoder(RoundOfText)
    encoder = msgspec.json.Encoder(enc_hook=str)
    return [_why(encoder.encode(_present(row)), decoder) for row in records.drop(TELLING).iter_rows(named=True)]


def _why(text: bytes, decoder: msgspec.json.Decoder[Any]) -> str:
    try:
        decoder.decode(text)
    except msgspec.ValidationError as error:
        return why_undecoded(text, error)
    return why_unread(text, AMOUNT_PLACES, TIME_PLACES) or UNDATED


def _present(value: Any) -> Any:
    """A record without what is null in it; a null in a list stays."""
    if isinstance(value, dict):
        return {name: _present(below) for name, below in value.items() if below is not None}
    return [_present(below) for below in value] if isinstance(value, list) else value


def _fits(value: pl.Expr, kind: msgspec.inspect.Type, *, required: bool = False) -> pl.Expr | None:
    """Whether ``value`` is what ``kind`` allows, as far as its column's type does not see to it; None where it always does."""
    match kind:
        case msgspec.inspect.UnionType(types=types):
            (kept,) = [one for one in types if not isinstance(one, msgspec.inspect.NoneType)]
            inner = _fits(value, kept)
            return None if inner is None else value.is_null() | inner
        case msgspec.inspect.LiteralType(values=values):
            return value.is_not_null() & value.is_in(list(values))
        case msgspec.inspect.StrType(min_length=least) if least:
            return value.is_not_null() & (value.str.len_bytes() >= least)
        case msgspec.inspect.ListType(item_type=item):
            inner = _fits(pl.element(), item, required=True)
            return None if inner is None else value.list.eval(inner.fill_null(value=False)).list.all()
        case msgspec.inspect.StructType():
            parts = [_fits(value.struct.field(one.encode_name), one.type, required=one.required) for one in _fields(kind)]
            judged = [part for part in parts if part is not None]
            return reduce(and_, judged, value.is_not_null()) if judged or required else None
    return value.is_not_null() if required else None

"""The columns of the flat tables, and how a column of a file becomes the text that the one typed path judges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
import polars as pl

from pipeline.core.schema import CARDS
from pipeline.feeds import shape
from pipeline.feeds.records import AMOUNTS, RECORD, TIME_PLACES
from pipeline.feeds.shape import decoded
from pipeline.feeds.suspect import NUMBER

if TYPE_CHECKING:
    from pipeline.core.schema import PolarsType

KEY: Final = ("studio_id", "round_id")
TELLS: Final = (*KEY, "revision")
"""What names a telling; ``revision`` only where a table has it."""
PERSON: Final = ("operator_id", "player_id", "session_id", "hand_id")
"""What names a participant within a round."""

TIMES: Final = frozenset(place.rpartition(".")[2] for place in TIME_PLACES)
_OUTAGES: Final = RECORD["stream_outages"]
_UNIT_DIGITS: Final = {"ms": 3, "us": 6, "ns": 9}
_NOT_FLAT: Final = frozenset({"displayed", "void", "card_readings", "hands", "dealer_hand", "participants", "meters"})


def _columns(struct: Any) -> dict[str, PolarsType]:
    told = cast("msgspec.inspect.StructType", msgspec.inspect.type_info(struct))
    return {one.encode_name: decoded(one.type) for one in told.fields if one.encode_name not in {*_NOT_FLAT, "wagers", "odds", "limits"}}


_OF_TELLING: Final[dict[str, PolarsType]] = {"studio_id": pl.String, "round_id": pl.String, "revision": pl.Int64}
_OF_PERSON: Final[dict[str, PolarsType]] = dict.fromkeys(PERSON, pl.String)

COLUMNS: Final[dict[str, dict[str, PolarsType]]] = {
    "rounds": _columns(shape.RoundOfText),
    "hands": {**_OF_TELLING, "hand_id": pl.String, "is_dealer": pl.Boolean, "cards": CARDS},
    "card_readings": {**_OF_TELLING, **_columns(shape.Reading)},
    "participants": {**_OF_TELLING, **_columns(shape.Participant[str, str | None])},
    "wagers": {**_OF_TELLING, **_OF_PERSON, **_columns(shape.Wager[str, str | None])},
    "voids": {**_OF_TELLING, **_columns(shape.Void)},
    "displayed": {
        **_OF_TELLING, **_columns(shape.Display[str | None]), **_columns(shape.Odds), **_columns(shape.Limit[str | None]),
    },
    "meters": {**_OF_TELLING, **_columns(shape.Meter[str | None])},
}  # fmt: skip
"""The columns of each table, in the types of ``records.RECORD``: amounts and times are text."""

NEEDED: Final = {"rounds": ("status",), "participants": PERSON, "wagers": (*PERSON, "kind", "stake")}
"""The columns that a table must have beside ``studio_id`` and ``round_id``."""


def as_text(column: pl.Series, name: str, kind: PolarsType) -> tuple[pl.Series, pl.Series | None]:
    """A column of a file as the field ``name``, and which of its values cannot be it (None: all can).

    Text is taken as it stands, an empty one as absent where the file is a CSV (the caller sees to that). Whole numbers are taken as ids.
    An amount may be text, a decimal, a whole number, or a 64-bit float whose shortest text has at most 15 digits; a time text, or a
    timestamp, whose unit is its resolution, with a time zone or, where the profile gives the zone, without.

    Args:
        column: the column.
        name: the field.
        kind: the type of the field (``COLUMNS``).
    """
    if name in AMOUNTS and kind == pl.String:
        made = _amount(column)
    elif name in TIMES and kind == pl.String:
        made = _time(column)
    elif name == "stream_outages":
        made = _outages(column)
    elif kind == CARDS:
        made = _list(column)
    elif kind == pl.Boolean:
        made = column if column.dtype == pl.Boolean else _worded(column, {"true": True, "false": False}, pl.Boolean)
    elif kind == pl.Int64:
        made = _whole(column)
    else:
        made = column.cast(pl.String) if _is_text(column) or column.dtype.is_integer() else None
    if made is None:
        return pl.Series(name, [None] * column.len(), dtype=kind), column.is_not_null() if column.null_count() < column.len() else None
    bad = column.is_not_null() & made.is_null()
    return made.alias(name), bad if bad.any() else None


def _is_text(column: pl.Series) -> bool:
    return column.dtype in {pl.String, pl.Categorical, pl.Enum, pl.Null}


def _amount(column: pl.Series) -> pl.Series | None:
    if column.dtype.is_decimal():
        # More than six decimals are an amount where the rest of them is 0.
        return column.cast(pl.String).str.replace(r"(\.\d{6})0+$", "$1")
    if column.dtype == pl.Float64:
        text = column.cast(pl.String)
        return pl.select(pl.when(text.str.contains(f"^{NUMBER}$")).then(text)).to_series()
    return column.cast(pl.String) if _is_text(column) or column.dtype.is_integer() else None


def _time(column: pl.Series) -> pl.Series | None:
    if isinstance(column.dtype, pl.Datetime):
        digits = _UNIT_DIGITS[column.dtype.time_unit]
        aware = column.dtype.time_zone is not None
        return (column.dt.convert_time_zone("UTC") if aware else column).dt.to_string(f"%Y-%m-%dT%H:%M:%S%.{digits}f{'Z' if aware else ''}")
    return column.cast(pl.String) if _is_text(column) else None


def _list(column: pl.Series) -> pl.Series | None:
    if isinstance(column.dtype, pl.Array):
        column = column.arr.to_list()
    if isinstance(column.dtype, pl.List):
        inner = column.dtype.inner
        return column.cast(CARDS) if inner in {pl.String, pl.Categorical, pl.Null} else None
    if not _is_text(column):
        return None
    words = column.cast(pl.String).str.strip_chars().str.split(" ")
    return words.list.eval(pl.element().filter(pl.element() != ""))


def _outages(column: pl.Series) -> pl.Series | None:
    if _is_text(column):
        spans = _list(column)
        if spans is None:
            return None
        ends = pl.element().str.split("/")
        good = spans.list.eval(ends.list.len() == 2).list.all()
        made = spans.list.eval(pl.struct(ends.list.get(0, null_on_oob=True).alias("from"), ends.list.get(1, null_on_oob=True).alias("to")))
        return pl.select(pl.when(good).then(made)).to_series().cast(_OUTAGES)
    if not isinstance(column.dtype, pl.List) or not isinstance(column.dtype.inner, pl.Struct):
        return None
    parts = {one.name: _time(pl.Series(dtype=one.dtype)) for one in column.dtype.inner.fields}
    if not {"from", "to"} <= {name for name, part in parts.items() if part is not None}:
        return None
    rows = pl.DataFrame({"row": pl.int_range(column.len(), eager=True), "outage": column})
    flat = rows.explode("outage", empty_as_null=False, keep_nulls=False)
    ends_of = {name: _time(flat["outage"].struct.field(name)) for name in ("from", "to")}
    flat = flat.select("row", pl.struct(one.alias(name) for name, one in ends_of.items() if one is not None).alias("made"))
    gathered = rows.join(flat.group_by("row", maintain_order=True).agg("made"), on="row", how="left", maintain_order="left")
    return gathered.select(pl.when(pl.col("outage").is_not_null()).then(pl.col("made").fill_null([]))).to_series().cast(_OUTAGES)


def _whole(column: pl.Series) -> pl.Series | None:
    if column.dtype.is_integer():
        return column.cast(pl.Int64, strict=False)
    if not _is_text(column):
        return None
    text = column.cast(pl.String)
    return pl.select(pl.when(text.str.contains(r"^-?[0-9]{1,19}$")).then(text).cast(pl.Int64, strict=False)).to_series()


def _worded(column: pl.Series, words: dict[str, bool], kind: PolarsType) -> pl.Series | None:
    return column.cast(pl.String).replace_strict(words, default=None, return_dtype=kind) if _is_text(column) else None

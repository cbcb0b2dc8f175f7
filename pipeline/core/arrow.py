"""Frames handed over as Arrow, and frames that share no memory."""

from __future__ import annotations

from typing import Final

import polars as pl
import pyarrow as pa

_VIEWS: Final = pl.CompatLevel.newest()
_COPIES: Final = pl.CompatLevel.oldest()


def as_views(frame: pl.DataFrame) -> pa.Table:
    """The frame as an Arrow table whose texts are views of the frame's own memory.

    Where a join has left lists of texts that hold no text at all, Polars 2.1 hands over views that Arrow refuses: such a frame is copied.
    """
    table: pa.Table
    try:
        table = frame.to_arrow(compat_level=_VIEWS)
    except pa.ArrowInvalid:
        table = frame.to_arrow(compat_level=_COPIES)
    return table


def on_its_own(frame: pl.DataFrame) -> pl.DataFrame:
    """The same rows in memory of their own: rows that Polars picks from a frame keep all of its texts alive.

    What is kept from one chunk to the end of the night goes through here, however few rows it has.
    """
    return pl.DataFrame(frame.to_arrow(compat_level=_COPIES), schema=frame.schema)

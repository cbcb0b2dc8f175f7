from __future__ import annotations

import polars as pl
import pytest

from pipeline.core.arrow import as_views


def emptied() -> pl.DataFrame:
    """Lists without a text, cut by a join from lists that have some."""
    lists = pl.DataFrame({"k": range(8), "texts": [["x"]] * 5 + [[], [], None]}, schema={"k": pl.Int64, "texts": pl.List(pl.String)})
    return lists.slice(5).join(pl.DataFrame({"k": [5, 7]}), on="k", how="semi", maintain_order="left")


def test_lists_that_a_join_left_without_a_text_are_handed_over() -> None:
    table = as_views(emptied())
    assert table.to_pylist() == [{"k": 5, "texts": []}, {"k": 7, "texts": None}]


@pytest.mark.parametrize("frame", [pl.DataFrame({"text": ["a", None, "a text that is longer than twelve bytes"]}), emptied().head(0)])
def test_what_is_handed_over_is_the_frame(frame: pl.DataFrame) -> None:
    assert pl.DataFrame(pl.from_arrow(as_views(frame))).equals(frame)

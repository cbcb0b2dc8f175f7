from __future__ import annotations

import polars as pl
import pytest

from pipeline.core.arrow import as_views, on_its_own


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


def test_what_stands_on_its_own_is_the_same_rows_and_holds_no_other_text() -> None:
    many = pl.DataFrame({"text": [f"{n:>100}" for n in range(10_000)], "is_wanted": [n == 7 for n in range(10_000)]})
    few = on_its_own(many.filter("is_wanted"))
    assert few.equals(many.slice(7, 1))
    assert sum(part.size for part in few["text"].to_arrow(compat_level=pl.CompatLevel.newest()).buffers() if part) < 10_000

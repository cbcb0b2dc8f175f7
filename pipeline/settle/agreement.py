"""The two engines held against each other, wager by wager, to the last digit."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.errors import UntrustworthyError
from pipeline.core.schema import ENGINE

COMPARED: Final = (
    "settlement", "outcome", "line", "expected", "expected_bonus", "hand_category", "dealer_category", "dealer_qualifies", "filing_no",
)  # fmt: skip
_UNSETTLED: Final = ("outcome", "line", "odds", "expected", "expected_bonus", "rule")


def compare(ours: pl.DataFrame, twin: pl.DataFrame) -> pl.DataFrame:
    """Where the engines differ.

    Both results are in the order of ``wager_key`` over the same wagers, so rows are compared by position.

    Args:
        ours: ``schema.ENGINE``, from the Polars engine.
        twin: ``schema.ENGINE``, from the SQL engine.

    Returns:
        ``wager_key, column, ours, twin`` (values as text), a row for each value that differs, in the order of wagers and columns.

    Raises:
        UntrustworthyError: the engines did not settle the same wagers.
    """
    if not ours["wager_key"].equals(twin["wager_key"].cast(pl.Int64)):
        raise UntrustworthyError(
            f"the engines did not settle the same wagers ({ours.height} and {twin.height} rows)", "settlement", "report this as a fault"
        )
    columns = [column for column in ENGINE.columns if column.name in COMPARED]
    both = ours.select("wager_key", *(pl.col(column.name).cast(column.dtype) for column in columns)).hstack(
        twin.select(pl.col(column.name).cast(column.dtype).alias(f"twin_{column.name}") for column in columns)
    )
    unequal = both.filter(pl.any_horizontal(pl.col(column.name).ne_missing(pl.col(f"twin_{column.name}")) for column in columns))
    differences = [
        unequal.filter(pl.col(name).ne_missing(pl.col(f"twin_{name}"))).select(
            "wager_key", column=pl.lit(name), ours=pl.col(name).cast(pl.String), twin=pl.col(f"twin_{name}").cast(pl.String)
        )
        for name in COMPARED
    ]
    return pl.concat(differences).sort("wager_key", maintain_order=True)


def settled_result(ours: pl.DataFrame, differing: pl.DataFrame) -> pl.DataFrame:
    """The result that stands: a wager on which the engines differ is unsettleable, and nothing is said to be due on it.

    Args:
        ours: ``schema.ENGINE``.
        differing: what ``compare`` returned.

    Returns:
        ``schema.ENGINE`` with ``settlement`` 'unsettleable' and ``settlement_reason`` 'engine_disagreement' on those wagers.
    """
    if differing.is_empty():
        return ours
    in_doubt = pl.col("wager_key").is_in(differing["wager_key"].unique().implode())
    return ours.with_columns(
        settlement=pl.when(in_doubt).then(pl.lit("unsettleable")).otherwise("settlement"),
        settlement_reason=pl.when(in_doubt).then(pl.lit("engine_disagreement")).otherwise("settlement_reason"),
    ).with_columns(pl.when(~in_doubt).then(name).alias(name) for name in _UNSETTLED)

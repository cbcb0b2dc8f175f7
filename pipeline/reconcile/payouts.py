"""What was due beside what was paid: the settlements, one row for each current wager."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.results import SETTLEMENTS
from pipeline.core.schema import DUE, Chunk
from pipeline.feeds.grade import NO_CARDS, no_cards

if TYPE_CHECKING:
    from pipeline.core.filed import Filed


def settlements(chunk: Chunk, engine: pl.DataFrame, filed: Filed) -> pl.DataFrame:
    """The current wagers of a chunk with what an engine says of them and how far the payment is from it.

    Args:
        chunk: whole rounds of one studio and gaming day. Where their feed carries no cards, a wager that lacks them is unsettleable for
            that reason.
        engine: ``schema.ENGINE``, one row for each current wager in the order of ``wager_key``.
        filed: the filings of the run, for their ids and fingerprints.

    Returns:
        ``results.SETTLEMENTS``, sorted by ``wager_key``. ``delta`` is in major units of the wager's currency.

    Raises:
        ValueError: the engine's rows are not the chunk's current wagers.
    """
    wagers = chunk.wagers.filter("is_current")
    if not wagers["wager_key"].equals(engine["wager_key"]):
        raise ValueError("the engine's rows are not the current wagers in the order of wager_key")
    names = filed.filings.select("filing_no", "filing_id", filing_fingerprint="fingerprint")
    joined = pl.concat([wagers, engine.drop("wager_key")], how="horizontal").join(names, on="filing_no", how="left", maintain_order="left")
    cardless = chunk.rounds.filter(no_cards())["round_key"]
    if len(cardless):
        unseen = pl.col("round_key").is_in(cardless.implode()) & pl.col("settlement_reason").str.ends_with("wrong_card_count")
        joined = joined.with_columns(settlement_reason=pl.when(unseen).then(pl.lit(NO_CARDS)).otherwise("settlement_reason"))
    handed_back = _or_zero("paid") + _or_zero("bonus_paid")
    delta = handed_back - pl.col("expected") - _or_zero("expected_bonus")
    return joined.with_columns(delta=delta).select(SETTLEMENTS.schema.names()).cast(SETTLEMENTS.schema)


def settled_wagers(chunk: Chunk, settled: pl.DataFrame) -> pl.DataFrame:
    """The settlements with everything else that the log says of their wagers, so that no check need join the two.

    Args:
        chunk: whole rounds of one studio and gaming day.
        settled: what ``settlements`` made of it.
    """
    wagers = chunk.wagers.filter("is_current").drop("is_current")
    return settled.hstack(wagers.select(name for name in wagers.columns if name not in settled.columns))


def _or_zero(name: str) -> pl.Expr:
    return pl.col(name).cast(DUE).fill_null(0)

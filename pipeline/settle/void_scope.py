"""Which wagers a void takes in."""

from __future__ import annotations

import polars as pl


def voided_wagers(wagers: pl.DataFrame, rounds: pl.DataFrame) -> pl.Series:
    """The ``wager_key`` of every wager within a void.

    A voided round takes in all of its wagers. Else the three lists of a void count as a union: hands, players and wagers; the dealer's
    hand among them voids the round. The status decides where it and the scope differ.

    Args:
        wagers: ``wager_key, round_key, hand_id, player_id, wager_id``.
        rounds: as ``schema.ROUNDS``.
    """
    whole = (pl.col("status") == "voided") | pl.col("void_hand_ids").list.contains("dealer").fill_null(value=False)
    voids = rounds.lazy().filter((pl.col("status") == "voided") | pl.col("has_void"))
    lists = {"hand_id": "void_hand_ids", "player_id": "void_player_ids", "wager_id": "void_wager_ids"}
    named = [(pl.col(ids).list.contains(pl.col(own)) & pl.col(own).is_not_null()).fill_null(value=False) for own, ids in lists.items()]
    return (
        wagers.lazy()
        .join(voids.select("round_key", *lists.values(), whole=whole), on="round_key")
        .filter(pl.any_horizontal("whole", *named))
        .select("wager_key")
        .collect(engine="in-memory")
        .get_column("wager_key")
    )

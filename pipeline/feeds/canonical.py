"""What a telling says, as one canonical JSON text: two tellings are equal after parsing where their texts are.

Keys are sorted, absent and null are one, amounts have six decimals and times are in UTC to the microsecond. How many digits a time was
written with is no part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import MONEY, TIME
from pipeline.feeds.staged import STAGED, TELLING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.feeds.staged import StagedFrames

_ABSENT: Final = r',?"[a-z_]+":null'
_READING: Final = ("by", "card", "device_id", "position", "read_at", "replaces", "seq", "source", "to")
_WAGER: Final = ("bonus_paid", "funding", "kind", "paid", "paid_at", "placed_at", "stake", "status", "wager_id")
_PARTICIPANT: Final = (
    "currency", "decided_at", "decided_by", "decision", "hand_id", "operator_id", "play_mode", "player_id", "session_id", "wagers",
)  # fmt: skip
_DISPLAYED: Final = ("currency", "decks", "kind", "line", "max", "min", "operator_id", "price", "read_at", "what")
_METER: Final = ("after", "before", "contribution", "currency", "kind", "meter_id", "paid", "reseed", "seq")
_VOID: Final = ("at", "authorised_by", "hand_ids", "player_ids", "reason", "scope", "wager_ids")
_ROUND: Final = (
    "bets_closed_at", "card_readings", "dealer_hand", "dealer_id", "dealer_revealed_at", "deck_id", "displayed", "filing_id", "game",
    "hands", "meters", "opened_at", "participants", "posted_at", "recorded_at", "revision", "round_id", "sequence", "shuffler_in_use",
    "software_version", "status", "stream_outages", "studio_id", "table_id", "verified_at", "verified_by", "video_ref", "void",
)  # fmt: skip


def canonical(frames: StagedFrames) -> pl.DataFrame:
    """``telling, studio_id, gaming_day, round_id, revision, recorded_at, content, sorting, digits`` of each telling.

    ``content`` is the canonical JSON, ``sorting`` the same without what is absent, by which two are put in order, and ``digits`` what was
    written after the seconds of all its times.
    """
    wagers = _listed(frames.wagers, _WAGER, "wagers", (TELLING, "participant_no"))
    participants = frames.participants.join(wagers, on=[TELLING, "participant_no"], how="left", maintain_order="left")
    posted = frames.hands.filter(~pl.col("is_dealer") & pl.col("cards").is_not_null())
    parts = (
        _listed(frames.card_readings, _READING, "card_readings"),
        _listed(posted, ("cards", "hand_id"), "hands"),
        _listed(participants, _PARTICIPANT, "participants"),
        _listed(frames.displayed, _DISPLAYED, "displayed"),
        _listed(frames.meters, _METER, "meters"),
        frames.hands.filter("is_dealer").select(TELLING, dealer_hand="cards"),
        *(_digits(frame, f"digits_{name}") for name, frame in frames.items()),
    )
    rounds = frames.rounds
    for part in parts:
        rounds = rounds.join(part, on=TELLING, how="left", maintain_order="left")
    void = pl.struct(_plain(rounds, f"void_{name}").alias(name) for name in _VOID)
    rounds = rounds.with_columns(void=pl.when("has_void").then(void))
    content = pl.struct(_plain(rounds, name) for name in _ROUND).struct.json_encode()
    return rounds.select(
        TELLING, "studio_id", "gaming_day", "round_id", "revision", "recorded_at", content=content,
        digits=pl.concat_str(pl.col("^digits_.*$"), separator="/", ignore_nulls=True),
    ).with_columns(sorting=pl.col("content").str.replace_all(_ABSENT, "").str.replace_all("{,", "{", literal=True))  # fmt: skip


def _plain(frame: pl.DataFrame, name: str) -> pl.Expr:
    kind = frame.schema[name]
    if kind == MONEY:
        return pl.col(name).cast(pl.String)
    if kind == TIME:
        return pl.col(name).dt.to_string("%Y-%m-%dT%H:%M:%S%.6fZ")
    if name == "stream_outages":
        return pl.col(name).cast(pl.List(pl.Struct({"from": pl.Int64, "to": pl.Int64})))
    return pl.col(name)


def _listed(frame: pl.DataFrame, names: Iterable[str], into: str, by: tuple[str, ...] = (TELLING,)) -> pl.DataFrame:
    return frame.group_by(by, maintain_order=True).agg(pl.struct(_plain(frame, name) for name in names).alias(into))


def _digits(frame: pl.DataFrame, into: str) -> pl.DataFrame:
    names = [name for name in frame.columns if name.endswith("_digits") and name in {n for table in STAGED.values() for n in table}]
    if not names:
        return frame.select(TELLING, pl.lit("").alias(into)).unique()
    written = pl.concat_str((pl.col(name).cast(pl.String).fill_null("-") for name in names), separator=" ")
    return frame.group_by(TELLING, maintain_order=True).agg(written.str.join(",").alias(into))

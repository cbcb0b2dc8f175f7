"""The shape of a ``round-log/1`` record: the strict types that a line must have, and the columns it is decoded to.

The structs hold the JSON types and the closed lists (``status``, ``funding``, …). What lies in the text of a value, amounts and times, is
left as text here and judged column by column in ``pipeline.feeds.typed``. A key that is absent stays absent (``UNSET``), so that a record
written out again has exactly the keys that it came with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeAlias, TypeVar, Union

import msgspec
import polars as pl
from msgspec import UNSET, Meta, Raw, Struct, UnsetType, field

if TYPE_CHECKING:
    from pipeline.core.schema import PolarsType

Place: TypeAlias = dict[str, Union["Place", None]]
"""The keys that are known at a place, each with those known below it."""

Identity: TypeAlias = Annotated[str, Meta(min_length=1)]
Whole: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | UnsetType | None
Text: TypeAlias = str | UnsetType | None
Flag: TypeAlias = bool | UnsetType | None

Amount = TypeVar("Amount")
AmountOrNone = TypeVar("AmountOrNone")


class Outage(Struct, gc=False):
    """A time without pictures."""

    from_: Text = field(default=UNSET, name="from")
    to: Text = UNSET


class Odds(Struct, gc=False):
    """A price as displayed."""

    operator_id: Text = UNSET
    kind: Text = UNSET
    line: Text = UNSET
    price: Text = UNSET


class Limit(Struct, Generic[AmountOrNone], gc=False):
    """A limit as displayed."""

    operator_id: Text = UNSET
    kind: Text = UNSET
    currency: Text = UNSET
    min: AmountOrNone | UnsetType = UNSET
    max: AmountOrNone | UnsetType = UNSET


class Display(Struct, Generic[AmountOrNone], gc=False):
    """What was displayed to players."""

    read_at: Text = UNSET
    decks: Whole = UNSET
    odds: list[Odds] | UnsetType | None = UNSET
    limits: list[Limit[AmountOrNone]] | UnsetType | None = UNSET


class Void(Struct, gc=False):
    """The void of a round or of a part of it."""

    reason: Text = UNSET
    authorised_by: Text = UNSET
    at: Text = UNSET
    scope: Text = UNSET
    hand_ids: list[str] | UnsetType | None = UNSET
    player_ids: list[str] | UnsetType | None = UNSET
    wager_ids: list[str] | UnsetType | None = UNSET


class Reading(Struct, gc=False):
    """A reading of one card."""

    seq: Whole = UNSET
    to: Text = UNSET
    position: Whole = UNSET
    card: Text = UNSET
    source: Text = UNSET
    read_at: Text = UNSET
    replaces: Whole = UNSET
    by: Text = UNSET
    device_id: Text = UNSET


class Hand(Struct, gc=False):
    """A hand as posted."""

    hand_id: Text = UNSET
    cards: list[str | None] | UnsetType | None = UNSET


class Wager(Struct, Generic[Amount, AmountOrNone], gc=False):
    """A wager."""

    kind: str
    stake: Amount
    wager_id: Text = UNSET
    placed_at: Text = UNSET
    paid: AmountOrNone | UnsetType = UNSET
    paid_at: Text = UNSET
    bonus_paid: AmountOrNone | UnsetType = UNSET
    status: Literal["accepted", "rejected", "cancelled"] | UnsetType | None = UNSET
    funding: Literal["cash", "free"] | UnsetType | None = UNSET


class Participant(Struct, Generic[Amount, AmountOrNone], gc=False):
    """A player's part in the round."""

    player_id: Text = UNSET
    operator_id: Text = UNSET
    session_id: Text = UNSET
    hand_id: Text = UNSET
    currency: Text = UNSET
    decision: Text = UNSET
    decided_at: Text = UNSET
    decided_by: Text = UNSET
    play_mode: Literal["real", "test"] | UnsetType | None = UNSET
    wagers: list[Wager[Amount, AmountOrNone]] | UnsetType | None = UNSET


class Meter(Struct, Generic[AmountOrNone], gc=False):
    """A meter's movement in the round."""

    meter_id: Text = UNSET
    kind: Text = UNSET
    seq: Whole = UNSET
    before: AmountOrNone | UnsetType = UNSET
    contribution: AmountOrNone | UnsetType = UNSET
    paid: AmountOrNone | UnsetType = UNSET
    reseed: AmountOrNone | UnsetType = UNSET
    after: AmountOrNone | UnsetType = UNSET
    currency: Text = UNSET


class Round(Struct, Generic[Amount, AmountOrNone], gc=False):
    """A telling of a round: one line of the log."""

    round_id: Identity
    studio_id: Identity
    status: Literal["settled", "voided", "interrupted", "open"]
    schema: Literal["round-log/1"] | UnsetType | None = UNSET
    table_id: Text = UNSET
    game: Literal["three_card_poker"] | UnsetType | None = UNSET
    sequence: Whole = UNSET
    filing_id: Text = UNSET
    displayed: Display[AmountOrNone] | UnsetType | None = UNSET
    revision: Whole = UNSET
    recorded_at: Text = UNSET
    dealer_id: Text = UNSET
    deck_id: Text = UNSET
    shuffler_in_use: Flag = UNSET
    software_version: Text = UNSET
    video_ref: Text = UNSET
    stream_outages: list[Outage] | UnsetType | None = UNSET
    void: Void | UnsetType | None = UNSET
    opened_at: Text = UNSET
    bets_closed_at: Text = UNSET
    dealer_revealed_at: Text = UNSET
    verified_at: Text = UNSET
    verified_by: Text = UNSET
    posted_at: Text = UNSET
    card_readings: list[Reading] | UnsetType | None = UNSET
    hands: list[Hand] | UnsetType | None = UNSET
    dealer_hand: list[str | None] | UnsetType | None = UNSET
    participants: list[Participant[Amount, AmountOrNone]] | UnsetType | None = UNSET
    meters: list[Meter[AmountOrNone]] | UnsetType | None = UNSET


RoundOfText: TypeAlias = Round[str, str | None]
"""Amounts are JSON strings."""

RoundOfRaw: TypeAlias = Round[Raw, Raw]
"""Amounts are any JSON value, kept byte for byte."""


def decoded(kind: msgspec.inspect.Type) -> PolarsType:
    """The Polars type that a JSON value of type ``kind`` is decoded to, amounts and times as text.

    Raises:
        TypeError: the type has no column.
    """
    match kind:
        case msgspec.inspect.UnionType(types=types):
            (kept,) = [one for one in types if not isinstance(one, msgspec.inspect.NoneType)]
            return decoded(kept)
        case msgspec.inspect.StrType() | msgspec.inspect.LiteralType():
            return pl.String
        case msgspec.inspect.IntType():
            return pl.Int64
        case msgspec.inspect.BoolType():
            return pl.Boolean
        case msgspec.inspect.ListType(item_type=item):
            return pl.List(decoded(item))
        case msgspec.inspect.StructType(fields=fields):
            return pl.Struct({one.encode_name: decoded(one.type) for one in fields})
    raise TypeError(f"no column for {kind}")


def places(kind: msgspec.inspect.Type) -> Place | None:
    """The keys that ``kind`` knows, each with those below it; None where nothing lies below."""
    match kind:
        case msgspec.inspect.UnionType(types=types):
            return next((place for one in types if (place := places(one)) is not None), None)
        case msgspec.inspect.ListType(item_type=item):
            return places(item)
        case msgspec.inspect.StructType(fields=fields):
            return {one.encode_name: places(one.type) for one in fields}
    return None

"""A round's story as one typed model: what `resettle explain --json` gives, and what the text and the case's page show.

Amounts are decimal text in major units of the currency beside them, times RFC 3339 in UTC with the digits that the log wrote.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

_Told = TypeVar("_Told", bound=msgspec.Struct)


def from_row(kind: type[_Told], row: Mapping[str, Any], **given: Any) -> _Told:
    """A part of a story with the fields of a row of the same names, but for those given."""
    return kind(**{name: row[name] for name in kind.__struct_fields__ if name not in given}, **given)


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """The record that a round was read from.

    Attributes:
        file, line: as in ``source_file`` and ``source_line``.
        file_sha256: digest of the file as delivered.
        byte_offset, bytes: where the record lies in the decompressed file; null where the file is not at hand.
        sha256: digest of the record, without the line feed that ends it.
        raw: the record as text; null where it is not at hand, or not UTF-8.
        missing: why it is not at hand, and what to do.
    """

    file: str
    line: int
    file_sha256: list[str]
    byte_offset: int | None = None
    bytes: int | None = None
    sha256: str | None = None
    raw: str | None = None
    missing: str | None = None


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A reading of one card; ``counts`` is false where another replaces it."""

    seq: int | None
    position: int | None
    card: str | None
    source: str | None
    read_at: str | None
    replaces: int | None
    by: str | None
    device_id: str | None
    counts: bool


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand: as posted, as read, and what counts.

    Attributes:
        cards: the cards that count; null where there are none.
        posted: as the studio posted them.
        category: of the three cards that count; null where the hand is distrusted.
        strength: the greater, the better the hand; null where it has no category.
        distrust: the check that makes the hand distrusted; null: trusted.
        told: the hand in words.
    """

    hand_id: str | None
    is_dealer: bool
    posted: list[str] | None
    cards: list[str | None] | None
    readings: list[Reading]
    category: str | None
    strength: int | None
    distrust: str | None
    told: str


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What one engine says of a wager, or what stands in the lake."""

    settlement: str
    outcome: str | None
    line: str | None
    expected: Decimal | None
    expected_bonus: Decimal | None
    hand_category: str | None
    dealer_category: str | None
    dealer_qualifies: bool | None


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A finding, with its cause where it was diagnosed; ``incident`` is the sentence of the incident that it is part of."""

    finding_id: str
    check_id: str
    severity: str
    message: str
    citation: str | None
    expected: Decimal | None
    paid: Decimal | None
    delta: Decimal | None
    root_cause: str | None
    root_causes: list[str] | None
    root_cause_detail: str | None
    wager_id: str | None = None
    hand_id: str | None = None
    player_id: str | None = None
    incident_id: str | None = None
    incident: str | None = None


class Booking(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the wallet's ledger; ``moved`` is what it moved to the player, below zero from them."""

    txn_id: str
    type: str
    status: str
    wager_id: str | None
    amount: Decimal
    moved: Decimal | None
    currency: str
    at: str
    source_file: str
    source_line: int


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A player's money in the round in one currency: due, reported and moved by the wallet; and the entries behind it."""

    operator_id: str | None
    player_id: str | None
    currency: str | None
    status: str
    due: Decimal | None
    staked: Decimal | None
    reported: Decimal | None
    debited: Decimal | None
    credited: Decimal | None
    cancelled: Decimal | None
    adjusted: Decimal | None
    difference: Decimal | None
    bookings: list[Booking]


class Instead(msgspec.Struct, frozen=True, kw_only=True):
    """What another filing would have made due: bonus included in ``due``; null where it can settle nothing, for ``reason``."""

    filing_id: str
    revision: int
    settlement: str
    reason: str | None
    outcome: str | None
    line: str | None
    odds: str | None
    due: Decimal | None
    difference: Decimal | None


class Step(msgspec.Struct, frozen=True):
    """One step of a story: what it is about, and a sentence or two."""

    about: str
    told: str


class WagerStory(msgspec.Struct, frozen=True, kw_only=True):
    """A wager from its stake to what was paid.

    Attributes:
        settlement: as it stands in the lake; ``reason`` why it is not simply settled.
        rule: the filing's key that decided; ``citation`` names it with the filing, and with the rule that it compares with.
        arithmetic: how the price makes the amount.
        expected, expected_bonus: due, the bonus beside.
        delta: paid in all less due in all.
        polars, sql: what the two engines say, settled again now.
        agree: they say the same.
        as_published: they say what stands in the lake.
        account: what the wallet did for this player in the round; null where the lake has no ledger of it.
        instead: under another filing, where one was named.
        steps: the story in words.
    """

    wager_id: str
    kind: str
    operator_id: str | None
    player_id: str | None
    hand_id: str | None
    currency: str | None
    stake: Decimal
    funding: str
    status: str
    play_mode: str
    placed_at: str | None
    decision: str | None
    decided_at: str | None
    decided_by: str | None
    settlement: str
    reason: str | None
    filing_id: str | None
    filing_fingerprint: str | None
    hand_category: str | None
    dealer_category: str | None
    dealer_qualifies: bool | None
    outcome: str | None
    line: str | None
    odds: str | None
    rule: str | None
    citation: str | None
    arithmetic: str
    expected: Decimal | None
    expected_bonus: Decimal | None
    paid: Decimal | None
    bonus_paid: Decimal | None
    paid_at: str | None
    delta: Decimal | None
    polars: Said
    sql: Said
    agree: bool
    as_published: bool
    findings: list[Found]
    account: Account | None
    instead: Instead | None
    steps: list[Step]


class Void(msgspec.Struct, frozen=True, kw_only=True):
    """A void of the round or of a part of it."""

    reason: str | None
    authorised_by: str | None
    at: str | None
    scope: str | None


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the log dates in the round (see the view ``round_timeline``)."""

    at: datetime
    event: str
    hand_id: str | None
    operator_id: str | None
    player_id: str | None
    what: str


class RoundStory(msgspec.Struct, frozen=True, kw_only=True):
    """A round with everything in it.

    Attributes:
        tellings: how many tellings of it the lake holds, this one included.
        findings: those about the round or a hand, not about one wager.
        steps: the round in words, without its wagers.
    """

    studio_id: str
    gaming_day: date
    table_id: str | None
    round_id: str
    sequence: int | None
    status: str
    conflicting: bool
    tellings: int
    revision: int | None
    dealer_id: str | None
    deck_id: str | None
    software_version: str | None
    video_ref: str | None
    opened_at: str | None
    bets_closed_at: str | None
    dealer_revealed_at: str | None
    verified_at: str | None
    verified_by: str | None
    posted_at: str | None
    void: Void | None
    hands: list[Hand]
    wagers: list[WagerStory]
    accounts: list[Account]
    findings: list[Found]
    timeline: list[Event]
    source: Source
    steps: list[Step]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to ``resettle explain ID``: the round, with every wager or the one that was asked about.

    Attributes:
        what: finding, wager or round.
        asked: the id.
        run_id: the run that published what is shown.
        code_version: the version of this program that settled it again.
        published_by: the version that published it.
        finding: the finding asked about; null for the others.
        round: null where a finding is about none.
    """

    schema: str = "resettle-explain/1"
    what: str
    asked: str
    run_id: str
    code_version: str
    published_by: str
    finding: Found | None
    round: RoundStory | None

"""A round in the making: what stands on the table, before it is written down.

Amounts are in minor units, times in milliseconds since 1970 UTC.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from pipeline.simulate.offers import Offer


@dataclass(slots=True)
class Wager:
    """A wager as placed, and what the studio says it handed back."""

    wager_id: str
    kind: str
    stake: int
    placed_at: int
    status: str = "accepted"
    free: bool = False
    paid: int | None = None
    bonus: int | None = None
    paid_at: int | None = None


@dataclass(slots=True)
class Part:
    """A player's part in the round."""

    player_id: str
    operator_id: str
    offer: Offer
    session_id: str | None
    hand_id: str
    currency: str
    test: bool
    wagers: list[Wager]
    decision: str | None = None
    decided_at: int | None = None
    decided_by: str | None = None

    def wager(self, kind: str) -> Wager | None:
        """The first wager of a kind that was not refused."""
        return next((w for w in self.wagers if w.kind == kind and w.status != "rejected"), None)


@dataclass(slots=True)
class Reading:
    """A card read by the shoe, or entered by hand."""

    to: str
    position: int
    card: str
    read_at: int
    source: str = "scanner"
    by: str | None = None
    replaces: int | None = None


@dataclass(slots=True)
class Void:
    """A void of the round (``scope`` ``round``) or of a part of it."""

    reason: str | None
    authorised_by: str | None
    at: int
    scope: str
    hand_ids: list[str] = field(default_factory=list)
    player_ids: list[str] = field(default_factory=list)
    wager_ids: list[str] = field(default_factory=list)
    by_cancel: bool = False


@dataclass(slots=True)
class MeterMove:
    """What a round did to the table's meter."""

    meter_id: str
    kind: str
    seq: int
    before: int
    contribution: int
    paid: int
    reseed: int
    after: int
    currency: str


@dataclass(slots=True)
class Entry:
    """A line of the wallet's ledger."""

    txn_id: str
    type: str
    operator_id: str
    player_id: str
    round_id: str
    wager_id: str | None
    amount: int
    currency: str
    at: int
    status: str = "accepted"


WalletEdit = Callable[[list[Entry]], list[Entry]]


@dataclass(slots=True)
class Deal:
    """A round: who, what, when; ``player_cards`` and ``dealer_cards`` are what truly lay on the table."""

    table_id: str
    round_id: str
    sequence: int
    dealer_id: str
    deck_id: str
    opened_at: int
    next_opened_at: int | None
    shuffler_in_use: bool = True
    filing_id: str | None = None
    software_version: str | None = None
    video_ref: str | None = None
    outages: list[tuple[int, int]] = field(default_factory=list)
    status: str = "settled"
    void: Void | None = None
    closed_at: int = 0
    first_card_at: int = 0
    cards_out_at: int = 0
    decide_by: int = 0
    reveal_at: int = 0
    says_reveal: bool = False
    verified_at: int | None = None
    verified_by: str | None = None
    posted_at: int | None = None
    pays_at: int = 0
    readings: list[Reading] = field(default_factory=list)
    hands: dict[str, list[str]] = field(default_factory=dict)
    dealer_hand: list[str] = field(default_factory=list)
    player_cards: dict[str, list[str]] = field(default_factory=dict)
    dealer_cards: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    meter: MeterMove | None = None
    displays: bool = False
    display_slip: bool = False
    revision: int | None = None
    told_twice: str | None = None
    wallet_edit: WalletEdit | None = None

    def in_void(self, part: Part, wager: Wager) -> bool:
        """Whether the void's scope holds this wager."""
        if self.void is None:
            return False
        if self.status == "voided":
            return True
        void = self.void
        return part.hand_id in void.hand_ids or part.player_id in void.player_ids or wager.wager_id in void.wager_ids

    def made(self, part: Part, kind: str) -> bool:
        """Whether the participant made a wager of this kind (one that a void gave back was made)."""
        return any(w.kind == kind and (w.status == "accepted" or (w.status == "cancelled" and self.in_void(part, w))) for w in part.wagers)

    def folded(self, part: Part) -> bool:
        """An ante and no play wager: a fold."""
        return self.made(part, "ante") and not self.made(part, "play")


@dataclass(frozen=True, slots=True)
class Rig:
    """Cards and a decision wanted for the first hand of a round, so that a rare fault can show."""

    player: tuple[str, ...] | None = None
    dealer: tuple[str, ...] | None = None
    decision: str | None = None


@dataclass(frozen=True, slots=True)
class Truth:
    """What is wrong in a round, for a fact."""

    check: str
    round_id: str | None
    wager_id: str | None = None
    expected: str | None = None
    root_cause: str | None = None


@dataclass(slots=True)
class Scene:
    """A round at the moment a fault is planted in it, with what the table remembers.

    Attributes:
        deal: the round, settled and paid rightly.
        rng: decides the fault's details; apart from the one that deals, so that the rest of the day stays as it is.
        previous: the table's round before.
        last: the table's last round in the delivery.
        memory: what faults that reach over several rounds keep in mind, and when the table's delivery ends.
    """

    deal: Deal
    rng: Random
    previous: Deal | None
    last: bool
    memory: dict[str, int]

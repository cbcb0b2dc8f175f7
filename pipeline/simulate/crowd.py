"""Who sits at a table and what they stake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.simulate.deal import Deal, Part, Wager
from pipeline.simulate.pay import compared
from pipeline.simulate.ranking import Strength, three

if TYPE_CHECKING:
    from random import Random

    from pipeline.simulate.offers import Offer

SEATS: Final = 7
UNITS: Final = (2_00, 2_50, 5_00, 5_00, 10_00, 10_00, 20_00, 25_00, 50_00, 100_00)
SIDE_UNITS: Final = (1_00, 1_00, 2_00, 2_50, 5_00, 10_00)
Q64: Final = three(("Qs", "6d", "4c"))
_APPETITE: Final = {"pair_plus": 0.42, "six_card_bonus": 0.22, "progressive": 0.5, "five_card_hand_bonus": 0.2, "trio_bonus": 0.15}


@dataclass(slots=True)
class Player:
    """A player at a table."""

    player_id: str
    offer: Offer
    currency: str
    unit: int
    test: bool


def arrive(rng: Random, offers: tuple[Offer, ...]) -> Player:
    """A new player of one of the table's operators."""
    offer = offers[int(rng.random() * len(offers))]
    currency = offer.currencies[0] if rng.random() < 0.85 else offer.currencies[-1]
    return Player(f"px{rng.randrange(10**7):07d}", offer, currency, rng.choice(UNITS), rng.random() < 0.004)


def refresh(rng: Random, players: list[Player], offers: tuple[Offer, ...], wanted: int) -> None:
    """Let some leave and others come, so that about ``wanted`` stay; nobody is there twice."""
    for place in range(len(players)):
        if rng.random() < 0.04:
            players[place] = arrive(rng, offers)
    while len(players) < wanted:
        players.append(arrive(rng, offers))
    del players[wanted:]
    seen: set[str] = set()
    for place in range(len(players)):
        while players[place].player_id in seen:
            players[place] = arrive(rng, offers)
        seen.add(players[place].player_id)


def stake_all(deal: Deal, rng: Random, players: list[Player], seated: bool) -> None:
    """Let each player place wagers before the bets close; on a seated table each on a hand of their own, with a few behind."""
    for place, player in enumerate(players):
        if place and rng.random() < 0.12:
            continue
        hand_id = f"H{place + 1}" if seated and place < SEATS else "H1"
        if seated and rng.random() < 0.06 and deal.parts:
            hand_id = deal.parts[0].hand_id
        deal.parts.append(_stake(deal, rng, player, hand_id))
    if rng.random() < 0.03:
        _second_session(deal, rng)


def _stake(deal: Deal, rng: Random, player: Player, hand_id: str) -> Part:
    chance = rng.random
    offer = player.offer
    placed = deal.opened_at + 600 + int(chance() * (deal.closed_at - deal.opened_at - 900))
    prefix = f"{deal.round_id}-{len(deal.parts)}-"
    luck = chance()
    alone = luck < 0.05 and not offer.linked
    gift = luck > 0.99
    wagers: list[Wager] = []
    ante = min(max(player.unit, offer.limits["ante"][0]), offer.limits["ante"][1])
    if not alone:
        wagers.append(Wager(f"{prefix}ante", "ante", ante, placed, free=gift and not offer.linked))
    for kind, side in offer.sides.items():
        wanted = kind == "pair_plus" if alone or offer.linked else chance() < _APPETITE[kind]
        if not wanted or (alone and not side.alone) or (kind == offer.metered and (player.test or player.currency != offer.currencies[0])):
            continue
        low, high = offer.limits[kind]
        stake = ante if offer.linked else min(max(SIDE_UNITS[int(chance() * len(SIDE_UNITS))], low), high)
        wager = Wager(f"{prefix}{kind}", kind, stake, placed + int(chance() * 200))
        if kind == "pair_plus" and not alone and not offer.linked:
            wager.free = 0.97 < luck <= 0.98
            wager.status = "rejected" if 0.96 < luck <= 0.965 else "accepted"
        wagers.append(wager)
    return Part(player.player_id, offer.operator_id, offer, None, hand_id, player.currency, player.test, wagers)


def _second_session(deal: Deal, rng: Random) -> None:
    first = next((part for part in deal.parts if part.wager("ante") and not part.test), None)
    if first is None:
        return
    first.session_id = "s1"
    twin = Player(first.player_id, first.offer, first.currency, rng.choice(UNITS), test=False)
    part = _stake(deal, rng, twin, first.hand_id)
    if part.wager("ante") is not None:
        part.session_id = "s2"
        deal.parts.append(part)


def timeout_decision(offer: Offer, hand: Strength) -> str:
    """What the platform decides for a player who does not, as filed (``on_timeout``)."""
    if offer.on_timeout == "fold":
        return "fold"
    return "fold" if compared(hand, Q64) == "lower" else "play"


def decide_all(deal: Deal, rng: Random, everybody_folds: bool, forced: str | None) -> None:
    """Let each player with an ante play or fold before the reveal; ``forced`` decides for the round's first hand."""
    chance = rng.random
    strengths = {hand_id: three(cards) for hand_id, cards in deal.player_cards.items()}
    span = deal.decide_by - deal.cards_out_at - 400
    first_hand = deal.parts[0].hand_id
    for number, part in enumerate(deal.parts):
        ante = next((w for w in part.wagers if w.kind == "ante"), None)
        at, luck, whim = deal.cards_out_at + 100 + int(chance() * span), chance(), chance()
        if ante is None:
            continue
        hand = strengths[part.hand_id]
        part.decided_by = "player"
        part.decision = "play" if (compared(hand, Q64) != "lower") == (whim > 0.04) else "fold"
        if luck < 0.025:
            part.decided_by = "timeout" if luck < 0.017 else "disconnect"
            part.decision = timeout_decision(part.offer, hand)
            at = deal.decide_by
        if everybody_folds or (forced and part.hand_id == first_hand):
            part.decided_by, part.decision = "player", forced or "fold"
        part.decided_at = at
        if part.decision == "play":
            part.wagers.append(Wager(f"{deal.round_id}-{number}-play", "play", ante.stake, at, free=ante.free))

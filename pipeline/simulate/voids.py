"""Voids as a control room makes them: of a round, a hand, a player or a wager, refunded by pay = stake or by cancelled transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.simulate.deal import Deal, Part, Reading, Void, Wager
from pipeline.simulate.offers import SUPERVISORS

if TYPE_CHECKING:
    from random import Random

REASONS: Final = ("misdeal", "card exposed", "scanner fault", "player complaint upheld", "stream failure")


def misdeal(deal: Deal, rng: Random) -> None:
    """Void the round with two cards out, before anybody could decide."""
    hand_ids = sorted({part.hand_id for part in deal.parts})
    deal.player_cards = {hand_id: [] for hand_id in hand_ids}
    places = [(hand_ids[0], 1), (hand_ids[1 % len(hand_ids)], 1 + (len(hand_ids) == 1))]
    for number, ((hand_id, position), card) in enumerate(zip(places, rng.sample(("4h", "Jc", "9d", "Ks", "2c"), 2), strict=True)):
        deal.readings.append(Reading(hand_id, position, card, deal.first_card_at + 300 * number))
        deal.player_cards[hand_id].append(card)
    deal.hands = {hand_id: list(cards) for hand_id, cards in deal.player_cards.items() if cards}
    void_round(deal, rng, deal.first_card_at + 4_000, "misdeal")


def void_round(deal: Deal, rng: Random, at: int, reason: str | None = None) -> None:
    """Void the whole round; nothing is verified or posted."""
    deal.void = Void(reason or rng.choice(REASONS), rng.choice(SUPERVISORS), at, "round", by_cancel=rng.random() < 0.5)
    deal.status = "voided"
    deal.verified_at = deal.verified_by = deal.posted_at = None
    deal.pays_at = at + 900
    _cancel(deal)


def void_part(deal: Deal, rng: Random, kind: str) -> bool:
    """Void a ``hand``, a ``player`` or a ``wager`` (a side wager) between reveal and posting; False where it can't be."""
    part = rng.choice([part for part in deal.parts if not part.test] or deal.parts)
    void = Void(rng.choice(REASONS), rng.choice(SUPERVISORS), deal.reveal_at + 1_500, "part", by_cancel=rng.random() < 0.5)
    if kind == "hand" and len(deal.player_cards) > 1:
        void.hand_ids = [part.hand_id]
    elif kind == "wager":
        sides = [w for w in part.wagers if w.kind not in {"ante", "play", part.offer.metered} and w.status == "accepted"]
        if not sides or part.offer.linked:
            return False
        void.wager_ids = [rng.choice(sides).wager_id]
    else:
        void.player_ids = [part.player_id]
    deal.void = void
    if any(w.kind == p.offer.metered for p, w in in_scope(deal)):
        deal.void = None
        return False
    _cancel(deal)
    return True


def in_scope(deal: Deal) -> list[tuple[Part, Wager]]:
    """The wagers that the void gives back."""
    return [(part, w) for part in deal.parts for w in part.wagers if w.status != "rejected" and deal.in_void(part, w)]


def _cancel(deal: Deal) -> None:
    if deal.void is not None and deal.void.by_cancel:
        for _, wager in in_scope(deal):
            wager.status = "cancelled"

"""A round from the first wager to the verified result, in the order of the control points (58 Pa. Code § 816a.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.core.cards import DECK
from pipeline.simulate.crowd import decide_all
from pipeline.simulate.deal import Deal, Reading, Rig
from pipeline.simulate.offers import SUPERVISORS, Offer

if TYPE_CHECKING:
    from random import Random

BETTING_MS: Final = 12_000
CARD_MS: Final = 300
DECISION_MS: Final = 8_000


def set_betting(deal: Deal, rng: Random) -> None:
    """Say when the bets close."""
    deal.closed_at = deal.opened_at + BETTING_MS + int(rng.random() * 2_000)
    deal.first_card_at = deal.closed_at + 700


def shuffled(rng: Random, rig: Rig | None, first_hand: str, hand_ids: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Deal three cards to each hand and three to the dealer; a rig fixes those of the first hand or the dealer."""
    player, dealer = (rig.player, rig.dealer) if rig else (None, None)
    fixed = {*(player or ()), *(dealer or ())}
    deck = [card for card in rng.sample(DECK, len(DECK)) if card not in fixed]
    cards = {hand_id: [deck.pop(), deck.pop(), deck.pop()] for hand_id in hand_ids}
    theirs = [deck.pop(), deck.pop(), deck.pop()]
    if player:
        cards[first_hand] = list(player)
    return cards, list(dealer) if dealer else theirs


def read_players(deal: Deal, at_draw: bool) -> None:
    """Read the cards of the players' hands, round the table; a shoe that reads at the draw reads the dealer's with them."""
    at = deal.first_card_at
    for position in range(3):
        for hand_id, cards in deal.player_cards.items():
            deal.readings.append(Reading(hand_id, position + 1, cards[position], at))
            at += CARD_MS
        if at_draw:
            deal.readings.append(Reading("dealer", position + 1, deal.dealer_cards[position], at))
            at += CARD_MS
    deal.cards_out_at = at + 1_200
    deal.decide_by = deal.cards_out_at + DECISION_MS
    deal.reveal_at = deal.decide_by + 700
    deal.hands = {hand_id: list(cards) for hand_id, cards in deal.player_cards.items()}


def misread(deal: Deal, rng: Random, to: str, at: int) -> None:
    """Let the scanner misread a card of a hand, and a person put it right at ``at``; the first reading stays."""
    place = next(i for i, reading in enumerate(deal.readings) if reading.to == to)
    right = deal.readings[place]
    wrong = "??" if rng.random() < 0.5 else rng.choice([card for card in DECK if card[0] == right.card[0] and card != right.card])
    deal.readings[place] = Reading(right.to, right.position, wrong, right.read_at)
    by = rng.choice((deal.dealer_id, *SUPERVISORS))
    deal.readings.append(Reading(right.to, right.position, right.card, at, "manual", by, place + 1))


def dealer_needed(deal: Deal) -> bool:
    """The dealer turns cards only where a play wager or a standing six-card bet depends on them."""
    for part in deal.parts:
        folded = deal.folded(part)
        for wager in part.wagers:
            side = part.offer.sides.get(wager.kind)
            stands = side is not None and side.judged_on == "best_five_of_six" and not (folded and side.forfeited_by_fold)
            if wager.status == "accepted" and (wager.kind == "play" or stands):
                return True
    return False


def turn_dealer(deal: Deal, at_draw: bool) -> None:
    """Reveal the dealer's cards, or leave them face down when nobody needs them."""
    if not dealer_needed(deal):
        deal.dealer_cards = [] if not at_draw else deal.dealer_cards
        deal.reveal_at = deal.decide_by + 300
        deal.says_reveal = False
    elif not at_draw:
        for position, card in enumerate(deal.dealer_cards):
            deal.readings.append(Reading("dealer", position + 1, card, deal.reveal_at + 100 + 400 * position))
    deal.dealer_hand = list(deal.dealer_cards)


def play_out(deal: Deal, rng: Random, at_draw: bool, everybody_folds: bool, rig: Rig | None) -> None:
    """Deal, let the players decide, reveal, verify and post."""
    hand_ids = sorted({part.hand_id for part in deal.parts})
    deal.player_cards, deal.dealer_cards = shuffled(rng, rig, deal.parts[0].hand_id, hand_ids)
    read_players(deal, at_draw)
    if rng.random() < 0.012:
        misread(deal, rng, rng.choice(hand_ids), deal.cards_out_at - 500)
    decide_all(deal, rng, everybody_folds, rig.decision if rig else None)
    deal.says_reveal = at_draw or rng.random() < 0.3
    turn_dealer(deal, at_draw)
    if deal.dealer_hand and rng.random() < 0.006:
        misread(deal, rng, "dealer", deal.reveal_at + 1_300)
    deal.verified_at = deal.reveal_at + 1_600 + int(rng.random() * 400)
    deal.verified_by = deal.dealer_id if rng.random() < 0.97 else rng.choice(SUPERVISORS)
    deal.posted_at = deal.verified_at + 300 + int(rng.random() * 500)
    deal.pays_at = deal.posted_at + 400 + int(rng.random() * 1_500)


def reads_at_draw(offers: tuple[Offer, ...]) -> bool:
    """Whether the table's shoe reads the dealer's cards at the draw."""
    return offers[0].dealer_cards_read == "at_draw"

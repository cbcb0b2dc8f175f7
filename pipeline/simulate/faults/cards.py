"""Faults of the cards: what was read, posted and corrected, and which deck it came from. Everybody is paid on the true cards."""

from __future__ import annotations

from typing import Final

from pipeline.core.cards import DECK
from pipeline.simulate.clock import HOUR
from pipeline.simulate.deal import Deal, Reading, Scene, Truth
from pipeline.simulate.faults.registry import fault


def _round(scene: Scene, check: str) -> list[Truth]:
    return [Truth(check, scene.deal.round_id)]


def _unseen(scene: Scene) -> str:
    deal = scene.deal
    seen = {*deal.dealer_cards, *(reading.card for reading in deal.readings)}.union(*deal.player_cards.values())
    return scene.rng.choice([card for card in DECK if card not in seen])


def _untouched(deal: Deal) -> bool:
    return not any(reading.replaces for reading in deal.readings)


def _first(deal: Deal) -> tuple[int, Reading]:
    """The first reading of a player's hand, with its place in the log."""
    return next((i, r) for i, r in enumerate(deal.readings) if r.to != "dealer")


def _show_instead(deal: Deal, place: int, card: str) -> None:
    """Let a reading, and the hand as posted, show another card."""
    reading = deal.readings[place]
    posted = deal.dealer_hand if reading.to == "dealer" else deal.hands[reading.to]
    posted[posted.index(reading.card)] = card
    reading.card = card


@fault("duplicate_card", "the dealer shows a card that a player holds")
def _duplicate(scene: Scene) -> list[Truth]:
    deal = scene.deal
    place = next((i for i, r in enumerate(deal.readings) if r.to == "dealer"), None)
    if place is None or not _untouched(deal):
        return []
    _show_instead(deal, place, _first(deal)[1].card)
    return _round(scene, "duplicate_card")


@fault("wrong_card_count", "a player's hand with two cards")
def _count(scene: Scene) -> list[Truth]:
    deal = scene.deal
    if not _untouched(deal):
        return []
    place, reading = _first(deal)
    deal.readings.pop(place)
    deal.hands[reading.to].remove(reading.card)
    return _round(scene, "wrong_card_count")


@fault("unreadable_card", "a player's card never read")
def _unreadable(scene: Scene) -> list[Truth]:
    if not _untouched(scene.deal):
        return []
    _show_instead(scene.deal, _first(scene.deal)[0], "??")
    return _round(scene, "unreadable_card")


@fault("reading_hand_mismatch", "a hand posted with a card that was not read")
def _mismatch(scene: Scene) -> list[Truth]:
    deal = scene.deal
    reading = _first(deal)[1]
    cards = deal.hands[reading.to]
    cards[scene.rng.randrange(3)] = _unseen(scene)
    return _round(scene, "reading_hand_mismatch")


@fault("conflicting_reading", "two readings of one place, neither replaced")
def _conflict(scene: Scene) -> list[Truth]:
    deal = scene.deal
    if not _untouched(deal):
        return []
    reading = _first(deal)[1]
    deal.readings.append(Reading(reading.to, reading.position, _unseen(scene), reading.read_at + 150))
    return _round(scene, "conflicting_reading")


@fault("correction_chain_broken", "a correction of a reading that is not there")
def _chain(scene: Scene) -> list[Truth]:
    deal = scene.deal
    if not _untouched(deal):
        return []
    reading = _first(deal)[1]
    deal.readings.append(Reading(reading.to, reading.position, reading.card, deal.cards_out_at - 500, "manual", deal.dealer_id, 99))
    return _round(scene, "correction_chain_broken")


def _correct(scene: Scene, place: int, at: int, by: str | None) -> None:
    """Let a true reading be the correction of a misread one."""
    deal = scene.deal
    right = deal.readings[place]
    deal.readings.append(Reading(right.to, right.position, right.card, at, "manual", by, place + 1))
    deal.readings[place] = Reading(right.to, right.position, _unseen(scene), right.read_at)


@fault("correction_unattributed", "a correction in time that names nobody")
def _unattributed(scene: Scene) -> list[Truth]:
    if not _untouched(scene.deal):
        return []
    _correct(scene, _first(scene.deal)[0], scene.deal.cards_out_at - 500, None)
    return _round(scene, "correction_unattributed")


@fault("correction_after_decision", "a player's card made another after the players had decided")
def _after_decision(scene: Scene) -> list[Truth]:
    deal = scene.deal
    place, reading = _first(deal)
    decided = [part.decided_at for part in deal.parts if part.hand_id == reading.to and part.decided_at]
    if not decided or not _untouched(deal):
        return []
    _correct(scene, place, deal.reveal_at + 1_000, scene.rng.choice(("PIT-1", "PIT-2")))
    return _round(scene, "correction_after_decision")


@fault("correction_after_posting", "a dealer's card made another after the result was posted")
def _after_posting(scene: Scene) -> list[Truth]:
    deal = scene.deal
    place = next((i for i, r in enumerate(deal.readings) if r.to == "dealer"), None)
    if place is None or deal.posted_at is None or not _untouched(deal):
        return []
    _correct(scene, place, deal.posted_at + 200, "PIT-1")
    return _round(scene, "correction_after_posting")


@fault("deck_not_alternated", "the same deck in two rounds running")
def _same_deck(scene: Scene) -> list[Truth]:
    deal, before = scene.deal, scene.previous
    if before is None or not (before.shuffler_in_use and deal.shuffler_in_use) or before.sequence + 1 != deal.sequence:
        return []
    if deal.opened_at - before.opened_at > HOUR // 2:
        return []
    deal.deck_id = before.deck_id
    return _round(scene, "deck_not_alternated")


THIRD_DECK: Final = "green"


@fault("deck_count_not_as_filed", "a third deck at a table that filed two")
def _third_deck(scene: Scene) -> list[Truth]:
    deal, before = scene.deal, scene.previous
    last = scene.memory.get("third_deck", 0)
    if before is None or deal.opened_at - before.opened_at > HOUR // 2 or deal.opened_at - last < 2 * HOUR or not deal.shuffler_in_use:
        return []
    if scene.memory.get("rounds_in_a_row", 0) < 3:
        return []
    deal.deck_id = f"{deal.table_id}-{THIRD_DECK}"
    scene.memory["third_deck"] = deal.opened_at
    return _round(scene, "deck_count_not_as_filed")

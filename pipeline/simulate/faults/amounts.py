"""Money faults of the amount, of the input that it was computed from, and of the record."""

from __future__ import annotations

from pipeline.core.cards import DECK
from pipeline.simulate.deal import Part, Reading, Scene, Truth, Wager
from pipeline.simulate.faults.books import SIDES
from pipeline.simulate.faults.registry import Fault, Paid, everything_of, fault, mispay, money_fault, register, standing
from pipeline.simulate.faults.rigs import rigged
from pipeline.simulate.pay import due, quote

WIN = rigged("9s 8d 7c", decision="play")


def _won(wager: Wager) -> int:
    return wager.paid if wager.paid is not None and wager.paid > wager.stake and not wager.free else 0


def _stake_twice(_: Scene, part: Part, wager: Wager) -> Paid | None:
    side = part.offer.sides.get(wager.kind)
    return (_won(wager) + wager.stake, None) if side and _won(wager) else None


def _nothing(_: Scene, __: Part, wager: Wager) -> Paid | None:
    return (0, None) if wager.kind in SIDES and _won(wager) else None


def _twice(_: Scene, __: Part, wager: Wager) -> Paid | None:
    return (2 * _won(wager), None) if wager.kind in SIDES and _won(wager) else None


def _a_cent(scene: Scene, _: Part, wager: Wager) -> Paid | None:
    return (_won(wager) + scene.rng.choice((-1, 1)), None) if wager.kind in SIDES and _won(wager) else None


def _minor_unit(scene: Scene, _: Part, wager: Wager) -> Paid | None:
    if wager.kind not in SIDES or not _won(wager):
        return None
    wrong = scene.rng.choice((_won(wager) * 10, _won(wager) * 100, _won(wager) // 100 if _won(wager) % 100 == 0 else _won(wager) * 10))
    return wrong, None


def _other_stake(scene: Scene, part: Part, wager: Wager) -> Paid | None:
    stakes = sorted({w.stake for p in scene.deal.parts for w in p.wagers if p is part} - {wager.stake})
    times = _won(wager) // wager.stake if wager.kind in SIDES and _won(wager) % wager.stake == 0 else 0
    return (times * stakes[0], None) if times and stakes else None


def _other_offer(scene: Scene, part: Part, wager: Wager) -> Paid | None:
    other = next((p.offer for p in scene.deal.parts if p.offer is not part.offer), None)
    if other is None or (wager.kind not in other.sides and wager.kind != "ante") or wager.kind in SIDES - {"pair_plus", "six_card_bonus"}:
        return None
    deal = scene.deal
    paid, bonus = due(deal, part, wager, quote(deal.player_cards[part.hand_id], deal.dealer_cards, other))
    return (paid, bonus) if wager.kind == "ante" else (paid, None)


def _flat_times_stake(scene: Scene, part: Part, wager: Wager) -> Paid | None:
    side = part.offer.sides.get(wager.kind)
    if side is None or wager.free or not side.super_royal:
        return None
    win = quote(scene.deal.player_cards[part.hand_id], scene.deal.dealer_cards, part.offer).sides[wager.kind]
    return (win.flat * wager.stake // 100 + wager.stake, None) if win.flat else None


def _other_cards(scene: Scene, part: Part, wager: Wager, player: list[str], dealer: list[str]) -> Paid | None:
    if (
        len(player) != 3
        or wager.kind not in SIDES | {"ante", "play"}
        or (wager.kind not in {"pair_plus", "progressive"} and len(dealer) != 3)
    ):
        return None
    paid, bonus = due(scene.deal, part, wager, quote(player, dealer, part.offer))
    return (paid, bonus) if wager.kind == "ante" else (paid, None)


def _stale(scene: Scene, part: Part, wager: Wager) -> Paid | None:
    before = scene.previous
    if before is None or before.void is not None or scene.deal.folded(part):
        return None
    return _other_cards(scene, part, wager, before.player_cards.get(part.hand_id, []), before.dealer_cards)


def _other_hand(scene: Scene, part: Part, wager: Wager) -> Paid | None:
    hands = scene.deal.player_cards
    if len(hands) < 2 or scene.deal.folded(part):
        return None
    names = list(hands)
    other = names[(names.index(part.hand_id) + 1) % len(names)]
    return _other_cards(scene, part, wager, hands[other], scene.deal.dealer_cards)


def _first_reading(scene: Scene) -> list[Truth]:
    """Misread a card, correct it in time, and pay Pair Plus on the card first read."""
    deal = scene.deal
    if any(reading.replaces for reading in deal.readings):
        return []
    seen = {*deal.dealer_cards}.union(*deal.player_cards.values())
    for part in standing(scene):
        wager = part.wager("pair_plus")
        place = next((i for i, r in enumerate(deal.readings) if r.to == part.hand_id), None)
        if wager is None or wager.free or place is None or deal.folded(part):
            continue
        right = deal.readings[place]
        for card in scene.rng.sample([c for c in DECK if c not in seen], 20):
            misread = [card if c == right.card else c for c in deal.player_cards[part.hand_id]]
            paid, _ = due(deal, part, wager, quote(misread, deal.dealer_cards, part.offer))
            truths = mispay(scene, part, wager, (paid, None), "first_reading_used")
            if truths:
                deal.readings[place] = Reading(right.to, right.position, card, right.read_at)
                at = deal.cards_out_at - 400
                deal.readings.append(Reading(right.to, right.position, right.card, at, "manual", deal.dealer_id, place + 1))
                return truths
    return []


money_fault("stake_returned_twice", "the stake of a win handed back twice", _stake_twice, rig=WIN)
money_fault("win_pays_nothing", "a won side wager paid nothing", _nothing, rig=WIN)
money_fault("paid_twice", "a win paid twice", _twice, rig=WIN)
money_fault("shifted_by_a_cent", "a win paid a cent too much or too little", _a_cent, rig=WIN, cause=None)
money_fault("wrong_minor_unit", "a win paid in the wrong minor unit", _minor_unit, rig=WIN)
money_fault("paid_other_stake", "a win paid on the stake of another wager", _other_stake, rig=WIN)
money_fault("filing_of_other_operator", "paid under the other operator's filing", _other_offer, rig=rigged("7s 7d 7c", decision="play"))
money_fault(
    "flat_times_stake",
    "a flat award multiplied by the stake",
    _flat_times_stake,
    rig=rigged("9d Td Jd", "Qd Kd Ad", "play", same_suits=True),
)
money_fault("stale_result", "paid on the previous round's cards", _stale)
money_fault("other_hand", "paid on another seat's cards", _other_hand)
register(
    Fault(
        "first_reading_used", "Pair Plus paid on a card that was corrected in time", _first_reading, rig=rigged("9s 8d 5c", decision="play")
    )
)


@fault("void_not_refunded", "a voided wager not given back", void="round")
def _not_refunded(scene: Scene) -> list[Truth]:
    share = scene.rng.choice((0, 2))
    for part in standing(scene):
        for wager in part.wagers:
            if wager.paid and wager.status == "accepted" and not wager.free:
                return mispay(scene, part, wager, (wager.paid // share if share else 0, wager.bonus), None)
    return []


@fault("part_void_not_refunded", "a voided player's wagers taken", void="player")
def _part_not_refunded(scene: Scene) -> list[Truth]:
    void = scene.deal.void
    for part in standing(scene) if void else []:
        if void and part.player_id in void.player_ids:
            return everything_of(scene, part, lambda _, __, w: (0, w.bonus), None)
    return []


@fault("unsettled_wager", "something due and nothing recorded as paid")
def _unsettled(scene: Scene) -> list[Truth]:
    for part in standing(scene):
        for wager in part.wagers:
            if wager.paid and not wager.bonus:
                return mispay(scene, part, wager, (None, None), None)
    return []


def _split(scene: Scene) -> list[Truth]:
    for part in standing(scene):
        ante = part.wager("ante")
        if ante and ante.bonus:
            return mispay(scene, part, ante, ((ante.paid or 0) + ante.bonus, 0), None)
    return []


register(Fault("bonus_split_mismatch", "the ante bonus booked inside the ante, with nothing beside it", _split, rig=WIN))


@fault("paid_on_open_round", "something handed back on a round still open")
def _on_open(scene: Scene) -> list[Truth]:
    part = standing(scene)[0] if scene.deal.status == "open" and standing(scene) else None
    wager = next((w for w in part.wagers if w.status == "accepted" and not w.free), None) if part else None
    return mispay(scene, part, wager, (wager.stake, None), None) if part and wager else []


@fault("paid_without_stake", "something handed back on a wager that was refused")
def _without_stake(scene: Scene) -> list[Truth]:
    for part in standing(scene):
        wager = part.wager("pair_plus")
        if wager and part.wager("ante") and not part.offer.linked:
            wager.status, wager.free, wager.paid, wager.paid_at = "rejected", False, wager.stake, scene.deal.pays_at
            return [Truth("paid_without_stake", scene.deal.round_id, wager.wager_id)]
    return []

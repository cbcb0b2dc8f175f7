"""Faults against the rules of wagering: what was taken, from whom, and with what beside it."""

from __future__ import annotations

from pipeline.simulate.deal import Part, Scene, Truth, Wager
from pipeline.simulate.faults.registry import fault, standing
from pipeline.simulate.pay import pay, quote_for


def _of(scene: Scene, check: str, *wagers: Wager) -> list[Truth]:
    return [Truth(check, scene.deal.round_id, wager.wager_id) for wager in wagers]


def _pay_again(scene: Scene, part: Part) -> None:
    pay(scene.deal, part, quote_for(scene.deal, part))


def _with(scene: Scene, kind: str) -> list[tuple[Part, Wager]]:
    """Participants who hold a cash wager of a kind and an ante."""
    pairs = ((part, part.wager(kind)) for part in standing(scene) if part.wager("ante"))
    return [(part, wager) for part, wager in pairs if wager is not None and not wager.free and wager.status == "accepted"]


def _sole(scene: Scene, part: Part) -> bool:
    """Whether the player has no other participant in the round."""
    return sum(p.player_id == part.player_id for p in scene.deal.parts) == 1


@fault("play_not_equal_ante", "a play larger or smaller than its ante")
def _unequal(scene: Scene) -> list[Truth]:
    for part, play in _with(scene, "play"):
        play.stake = play.stake * 2 if scene.rng.random() < 0.5 else play.stake // 2
        _pay_again(scene, part)
        return _of(scene, "play_not_equal_ante", play)
    return []


@fault("play_without_ante", "a play with no ante beside it")
def _no_ante(scene: Scene) -> list[Truth]:
    for part, play in _with(scene, "play"):
        if len(part.wagers) == 2 and not part.offer.linked:
            part.wagers.remove(next(w for w in part.wagers if w.kind == "ante"))
            return _of(scene, "play_without_ante", play)
    return []


@fault("play_after_fold", "a fold told and a play taken")
def _after_fold(scene: Scene) -> list[Truth]:
    for part, play in _with(scene, "play"):
        if part.decided_by == "player":
            part.decision = "fold"
            return _of(scene, "play_after_fold", play)
    return []


@fault("missing_play", "a play claimed and none taken")
def _missing_play(scene: Scene) -> list[Truth]:
    for part, ante in _with(scene, "ante"):
        if part.decision == "fold" and part.decided_by == "player":
            part.decision = "play"
            return _of(scene, "missing_play", ante)
    return []


@fault("missing_decision", "an ante and no decision")
def _missing_decision(scene: Scene) -> list[Truth]:
    for part, ante in _with(scene, "ante"):
        if part.decided_by == "player":
            part.decision = part.decided_at = part.decided_by = None
            return _of(scene, "missing_decision", ante)
    return []


@fault("stake_outside_limits", "a stake above or below the filed limits")
def _outside(scene: Scene) -> list[Truth]:
    for part, wager in _with(scene, "pair_plus"):
        if not part.offer.linked:
            low, high = part.offer.limits["pair_plus"]
            wager.stake = high + 5_00 if scene.rng.random() < 0.7 else low // 2
            _pay_again(scene, part)
            return _of(scene, "stake_outside_limits", wager)
    return []


@fault("wager_not_offered", "a wager of a kind that nobody filed")
def _not_offered(scene: Scene) -> list[Truth]:
    for part, ante in _with(scene, "ante"):
        extra = Wager(f"{ante.wager_id[:-5]}-colour_match", "colour_match", 2_00, ante.placed_at, paid=0, paid_at=scene.deal.pays_at)
        part.wagers.append(extra)
        return _of(scene, "wager_not_offered", extra)
    return []


@fault("wager_before_open", "a wager taken before the round opened")
def _before_open(scene: Scene) -> list[Truth]:
    for _, wager in _with(scene, "ante"):
        wager.placed_at = scene.deal.opened_at - 2_000
        return _of(scene, "wager_before_open", wager)
    return []


@fault("duplicate_wager", "a wager taken twice, under another id or the same")
def _twice(scene: Scene) -> list[Truth]:
    for part, wager in _with(scene, "pair_plus"):
        if part.offer.linked:
            continue
        same_id = scene.rng.random() < 0.3
        wager_id = wager.wager_id if same_id else f"{wager.wager_id}-again"
        again = Wager(wager_id, wager.kind, wager.stake, wager.placed_at + 150, paid=wager.paid, paid_at=wager.paid_at)
        part.wagers.append(again)
        return [Truth("duplicate_wager", scene.deal.round_id, f"{wager_id}#2" if same_id else wager_id)]
    return []


@fault("linked_wager_broken", "a linked Pair Plus that is not equal to its ante")
def _linked(scene: Scene) -> list[Truth]:
    for part, wager in _with(scene, "pair_plus"):
        low, high = part.offer.limits["pair_plus"]
        if part.offer.linked and low <= wager.stake // 2 and wager.stake <= high:
            wager.stake //= 2
            _pay_again(scene, part)
            return _of(scene, "linked_wager_broken", wager)
    return []


@fault("side_wager_without_ante", "a side wager taken alone that was filed as never alone")
def _alone(scene: Scene) -> list[Truth]:
    for part in standing(scene):
        held = [w for w in part.wagers if w.kind in part.offer.sides and not part.offer.sides[w.kind].alone]
        others = [w for w in part.wagers if w not in held and w.kind not in {"ante", "play"}]
        turned = bool(scene.deal.dealer_hand) or part.offer.sides[held[0].kind].judged_on == "player_three" if held else False
        if held and turned and not others and part.wager("ante"):
            part.wagers = held
            part.decision = part.decided_at = part.decided_by = None
            _pay_again(scene, part)
            return _of(scene, "side_wager_without_ante", *held)
    return []


@fault("split_participation", "a Pair Plus in a second session, without an ante to be forfeited with")
def _split(scene: Scene) -> list[Truth]:
    deal = scene.deal
    for part, ante in _with(scene, "ante"):
        side = part.offer.sides["pair_plus"]
        if side.forfeited_by_fold and not part.offer.linked and part.session_id is None and _sole(scene, part):
            part.session_id = "s1"
            wager = Wager(f"{deal.round_id}-{len(deal.parts)}-pair_plus", "pair_plus", 5_00, ante.placed_at + 300)
            twin = Part(part.player_id, part.operator_id, part.offer, "s2", part.hand_id, part.currency, part.test, [wager])
            deal.parts.append(twin)
            _pay_again(scene, twin)
            return _of(scene, "split_participation", wager)
    return []


@fault("currency_not_filed", "a player in a currency that the filing has not")
def _currency(scene: Scene) -> list[Truth]:
    for part in standing(scene):
        held = [w for w in part.wagers if w.status == "accepted"]
        metered = any(w.kind == part.offer.metered for w in part.wagers)
        if held and not metered and len(held) == len(part.wagers) and _sole(scene, part):
            part.currency = "CHF"
            return _of(scene, "currency_not_filed", *held)
    return []


@fault("no_filing_in_force", "an operator at the table who filed nothing", by_default=False)
def _unfiled(scene: Scene) -> list[Truth]:
    for part, _ in _with(scene, "ante"):
        if _sole(scene, part):
            part.operator_id = "op-unfiled"
            return [Truth("no_filing_in_force", None)]
    return []

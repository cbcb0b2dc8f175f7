"""Faults of the control points: who did what, and in which order (58 Pa. Code §§ 649a.11, 816a.1)."""

from __future__ import annotations

from pipeline.simulate.deal import Part, Reading, Scene, Truth, Void, Wager
from pipeline.simulate.faults.registry import fault, standing
from pipeline.simulate.pay import pay, quote_for


def _round(scene: Scene, check: str) -> list[Truth]:
    return [Truth(check, scene.deal.round_id)]


def _of(scene: Scene, check: str, wager: Wager) -> list[Truth]:
    return [Truth(check, scene.deal.round_id, wager.wager_id)]


def _deciders(scene: Scene, decision: str) -> list[tuple[Part, Wager]]:
    """Who decided by themselves, with the wager that it is found on: the play, else the ante."""
    found = []
    for part in standing(scene):
        wager = part.wager("play") or part.wager("ante")
        if wager and part.decision == decision and part.decided_by == "player":
            found.append((part, wager))
    return found


@fault("wager_after_close", "a wager taken after the bets closed")
def _after_close(scene: Scene) -> list[Truth]:
    for part in standing(scene):
        for wager in part.wagers:
            if wager.kind != "play" and wager.status == "accepted":
                wager.placed_at = scene.deal.closed_at + 250
                return _of(scene, "wager_after_close", wager)
    return []


@fault("decision_after_reveal", "a player decided after the dealer's first card was seen")
def _after_reveal(scene: Scene) -> list[Truth]:
    deal = scene.deal
    if not deal.says_reveal and not any(r.to == "dealer" and r.read_at >= deal.reveal_at for r in deal.readings):
        return []
    for part, wager in _deciders(scene, scene.rng.choice(("play", "fold"))):
        part.decided_at = deal.reveal_at + 650
        if wager.kind == "play":
            wager.placed_at = part.decided_at
        return _of(scene, "decision_after_reveal", wager)
    return []


@fault("decided_in_outage", "a player folded while the pictures were out")
def _in_outage(scene: Scene) -> list[Truth]:
    for part, _ in _deciders(scene, "fold"):
        if part.decided_at:
            scene.deal.outages.append((part.decided_at - 1_500, part.decided_at + 1_500))
            return _round(scene, "decided_in_outage")
    return []


@fault("missing_verification", "a result posted that nobody verified")
def _unverified(scene: Scene) -> list[Truth]:
    scene.deal.verified_at = scene.deal.verified_by = None
    return _round(scene, "missing_verification")


@fault("posted_before_verified", "a result posted before the dealer verified it")
def _posted_early(scene: Scene) -> list[Truth]:
    deal = scene.deal
    if deal.posted_at is None:
        return []
    deal.verified_at = deal.posted_at + 250
    return _round(scene, "posted_before_verified")


@fault("verified_by_other", "a result verified by another than the dealer or a filed supervisor")
def _other_verifier(scene: Scene) -> list[Truth]:
    scene.deal.verified_by = f"{scene.deal.dealer_id}X"
    return _round(scene, "verified_by_other")


@fault("paid_before_posted", "a wager paid before the result was posted")
def _paid_early(scene: Scene) -> list[Truth]:
    deal = scene.deal
    for part in standing(scene) if deal.posted_at else []:
        for wager in part.wagers:
            if wager.paid and deal.posted_at:
                wager.paid_at = deal.posted_at - 300
                return _round(scene, "paid_before_posted")
    return []


@fault("void_without_reason", "a void that names no reason or no authoriser", void="round")
def _no_reason(scene: Scene) -> list[Truth]:
    void = scene.deal.void
    if void is None:
        return []
    if scene.rng.random() < 0.5:
        void.reason = None
    else:
        void.authorised_by = None
    return _round(scene, "void_without_reason")


@fault("void_scope_unknown", "a void of a wager that the round has not", void="player")
def _scope_unknown(scene: Scene) -> list[Truth]:
    void = scene.deal.void
    if void is None or void.scope != "part":
        return []
    void.wager_ids.append(f"{scene.deal.round_id}-99-ante")
    return _round(scene, "void_scope_unknown")


@fault("void_splits_hand", "a void of the play that leaves the ante standing")
def _splits(scene: Scene) -> list[Truth]:
    deal = scene.deal
    for part, play in _deciders(scene, "play"):
        deal.void = Void("player complaint upheld", "PIT-2", deal.reveal_at + 1_500, "part", wager_ids=[play.wager_id])
        pay(deal, part, quote_for(deal, part))
        return _round(scene, "void_splits_hand")
    return []


@fault("cancelled_without_void", "a wager cancelled with no void to cancel it")
def _cancelled(scene: Scene) -> list[Truth]:
    for part in standing(scene):
        wager = part.wager("pair_plus")
        if wager and part.wager("ante") and not part.offer.linked and not wager.free:
            wager.status = "cancelled"
            wager.paid = wager.paid_at = None
            return _of(scene, "cancelled_without_void", wager)
    return []


@fault("overlapping_rounds", "the next round's cards came before this result was posted")
def _overlap(scene: Scene) -> list[Truth]:
    deal = scene.deal
    if deal.next_opened_at is None or deal.next_opened_at - deal.opened_at > 90_000:
        return []
    late = deal.next_opened_at + 16_500
    deal.verified_at, deal.posted_at, deal.pays_at = late, late + 500, late + 1_000
    for part in deal.parts:
        for wager in part.wagers:
            wager.paid_at = deal.pays_at if wager.paid_at else None
    return _round(scene, "overlapping_rounds")


@fault("clock_regression", "bets closed after the first card was read, or a correction before what it corrects")
def _clock(scene: Scene) -> list[Truth]:
    deal = scene.deal
    if scene.rng.random() < 0.5:
        deal.closed_at = deal.first_card_at + 200
        return _round(scene, "clock_regression")
    if any(reading.replaces for reading in deal.readings):
        return []
    place, first = next((i, r) for i, r in enumerate(deal.readings) if r.to != "dealer")
    deal.readings.append(Reading(first.to, first.position, first.card, first.read_at - 100, "manual", deal.dealer_id, place + 1))
    deal.readings[place] = Reading(first.to, first.position, "??", first.read_at)
    return _round(scene, "clock_regression")


@fault("timeout_not_as_filed", "the platform decided otherwise than the filing says")
def _timeout(scene: Scene) -> list[Truth]:
    for part, wager in _deciders(scene, "play"):
        if part.offer.on_timeout == "fold":
            part.decided_by = "timeout"
            return _of(scene, "timeout_not_as_filed", wager)
    return []


@fault("dealer_not_certified", "dealt by someone whom the roster does not hold", by_default=False)
def _uncertified(scene: Scene) -> list[Truth]:
    number = scene.memory["uncertified"] = scene.memory.get("uncertified", 0) + 1
    scene.deal.dealer_id = scene.deal.verified_by = f"DX-{scene.deal.table_id}-{number}"
    return [Truth("dealer_not_certified", None)]

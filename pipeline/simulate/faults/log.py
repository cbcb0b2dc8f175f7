"""Faults of the log and of what it shows: gaps, second tellings, displays, test players."""

from __future__ import annotations

from pipeline.simulate.clock import HOUR
from pipeline.simulate.deal import Scene, Truth
from pipeline.simulate.faults.registry import fault


@fault("sequence_gap", "a number of the table's own count left out")
def _gap(scene: Scene) -> list[Truth]:
    """The table leaves out a number before this round."""
    if scene.previous is None or scene.previous.sequence + 1 == scene.deal.sequence:
        scene.memory["skip"] = 1
        return []
    return [Truth("sequence_gap", scene.deal.round_id)]


@fault("conflicting_round", "two contents of one round in one delivery")
def _conflict(scene: Scene) -> list[Truth]:
    scene.deal.told_twice = "conflict"
    return [Truth("conflicting_round", scene.deal.round_id)]


@fault("round_restated", "a round told again, with another amount paid", by_default=False)
def _restated(scene: Scene) -> list[Truth]:
    scene.deal.told_twice, scene.deal.revision = "restated", 2
    return [Truth("round_restated", scene.deal.round_id)]


@fault("displayed_not_as_filed", "a price shown that was not filed", by_default=False)
def _displayed(scene: Scene) -> list[Truth]:
    scene.deal.displays = scene.deal.display_slip = True
    return [Truth("displayed_not_as_filed", None)]


@fault("filing_claim_mismatch", "the table names another filing", by_default=False)
def _claim(scene: Scene) -> list[Truth]:
    scene.deal.filing_id = "withdrawn-2024"
    return [Truth("filing_claim_mismatch", None)]


@fault("open_round_aged", "a round that was never closed", by_default=False)
def _aged(scene: Scene) -> list[Truth]:
    deal = scene.deal
    if deal.opened_at + 25 * HOUR > scene.memory["ends_at"]:
        return []
    deal.status = "open"
    deal.verified_at = deal.verified_by = deal.posted_at = None
    for part in deal.parts:
        for wager in part.wagers:
            wager.paid = wager.bonus = wager.paid_at = None
    return [Truth("open_round_aged", deal.round_id)]

"""Faults of what was filed, or delivered beside the log: they hold for the whole delivery, and are in no round."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import ResettleError
from pipeline.simulate.deal import Truth
from pipeline.simulate.offers import OFFERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.simulate.offers import Offer
    from pipeline.simulate.settings import Settings

EMPTY_TABLE: Final = "TCP-99"
KEYSTONE: Final = "keystone-main-2026"
HARBOUR: Final = "harbour-shared-2026"


def _unlicensed_price(offer: Offer, _: Settings) -> Offer:
    side = offer.sides["pair_plus"]
    dear = replace(side, odds={**side.odds, "straight": "7 to 1"})
    return replace(offer, sides={**offer.sides, "pair_plus": dear})


def _unlicensed_rule(offer: Offer, _: Settings) -> Offer:
    stands = replace(offer.sides["pair_plus"], forfeited_by_fold=False)
    return replace(offer, sides={**offer.sides, "pair_plus": stands})


def _approved_later(offer: Offer, settings: Settings) -> Offer:
    return replace(offer, keys={**offer.keys, "approved_on": str(settings.start + timedelta(days=settings.days + 30))})


def _licence_ended(offer: Offer, settings: Settings) -> Offer:
    ended = settings.start - timedelta(days=10)
    return replace(offer, keys={**offer.keys, "studio_licence": f'{{ ref = "LIC-0001", valid_from = 2020-01-01, valid_to = {ended} }}'})


def _no_reference(offer: Offer, _: Settings) -> Offer:
    return replace(offer, keys={**offer.keys, "approval_ref": None})


def _same(offer: Offer, _: Settings) -> Offer:
    return offer


VARIANTS: Final[dict[str, tuple[str, Callable[[Offer, Settings], Offer]]]] = {
    "paytable_not_licensed": (KEYSTONE, _unlicensed_price),
    "rule_not_licensed": (KEYSTONE, _unlicensed_rule),
    "filing_not_approved": (HARBOUR, _approved_later),
    "studio_not_licensed": (HARBOUR, _licence_ended),
    "approval_not_evidenced": (HARBOUR, _no_reference),
    "table_without_rounds": (KEYSTONE, _same),
    "control_total_mismatch": (KEYSTONE, _same),
}
"""Name (the check that finds it) to the filing that it is in, and how that filing then reads."""


def demand_known(settings: Settings) -> None:
    """Refuse a variant that there is not.

    Raises:
        ResettleError: names it and those that there are.
    """
    for name in settings.variants:
        if name not in VARIANTS:
            raise ResettleError(f"unknown variant {name!r}", "--variant", f"one of {', '.join(sorted(VARIANTS))}")


def offers_of(settings: Settings, kind: str | None = None) -> tuple[Offer, ...]:
    """The offers at the delivery's tables, or at those of one kind, as this delivery has them filed."""
    kinds = {kind} if kind else {table.kind for table in settings.tables}
    found = []
    for filed in OFFERS:
        offer = filed
        for name in settings.variants:
            filing_id, change = VARIANTS[name]
            offer = change(offer, settings) if filing_id == offer.filing_id else offer
        if kinds & {*offer.table_kinds}:
            found.append(offer)
    return tuple(found)


def extra_tables(settings: Settings, offer: Offer) -> tuple[str, ...]:
    """Tables filed that deal nothing."""
    return (EMPTY_TABLE,) if "table_without_rounds" in settings.variants and offer.filing_id == KEYSTONE else ()


def variant_truths(settings: Settings) -> list[Truth]:
    """What is then wrong: findings without a round."""
    return [Truth(name, None) for name in settings.variants]

"""A fault: one small definition that spoils one round and says what is then wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import ResettleError
from pipeline.simulate.deal import Deal, Part, Rig, Scene, Truth, Wager
from pipeline.simulate.offers import money
from pipeline.simulate.pay import Book, due, quote_for

if TYPE_CHECKING:
    from random import Random

Plant = Callable[[Scene], list[Truth]]
Twist = Callable[[Scene, Part, Wager], "Paid | None"]
Paid = tuple[int | None, int | None]
"""What is then recorded as paid on a wager, and beside it as bonus."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What can be planted.

    Attributes:
        name: its name on the command line.
        about: what happened, in a sentence's rest.
        plant: spoils the round and says what is wrong; does nothing and says nothing where the round gives no opening.
        rig: cards that give it an opening.
        void: the kind of void that it needs: ``round``, ``player`` or ``wager``.
        by_default: planted when all faults are asked for; false where it needs more than a day, or inputs that an audit may not be given.
        twist: a money fault's way to pay, for systematic incidents.
        cause: its root cause, where the contract names it.
    """

    name: str
    about: str
    plant: Plant
    rig: Callable[[Random], Rig] | None = None
    void: str | None = None
    by_default: bool = True
    twist: Twist | None = None
    cause: str | None = None


FAULTS: Final[dict[str, Fault]] = {}


def register(fault: Fault) -> None:
    """Make a fault known by its name."""
    FAULTS[fault.name] = fault


def fault(name: str, about: str, *, void: str | None = None, by_default: bool = True) -> Callable[[Plant], Plant]:
    """Register the decorated function as a fault."""

    def keep(plant: Plant) -> Plant:
        register(Fault(name, about, plant, void=void, by_default=by_default))
        return plant

    return keep


def known(name: str) -> Fault:
    """The fault of this name.

    Raises:
        ResettleError: there is none.
    """
    if name not in FAULTS:
        raise ResettleError(f"unknown fault {name!r}", "--fault", f"one of {', '.join(sorted(FAULTS))}")
    return FAULTS[name]


def money_check(deal: Deal, part: Part, wager: Wager, right: tuple[int, int]) -> str | None:
    """The one money check that holds for what a wager was paid, in the contract's order; none where it is right."""
    paid, total, owed = wager.paid, (wager.paid or 0) + (wager.bonus or 0), sum(right)
    side = part.offer.sides.get(wager.kind)
    forfeited = deal.folded(part) and (wager.kind == "ante" or (side is not None and side.forfeited_by_fold))
    if deal.in_void(part, wager):
        return None if total == owed else "void_paid_as_settled" if total > owed else "void_not_refunded"
    if deal.status in {"open", "interrupted"}:
        return "paid_on_open_round" if total else None
    if forfeited and total:
        return "pair_plus_paid_after_fold" if wager.kind == "pair_plus" else "paid_after_fold"
    if paid is None and owed:
        return "unsettled_wager"
    if total != owed:
        return "payout_mismatch"
    return "bonus_split_mismatch" if wager.kind == "ante" and (wager.bonus or 0) != right[1] else None


def mispay(scene: Scene, part: Part, wager: Wager, wrong: Paid, cause: str | None) -> list[Truth]:
    """Pay a wager wrongly; the truth, or nothing where that changes nothing."""
    deal = scene.deal
    right = due(deal, part, wager, quote_for(deal, part)) if deal.status not in {"open", "interrupted"} else (0, 0)
    before = wager.paid, wager.bonus
    wager.paid, wager.bonus = wrong
    check = money_check(deal, part, wager, right)
    if check is None:
        wager.paid, wager.bonus = before
        return []
    wager.paid_at = None if wager.paid is None else deal.pays_at
    expected = None if check == "paid_on_open_round" else money(sum(right))
    return [Truth(check, deal.round_id, wager.wager_id, expected, cause)]


def standing(scene: Scene) -> list[Part]:
    """Real participants, in an order that the fault's own chance decides."""
    parts = [part for part in scene.deal.parts if not part.test]
    return scene.rng.sample(parts, len(parts))


def one_participant(twist: Twist, cause: str | None) -> Plant:
    """Plant a way to pay on the wagers of one participant whose money it changes."""

    def plant(scene: Scene) -> list[Truth]:
        for part in standing(scene):
            truths = everything_of(scene, part, twist, cause)
            if truths:
                return truths
        return []

    return plant


def everything_of(scene: Scene, part: Part, twist: Twist, cause: str | None) -> list[Truth]:
    """Pay a participant's wagers in a wrong way, as far as that changes them."""
    truths = []
    for wager in part.wagers:
        if wager.status == "rejected" or wager.paid is None:
            continue
        wrong = twist(scene, part, wager)
        if wrong is not None and wrong != (wager.paid, wager.bonus):
            truths += mispay(scene, part, wager, wrong, cause)
    return truths


def by_book(book: Book, kinds: frozenset[str] | None = None) -> Twist:
    """Pay by a book with a broken rule."""

    def twist(scene: Scene, part: Part, wager: Wager) -> Paid | None:
        if kinds is not None and wager.kind not in kinds:
            return None
        paid, bonus = due(scene.deal, part, wager, quote_for(scene.deal, part, book), book)
        return paid, bonus if wager.kind == "ante" else None

    return twist


def money_fault(
    name: str,
    about: str,
    twist: Twist,
    *,
    rig: Callable[[Random], Rig] | None = None,
    void: str | None = None,
    cause: str | None = "",
) -> None:
    """Register a money fault; its root cause is its name unless another (or none) is given."""
    named = name if cause == "" else cause
    register(Fault(name, about, one_participant(twist, named), rig, void, twist=twist, cause=named))

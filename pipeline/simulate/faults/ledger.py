"""Faults of the wallet: the studio settled and reported rightly, and the money moved otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pipeline.simulate.clock import HOUR
from pipeline.simulate.deal import Entry, Scene, Truth, WalletEdit
from pipeline.simulate.faults.registry import Fault, register, standing

Edit = Callable[[Entry], list[Entry]]


GRACE: Final = 4 * HOUR


def _wallet_fault(name: str, about: str, kind: str, edit: Edit) -> None:
    """Register a fault that replaces one entry of a player by others; a player's credits are first made one."""

    def plant(scene: Scene) -> list[Truth]:
        deal = scene.deal
        if deal.opened_at + GRACE + HOUR // 2 > scene.memory["ends_at"]:
            return []
        for part in standing(scene):
            paid = sum((w.paid or 0) + (w.bonus or 0) for w in part.wagers)
            alone = sum(p.player_id == part.player_id for p in deal.parts) == 1
            if paid and alone and all(w.status == "accepted" and not w.free for w in part.wagers):
                deal.wallet_edit = _replacing(part.player_id, kind, edit)
                return [Truth(name, deal.round_id)]
        return []

    register(Fault(name, about, plant))


def _replacing(player_id: str, kind: str, edit: Edit) -> WalletEdit:
    def change(made: list[Entry]) -> list[Entry]:
        theirs = {e.txn_id: e for e in made if e.player_id == player_id and e.type == kind}
        first = next(iter(theirs.values()))
        if kind == "credit":
            first = replace(first, amount=sum(e.amount for e in theirs.values()), wager_id=None)
            return [e for e in made if e.player_id != player_id or e.type != kind] + edit(first)
        return [e for e in made if e != first] + edit(first)

    return change


def _less(entry: Entry) -> Entry:
    return replace(entry, amount=entry.amount - 1)


_wallet_fault("wallet_duplicate", "a credit made twice", "credit", lambda e: [e, replace(e, txn_id=f"{e.txn_id}x", at=e.at + 2_000)])
_wallet_fault(
    "wallet_credit_and_cancel", "a stake both paid and cancelled", "debit", lambda e: [e, replace(e, type="cancel", at=e.at + 40_000)]
)
_wallet_fault("wallet_currency_mismatch", "a credit in another currency", "credit", lambda e: [replace(e, currency="CHF")])
_wallet_fault("wallet_missing_debit", "a stake never taken", "debit", lambda _: [])
_wallet_fault("wallet_missing_credit", "a win never credited", "credit", lambda _: [])
_wallet_fault("wallet_amount_mismatch", "a credit a cent short", "credit", lambda e: [_less(e)])
_wallet_fault("wallet_late_credit", "a credit after the filed grace", "credit", lambda e: [replace(e, at=e.at + 5 * HOUR)])


def _orphan(scene: Scene) -> list[Truth]:
    deal = scene.deal
    part = next(iter(standing(scene)), None)
    if part is None:
        return []
    at, stray = deal.pays_at + 500, f"{deal.round_id}-LOST"
    entry = Entry(f"{stray}.c", "credit", part.operator_id, part.player_id, stray, None, 5_00, part.currency, at)
    deal.wallet_edit = lambda made: [*made, entry]
    return [Truth("wallet_orphan", stray)]


register(Fault("wallet_orphan", "a credit for a round that is not there", _orphan))

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulate.conftest import Delivery, Row

Sums = dict[tuple[str, str, str, str], Decimal]


def key(round_id: str, part: Row) -> tuple[str, str, str, str]:
    return round_id, part["operator_id"], part["player_id"], part["currency"]


def moved(wallet: list[Row], kind: str) -> Sums:
    entries = {(e["operator_id"], e["type"], e["txn_id"]): e for e in wallet if e.get("status", "accepted") == "accepted"}
    sums: Sums = defaultdict(Decimal)
    for entry in entries.values():
        if entry["type"] == kind:
            sums[key(entry["round_id"], entry)] += Decimal(entry["amount"])
    return {who: amount for who, amount in sums.items() if amount}


def logged(rounds: list[Row], kind: str) -> Sums:
    sums: Sums = defaultdict(Decimal)
    for told in {told["round_id"]: told for told in rounds}.values():
        for part in told["participants"]:
            for w in part["wagers"]:
                status = w.get("status", "accepted")
                taken = status != "rejected" and w.get("funding") != "free"
                amount = {
                    "debit": Decimal(w["stake"]) if taken else Decimal(0),
                    "cancel": Decimal(w["stake"]) if taken and status == "cancelled" else Decimal(0),
                    "credit": Decimal(w["paid"] or 0) + Decimal(w.get("bonus_paid", 0)),
                }
                sums[key(told["round_id"], part)] += amount[kind]
    return {who: total for who, total in sums.items() if total}


def test_the_wallet_moves_what_the_studio_says(honest: Delivery) -> None:
    for kind in ("debit", "cancel", "credit"):
        assert moved(honest.wallet, kind) == logged(honest.rounds, kind)


def test_wallet_faults_and_nothing_else_part_the_wallet_from_the_log(faulty: Delivery) -> None:
    planted = {truth["round_id"] for truth in faulty.truth if truth["check"].startswith("wallet_")}
    late = {truth["round_id"] for truth in faulty.truth if truth["check"] == "wallet_late_credit"}
    differing = set()
    for kind in ("debit", "cancel", "credit"):
        ours, theirs = moved(faulty.wallet, kind), logged(faulty.rounds, kind)
        differing |= {who[0] for who in ours.keys() | theirs.keys() if ours.get(who) != theirs.get(who)}
    assert differing == planted - late


def test_a_wallet_has_what_wallets_have(honest: Delivery) -> None:
    lines = [repr(entry) for entry in honest.wallet]
    assert len(lines) > len(set(lines)), "no retry"
    assert any(e["amount"] == "0.00" for e in honest.wallet), "no zero credit"
    assert any(e.get("status") == "rejected" for e in honest.wallet)
    assert any(e["type"] == "credit" and "wager_id" in e for e in honest.wallet)
    places = {(e["type"], e["txn_id"]): place for place, e in enumerate(honest.wallet)}
    cancels = [txn for kind, txn in places if kind == "cancel"]
    assert any(places["cancel", txn] < places["debit", txn] for txn in cancels), "no cancel before its debit"

"""The wallet's side of a round: it moves what the studio says it took and paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.simulate.clock import MINUTE
from pipeline.simulate.deal import Deal, Entry, Part

if TYPE_CHECKING:
    from random import Random


def entries(deal: Deal, rng: Random) -> list[Entry]:
    """Debits, cancels and credits of a round, in the order in which they are delivered."""
    made: list[Entry] = []
    for number, part in enumerate(deal.parts):
        made += _debits(deal, part, number, rng)
        if deal.status not in {"open", "interrupted"} or any(w.paid for w in part.wagers):
            made += _credits(deal, part, number, rng)
    if made and rng.random() < 0.02:
        made.append(rng.choice(made))
    return deal.wallet_edit(made) if deal.wallet_edit else made


def _entry(deal: Deal, part: Part, txn: tuple[str, str], wager_id: str | None, moved: tuple[int, int]) -> Entry:
    amount, at = moved
    return Entry(*txn, part.operator_id, part.player_id, deal.round_id, wager_id, amount, part.currency, at)


def _debits(deal: Deal, part: Part, number: int, rng: Random) -> list[Entry]:
    made = []
    for place, wager in enumerate(part.wagers):
        if wager.free:
            continue
        txn_id = f"{deal.round_id}.{number}.{place}"
        debit = _entry(deal, part, (txn_id, "debit"), wager.wager_id, (wager.stake, wager.placed_at))
        debit.status = "rejected" if wager.status == "rejected" else "accepted"
        made.append(debit)
        if wager.status == "cancelled":
            at = deal.void.at + 600 if deal.void else deal.pays_at
            cancel = _entry(deal, part, (txn_id, "cancel"), wager.wager_id, (wager.stake, at))
            made.insert(len(made) - (rng.random() < 0.1), cancel)
    return made


def _credits(deal: Deal, part: Part, number: int, rng: Random) -> list[Entry]:
    luck = rng.random()
    owed = [(w, (w.paid or 0) + (w.bonus or 0)) for w in part.wagers]
    total = sum(amount for _, amount in owed)
    at = next((w.paid_at for w in part.wagers if w.paid_at), deal.pays_at)
    at += 45 * MINUTE if luck > 0.998 else 0
    if luck < 0.06:
        paid = [(place, w, amount) for place, (w, amount) in enumerate(owed) if amount]
        return [_entry(deal, part, (f"{deal.round_id}.{number}.c{place}", "credit"), w.wager_id, (amount, at)) for place, w, amount in paid]
    if total == 0 and (luck < 0.7 or all(w.status != "accepted" for w in part.wagers)):
        return []
    return [_entry(deal, part, (f"{deal.round_id}.{number}.c", "credit"), None, (total, at))]

"""A round as a line of ``round-log/1``, and its wallet entries as lines of ``wallet-ledger/1``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.simulate.offers import Offer, money

if TYPE_CHECKING:
    from pipeline.simulate.deal import Deal, Entry, Part, Truth, Wager

Clock = Callable[[int], str]
_encode = msgspec.json.Encoder().encode


def _wager(w: Wager, say: Clock) -> str:
    text = f'{{"wager_id":"{w.wager_id}","kind":"{w.kind}","stake":"{money(w.stake)}","placed_at":"{say(w.placed_at)}","paid":'
    text += "null" if w.paid is None else f'"{money(w.paid)}"'
    if w.paid_at is not None:
        text += f',"paid_at":"{say(w.paid_at)}"'
    if w.bonus is not None:
        text += f',"bonus_paid":"{money(w.bonus)}"'
    if w.status != "accepted":
        text += f',"status":"{w.status}"'
    return text + (',"funding":"free"}' if w.free else "}")


def _part(part: Part, say: Clock) -> str:
    text = f'{{"player_id":"{part.player_id}","operator_id":"{part.operator_id}",'
    if part.session_id:
        text += f'"session_id":"{part.session_id}",'
    text += f'"hand_id":"{part.hand_id}","currency":"{part.currency}",'
    if part.test:
        text += '"play_mode":"test",'
    if part.decision is not None:
        text += f'"decision":"{part.decision}",'
    if part.decided_at is not None:
        text += f'"decided_at":"{say(part.decided_at)}","decided_by":"{part.decided_by}",'
    return text + '"wagers":[' + ",".join([_wager(w, say) for w in part.wagers]) + "]}"


def _displayed(deal: Deal, offers: Iterable[Offer], say: Clock) -> dict[str, Any]:
    odds, limits = [], []
    for offer in offers:
        who = {"operator_id": offer.operator_id}
        tables = {"ante_bonus": offer.bonus} | {kind: side.odds for kind, side in offer.sides.items()}
        for kind, table in tables.items():
            odds += [who | {"kind": kind, "line": line, "price": price} for line, price in table.items() if price[0].isdigit()]
        for currency in offer.currencies:
            shown = ((kind, money(low), money(high)) for kind, (low, high) in offer.limits.items())
            limits += [who | {"kind": kind, "currency": currency, "min": low, "max": high} for kind, low, high in shown]
    if deal.display_slip:
        odds[0]["price"] = "2 to 1" if odds[0]["price"] != "2 to 1" else "3 to 1"
    return {"read_at": say(deal.opened_at), "decks": 2, "odds": odds, "limits": limits}


def _void(deal: Deal, say: Clock) -> dict[str, Any] | None:
    void = deal.void
    if void is None:
        return None
    who = {"reason": void.reason, "authorised_by": void.authorised_by, "at": say(void.at), "scope": void.scope}
    return who | {"hand_ids": void.hand_ids, "player_ids": void.player_ids, "wager_ids": void.wager_ids}


def _readings(deal: Deal, say: Clock) -> list[dict[str, Any]]:
    lines = []
    for number, r in enumerate(deal.readings, 1):
        line = {"seq": number, "to": r.to, "position": r.position, "card": r.card, "source": r.source, "read_at": say(r.read_at)}
        corrected = {"replaces": r.replaces, "by": r.by}
        lines.append(line | {key: value for key, value in corrected.items() if value is not None})
    return lines


def _meters(deal: Deal) -> list[dict[str, Any]] | None:
    m = deal.meter
    if m is None:
        return None
    amounts = {name: money(getattr(m, name)) for name in ("before", "contribution", "paid", "reseed", "after")}
    return [{"meter_id": m.meter_id, "kind": m.kind, "seq": m.seq} | amounts | {"currency": m.currency}]


def round_line(deal: Deal, studio_id: str, offers: tuple[Offer, ...], say: Clock) -> bytes:
    """The round as one line, newline included; what is not known is left out."""

    def when(at: int | None) -> str | None:
        return None if at is None else say(at)

    head: dict[str, Any] = {
        "schema": "round-log/1",
        "round_id": deal.round_id,
        "studio_id": studio_id,
        "table_id": deal.table_id,
        "game": "three_card_poker",
        "sequence": deal.sequence,
        "filing_id": deal.filing_id,
        "displayed": _displayed(deal, offers, say) if deal.displays else None,
        "revision": deal.revision,
        "dealer_id": deal.dealer_id,
        "deck_id": deal.deck_id,
        "shuffler_in_use": deal.shuffler_in_use,
        "software_version": deal.software_version,
        "video_ref": deal.video_ref,
        "stream_outages": [{"from": say(a), "to": say(b)} for a, b in deal.outages] or None,
        "status": deal.status,
        "void": _void(deal, say),
        "opened_at": when(deal.opened_at),
        "bets_closed_at": when(deal.closed_at),
        "dealer_revealed_at": when(deal.reveal_at if deal.says_reveal else None),
        "verified_at": when(deal.verified_at),
        "verified_by": deal.verified_by,
        "posted_at": when(deal.posted_at),
        "card_readings": _readings(deal, say),
        "hands": [{"hand_id": hand_id, "cards": cards} for hand_id, cards in deal.hands.items()],
        "dealer_hand": deal.dealer_hand,
        "meters": _meters(deal),
    }
    text = _encode({key: value for key, value in head.items() if value is not None})
    people = ",".join([_part(part, say) for part in deal.parts])
    return text[:-1] + f',"participants":[{people}]}}\n'.encode()


def wallet_lines(made: list[Entry], studio_id: str, say: Clock) -> bytes:
    """The entries as lines."""
    lines = []
    for e in made:
        status = "" if e.status == "accepted" else f'"status":"{e.status}",'
        wager = f'"wager_id":"{e.wager_id}",' if e.wager_id else ""
        lines.append(
            f'{{"txn_id":"{e.txn_id}","type":"{e.type}",{status}"studio_id":"{studio_id}","operator_id":"{e.operator_id}",'
            f'"player_id":"{e.player_id}","round_id":"{e.round_id}",{wager}"amount":"{money(e.amount)}","currency":"{e.currency}",'
            f'"at":"{say(e.at)}"}}\n'
        )
    return "".join(lines).encode()


def truth_lines(truths: Iterable[Truth]) -> bytes:
    """The truths as lines: check, round, wager, root cause and the amount due in all."""
    rows = (
        {"check": t.check, "round_id": t.round_id, "wager_id": t.wager_id, "root_cause": t.root_cause, "expected": t.expected}
        for t in truths
    )
    return b"".join(_encode(row) + b"\n" for row in rows)

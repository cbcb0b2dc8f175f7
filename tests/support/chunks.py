"""A small language for rounds: a round is built as the log would tell it, rounds become a Chunk.

``make_round(player="Qs Qd 5h", dealer="Ad 7c 2s", wagers=[("ante", "10.00"), ("play", "10.00")])`` is one clean round with one
participant; every field of `round-log/1` can be overridden. ``make_chunk(round, round, …)`` gives the seven typed frames. A time is
either RFC 3339 or ``"+4.000"``, seconds after the round's ``at``; the digits written are kept. Unlike the reader, nothing is judged.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import polars as pl

from pipeline.core.schema import CHUNK_TABLES, Chunk, Table

Row = dict[str, Any]
AT = "2026-11-03T15:00:00.000Z"
DAY = date(2026, 11, 3)
TIMES = {"opened_at": "+0.000", "bets_closed_at": "+10.000", "dealer_revealed_at": None, "verified_at": "+40.000", "posted_at": "+41.000"}


def cards(text: str | None) -> list[str] | None:
    """``"Qs Qd 5h"`` as a list; None stays None."""
    return None if text is None else text.split()


def bet(kind: str, stake: str = "10.00", paid: str | None = None, bonus_paid: str | None = None, **fields: Any) -> Row:
    """A wager. Without ``wager_id`` it gets one from its round, player and kind."""
    return {"kind": kind, "stake": stake, "paid": paid, "bonus_paid": bonus_paid, **fields}


def player(*wagers: Row | tuple[Any, ...], player_id: str = "p1", hand_id: str | None = "H1", **fields: Any) -> Row:
    """A participant. The decision claimed is the one the wagers show, unless ``decision`` is given."""
    bets = [bet(*wager) if isinstance(wager, tuple) else dict(wager) for wager in wagers]
    taken = {wager["kind"] for wager in bets if wager.get("status") in (None, "accepted")}
    claim = "play" if "play" in taken else "fold" if "ante" in taken else None
    base = {"player_id": player_id, "operator_id": "op-1", "hand_id": hand_id, "currency": "USD", "decision": claim}
    clock = {"decided_at": "+25.000", "decided_by": "player"} if claim else {}
    return {**base, **clock, **fields, "wagers": bets}


def reading(seq: int, to: str | None, position: int | None, card: str | None, **fields: Any) -> Row:
    """A card reading by the scanner; ``replaces=`` and the rest as keywords."""
    at = f"+{34 + (position or 0)}.000" if to == "dealer" else f"+11.{(position or 0)}00"
    return {"seq": seq, "to": to, "position": position, "card": card, "source": "scanner", "read_at": at, **fields}


def readings_of(hands: dict[str, str | None]) -> list[Row]:
    """One scanner reading for each posted card, numbered from 1."""
    flat = [(hand, place, card) for hand, text in hands.items() for place, card in enumerate(cards(text) or [], 1)]
    return [reading(seq, *place) for seq, place in enumerate(flat, 1)]


def make_round(
    player: str | None = "Qs Qd 5h",
    dealer: str | None = "Ad 7c 2s",
    wagers: list[Any] | None = None,
    *,
    hands: dict[str, str | None] | None = None,
    participants: list[Row] | None = None,
    readings: list[Row] | None = None,
    more_readings: list[Row] | None = None,
    round_id: str = "r1",
    **fields: Any,
) -> Row:
    """A round as `round-log/1` tells it: by default settled, verified, posted and read once, card by card.

    Args:
        player: the cards of hand H1; None: not posted.
        dealer: the dealer's cards; None: not posted.
        wagers: the wagers of one participant p1 on H1 (see ``bet``), where ``participants`` is not given.
        hands: several player hands by id, in place of ``player``.
        participants: see the function ``player``.
        readings: all readings, in place of one for each posted card; ``[]``: none.
        more_readings: readings after those.
        round_id: the round's id.
        **fields: any other field of the round (``status``, ``void``, ``table_id``, ``meters``, ``at``, …).
    """
    posted = hands if hands is not None else {"H1": player}
    base = {
        "schema": "round-log/1", "round_id": round_id, "studio_id": "studio-7", "table_id": "TCP-01", "game": "three_card_poker",
        "sequence": 1, "dealer_id": "D1", "deck_id": "red", "status": "settled", "verified_by": "D1", **TIMES,
        "card_readings": (readings_of({**posted, "dealer": dealer}) if readings is None else readings) + (more_readings or []),
        "hands": [{"hand_id": name, "cards": cards(text)} for name, text in posted.items() if text is not None],
        "dealer_hand": cards(dealer),
        "participants": participants if participants is not None else [_one(wagers or [])],
    }  # fmt: skip
    return _with_times({**base, **fields})


def _one(wagers: list[Any]) -> Row:
    return player(*wagers)


def _with_times(told: Row) -> Row:
    start = datetime.fromisoformat(told.pop("at", AT))

    def mend(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: mend(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [mend(v, key) for v in value]
        if isinstance(value, str) and value.startswith("+"):
            digits = len(value.partition(".")[2])
            moment = (start + timedelta(seconds=float(value))).astimezone(UTC)
            return moment.strftime("%Y-%m-%dT%H:%M:%S") + (f".{moment.microsecond:06}"[: digits + 1] if digits else "") + "Z"
        return value

    mended = mend(told)
    for person in mended["participants"]:
        for wager in person["wagers"]:
            wager.setdefault("wager_id", f"{told['round_id']}-{person['player_id']}-{wager['kind']}")
            placed = "+25.000" if wager["kind"] == "play" else "+4.000"
            wager.setdefault("placed_at", mend(placed))
            if wager.get("paid") is not None:
                wager.setdefault("paid_at", mend("+42.000"))
    return mended  # type: ignore[no-any-return]


def make_chunk(*rounds: Row, day: date = DAY, source_file: str = "rounds.ndjson") -> Chunk:
    """The seven frames of these rounds. A round told twice repeats (equal), restates (higher ``revision``) or conflicts (without).

    Keys run in the order of (time that dates it, round_id, telling), then in the order of the log.
    """
    lines: dict[str, tuple[int, Row]] = {}
    for line, told in enumerate(rounds, 1):
        lines.setdefault(_canon(told), (line, told))
    keyed = sorted(lines.values(), key=_order)
    rows: dict[str, list[Row]] = {table.name: [] for table in CHUNK_TABLES}
    for round_key, (line, told) in enumerate(keyed):
        twins = [other for _, other in keyed if other["round_id"] == told["round_id"]]
        top = max(other.get("revision") or 0 for other in twins)
        rivals = sorted((other for other in twins if (other.get("revision") or 0) == top), key=_canon)
        current = told is rivals[0]
        taken = set() if current else {w["wager_id"] for p in rivals[0]["participants"] for w in p["wagers"]}
        spare = len(rivals) > 1 and any(told is rival for rival in rivals[1:])
        base = {
            **{name: told[name] for name in ("studio_id", "table_id", "round_id")}, "gaming_day": day, "round_key": round_key,
            "is_current": current, "source_file": source_file, "source_line": line,
        }  # fmt: skip
        conflicting = len(rivals) > 1 and any(told is rival for rival in rivals)
        _add_round(rows, told, {**base, "conflicting": conflicting}, taken if spare else None)
    return Chunk(**{table.name: _frame(table, rows[table.name]) for table in CHUNK_TABLES})


def _order(pair: tuple[int, Row]) -> tuple[Any, ...]:
    told = pair[1]
    return _time(_dated(told)), told["round_id"], told.get("revision") or 0, _canon(told)


def _canon(told: Row) -> str:
    return json.dumps(told, sort_keys=True)


def _dated(told: Row) -> str:
    return str(told.get("opened_at") or told.get("bets_closed_at") or told.get("posted_at"))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _typed(told: Row, *names: str) -> Row:
    out: Row = {}
    for name in names:
        text = told.get(name)
        out[name] = None if text is None else _time(text)
        if name != "recorded_at":
            fraction = "" if text is None else text.partition(".")[2]
            out[f"{name}_digits"] = None if text is None else len(fraction) - len(fraction.lstrip("0123456789"))
    return out


def _add_round(rows: dict[str, list[Row]], told: Row, base: Row, taken: set[str] | None) -> None:
    void = told.get("void") or {}
    row = {**told, **base, "has_void": told.get("void") is not None, "dated_at": _time(_dated(told))}
    row |= {f"void_{name}": void.get(name) for name in ("reason", "authorised_by", "scope", "hand_ids", "player_ids", "wager_ids")}
    row |= _typed(told, *TIMES, "recorded_at") | {"void_at": _time(void["at"]) if void.get("at") else None}
    row["stream_outages"] = [{k: _time(v) for k, v in outage.items()} for outage in told.get("stream_outages") or []] or None
    rows["rounds"].append(row)
    posted = {hand["hand_id"]: hand["cards"] for hand in told.get("hands") or []}
    named = [r["to"] for r in told.get("card_readings") or []] + [p.get("hand_id") for p in told["participants"]]
    names = dict.fromkeys([*posted, *(name for name in named if name is not None and name != "dealer")])
    hand_keys: dict[str, int] = {}
    for name in [*names, "dealer"]:
        hand_keys[name] = len(rows["hands"])
        shown = told.get("dealer_hand") if name == "dealer" else posted.get(name)
        rows["hands"].append({**base, "hand_key": hand_keys[name], "hand_id": name, "is_dealer": name == "dealer", "cards": shown})
    for number, read in enumerate(told.get("card_readings") or []):
        rows["card_readings"].append(
            {**read, **base, **_typed(read, "read_at"), "hand_key": hand_keys.get(read["to"]), "reading_no": number}
        )
    _add_people(rows, told, base, hand_keys, taken)
    _add_shown(rows, told, base)
    for number, meter in enumerate(told.get("meters") or []):
        money = {name: _money(meter.get(name)) for name in ("before", "contribution", "paid", "reseed", "after")}
        rows["meters"].append({**meter, **base, **money, "meter_no": number})


def _add_people(rows: dict[str, list[Row]], told: Row, base: Row, hand_keys: dict[str, int], taken: set[str] | None) -> None:
    seen: dict[str, int] = {}
    number = 0
    for person in told["participants"]:
        who = {name: person.get(name) for name in ("operator_id", "player_id", "session_id", "hand_id", "currency")}
        who |= {"play_mode": person.get("play_mode") or "real", "participant_key": len(rows["participants"])}
        who["hand_key"] = hand_keys.get(person.get("hand_id"))
        fresh = base["is_current"] or (taken is not None and any(w["wager_id"] not in taken for w in person["wagers"]))
        rows["participants"].append({**person, **base, **who, **_typed(person, "decided_at"), "is_current": fresh})
        for wager in person["wagers"]:
            number += 1
            wager_id = wager.get("wager_id") or f"#{number}"
            seen[wager_id] = seen.get(wager_id, 0) + 1
            money = {name: _money(wager.get(name)) for name in ("stake", "paid", "bonus_paid")}
            is_current = base["is_current"] or (taken is not None and wager_id not in taken)
            rows["wagers"].append(
                {
                    **wager, **base, **who, **money, **_typed(wager, "placed_at", "paid_at"), "wager_key": len(rows["wagers"]),
                    "wager_id": wager_id if seen[wager_id] == 1 else f"{wager_id}#{seen[wager_id]}", "id_repeated": seen[wager_id] > 1,
                    "status": wager.get("status") or "accepted", "funding": wager.get("funding") or "cash", "is_current": is_current,
                }
            )  # fmt: skip


def _add_shown(rows: dict[str, list[Row]], told: Row, base: Row) -> None:
    shown = told.get("displayed") or {}
    at = {**base, "read_at": _time(shown["read_at"]) if shown.get("read_at") else None}
    rows["displayed"] += [{**at, "what": "odds", **line} for line in shown.get("odds") or []]
    rows["displayed"] += [
        {**at, "what": "limits", **line, "min": _money(line.get("min")), "max": _money(line.get("max"))}
        for line in shown.get("limits") or []
    ]
    if shown.get("decks") is not None:
        rows["displayed"].append({**at, "what": "decks", "decks": shown["decks"]})


def _money(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _frame(table: Table, rows: list[Row]) -> pl.DataFrame:
    return pl.DataFrame([{c.name: row.get(c.name) for c in table.columns} for row in rows], schema=table.schema)

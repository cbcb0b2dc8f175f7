"""A round log told in the other formats: as flat tables, and as a game history with its profile."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.feeds.table_columns import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Row = dict[str, Any]
Tables = dict[str, list[Row]]

PERSON = ("operator_id", "player_id", "session_id", "hand_id")
CODES = {
    "ante": "TC_A", "play": "TC_P", "pair_plus": "TC_PP", "player_bonus": "TC_PB", "six_card_bonus": "TC_6C", "progressive": "TC_PR",
    "five_card_hand_bonus": "TC_5C", "five_of_six_progressive": "TC_5P", "trio_bonus": "TC_TR",
}  # fmt: skip
STATUSES = {"settled": "Resolved", "voided": "Cancelled", "open": "Running", "interrupted": "Interrupted"}

PROFILE = """
[feed]
format = "game-history"
studio_id = "{studio_id}"

[feed.cards]
suits = "CDHS"
ten = "10"

[feed.history]
payout = "{payout}"
ante_bonus = "{ante_bonus}"
missing_play = "fold"
shared_hand = false
{units}

[feed.history.codes]
{codes}

[feed.history.words]
game = {{ Resolved = "settled", Cancelled = "voided", Running = "open", Interrupted = "interrupted" }}
participant = {{ Ok = "accepted", Rejected = "rejected", Cancelled = "cancelled", Void = "voided" }}
play_mode = {{ RealMoney = "real", Test = "test" }}

[feed.history.places.game]
dealer_id = "dealer.uid"
sequence = "no"
opened_at = "startedAt"
bets_closed_at = "betsClosedAt"
verified_at = "verifiedAt"
verified_by = "verifiedBy"
dealer_cards = "result.dealer.cards"
void_reason = "void.reason"
void_authorised_by = "void.by"
void_at = "void.at"

[feed.history.places.participant]
operator_id = "casinoId"
status = "status"
hand_id = "seat"
cards = "cards"
play_mode = "playMode"
decision = "decision"
decided_at = "decidedAt"
decided_by = "decidedBy"

[feed.history.places.bet]
paid_at = "settledOn"
"""


def as_tables(rounds: Iterable[Row]) -> Tables:
    """Rounds as rows, table by table, in the order of the log."""
    tables: Tables = {name: [] for name in COLUMNS}
    for one in rounds:
        key = {name: one[name] for name in ("studio_id", "round_id", "revision") if name in one}
        tables["rounds"].append({name: value for name, value in one.items() if name in COLUMNS["rounds"]})
        tables["card_readings"] += [key | reading for reading in one.get("card_readings") or []]
        dealt = [] if one.get("dealer_hand") is None else [{"hand_id": "dealer", "cards": one["dealer_hand"]}]
        tables["hands"] += [key | hand for hand in dealt + (one.get("hands") or [])]
        tables["meters"] += [key | meter for meter in one.get("meters") or []]
        if one.get("void"):
            tables["voids"].append(key | one["void"])
        shown = one.get("displayed") or {}
        at = key | {"read_at": shown.get("read_at")}
        tables["displayed"] += [at | {"decks": shown["decks"]}] if shown.get("decks") is not None else []
        tables["displayed"] += [at | line for line in (shown.get("odds") or []) + (shown.get("limits") or [])]
        for person in one.get("participants") or []:
            tables["participants"].append(key | {name: value for name, value in person.items() if name != "wagers"})
            who = {name: person.get(name) for name in PERSON}
            tables["wagers"] += [key | who | wager for wager in person.get("wagers") or []]
    return tables


def csv_text(rows: Iterable[Row], columns: Iterable[str]) -> str:
    """Rows as CSV: lists separated by spaces, an outage as ``from/to``, what is absent empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(f"{one['from']}/{one['to']}" if isinstance(one, dict) else one for one in value)
    return str(value).lower() if isinstance(value, bool) else value


def write_csv(folder: Path, tables: Mapping[str, list[Row]]) -> Path:
    """The tables as CSV files; one without a row is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        if rows:
            (folder / f"{name}.csv").write_text(csv_text(rows, COLUMNS[name]), encoding="utf-8")
    return folder


def write_parquet(folder: Path, tables: Mapping[str, list[Row]], *, typed: bool = False) -> Path:
    """The tables as Parquet files; one without a row is left out.

    Args:
        folder: where to.
        tables: the tables.
        typed: amounts are decimals and times of millisecond resolution are timestamps; else both are text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in tables.items():
        if rows:
            frame = pl.DataFrame(rows, schema=COLUMNS[name])
            (_typed(frame) if typed else frame).write_parquet(folder / f"{name}.parquet")
    return folder


def _typed(frame: pl.DataFrame) -> pl.DataFrame:
    made = {}
    for column in frame.get_columns():
        told = column.drop_nulls()
        if column.name in {"stake", "paid", "bonus_paid", "before", "contribution", "reseed", "after"}:
            made[column.name] = column.cast(pl.Decimal(20, 8))
        elif column.dtype == pl.String and len(told) and told.str.contains(r"^\d{4}-\d\d-\d\dT[^ ]{8}\.\d{3}(Z|[+-]\d\d:\d\d)$").all():
            made[column.name] = column.str.to_datetime("%Y-%m-%dT%H:%M:%S%.3f%#z", time_unit="ms", time_zone="UTC")
    return frame.with_columns(**made)


def as_games(
    rounds: Iterable[Row], *, payout: str = "gross", ante_bonus: str = "own_code", thousands: frozenset[str] = frozenset()
) -> list[Row]:
    """Rounds as games, an ante's bonus as a bet of its own or within the ante's payout; readings, meters and displays are left out.

    Args:
        rounds: round-log/1 records, a hand's cards posted.
        payout: gross or net.
        ante_bonus: own_code or in_ante.
        thousands: currencies whose amounts are told in thousands.
    """
    return [_game(one, payout, ante_bonus, thousands) for one in rounds]


def profile_for(studio_id: str, *, payout: str = "gross", ante_bonus: str = "own_code", thousands: frozenset[str] = frozenset()) -> str:
    """The profile of such games."""
    codes = {code: kind for kind, code in CODES.items()} | ({"TC_AB": "ante_bonus"} if ante_bonus == "own_code" else {})
    return PROFILE.format(
        studio_id=studio_id, payout=payout, ante_bonus=ante_bonus,
        units="units = {" + ", ".join(f"{currency} = 1000" for currency in sorted(thousands)) + "}" if thousands else "",
        codes="\n".join(f'{code} = "{kind}"' for code, kind in codes.items()),
    )  # fmt: skip


def as_document(games: list[Row], days: int = 2) -> Row:
    """A document of several days."""
    step = len(games) // days + 1
    return {"data": [{"date": f"day {at}", "games": games[at : at + step]} for at in range(0, len(games), step)]}


def _game(one: Row, payout: str, ante_bonus: str, thousands: frozenset[str]) -> Row:
    cards = {hand["hand_id"]: hand["cards"] for hand in one.get("hands") or []}
    void = one.get("void") or {}
    return {
        "id": one["round_id"], "no": one.get("sequence"), "status": STATUSES[one["status"]], "startedAt": one.get("opened_at"),
        "betsClosedAt": one.get("bets_closed_at"), "settledAt": one.get("posted_at"), "verifiedAt": one.get("verified_at"),
        "verifiedBy": one.get("verified_by"), "table": {"id": one["table_id"]}, "dealer": {"uid": one.get("dealer_id")},
        "result": {"dealer": {"cards": _theirs(one.get("dealer_hand"))}},
        "void": {"reason": void.get("reason"), "by": void.get("authorised_by"), "at": void.get("at")},
        "participants": [_person(one, who, cards, payout, ante_bonus, thousands) for who in one.get("participants") or []],
    }  # fmt: skip


def _theirs(cards: list[str] | None) -> list[str] | None:
    return None if cards is None else [card.upper().replace("T", "10") for card in cards]


def _person(one: Row, who: Row, cards: Row, payout: str, ante_bonus: str, thousands: frozenset[str]) -> Row:
    scale = 1000 if who["currency"] in thousands else 1
    named = one.get("void") or {}
    reached = one["status"] != "voided" and (
        who["hand_id"] in (named.get("hand_ids") or []) or who["player_id"] in (named.get("player_ids") or [])
        or any(wager["wager_id"] in (named.get("wager_ids") or []) for wager in who["wagers"])
    )  # fmt: skip
    stated = {wager.get("status") or "accepted" for wager in who["wagers"]}
    told = "Void" if reached else "Ok" if stated <= {"accepted"} else "Cancelled" if stated == {"cancelled"} else "Rejected"
    bets = []
    for wager in who["wagers"]:
        paid, bonus = wager.get("paid"), wager.get("bonus_paid")
        within = ante_bonus == "in_ante" and bonus is not None
        back = None if paid is None else Decimal(paid) + (Decimal(bonus) if within else 0)
        net = back is not None and payout == "net"
        bets.append({
            "code": CODES[wager["kind"]], "stake": _amount(Decimal(wager["stake"]), scale),
            "payout": None if back is None else _amount(back - Decimal(wager["stake"]) if net else back, scale),
            "placedOn": wager.get("placed_at"), "settledOn": wager.get("paid_at"), "transactionId": wager["wager_id"],
        })  # fmt: skip
        if bonus is not None and not within and Decimal(bonus):
            bets.append({"code": "TC_AB", "stake": 0, "payout": _amount(Decimal(bonus), scale), "placedOn": None})
    return {
        "casinoId": who["operator_id"], "playerId": who["player_id"], "sessionId": who.get("session_id"), "currency": who["currency"],
        "seat": who["hand_id"], "cards": _theirs(cards.get(who["hand_id"])), "status": told,
        "playMode": "Test" if who.get("play_mode") == "test" else "RealMoney", "decision": who.get("decision"),
        "decidedAt": who.get("decided_at"), "decidedBy": who.get("decided_by"), "bets": bets,
    }  # fmt: skip


def _amount(value: Decimal, scale: int) -> str:
    return f"{value / scale:f}"

"""Small rounds of real life through the whole audit: each raises the findings above ``info`` that stand beside it, and no other."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.ask.query import connect
from pipeline.audit import Request, audit

if TYPE_CHECKING:
    from pathlib import Path

Row = dict[str, Any]

OPENED = datetime(2026, 11, 3, 15, tzinfo=UTC)
OPEN = "unsettleable"
FILING = """
[filing]
id = "{name}"
operator = "Oddities"
studio = "odd"
game = "three_card_poker"
jurisdiction = "XX"
effective_from = 2026-01-01
tables = {tables}
currencies = ["USD"]
decks = 2
deck_alternation = true
gaming_day = {{ timezone = "America/New_York", starts_at = "06:00" }}
{rules}
[wagers.ante_bonus]
odds = {{ straight_flush = "5 to 1", three_of_a_kind = "4 to 1", straight = "1 to 1" }}
[wagers.pair_plus]
odds = {{ straight_flush = "40 to 1", three_of_a_kind = "30 to 1", straight = "6 to 1", flush = "4 to 1", pair = "1 to 1" }}
forfeited_by_fold = true
{pair_plus}
[wagers.six_card_bonus]
odds = {{ royal_flush = "1000 to 1", full_house = "25 to 1", flush = "20 to 1", straight = "10 to 1", three_of_a_kind = "5 to 1" }}
forfeited_by_fold = false
"""
LIMIT = (
    'amount = "100.00", currency = "USD", per = "player_round", kinds = ["pair_plus", "ante_bonus"], counts = "winnings", cut = "pro_rata"'
)
RULES = {
    "plain": ("", ""),
    "strict": ('void_returns_folded = false\non_timeout = "play_if_at_least:Q64"', "alone = false"),
    "capped": (f"stakes_may_be_added = true\naggregate_payout_limit = {{ {LIMIT} }}", ""),
}


def at(second: float, digits: int = 3) -> str:
    return (OPENED + timedelta(seconds=second)).isoformat(timespec="milliseconds" if digits else "seconds").replace("+00:00", "Z")


def bet(kind: str, stake: str, paid: str | None, **more: Any) -> Row:
    return {"kind": kind, "stake": stake, "paid": paid, **more}


def ante(paid: str | None = "20.00", **more: Any) -> Row:
    return bet("ante", "10.00", paid, **more)


def play(paid: str | None = "20.00", **more: Any) -> Row:
    return bet("play", "10.00", paid, **more)


def plus(paid: str | None = "10.00", **more: Any) -> Row:
    return bet("pair_plus", "5.00", paid, **more)


def six(paid: str | None = "0.00", **more: Any) -> Row:
    return bet("six_card_bonus", "3.00", paid, **more)


def who(player_id: str, *wagers: Row, decision: str | None = "play", **more: Any) -> Row:
    told = {"player_id": player_id, "operator_id": "op-1", "hand_id": "H1", "currency": "USD", "decision": decision, "decided_at": at(25)}
    return told | {"decided_by": "player", "wagers": list(wagers)} | more


WON = who("p", ante(), plus(), play())
FOLD = who("f", ante("0.00"), decision="fold")
REFUNDED = who("b", ante("10.00"), play("10.00"))


def again(to: str, position: int, card: str, second: float, replaces: int | None = None, **more: Any) -> Row:
    told = {"seq": 90 + (more.pop("nth", 0)), "to": to, "position": position, "card": card, "source": "manual", "read_at": at(second)}
    return told | {"by": "PIT-2"} | ({} if replaces is None else {"replaces": replaces}) | more


def void(**more: Any) -> Row:
    return {"reason": "misdeal", "authorised_by": "PIT-2", "at": at(28), "scope": "part"} | more


WHOLE = void(scope="round")


@dataclass
class Oddity:
    """A round, and what is to come of it; a wager is named by its player, kind and, from the second on, number."""

    name: str
    people: list[Row]
    findings: list[tuple[str, str | None]] = field(default_factory=list)
    settled: dict[str, str] = field(default_factory=dict)
    hands: dict[str, str] = field(default_factory=lambda: {"H1": "Qs Qd 5h"})
    dealer: str = "Ad 7c 2s"
    more_readings: list[Row] = field(default_factory=list)
    rules: str = "plain"
    changes: Row = field(default_factory=dict)

    def told(self, number: int) -> Row:
        readings: list[Row] = []
        for hand, cards in [*self.hands.items(), ("dealer", self.dealer)]:
            for position, card in enumerate(cards.split(), 1):
                seq = len(readings) + 1
                read_at = at(33 + position if hand == "dealer" else 11 + seq / 5)
                readings.append({"seq": seq, "to": hand, "position": position, "card": card, "source": "scanner", "read_at": read_at})
        people: list[Row] = []
        ids: set[str] = set()
        for person in self.people:
            wagers = []
            for wager in person["wagers"]:
                name = f"{number}-{person['player_id']}-{wager['kind']}"
                while name in ids:
                    name += "-again"
                ids.add(name)
                placed = at(25 if wager["kind"] == "play" else 4)
                wagers.append({"wager_id": name, "placed_at": placed, "paid_at": at(42) if wager["paid"] else None} | wager)
            people.append(person | {"wagers": wagers})
        return {
            "schema": "round-log/1", "round_id": f"round-{number}", "studio_id": "odd", "table_id": f"T{number}",
            "game": "three_card_poker", "dealer_id": "D1", "deck_id": "red", "status": "settled", "opened_at": at(0),
            "bets_closed_at": at(10), "verified_at": at(40), "verified_by": "D1", "posted_at": at(41),
            "card_readings": readings + self.more_readings, "participants": people, "dealer_hand": self.dealer.split(),
            "hands": [{"hand_id": hand, "cards": cards.split()} for hand, cards in self.hands.items()],
        } | self.changes  # fmt: skip


STRAIGHT = {"H1": "9h 8d Tc"}
TWO_HANDS = {"H1": "Qs Qd 5h", "H2": "Ks Kd 5c"}
SECOND = {"hand_id": "H2"}
ODDITIES = [
    Oddity("an honest round", [WON, FOLD], settled={"p-ante": "20", "f-ante": "0"}),
    Oddity("a side wager voided alone", [who("p", ante(), plus("5.00"), play())], settled={"p-pair_plus": "5", "p-ante": "20"},
           changes={"void": void(wager_ids=["#-p-pair_plus"])}),
    Oddity("the ante voided, its play settles", [who("p", ante("10.00"), plus(), play())], [("void_splits_hand", None)],
           {"p-ante": "10", "p-play": "20"}, changes={"void": void(wager_ids=["#-p-ante"])}),
    Oddity("the play voided, no fold", [who("p", ante("20.00", bonus_paid="10.00"), play("10.00"))], [("void_splits_hand", None)],
           {"p-ante": "30", "p-play": "10"}, STRAIGHT, changes={"void": void(wager_ids=["#-p-play"])}),
    Oddity("the void of one of two hands, dealt short", [WON, REFUNDED | SECOND], [], {"b-ante": "10", "p-ante": "20"},
           {"H1": "Qs Qd 5h", "H2": "9s 9d"}, changes={"void": void(hand_ids=["H2"])}),
    Oddity("a voided hand holds a card of one that stands", [WON, REFUNDED | SECOND], [("duplicate_card", None)],
           {"p-pair_plus": OPEN, "b-ante": "10"}, {"H1": "Qs Qd 5h", "H2": "Qs 9d 3c"}, changes={"void": void(hand_ids=["H2"])}),
    Oddity("a folder's stake stays, as filed", [WON, who("f", ante("0.00"), plus("0.00"), six("3.00"), decision="fold")], [],
           {"f-ante": "0", "f-pair_plus": "0", "f-six_card_bonus": "3"}, rules="strict", changes={"void": void(player_ids=["f"])}),
    Oddity("cancelled in a void and refunded too", [who("p", ante("10.00", status="cancelled"), play("10.00"))],
           [("void_paid_as_settled", "p-ante")], {"p-play": "10"}, changes={"status": "voided", "void": WHOLE}),
    Oddity("cancelled beside a part void", [who("p", ante(), plus("0.00", status="cancelled"), play()), REFUNDED],
           [("cancelled_without_void", "p-pair_plus")], {"p-pair_plus": "not_accepted"}, changes={"void": void(player_ids=["b"])}),
    Oddity("a void that names one who is there and one who is not", [WON, REFUNDED], [("void_scope_unknown", None)], {"b-ante": "voided"},
           changes={"void": void(player_ids=["b", "nobody"])}),
    Oddity("a whole void of a settled round", [WON], [("void_scope_unknown", None)], {"p-ante": "20"}, changes={"void": WHOLE}),
    Oddity("a free wager voided and refunded", [who("p", ante("10.00"), plus("5.00", funding="free"), play("10.00"))],
           [("void_paid_as_settled", "p-pair_plus")], {"p-pair_plus": "0"}, changes={"status": "voided", "void": WHOLE}),
    Oddity("a free ante ties", [who("p", ante("0.00", funding="free"), play("10.00"))], [], {"p-ante": "0", "p-play": "10"},
           {"H1": "Ks 8d 5c"}, "Kh 8c 5s"),
    Oddity("a play cancelled outside a void", [who("p", ante("0.00"), plus("0.00"), play("0.00", status="cancelled"))],
           [("cancelled_without_void", "p-play"), ("missing_play", "p-ante")], {"p-ante": "0", "p-pair_plus": "0"}),
    Oddity("an ante refused, a play taken", [who("p", ante(None, status="rejected"), plus(), play())], [("play_without_ante", "p-play")],
           {"p-play": OPEN, "p-pair_plus": "10"}),
    Oddity("one participant in two entries", [who("p", ante()), who("p", play(), session_id="")], [], {"p-ante": "20", "p-play": "20"}),
    Oddity("one participant in two entries, folded", [FOLD, who("f", plus(), decision="fold")],
           [("pair_plus_paid_after_fold", "f-pair_plus")], {"f-pair_plus": "0"}),
    Oddity("a side wager in another session", [FOLD | {"session_id": "s1"}, who("f", plus(), decision=None, session_id="s2")],
           [("split_participation", "f-pair_plus")], {"f-pair_plus": "10", "f-ante": "0"}),
    Oddity("a six-card bet in another session", [FOLD | {"session_id": "s1"}, who("f", six(), decision=None, session_id="s2")]),
    Oddity("a side wager that may not stand alone", [who("p", plus(), decision=None)], [("side_wager_without_ante", "p-pair_plus")],
           {"p-pair_plus": "10"}, rules="strict"),
    Oddity("one id twice, the first written placed later", [who("p", ante(), plus(wager_id="x", placed_at=at(6)), play()),
           who("q", ante(), bet("pair_plus", "4.00", "8.00", wager_id="x", placed_at=at(5)), play())], [("duplicate_wager", "x#2")],
           {"x": "8", "x#2": "10"}),
    Oddity("stakes added, one play for both", [who("p", ante(), bet("ante", "5.00", "10.00"), bet("play", "15.00", "30.00"))], [],
           {"p-ante-again": "10", "p-play": "30"}, rules="capped"),
    Oddity("a refused wager tried again", [who("p", ante(), plus(None, status="rejected"), plus(), play())]),
    Oddity("a limit cuts the ante bonus and Pair Plus", [who("p", ante(bonus_paid="20.00"), plus("85.00"), play())], [],
           {"p-ante": "40", "p-pair_plus": "85"}, {"H1": "9h 8h Th"}, rules="capped"),
    Oddity("two hands share a card, the third stands", [WON, who("q", ante(), plus(), play(), hand_id="H2")], [("duplicate_card", None)],
           {"p-ante": OPEN, "q-pair_plus": "10", "q-ante": "20"}, TWO_HANDS | {"H3": "Qs 9d 3c"}),
    Oddity("the dealer's card is also a player's", [WON, who("q", ante(), plus(), play(), hand_id="H2")], [("duplicate_card", None)],
           {"p-pair_plus": OPEN, "q-pair_plus": "10", "q-ante": OPEN}, TWO_HANDS, "Ad Qs 2s"),
    Oddity("a dealer hand read twice, a folder beside it", [WON, who("f", ante("0.00"), six(), decision="fold")],
           [("conflicting_reading", None)], {"p-pair_plus": "10", "p-play": OPEN, "f-ante": "0", "f-six_card_bonus": OPEN},
           more_readings=[again("dealer", 1, "3c", 37)]),
    Oddity("a folder's hand in doubt, Pair Plus paid", [who("f", ante("0.00"), plus(), decision="fold")],
           [("conflicting_reading", None), ("pair_plus_paid_after_fold", "f-pair_plus")], {"f-pair_plus": "0"},
           more_readings=[again("H1", 2, "2d", 15)]),
    Oddity("two corrections of one reading", [WON], [("correction_chain_broken", None)], {"p-pair_plus": OPEN},
           more_readings=[again("H1", 2, "Qd", 14, 2), again("H1", 2, "Qd", 15, 2, nth=1)]),
    Oddity("corrected away and back after the decision", [WON], [("correction_after_decision", None)], {"p-pair_plus": "10"},
           more_readings=[again("H1", 2, "3d", 26, 2), again("H1", 2, "Qd", 27, 90, nth=1)]),
    Oddity("corrected on another hand before its own decision", [WON | {"decided_at": at(20)}, who("q", ante(), play(), hand_id="H2")],
           hands=TWO_HANDS | {"H2": "Ks 3d 5c"}, more_readings=[again("H2", 2, "Kd", 23, 5)],
           changes={"hands": [{"hand_id": hand, "cards": cards.split()} for hand, cards in TWO_HANDS.items()]}),
    Oddity("a place of three digits in an open round", [who("p", ante(None), play(None))], [("wrong_card_count", None)],
           {"p-ante": "pending"},
           more_readings=[again("H1", 200, "6h", 14)], changes={"status": "open", "verified_at": None, "posted_at": None}),
    Oddity("all folded, nothing turned", [FOLD], settled={"f-ante": "0"}, dealer=""),
    Oddity("a hand that is not there, folded", [FOLD | {"hand_id": "H7"}], [("wrong_card_count", None)], {"f-ante": "0"}),
    Oddity("a close in whole seconds", [who("p", ante(), plus(placed_at=at(10.9)), play())], changes={"bets_closed_at": at(10, 0)}),
    Oddity("no close, a wager after the first card", [who("p", ante(), plus(placed_at=at(11.3)), play())],
           [("wager_after_close", "p-pair_plus")], changes={"bets_closed_at": None}),
    Oddity("a play booked after the reveal", [who("p", ante(), play(placed_at=at(35)))], [("decision_after_reveal", "p-play")]),
    Oddity("a fold by time-out after the reveal", [FOLD | {"decided_by": "timeout", "decided_at": at(35)}]),
    Oddity("a time-out folds Q-6-4 where it plays", [FOLD | {"decided_by": "timeout"}], [("timeout_not_as_filed", "f-ante")],
           hands={"H1": "Qs 6d 4h"}, rules="strict"),
    Oddity("a time-out folds Q-6-3", [FOLD | {"decided_by": "timeout"}], hands={"H1": "Qs 6d 3h"}, rules="strict"),
    Oddity("a part void refunded before posting", [WON, who("b", ante("10.00", paid_at=at(30)), play("10.00", paid_at=at(30)))],
           changes={"void": void(player_ids=["b"])}),
    Oddity("a bonus paid where the straight loses", [who("p", ante("0.00", bonus_paid="10.00"), play("0.00"))], [], {"p-ante": "10"},
           STRAIGHT, "Jd Ts 9s"),
    Oddity("all of it booked as bonus", [who("p", ante("0.00", bonus_paid="30.00"), play())], [("bonus_split_mismatch", "p-ante")],
           {"p-ante": "30"}, STRAIGHT),
]  # fmt: skip


Outcome = tuple[set[tuple[str, str | None]], dict[str, tuple[str, str]]]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """What each oddity raised above ``info``, and the state and amount of each of its wagers; all of them in one audit."""
    folder: Path = tmp_path_factory.mktemp("oddities")
    (folder / "filings").mkdir()
    for name, (rules, pair_plus) in RULES.items():
        tables = json.dumps([f"T{number}" for number, oddity in enumerate(ODDITIES) if oddity.rules == name])
        text = FILING.format(name=name, tables=tables, rules=rules, pair_plus=pair_plus)
        (folder / "filings" / f"{name}.toml").write_text(text, encoding="utf-8")
    lines = [json.dumps(oddity.told(number)).replace('"#-', f'"{number}-') for number, oddity in enumerate(ODDITIES)]
    (folder / "rounds.ndjson").write_text("\n".join(lines), encoding="utf-8")
    audit(Request((folder / "rounds.ndjson",), folder / "filings", folder / "lake"))
    with connect(folder / "lake") as con:
        found = con.sql("SELECT table_id, check_id, wager_id FROM findings WHERE severity <> 'info'").fetchall()
        due = con.sql("SELECT table_id, wager_id, settlement, expected + coalesce(expected_bonus, 0) FROM settlements").fetchall()
    outcomes: list[Outcome] = [(set(), {}) for _ in ODDITIES]
    for table, check, wager in found:
        outcomes[int(table[1:])][0].add((check, wager and wager.removeprefix(f"{table[1:]}-")))
    for table, wager, state, amount in due:
        outcomes[int(table[1:])][1][wager.removeprefix(f"{table[1:]}-")] = (state, "" if amount is None else f"{amount.normalize():f}")
    return outcomes


@pytest.mark.parametrize(("number", "oddity"), list(enumerate(ODDITIES)), ids=[oddity.name for oddity in ODDITIES])
def test_an_oddity_raises_what_it_is_and_nothing_else(number: int, oddity: Oddity, outcomes: list[Outcome]) -> None:
    raised, settled = outcomes[number]
    assert raised == set(oddity.findings)
    for wager, due in oddity.settled.items():
        state, amount = settled[wager]
        assert due == (amount if due.isdigit() and state in {"settled", "voided"} else state)

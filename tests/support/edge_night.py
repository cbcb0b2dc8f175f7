"""Rounds, filings and surroundings that chance brings too seldom: each shows a clause of a check from either side.

They stand in the untidy night, hours after its rounds and at tables of their own. No two deals are alike unless that is what is shown.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from tests.support.chunks import DAY, Row, make_round, player, reading, readings_of
from tests.support.filings import ANTE_BONUS, PAIR_PLUS, SIX_CARD_BONUS, filing
from tests.support.nasty_chunks import DECK

LATER = datetime.fromisoformat("2026-11-03T19:00:00+00:00")
FOLD = [("ante", "10.00")]
PLAY = [*FOLD, ("play", "10.00")]
NOBODY: Row = {"player_id": None}


def edge_filings() -> list[Row]:
    """One with all evidence and a licence of this day alone, one unlicensed where stakes may be added, one that lacks its last day."""
    evidence: Row = {
        "approved_on": DAY, "approval_ref": "A", "simulcast_approval_ref": "B", "location_approval_ref": "C", "licence_ref": "L",
        "licence_from": DAY, "licence_to": DAY,
    }  # fmt: skip
    extra = {"odds": {"pair": {"meter": "10 %"}}, "judged_on": "player_three", "forfeited_by_fold": True}
    bonus = {"odds": {**ANTE_BONUS["odds"], "pair": {"flat": "1.00", "currency": "USD"}}}
    limits = [{"kind": "ante", "currency": "USD", "min": "2.00", "max": "50.00"}]
    usual: Row = {
        "wagers": {"pair_plus": {**PAIR_PLUS, "alone": False}, "progressive": extra, "ante_bonus": bonus},
        "limits": limits,
        "meters": {"M1": {"share_of": "progressive"}},
    }
    forfeited = {**usual["wagers"], "six_card_bonus": {**SIX_CARD_BONUS, "forfeited_by_fold": True}}
    unlicensed = {"approved_on": date(2026, 11, 5), "licence_ref": None, "licence_from": None, "licence_to": date(2026, 11, 2)}
    unending = {"licence_from": date(2026, 11, 4), "licence_to": None, "open_round_limit_s": 45 * 3600}
    return [
        filing(filing_id="whole", tables=["TCP-03", "TCP-04", "TCP-07"], **{**usual, **evidence, "wagers": forfeited}),
        filing(filing_id="added", tables=["TCP-05", "TCP-06"], stakes_may_be_added=True, **{**usual, **evidence, **unlicensed}),
        filing(
            filing_id="later",
            tables=["TCP-08", "TCP-11", "TCP-12", *(f"TCP-{n}" for n in range(20, 40))],
            **{**usual, **evidence, **unending},
        ),
    ]


class _Night:
    """Makes one round after another, a minute apart, each with cards of its own."""

    def __init__(self) -> None:
        self.rng = Random(3)  # noqa: S311
        self.numbers = count(1)

    def round(self, round_id: str, people: list[Row] | None = None, table: str = "TCP-08", *, hands: Any = None, **fields: Any) -> Row:
        number = next(self.numbers)
        deck = self.rng.sample(list(DECK), 12)
        names = hands if isinstance(hands, dict) else dict.fromkeys(hands or ["H1"])
        shown = {name: cards or " ".join(deck[3 * n : 3 * n + 3]) for n, (name, cards) in enumerate(names.items())}
        base: Row = {"table_id": table, "sequence": number, "dealer": " ".join(deck[9:]), "dealer_id": None, "verified_by": "D1"}
        base |= {"at": (LATER + timedelta(minutes=number)).isoformat(), "dealer_revealed_at": "+35.000", "deck_id": None}
        return make_round(hands=shown, participants=[player(*FOLD)] if people is None else people, round_id=round_id, **{**base, **fields})


def edge_rounds() -> list[Row]:
    """All of them."""
    night = _Night()
    parts = (_totalled, _decided, _voided, _read, _told_again, _staked, _paid, _at_tables, _timed, _dealt_again)
    return [told for part in parts for told in part(night)]


def _named(name: str, *wagers: Any, **fields: Any) -> Row:
    """Someone whose wagers are told apart by a name, since the player has none."""
    bets = [wager if isinstance(wager, dict) else dict(zip(("kind", "stake", "paid"), wager, strict=False)) for wager in wagers]
    return player(*({"wager_id": f"{name}-{n}", **wager} for n, wager in enumerate(bets)), **{**NOBODY, "session_id": name, **fields})


def _totalled(night: _Night) -> list[Row]:
    bets = [("ante", "10.00", "20.00"), {"kind": "six_card_bonus", "stake": "7.00", "paid": "0.00", "funding": "free"},
            {"kind": "pair_plus", "stake": "3.00", "status": "cancelled", "paid": "3.00"}]  # fmt: skip
    return [night.round(f"total {n}", [player(*bets, operator_id="op-3")], "TCP-03", sequence=n) for n in (1012, 1013, 1011)]


def _decided(night: _Night) -> list[Row]:
    blind = [{"from": "+20.000", "to": "+26.000"}, {"from": "+27.000", "to": "+30.000"}]
    edge = [{"from": "+20.000", "to": "+26.000"}]

    def decided(at: str, name: str, *bets: Any, **fields: Any) -> Row:
        return player(*(bets or FOLD), decided_at=at, player_id=name, **fields)

    several = [
        _named("first", *FOLD, decided_at="+24.00", operator_id="op-2", play_mode="test"),
        decided("+28.000", "second"), decided("+29.000", "third", play_mode="test"),
    ]  # fmt: skip
    bounds = [
        decided("+26.000", "as it ends"), decided("+20.000", "as it begins"), decided("+22.000", "plays", *PLAY),
        decided("+22.000", "gone", decision=None, decided_by="disconnect"), decided("+23.000", "both", *PLAY, decision="fold"),
    ]  # fmt: skip
    tests = [decided("+22.000", "only a test", play_mode="test")]

    def play(at: str, **fields: Any) -> Row:
        return {"kind": "play", "stake": "10.00", "placed_at": at, **fields}

    ante = {"kind": "ante", "stake": "10.00", "placed_at": "+39.0"}
    late = [
        decided("+36.0", "at once", ante, play("+36.000")), decided("+30.000", "later", ante, play("+37.00")),
        decided("+38.000", "refused", ante, play("+36.5"), play("+39.0000", status="rejected")),
    ]  # fmt: skip
    return [
        night.round("two outages", several, "TCP-01", stream_outages=blind),
        night.round("one without end", several, "TCP-01", stream_outages=[blind[0], {"from": "+27.000"}]),
        night.round("at the edge of an outage", bounds, stream_outages=edge),
        night.round("a test in an outage", tests, stream_outages=edge),
        night.round("decided late", late),
    ]


def _voided(night: _Night) -> list[Row]:
    def void(**named: Any) -> Row:
        return {"reason": "misdeal", "authorised_by": "PIT", "at": "+39.000", "scope": "part", **named}

    split = [_named("x", *PLAY, operator_id="op-2", play_mode="test"), player(*PLAY, player_id="y"), player(*PLAY, player_id="z")]
    whole = void(scope="round")
    high = [
        player(("ante", "5.00"), ("play", "5.00"), ("pair_plus", "5.00"), player_id="high"),
        player(*PLAY, player_id="low", hand_id="H2"),
    ]
    return [
        night.round("void of a hand and a wager", void=void(hand_ids=["H1"], wager_ids=["void of a hand and a wager-p1-ante"])),
        night.round("void of a hand and a player", void=void(hand_ids=["H1"], player_ids=["p1"])),
        night.round("void of nobody", [], void=void(player_ids=["nobody"], wager_ids=["none"])),
        night.round("void of two antes", split, "TCP-01", void=void(wager_ids=["x-0", "void of two antes-y-ante"])),
        night.round("void of a play", split[1:], "TCP-01", void=void(wager_ids=["void of a play-y-play"])),
        night.round("void of a test's ante", split[:1], "TCP-01", void=void(wager_ids=["x-0"])),
        night.round("void of a bonus", high, hands={"H1": "Ts Js Qs", "H2": None}, status="voided", void=whole),
        night.round("void of free wagers", [player({**_bet("ante"), "funding": "free"})], status="voided", void=whole),
    ]


def _bet(kind: str, stake: str = "10.00", **fields: Any) -> Row:
    return {"kind": kind, "stake": stake, **fields}


def _read(night: _Night) -> list[Row]:
    def corrected(round_id: str, people: list[Row], *names: str) -> Row:
        hands: Row = {"H1": "2c 7d 9h", "H2": "3c 8d Th"}
        first = readings_of({**hands, "dealer": "4s 6h Jd"})
        more = [reading(20 + n, name, 1, "Ks" if n else "As", replaces=3 * n + 1, source="manual", by="PIT", read_at="+50.000")
                for n, name in enumerate(names)]  # fmt: skip
        return night.round(round_id, people, hands=hands, readings=[*first, *more], dealer="4s 6h Jd")

    real, test = player(*FOLD, player_id="real"), player(*FOLD, player_id="test", play_mode="test", decided_at="+20.00")
    other = player(*FOLD, player_id="other", hand_id="H2")
    posted: Row = {"hands": {"H1": "5c 7h 9c"}, "dealer": "4c 6d Js"}
    once = readings_of({"H1": "5c 7h 9c", "dealer": "4c 6d Js"})
    same = {"readings": [*readings_of({"H1": "5c 7h 9d", "dealer": "4c 6d Js"}), reading(7, "H1", 1, "5c")]}
    twice = [
        [reading(7, "H1", 1, None), reading(8, "H1", 1, "5c")], [reading(7, "H1", 1, "Kc"), reading(8, "H1", 1, "5c")],
        [reading(7, "H1", 2, "??"), reading(8, "H1", 2, "??")], [reading(7, "H1", 2, "??"), reading(8, "H1", 3, "??")],
        [reading(7, "H1", 1, "5c"), reading(8, None, 1, "5c"), reading(9, "dealer", 3, "5c")],
    ]  # fmt: skip
    chains = [
        [reading(7, "H1", 1, "5c", replaces=7)], [reading(7, "H1", 1, "5c", replaces=8), reading(8, "H1", 2, "7h", replaces=7)],
        [reading(7, "H1", 1, "5c", replaces=2), reading(8, "H1", 2, "7h", replaces=2)],
        [reading(7, None, 1, "5s"), reading(8, None, 1, "5d", replaces=7)],
    ]  # fmt: skip
    unknown = [{"hand_id": "H1", "cards": [None, "??", "Xx"]}]
    ragged = [_named("no hand", *FOLD, hand_id=None), _named("refused", _bet("ante", status="rejected"), hand_id=None)]
    return [
        corrected("corrected beside a test", [real, test], "H1"), corrected("corrected for a test", [test], "H1"),
        corrected("corrected for one unnamed", [_named("unnamed there", *FOLD, decided_at="+21.000"), real], "H1"),
        night.round("read twice alike", **same, **posted),
        corrected("two hands corrected", [test, other], "H1", "H2"),
        *(night.round(f"read twice {n}", readings=[*once, *more], **posted) for n, more in enumerate([*twice, *chains])),
        night.round("posted as nothing known") | {"hands": unknown, "card_readings": []}, night.round("on no hand", ragged),
    ]  # fmt: skip


def _told_again(night: _Night) -> list[Row]:
    changed = {"video_ref": "v", "software_version": "9", "deck_id": "blue", "shuffler_in_use": True, "filing_id": "whole"}
    told: list[Row] = []
    for revised in (True, False):
        for n in (0, 4, 5):
            first = night.round(f"{n} fields {'revised' if revised else 'at odds'}", [_named(f"{n} {revised}", *FOLD)])
            again = {**first, **dict(list(changed.items())[:n]), "unread": n, **({"revision": 2} if revised else {})}
            told += [{**first, **({"revision": 1} if revised else {})}, again]
    thrice = night.round("told thrice")
    return [*told, thrice, {**thrice, "deck_id": "red"}, {**thrice, "revision": 1}]


def _staked(night: _Night) -> list[Row]:
    def antes_and_plays(name: str, antes: list[str], plays: list[str], *more: Row, **fields: Any) -> Row:
        bets = [_bet("ante", stake) for stake in antes] + [_bet("play", stake) for stake in plays]
        return _named(name, *bets, *more, **fields)

    added = [
        antes_and_plays("as much in all", ["10.00", "5.00"], ["10.00", "5.00"], player_id="a"),
        antes_and_plays("less in all", ["10.00"], ["5.00", "4.00"], player_id="b"),
        antes_and_plays("in two parts", ["10.00"], ["5.00", "5.00"], player_id="c"),
    ]
    single = [
        antes_and_plays("like one of two", ["10.00", "5.00"], ["10.00"], player_id="d"),
        antes_and_plays("unlike", ["10.00"], ["12.00"], player_id="e"),
        antes_and_plays("like a cancelled one", ["10.00"], ["12.00"], _bet("ante", "12.00", status="cancelled"), player_id="f"),
        antes_and_plays("two plays", ["10.00"], ["10.00", "10.00"], player_id="g"),
        _named("cancelled", *FOLD, *FOLD, _bet("pair_plus"), _bet("pair_plus", status="cancelled")),
    ]
    alone = [
        _named("bonus alone", _bet("pair_plus"), player_id="h"), _named("void alone", _bet("pair_plus"), player_id="i"),
        _named("cancelled alone", _bet("pair_plus", status="cancelled"), _bet("six_card_bonus"), player_id="j"),
        _named("beside an ante", *FOLD, _bet("pair_plus"), player_id="k"),
        _named("here the bets", _bet("pair_plus"), _bet("six_card_bonus"), _bet("pair_plus", "3.00", status="cancelled"), operator_id=None,
               player_id="m"),
        _named("there the ante", *FOLD, operator_id=None, player_id="m"), _named("and again", *FOLD, operator_id=None, player_id="m"),
    ]  # fmt: skip
    limits = [player(("ante", stake), player_id=stake) for stake in ("1.00", "2.00", "50.00", "50.01")]
    part = {"reason": "misdeal", "authorised_by": "PIT", "at": "+30.000", "scope": "part", "wager_ids": ["void alone-0"]}
    lost = [
        _named("undecided", *FOLD, decision=None), _named("unplayed", *FOLD, decision="play"),
        _named("folded", ("ante", "10.00", "20.00"), ("pair_plus", "5.00", "10.00"), decision="fold"),
        _named("folded and played", *PLAY, decision="fold"), _named("unanted", _bet("play")),
    ]  # fmt: skip
    return [
        night.round("added", added, "TCP-05"), night.round("single", single), night.round("alone", alone, void=part),
        night.round("limits", limits), night.round("unnamed", lost, hands={"H1": "5c 5h 9c"}),
        night.round("a test where stakes are added", [player(*FOLD, play_mode="test")], "TCP-06"),
        night.round("unfiled", [_named("twice", *FOLD, *FOLD)], "TCP-99"), night.round("empty and unfiled", [], "TCP-98"),
    ]  # fmt: skip


def _paid(night: _Night) -> list[Row]:
    early = [_bet("ante", paid=None, bonus_paid="1.00", paid_at="+20.0"), _bet("pair_plus", paid=None, paid_at="+19.000")]
    split = player(_bet("pair_plus", paid="19.00", bonus_paid="1.00"), *PLAY)
    winner = player(*FOLD, _bet("progressive", "1.00"), ("play", "10.00"))
    free = _bet("ante", "0.00", paid="0.00", bonus_paid="1.00")
    unstaked = player(free, ("play", "0.00"), _bet("progressive", "0.00", paid="5.00"), player_id="p2")
    meter = {"meter_id": "M1", "kind": "progressive", "before": "1000.00", "contribution": "0.10", "currency": "USD"}
    moved = {"meter_id": "M7", "contribution": "0.00", "paid": "0.00", "reseed": "0.00", "currency": "USD"}
    pair: Row = {"hands": {"H1": "Qc Qd 5h"}, "dealer": "2c 7d 9h"}
    return [
        night.round("paid early", [player(*early)]), night.round("bonus of a pair", [split], **pair),
        night.round("won from a meter", [winner, unstaked], meters=[meter], hands={"H1": "Jc Jd 5h"}, dealer="2d 7c 9h"),
        *(night.round(f"moved {n}", meters=[{**moved, "seq": n, "before": before, "after": after}])
          for n, before, after in ((5, "110.00", "110.00"), (6, "110.00", "110.00"), (7, "110.00", "110.00"))),
    ]  # fmt: skip


def _at_tables(night: _Night) -> list[Row]:
    lines = [("straight_flush", "40 to 1"), ("three_of_a_kind", "30 to 1"), ("straight", "6 to 1"), ("flush", "4 to 1"), ("pair", "1 to 1")]

    def shown(off: int, decks: int) -> Row:
        odds = [{"kind": "pair_plus", "line": line, "price": "9 to 1" if n < off else price} for n, (line, price) in enumerate(lines)]
        return {"read_at": "+1.000", "odds": odds, "limits": [], "decks": decks}

    return [
        night.round("shows what is filed", [], "TCP-20", displayed=shown(0, 2)),
        night.round("shows five otherwise", table="TCP-04", displayed=shown(5, 2), filing_id="plain", sequence=1),
        night.round("shows six otherwise", table="TCP-05", displayed=shown(5, 3)),
        *(night.round(f"D4 deals {n}", dealer_id="D4") for n in (1, 2)), night.round("D3 deals", dealer_id="D3"),
        *(night.round(f"numbered {n}", table="TCP-12", sequence=n) for n in (1, 3, 10, 16)),
    ]  # fmt: skip


def _timed(night: _Night) -> list[Row]:
    use = [(1, "red", "15:00"), (2, "red", "16:00"), (3, "red", "17:30"), (5, "blue", "18:00"), (7, "green", "18:55")]
    unverified = [
        {"verified_by": None, "bets_closed_at": None, "sequence": None, "readings": []}, {"readings": []},
        {"verified_by": None, "bets_closed_at": None}, {"verified_by": None},
    ]  # fmt: skip
    begun = {"status": "open", "posted_at": None, "verified_at": None}
    return [
        *(night.round(f"deck {deck} {n}", table="TCP-11", deck_id=deck, sequence=n, at=f"2026-11-03T{at}:00+00:00") for n, deck, at in use),
        *(night.round(f"unverified {n}", **fields, verified_at=None) for n, fields in enumerate(unverified)),
        *(
            night.round(f"open {at}", at=f"2026-11-03T{at}+00:00", sequence=None, **begun)
            for at in ("15:00:00.000", "14:59:59.900", "23:00:00.000")
        ),
    ]


def _dealt_again(night: _Night) -> list[Row]:
    """Deals that come again: the cards' number, then table, second and dealer of each round."""
    again = [
        ("two dealers", [(20, 0, "D1"), (21, 30, "D3")]), ("one unnamed", [(20, 100, "D1"), (22, 110, None)]),
        ("a minute apart", [(20, 200, "D1"), (23, 260, "D1")]), ("at once", [(20, 300, "D1"), (24, 359, "D1")]),
        ("shared first", [(25, 400, "D1"), (26, 900, "D1")]), ("shared later", [(25, 700, "D1"), (26, 710, "D1")]),
        ("scripted", [(27, 1000, "D1"), (27, 1100, "D1"), (28, 1200, "D1"), (29, 1300, "D1")]),
        ("at five", [(table, 1400 + table, "D1") for table in range(30, 35)]),
        ("at six", [(table, 1500 + table, "D1") for table in range(30, 36)]),
        ("at eight", [(table, 1600 + table, "D1") for table in range(30, 38)]),
        ("twice", [(38, 1700, "D1"), (38, 1760, "D3"), (39, 1800, "D1")]),
        ("thrice at one", [(21, 1900, "D1"), (21, 2000, "D1"), (21, 2100, "D1")]),
    ]  # fmt: skip
    told: list[Row] = []
    for name, rounds in again:
        deck = night.rng.sample(list(DECK), 6)
        cards = {"hands": {"H1": " ".join(deck[:3])}, "dealer": " ".join(deck[3:]), "sequence": None}
        for table, second, dealer in rounds:
            at = (LATER + timedelta(hours=2, seconds=second)).isoformat()
            told.append(night.round(f"{name} {table} {second}", table=f"TCP-{table}", dealer_id=dealer, at=at, **cards))
    return told

"""Random rounds of the worst kind, for holding two engines against each other: the same seed gives the same chunk and filings.

Nothing here knows what is right. It only aims at what real logs do wrong: misread and replaced cards, chains that lead nowhere, duplicates,
short hands, voids of every scope, folds against their own wagers, free bets, repeated ids, several operators, filings, currencies and days.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from pipeline.core.cards import DECK
from tests.support.chunks import Row, make_chunk, make_round, player, reading
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    from random import Random

    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk

CURRENCIES = ("USD", "EUR", "JPY", "KWD", "XYZ")
STAKES = ("10.00", "2.50", "0.01", "3.333333", "0", "7", "123456.789012", "999999999999.999999", "1.005")
SIDES = ("pair_plus", "six_card_bonus", "progressive", "player_bonus", "five_of_six_progressive", "mystery")
STATUSES = ("settled",) * 8 + ("voided", "open", "interrupted")


def nasty_filed(rng: Random) -> Filed:
    """Three filings: TCP-01 for op-1, TCP-01 for the others, TCP-02 for all; TCP-03 has none, and one of another day governs nothing."""
    return make_filed(
        _filing(rng, "one", tables=["TCP-01"], operators=["op-1"]),
        _filing(rng, "rest", tables=["TCP-01"], operators=["op-2", "op-3"]),
        _filing(rng, "two", tables=["TCP-02", "TCP-04"], effective_to=date(2026, 11, 3)),
        _filing(rng, "old", tables=["TCP-03"], effective_to=date(2026, 11, 2)),
        _filing(rng, "away", tables=["TCP-03"], studio_id="studio-8"),
    )


def _filing(rng: Random, name: str, **keys: Any) -> Row:
    pick = rng.choice
    bonus = {"straight_flush": "5 to 1", "three_of_a_kind": "4 for 1", "straight": pick(["1 to 1", "3 to 2", "2 to 7"])}
    bonus |= pick([{}, {"mini_royal": "50 to 1"}, {"mini_royal_spades": "100 to 1"}, {"pair": {"flat": "0.01", "currency": "USD"}}])
    pair_plus = {"straight_flush": "40 to 1", "straight": "6 to 1", "flush": "7 to 3", "pair": pick(["1 to 1", "3 for 2", "1 to 3"])}
    six: Row = {"royal_flush": "1000 to 1", "straight_flush": "200 to 1", "full_house": "25 to 1", "flush": "20 for 1", "pair": "1 to 7"}
    six |= pick([{}, {"super_royal_diamonds": {"flat": "1000000.00", "currency": "USD"}, "six_card_royal": "20000 to 1"}])
    flat = {"flat": pick(["25.00", "0.125", "1000000.00"]), "currency": pick(CURRENCIES[:2])}
    meter = {"meter": pick(["100 %", "10 %", "33.333333 %"])}
    usual = {"rounding": pick(["exact", "down", "half_up"])}
    side = {**usual, "stake_returned": rng.random() < 0.5}
    wagers: dict[str, Row] = {
        "ante_bonus": {"odds": bonus, **usual},
        "pair_plus": {"odds": pair_plus, "forfeited_by_fold": rng.random() < 0.7, **usual},
        "six_card_bonus": {"odds": six, "forfeited_by_fold": rng.random() < 0.3, **side},
        "progressive": {"judged_on": "player_three", "forfeited_by_fold": rng.random() < 0.5, **side,
                        "odds": {"straight_flush": meter, "three_of_a_kind": "50 for 1", "pair": meter, "high_card": flat}},
        "player_bonus": {"judged_on": "player_three", "forfeited_by_fold": rng.random() < 0.5, **side,
                         "odds": {"pair": flat, "flush": flat}},
        "five_of_six_progressive": {"judged_on": "best_five_of_six", "forfeited_by_fold": False, **side,
                                    "odds": {"pair": meter, "two_pair": "5 for 2", "three_of_a_kind": flat}},
    }  # fmt: skip
    if rng.random() < 0.5:
        wagers["ante"] = {**usual, "odds": {"win": pick(["1 to 1", "6 to 5", "2 for 1"])}}
        wagers["play"] = {**usual, "odds": {"win": pick(["1 to 1", "1 to 3"])}}
    meters = {"M1": {"share_of": "progressive", "several_winners": pick(["share_equally", "each_in_full"]), "seed": "100"}}
    kinds = pick([None, ["pair_plus", "six_card_bonus"], ["ante", "pair_plus", "progressive"]])
    cap = {"amount": pick(["0.05", "30.00", "500.00"]), "currency": pick(CURRENCIES[:3]), "per": pick(["player_round", "hand", "round"]),
           "kinds": kinds, "cut": pick(["pro_rata", "last_first"])}  # fmt: skip
    return filing(
        filing_id=name, wagers=wagers, meters=meters if rng.random() < 0.8 else None, cap=cap if rng.random() < 0.5 else None,
        tie=pick(["push", "player_wins"]), qualifier=pick(["Q", "Q", "J", "A", "2"]), void_returns_folded=rng.random() < 0.6, **keys,
    )  # fmt: skip


def nasty_chunk(rng: Random, rounds: int = 40) -> Chunk:
    """So many rounds, some told twice; in every other chunk the cards and the people are mostly in order, so that the money is nasty."""
    calm = rng.random() < 0.5
    told: list[Row] = []
    for number in range(rounds):
        one = _round(rng, f"r{number:03}", calm=calm)
        told.append(one)
        if rng.random() < 0.08:
            told.append(_round(rng, one["round_id"], calm=calm, **{k: one[k] for k in ("table_id", "opened_at")}))
    return make_chunk(*told)


def _round(rng: Random, round_id: str, *, calm: bool, **fields: Any) -> Row:
    deck = rng.sample(_stub(rng), 21)
    seats = rng.choice([1, 1, 2, 3])
    names = [f"H{seat}" for seat in range(1, seats + 1)]
    hands: dict[str, str | None] = {name: " ".join(deck[3 * seat : 3 * seat + 3]) for seat, name in enumerate(names)}
    dealer: str | None = " ".join(deck[18:21])
    readings = None
    if rng.random() < (0.1 if calm else 0.5):
        true = {**hands, "dealer": dealer}
        readings = _readings(rng, {name: text for name, text in true.items() if text}) if rng.random() < 0.8 else []
        hands = {name: _spoilt(rng, text) for name, text in hands.items()}
        dealer = _spoilt(rng, dealer)
    people = [_person(rng, number, names, calm=calm) for number in range(rng.choice([1, 1, 2, 4]))]
    void = _void(rng, names, people, round_id) if rng.random() < (0.05 if calm else 0.25) else None
    meters = [_meter(rng, number) for number in range(rng.choice([0, 1, 1, 2]))]
    base: Row = {
        "table_id": rng.choice(["TCP-01", "TCP-01", "TCP-02", *([] if calm else ["TCP-03"])]),
        "status": "settled" if calm else rng.choice(STATUSES),
        "void": void,
        "meters": meters,
    }
    return make_round(hands=hands, dealer=dealer, readings=readings, participants=people, round_id=round_id, **{**base, **fields})


def _stub(rng: Random) -> list[str]:
    """The deck, or a part of it in which high hands are common."""
    if rng.random() < 0.6:
        return list(DECK)
    ranks, suits = rng.choice([("9TJQKA", "cdhs"), ("23456A", "cdhs"), ("23456789TJQKA", "ds"), ("23456789TJQKA", "ch")])
    return [card for card in DECK if card[0] in ranks and card[1] in suits]


def _spoilt(rng: Random, text: str | None) -> str | None:
    cards = (text or "").split()
    ways: list[list[str] | None] = [
        cards[:2],
        [*cards, rng.choice(DECK)],
        [*cards[:2], rng.choice(["??", "10d", "qS", "Xx"])],
        [*cards[:2], rng.choice(DECK)],
        None,
        [],
        cards[::-1],
        [*cards[:2], cards[0]],
    ]
    chosen = rng.choice([cards, cards, cards, *ways])
    return None if chosen is None else " ".join(chosen)


def _readings(rng: Random, hands: dict[str, str]) -> list[Row]:
    places: list[tuple[str | None, int | None, str | None]] = [
        (name, place, card) for name, text in hands.items() for place, card in enumerate(text.split(), 1)
    ]
    rng.shuffle(places)
    told = [reading(seq, *place) for seq, place in enumerate(places, 1)]
    for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
        old = rng.choice(told)
        seq = rng.choice([len(told) + 1] * 3 + [rng.randrange(1, len(told) + 2)])
        other = rng.choice(DECK)
        added: list[Row] = [
            {"replaces": old["seq"], "source": "manual"},
            {"replaces": old["seq"], "source": "manual", "card": other},
            {},
            {"card": rng.choice([other, "??"])},
            {"replaces": 99},
            {"replaces": seq},
            {"replaces": old["seq"], "position": (old["position"] or 0) % 3 + 1},
            {"position": rng.choice([4, 7, 0]), "card": other},
            {"to": rng.choice([None, "H8"]), "card": other},
            {"position": None},
        ]
        way = rng.randrange(len(added) + 4)
        if way < len(added):
            told.append({**old, "seq": seq, **added[way]})
        elif way == len(added):
            told.remove(old)
        elif way == len(added) + 1:
            old["replaces"] = rng.choice(told)["seq"]
        else:
            old["card"] = rng.choice(["??", "10h", None])
    return told


def _person(rng: Random, number: int, names: list[str], *, calm: bool) -> Row:
    pick = rng.choice
    kinds: list[str] = []
    if rng.random() < 0.85:
        kinds.append("ante")
    if rng.random() < 0.65:
        kinds.append("play")
    kinds += [kind for kind in SIDES if rng.random() < 0.4]
    kinds += [pick(kinds)] if kinds and rng.random() < 0.1 else []
    stake = pick(STAKES) if rng.random() < 0.6 else "10.00"
    wagers = []
    for kind in kinds:
        wager: Row = {"kind": kind, "stake": stake if rng.random() < 0.8 else pick(STAKES), "paid": pick([None, "0", "10.00"])}
        wager |= {"status": pick(["accepted"] * 8 + ["rejected", "cancelled"]), "funding": pick([None] * 5 + ["free"])}
        wager |= {"bonus_paid": pick([None, "0.00", "1.00"])} if kind == "ante" else {}
        wagers.append(wager | ({"wager_id": "same"} if rng.random() < 0.05 else {}))
    hand = pick(names if calm else [*names * 6, "H9", None])
    who = {
        "player_id": f"p{pick([number, number, 0])}",
        "operator_id": pick(["op-1", "op-1", "op-2", *([] if calm else ["op-9", None])]),
        "hand_id": hand,
    }
    money = {"currency": pick([*("USD",) * 6, *CURRENCIES]), "play_mode": pick([None] * 5 + ["test"])}
    claim = {"decision": pick(["play", "fold", None])} if rng.random() < (0.05 if calm else 0.3) else {}
    return player(*wagers, **who, **money, **claim)


def _void(rng: Random, names: list[str], people: list[Row], round_id: str) -> Row:
    someone = rng.choice(people)
    kinds = [wager["kind"] for wager in someone["wagers"]] or ["ante"]
    named = {
        "hand_ids": [rng.choice([*names * 3, "dealer", "H9"])],
        "player_ids": [rng.choice([someone["player_id"], someone["player_id"], "nobody"])],
        "wager_ids": [f"{round_id}-{someone['player_id']}-{kind}" for kind in kinds if rng.random() < 0.5] + ["same"],
    }
    chosen = {key: ids for key, ids in named.items() if rng.random() < 0.4}
    return {"reason": "misdeal", "authorised_by": "PIT", "at": "+39.000", "scope": rng.choice(["part", "part", "round", None]), **chosen}


def _meter(rng: Random, number: int) -> Row:
    kind = rng.choice(["progressive", "progressive", "five_of_six_progressive", None])
    before, fed = rng.choice(["1000.00", "999.999999", "0.10", None]), rng.choice(["0.30", None])
    return {
        "meter_id": f"M{number + 1}",
        "kind": kind,
        "seq": 1,
        "before": before,
        "contribution": fed,
        "currency": rng.choice(["USD"] * 5 + ["EUR"]),
    }


def edge_filed() -> Filed:
    """A filing for each of eight tables: plain, without the six-card bonus, with meters, with limits, one that keeps what was folded."""
    extra = {"odds": {"pair": {"meter": "10 %"}}, "judged_on": "player_three", "forfeited_by_fold": True, "stake_returned": True}
    several = {"M1": {"share_of": "extra", "several_winners": "each_in_full"}, "M2": {"share_of": "extra"}, "M3": {"share_of": "other"}}
    cap = {"amount": "0.01", "currency": "USD", "per": "round", "kinds": None, "cut": "pro_rata"}
    ways: list[Row] = [
        {}, {"without": ("six_card_bonus",)}, {"wagers": {"extra": extra}, "meters": several},
        {"wagers": {"extra": extra}, "meters": {"M1": {"share_of": "extra"}}}, {"cap": cap}, {"cap": {**cap, "amount": "10.00"}},
        {"cap": {**cap, "amount": "30.00", "per": "player_round", "cut": "last_first"}}, {"void_returns_folded": False},
    ]  # fmt: skip
    return make_filed(*(filing(filing_id=f"f{number}", tables=[f"TCP-0{number}"], **way) for number, way in enumerate(ways, 1)))


def edge_chunk() -> Chunk:
    """Rounds that chance brings too seldom: each shows a clause of the settlement from either side."""
    bets = [("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00"), ("six_card_bonus", "3.00")]
    read = [*zip("123456", ("Qs", "Qd", "5h", "Ad", "7c", "2s"), strict=True)]
    first = [reading(int(seq), "H1" if seq < "4" else "dealer", (int(seq) - 1) % 3 + 1, card) for seq, card in read]
    more: list[list[Row]] = [
        [reading(7, "H1", 2, "Qd", replaces=8), reading(8, "H1", 2, "Qd", replaces=7)],
        [reading(7, "H1", 2, "Qd", replaces=8), reading(8, "H1", 2, "Qd", replaces=9), reading(9, "H1", 2, "Qd", replaces=7)],
        [reading(7, "H1", 1, "Qc", replaces=1), reading(7, "H1", 1, "Qh", replaces=7)],
        [reading(7, "H1", 1, "Qc", replaces=1), reading(7, "H1", 1, "Qh", replaces=8), reading(8, "H1", 1, "Qs", replaces=7)],
        [reading(7, "H1", 2, "??", replaces=2), reading(8, "H1", 2, "Qh", replaces=7), reading(9, "H1", 2, "Qd", replaces=8)],
        [reading(7, "H1", 1, "Qc", replaces=1), reading(7, "H1", 1, "Qh"), reading(8, "H1", 1, "Qs", replaces=7)],
        [reading(7, "H1", None, "Qd", replaces=2)], [reading(7, "H1", None, "Qd"), reading(8, "H1", 2, "Qd", replaces=7)],
    ]  # fmt: skip
    three = {"H1": "2c 5d 9h", "H2": "2c 6d Th", "H3": "3c 3d 8s"}
    people = [player(("pair_plus", "5.00"), player_id=name, hand_id=name) for name in three]
    unposted = make_round(hands=three, participants=people, round_id="read only") | {"hands": [], "dealer_hand": None}
    meter = {"kind": "extra", "before": "1000.00", "contribution": "0.50", "currency": "USD"}
    win = ("extra", "7.00")
    winners = [player(win), player({"kind": "extra", "stake": "3.00", "funding": "free"}, player_id="p2"), player(win, player_id="p3")]
    named = [["M9"], ["M9", "M3"], ["M3", "M9"], ["M2", "M1"]]
    meters = [*([{**meter, "meter_id": name} for name in names] for names in named), [{**meter, "before": "0.01", "meter_id": "M1"}]]
    same_name = [player(("pair_plus", "20.00"), operator_id=name) for name in ("op-2", "op-3")]
    stakes = [player(("pair_plus", stake), player_id=f"p{stake}") for stake in ("3.33", "5.55", "7.77", "0.01", "0.02", "6.666667")]
    plays = [("play", "10.00"), {"kind": "play", "stake": "10.00", "wager_id": "void"}]
    folded = player({"kind": "ante", "stake": "10.00", "status": "cancelled"}, ("pair_plus", "5.00"), decision="fold")
    kept = {"wager_ids": ["cancelled and folded-p1-pair_plus"]}
    halves = [player({"kind": "pair_plus", "stake": "0.005", "wager_id": name}, player_id=name) for name in "ab"]
    return make_chunk(
        *(make_round(wagers=bets, readings=[*first, *added], round_id=f"chain {n}") for n, added in enumerate(more)),
        *(make_round(hand, wagers=bets, readings=[], round_id=hand) for hand in ("?? Qd 5h", "Qs ?? 5h", "Qs Qd ??")),
        make_round(participants=[folded], void=kept, table_id="TCP-08", round_id="cancelled and folded"),
        make_round(participants=[player(*plays)], void={"wager_ids": ["void"]}, round_id="plays alone"),
        make_round("As ?? 5h", "As ?? 2s", wagers=bets, readings=[], round_id="one card posted twice among cards that are none"),
        make_round(participants=[player(*bets, hand_id="dealer")], round_id="who plays the dealer's hand"),
        make_round(wagers=bets, readings=[reading(n, None, n, "Qs") for n in (1, 2)], round_id="read for nobody"),
        make_round(hands=three, participants=people, readings=[], round_id="posted only"), unposted,
        *(make_round(participants=[player(*bets, **none)], round_id=f"{none}") for none in ({"currency": None}, {"operator_id": None})),
        *(make_round(participants=winners, meters=shown, table_id=table, round_id=f"{table} {number}")
          for number, shown in enumerate(meters) for table in ("TCP-03", "TCP-04")),
        make_round(participants=halves, table_id="TCP-05", round_id="as much as the limit"),
        *(make_round(participants=whose, table_id=table, round_id=f"{table} {len(whose)}")
          for whose in (same_name, stakes) for table in ("TCP-06", "TCP-07")),
    )  # fmt: skip

"""The SQL engine, clause by clause: ante and play, fold, void, state, and the cards that count. Amounts stand in test_twin_money."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests.support.chunks import Row, bet, make_round, player, reading
from tests.support.filings import filing, make_filed
from tests.support.twins import in_brief, settled

ANTE, PLAY, PAIR_PLUS, SIX = ("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00"), ("six_card_bonus", "3.00")
PLAYED = [ANTE, PLAY]


def brief(*wagers: Any, filed: Row | None = None, **fields: Any) -> dict[str, str]:
    """What becomes of p1's wagers in one round."""
    return in_brief(settled(make_round(wagers=list(wagers), **fields), filed=make_filed(filed or filing())))


@pytest.mark.parametrize(
    ("hand", "dealer", "ante", "play", "rule"),
    [
        ("Kh Js 4c", "Jd Th 8c", "win 20", "push 10", "qualifier"),
        ("2h 3d 5c", "Jd Th 8c", "win 20", "push 10", "qualifier"),
        ("2h 3d 5c", "Qd 3h 2c", "lose 0", "lose 0", "wagers.ante"),
        ("2h 3d 5c", "2d 2s 4c", "lose 0", "lose 0", "wagers.ante"),
        ("Kh Jd 4c", "Qd 3h 2s", "win 20", "win 20", "wagers.ante"),
        ("Kh Jd 4c", "Kd Js 4h", "push 10", "push 10", "tie"),
        ("Ah 2d 3c", "As 2c 3h", "push 10 + 10", "push 10", "tie"),
        ("9h 9d 3c", "9s 9c 3h", "push 10", "push 10", "tie"),
    ],
)
def test_649a_11_ante_and_play(hand: str, dealer: str, ante: str, play: str, rule: str) -> None:
    rows = settled(make_round(hand, dealer, PLAYED))
    assert in_brief(rows) == {"ante": ante, "play": play}
    assert rows["r1-p1-ante"]["rule"] == rule


@pytest.mark.parametrize(("tie", "ante", "play"), [("push", "push 10", "push 10"), ("player_wins", "win 20", "win 20")])
def test_the_filed_tie_rule(tie: str, ante: str, play: str) -> None:
    assert brief(*PLAYED, player="Kh Jd 4c", dealer="Kd Js 4h", filed=filing(tie=tie)) == {"ante": ante, "play": play}


@pytest.mark.parametrize(("qualifier", "outcome"), [("J", "lose"), ("Q", "win"), ("K", "win"), ("2", "lose")])
def test_the_filed_qualifier(qualifier: str, outcome: str) -> None:
    rows = settled(make_round("2h 3d 5c", "Jd Th 8c", PLAYED), qualifier=qualifier)
    assert rows["r1-p1-ante"]["outcome"] == outcome
    assert rows["r1-p1-ante"]["dealer_qualifies"] is (outcome == "lose")


def test_649a_11_b_1_a_fold_forfeits_ante_and_pair_plus() -> None:
    rows = settled(make_round(wagers=[ANTE, PAIR_PLUS]))
    assert in_brief(rows) == {"ante": "forfeit 0", "pair_plus": "forfeit 0"}
    assert [row["rule"] for row in rows.values()] == ["fold", "pair_plus.forfeited_by_fold"]


def test_649a_11_b_3_a_six_card_bet_stands_after_a_fold() -> None:
    assert brief(ANTE, SIX, player="Qs Qd 5h", dealer="Qc 7c 2s") == {"ante": "forfeit 0", "six_card_bonus": "win 18"}


def test_pair_plus_without_an_ante_is_no_fold() -> None:
    assert brief(PAIR_PLUS) == {"pair_plus": "win 10"}


def test_a_fold_as_filed_may_leave_pair_plus_standing() -> None:
    stands = {"odds": {"pair": "1 to 1"}, "forfeited_by_fold": False}
    assert brief(ANTE, PAIR_PLUS, filed=filing(wagers={"pair_plus": stands})) == {"ante": "forfeit 0", "pair_plus": "win 10"}


@pytest.mark.parametrize("status", ["rejected", "cancelled"])
def test_a_play_that_was_not_taken_is_a_fold(status: str) -> None:
    got = brief(ANTE, bet("play", status=status), PAIR_PLUS)
    assert got == {"ante": "forfeit 0", "play": f"not_accepted: {status}", "pair_plus": "forfeit 0"}


def test_folds_act_within_a_participant() -> None:
    people = [player(ANTE, PAIR_PLUS), player(*PLAYED, player_id="p2")]
    rows = settled(make_round(participants=people))
    assert [row["outcome"] for row in rows.values()] == ["forfeit", "forfeit", "win", "win"]


def test_a_folded_ante_needs_no_cards() -> None:
    assert brief(ANTE, PAIR_PLUS, SIX, player=None, dealer=None) == {
        "ante": "forfeit 0", "pair_plus": "forfeit 0", "six_card_bonus": "unsettleable: wrong_card_count",
    }  # fmt: skip


def test_play_after_fold_leaves_only_what_a_fold_would() -> None:
    people = [player(ANTE, PLAY, PAIR_PLUS, SIX, decision="fold")]
    assert in_brief(settled(make_round(participants=people))) == {
        "ante": "unsettleable: play_after_fold", "play": "unsettleable: play_after_fold",
        "pair_plus": "unsettleable: play_after_fold", "six_card_bonus": "lose 0",
    }  # fmt: skip


def test_play_without_ante() -> None:
    assert brief(PLAY, PAIR_PLUS) == {"play": "unsettleable: play_without_ante", "pair_plus": "win 10"}


def test_each_of_two_antes_settles_on_its_own_stake() -> None:
    wagers = [bet("ante", "10.00"), bet("ante", "7.00", wager_id="second"), bet("play", "10.00")]
    assert brief(*wagers) == {"ante": "win 20", "second": "win 14", "play": "win 20"}


@pytest.mark.parametrize("status", ["open", "interrupted"])
def test_a_round_not_settled_is_pending(status: str) -> None:
    assert brief(*PLAYED, status=status) == {"ante": f"pending: {status}", "play": f"pending: {status}"}


def test_rejected_wagers_are_not_accepted_whatever_the_round() -> None:
    assert brief(bet("ante", status="rejected"), status="voided") == {"ante": "not_accepted: rejected"}


def test_conflicting_rounds_come_first() -> None:
    one, other = make_round(wagers=[bet("ante", status="rejected")]), make_round(wagers=[ANTE, PAIR_PLUS])
    got = in_brief(settled(one, other))
    assert set(got.values()) == {"unsettleable: conflicting_round"}
    assert set(got) == {"ante", "pair_plus"}


@pytest.mark.parametrize(
    ("paid", "bonus", "status", "funding", "due"),
    [
        (None, None, "accepted", "cash", "void 10"), ("10.00", "0.00", "accepted", "cash", "void 10"),
        ("0.00", None, "cancelled", "cash", "void 0"), (None, "0.00", "cancelled", "cash", "void 0"),
        ("10.00", None, "cancelled", "cash", "void 10"), ("0.00", "1.00", "cancelled", "cash", "void 10"),
        (None, None, "accepted", "free", "void 0"),
    ],
)  # fmt: skip
def test_void_due(paid: str | None, bonus: str | None, status: str, funding: str, due: str) -> None:
    assert brief(bet("ante", "10.00", paid, bonus, status=status, funding=funding), status="voided") == {"ante": due}


@pytest.mark.parametrize(
    ("void", "voided"),
    [
        ({"scope": "part", "hand_ids": ["H2"]}, {"p2", "p3"}), ({"scope": "part", "player_ids": ["p1"]}, {"p1"}),
        ({"scope": "part", "wager_ids": ["r1-p3-ante"]}, {"p3"}), ({"scope": "part", "hand_ids": ["dealer"]}, {"p1", "p2", "p3"}),
        ({"scope": "part", "player_ids": ["p1"], "wager_ids": ["r1-p2-ante"]}, {"p1", "p2"}), ({"scope": "part"}, set()),
        ({"scope": "round", "player_ids": ["p1"]}, {"p1"}), ({"player_ids": ["p1"]}, {"p1"}),
        ({"scope": "part", "hand_ids": ["H9"]}, set()),
    ],
)  # fmt: skip
def test_void_scope(void: Row, voided: set[str]) -> None:
    people = [player(ANTE), player(ANTE, player_id="p2", hand_id="H2"), player(ANTE, player_id="p3", hand_id="H2")]
    rows = settled(make_round(hands={"H1": "Qs Qd 5h", "H2": "6h 7d 9c"}, participants=people, void=void))
    assert {wager_id.split("-")[1] for wager_id, row in rows.items() if row["settlement"] == "voided"} == voided


def test_a_voided_round_voids_all_though_it_names_a_part() -> None:
    assert brief(*PLAYED, status="voided", void={"scope": "part", "player_ids": ["nobody"]}) == {"ante": "void 10", "play": "void 10"}


def test_a_part_void_in_an_open_round() -> None:
    assert brief(*PLAYED, status="open", void={"wager_ids": ["r1-p1-play"]}) == {"ante": "pending: open", "play": "void 10"}


@pytest.mark.parametrize("status", ["accepted", "cancelled"])
def test_a_play_returned_by_a_void_was_made(status: str) -> None:
    got = brief(ANTE, bet("play", status=status), PAIR_PLUS, void={"wager_ids": ["r1-p1-play"]})
    assert (got["ante"], got["pair_plus"]) == ("win 20", "win 10")


def test_a_voided_ante_was_made_and_its_play_settles() -> None:
    assert brief(*PLAYED, void={"wager_ids": ["r1-p1-ante"]}) == {"ante": "void 10", "play": "win 20"}


def test_void_returns_folded_unless_filed_otherwise() -> None:
    folded = [player(ANTE, PAIR_PLUS, SIX, decision="fold")]
    told = make_round(participants=folded, status="voided")
    assert list(in_brief(settled(told)).values()) == ["void 10", "void 5", "void 3"]
    assert list(in_brief(settled(told, void_returns_folded=False)).values()) == ["void 0", "void 0", "void 3"]
    undecided = make_round(participants=[player(ANTE, PAIR_PLUS, decision=None)], status="voided")
    assert list(in_brief(settled(undecided, void_returns_folded=False)).values()) == ["void 10", "void 5"]


def test_a_void_needs_no_filing() -> None:
    assert brief(*PLAYED, status="voided", table_id="TCP-09") == {"ante": "void 10", "play": "void 10"}


def test_no_filing_in_force() -> None:
    assert set(brief(*PLAYED, PAIR_PLUS, table_id="TCP-09").values()) == {"unsettleable: no_filing_in_force"}


@pytest.mark.parametrize(
    ("first", "last", "in_force"),
    [
        (date(2026, 11, 3), date(2026, 11, 3), True), (date(2026, 11, 4), None, False),
        (date(2026, 1, 1), date(2026, 11, 2), False), (date(2026, 1, 1), None, True),
    ],
)  # fmt: skip
def test_a_filing_governs_from_its_first_to_its_last_day(first: date, last: date | None, in_force: bool) -> None:
    got = brief(*PLAYED, filed=filing(effective_from=first, effective_to=last))
    assert got["ante"] == ("win 20" if in_force else "unsettleable: no_filing_in_force")


def test_each_participant_is_settled_under_their_operators_filing() -> None:
    theirs = filing(filing_id="other", operators=["op-2"], wagers={"pair_plus": {"odds": {"pair": "2 to 1"}, "forfeited_by_fold": True}})
    filed = make_filed(filing(operators=["op-1"]), theirs)
    people = [
        player(PAIR_PLUS),
        player(PAIR_PLUS, player_id="p2", operator_id="op-2"),
        player(PAIR_PLUS, player_id="p3", operator_id="op-3"),
    ]
    rows = settled(make_round(participants=people), filed=filed)
    assert [row["filing_no"] for row in rows.values()] == [0, 1, None]
    assert [row["odds"] for row in rows.values()] == ["1 to 1", "2 to 1", None]


def test_wager_not_offered() -> None:
    assert brief(*PLAYED, ("mystery", "1.00"))["mystery"] == "unsettleable: wager_not_offered"
    assert brief(*PLAYED, filed=filing(without=("ante_bonus",))) == {"ante": "win 20", "play": "win 20"}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ([reading(7, "H1", 2, "Qd", replaces=99)], "correction_chain_broken"),
        ([reading(7, "H1", 2, "2d")], "conflicting_reading"),
        ([reading(7, "H1", 2, "??")], "conflicting_reading"),
        ([reading(7, "H1", 2, None)], "conflicting_reading"),
        ([reading(7, "H1", 2, "??", replaces=2)], "unreadable_card"),
        ([reading(7, "H1", 2, "??", replaces=2), reading(8, "H1", 2, "??")], "conflicting_reading"),
        ([reading(7, "H1", 2, None, replaces=2)], "unreadable_card"),
        ([reading(7, "H1", 2, "10d", replaces=2)], "unreadable_card"),
        ([reading(7, "H1", None, "Qd")], "unreadable_card"),
        ([reading(7, "H1", 4, "3d")], "wrong_card_count"),
        ([reading(7, "H1", 2, "3d", replaces=2)], "reading_hand_mismatch"),
    ],
)
def test_distrust_of_the_players_hand(more: list[Row], reason: str) -> None:
    people = [player(*PLAYED, PAIR_PLUS, SIX), player(ANTE, player_id="p2", hand_id="H1"), player(PAIR_PLUS, player_id="p3", hand_id="H2")]
    rows = settled(make_round(hands={"H1": "Qs Qd 5h", "H2": "6h 6d 9c"}, participants=people, readings=[
        *(reading(seq, "H1", seq, card) for seq, card in enumerate(("Qs", "Qd", "5h"), 1)),
        *(reading(20 + place, "H2", place, card) for place, card in enumerate(("6h", "6d", "9c"), 1)),
        *(reading(30 + place, "dealer", place, card) for place, card in enumerate(("Ad", "7c", "2s"), 1)),
        *more,
    ]))  # fmt: skip
    got = {wager_id.removeprefix("r1-"): row["settlement_reason"] or row["outcome"] for wager_id, row in rows.items()}
    assert got == {
        "p1-ante": reason, "p1-play": reason, "p1-pair_plus": reason, "p1-six_card_bonus": reason,
        "p2-ante": "forfeit", "p3-pair_plus": "win",
    }  # fmt: skip
    assert rows["r1-p1-ante"]["hand_category"] is None
    assert rows["r1-p1-ante"]["dealer_category"] == "high_card"


@pytest.mark.parametrize(
    ("more", "reason"),
    [([reading(7, "dealer", 2, "3d")], "conflicting_reading"), ([reading(7, "dealer", 2, "Td", replaces=5)], "reading_hand_mismatch")],
)
def test_distrust_of_the_dealers_hand_reaches_what_depends_on_it(more: list[Row], reason: str) -> None:
    assert brief(*PLAYED, PAIR_PLUS, SIX, more_readings=more) == {
        "ante": f"unsettleable: dealer: {reason}", "play": f"unsettleable: dealer: {reason}", "pair_plus": "win 10",
        "six_card_bonus": f"unsettleable: dealer: {reason}",
    }  # fmt: skip


def test_duplicate_card_distrusts_every_hand_that_holds_it() -> None:
    got = brief(*PLAYED, PAIR_PLUS, dealer="Qs 7c 2s")
    assert set(got.values()) == {"unsettleable: duplicate_card"}
    people = [player(PAIR_PLUS), player(PAIR_PLUS, player_id="p2", hand_id="H2"), player(PAIR_PLUS, player_id="p3", hand_id="H3")]
    rows = settled(make_round(hands={"H1": "Qs Qd 5h", "H2": "Qs 6d 9c", "H3": "8s 8d 9h"}, participants=people))
    assert [row["settlement_reason"] for row in rows.values()] == ["duplicate_card", "duplicate_card", None]


def test_the_players_hand_is_named_before_the_dealers() -> None:
    got = brief(*PLAYED, more_readings=[reading(7, "H1", 2, "2d"), reading(8, "dealer", 2, "3d")])
    assert got["ante"] == "unsettleable: conflicting_reading"


@pytest.mark.parametrize("hand_id", ["H9", None])
def test_a_hand_that_is_not_there(hand_id: str | None) -> None:
    rows = settled(make_round(participants=[player(*PLAYED, PAIR_PLUS, hand_id=hand_id)]))
    assert {row["settlement_reason"] for row in rows.values()} == {"wrong_card_count"}


def test_equal_readings_of_one_place_are_one_card() -> None:
    assert brief(*PLAYED, more_readings=[reading(7, "H1", 2, "Qd"), reading(8, "H1", 2, "Qd")]) == {"ante": "win 20", "play": "win 20"}


def test_a_corrected_reading_counts_and_the_first_does_not() -> None:
    dealt = [("H1", "Qs"), ("H1", "4d"), ("H1", "5h"), ("dealer", "Ad"), ("dealer", "7c"), ("dealer", "2s")]
    readings = [reading(seq, to, (seq - 1) % 3 + 1, card) for seq, (to, card) in enumerate(dealt, 1)]
    chain = [reading(7, "H1", 2, "??", replaces=2), reading(8, "H1", 2, "Qd", replaces=7)]
    assert brief(PAIR_PLUS, readings=[*readings, *chain]) == {"pair_plus": "win 10"}


def test_posted_cards_count_where_there_are_no_readings() -> None:
    assert brief(*PLAYED, PAIR_PLUS, readings=[]) == {"ante": "win 20", "play": "win 20", "pair_plus": "win 10"}


def test_readings_count_where_nothing_is_posted() -> None:
    told = make_round(wagers=[*PLAYED, PAIR_PLUS])
    told |= {"hands": [], "dealer_hand": None}
    assert in_brief(settled(told)) == {"ante": "win 20", "play": "win 20", "pair_plus": "win 10"}


def test_a_dealer_of_two_cards_matters_only_to_what_needs_the_dealer() -> None:
    assert brief(ANTE, PAIR_PLUS, dealer="Ad 7c") == {"ante": "forfeit 0", "pair_plus": "forfeit 0"}
    assert brief(*PLAYED, PAIR_PLUS, dealer="Ad 7c")["ante"] == "unsettleable: dealer: wrong_card_count"


def test_categories_are_told_whatever_the_settlement() -> None:
    rows = settled(make_round("6h 7h 8h", "Ad 7c 2s", [bet("ante", status="rejected"), SIX], status="open"))
    assert [row["hand_category"] for row in rows.values()] == ["straight_flush", "pair"]
    assert {row["dealer_category"] for row in rows.values()} == {"high_card"}
    assert {row["dealer_qualifies"] for row in rows.values()} == {True}


def test_a_round_that_names_no_table_is_under_no_filing_and_its_void_is_due() -> None:
    assert brief(*PLAYED, PAIR_PLUS, table_id=None) == dict.fromkeys(("ante", "play", "pair_plus"), "unsettleable: no_filing_in_force")
    void = {"reason": "misdeal", "authorised_by": "PIT-2", "scope": "round"}
    assert brief(*PLAYED, table_id=None, status="voided", void=void) == {"ante": "void 10", "play": "void 10"}

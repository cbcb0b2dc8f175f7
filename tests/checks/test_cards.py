"""Each check on the cards of a round fires on the smallest round that shows it, and is silent on the nearest honest one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.checks import Ran, run_checks
from tests.support.chunks import Row, bet, make_chunk, make_round, player, reading
from tests.support.filings import SIX_CARD_BONUS, filing, make_filed

BETS = [("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00")]
FOLD = [("ante", "10.00")]
HAND_FAULTS = ("correction_chain_broken", "conflicting_reading", "unreadable_card", "wrong_card_count", "reading_hand_mismatch")
ALL = (
    *HAND_FAULTS,
    "duplicate_card",
    "manual_correction",
    "correction_unattributed",
    "correction_after_decision",
    "correction_after_posting",
)
READ = ("Qs", "Qd", "5h", "Ad", "7c", "2s")


def run(*rounds: Row, only: str | tuple[str, ...] = ALL) -> Ran:
    return run_checks(make_chunk(*rounds), make_filed(filing()), only)


def seven(seq: int = 7, to: str | None = "H1", position: int | None = 2, card: str | None = "2d", **fields: Any) -> Row:
    """A seventh reading, in time: after the player's cards and before the decision."""
    return reading(seq, to, position, card, **{"read_at": "+15.000", **fields})


def manual(card: str = "2d", **fields: Any) -> Row:
    return seven(card=card, **{"source": "manual", "by": "PIT-2", "replaces": 2, **fields})


def test_an_honest_round_is_silent() -> None:
    assert run(make_round(wagers=BETS)).raised == []


def test_every_hand_is_counted_as_examined() -> None:
    ran = run(make_round(wagers=BETS))
    assert {check: ran.covered(check)["examined"] for check in HAND_FAULTS[1:]} == dict.fromkeys(HAND_FAULTS[1:], 2)


def test_duplicate_card_names_the_card_and_both_places() -> None:
    found = run(make_round(dealer="Qs 7c 2s", wagers=BETS)).one
    assert (found["check_id"], found["severity"]) == ("duplicate_card", "critical")
    assert "Qs was read as card 1 of hand H1 and as card 1 of the dealer's hand" in found["message"]
    assert "Qs was posted as card 1 of hand H1 and as card 1 of the dealer's hand" in found["message"]


def test_duplicate_card_is_one_finding_a_round() -> None:
    assert run(make_round(hands={"H1": "Qs Qd 5h", "H2": "Qs Qd 6h"}, participants=[player(*BETS)])).raised == [("duplicate_card", None)]


SEVEN: dict[str, str | None] = {
    "H1": "2c 3c 4c", "H2": "5c 6c 7c", "H3": "8c 9c Tc", "H4": "2d 3d 4d", "H5": "5d 6d 7d", "H6": "8d 9d Td", "H7": "2h 3h 4h",
}  # fmt: skip


@pytest.mark.parametrize(("dealer", "found"), [("5h 6h 4h", [("duplicate_card", None)]), ("5h 6h 7h", [])])
def test_duplicate_card_over_seven_seats_and_the_dealer(dealer: str, found: list[tuple[str, None]]) -> None:
    people = [player(*BETS, player_id=hand_id, hand_id=hand_id) for hand_id in SEVEN]
    assert run(make_round(hands=SEVEN, dealer=dealer, participants=people)).raised == found


@pytest.mark.parametrize("readings", [None, []], ids=["read", "only posted"])
def test_duplicate_card_within_one_hand(readings: list[Row] | None) -> None:
    assert run(make_round("Qs Qs 5h", wagers=BETS, readings=readings)).raised == [("duplicate_card", None)]


def test_duplicate_card_is_seen_among_cards_that_are_none() -> None:
    assert ("duplicate_card", None) in run(make_round("As ?? 5h", "As ?? 2s", wagers=BETS, readings=[])).raised


def test_duplicate_card_is_raised_in_a_voided_round_too() -> None:
    assert run(make_round(dealer="Qs 7c 2s", wagers=BETS, status="voided", void={"reason": "misdeal"})).raised == [("duplicate_card", None)]


def test_duplicate_card_counts_equal_readings_of_one_place_once() -> None:
    assert run(make_round(wagers=BETS, more_readings=[seven(card="Qd")])).raised == []


def test_duplicate_card_forgets_a_replaced_reading() -> None:
    told = make_round("Qs 2d 5h", wagers=BETS, readings=None)
    told["card_readings"][1]["card"] = "Ad"
    told["card_readings"][3]["card"] = "Ad"
    told["card_readings"].append({**manual(), "read_at": "2026-11-03T15:00:15.000Z"})
    assert run(told).raised == [("manual_correction", "H1")]


def test_wrong_card_count_two_cards() -> None:
    found = run(make_round("Qs Qd", wagers=BETS)).one
    assert (found["check_id"], found["hand_id"], found["severity"]) == ("wrong_card_count", "H1", "critical")
    assert "hand H1 has 2 cards read and 2 posted" in found["message"]


def test_wrong_card_count_four_cards_whatever_the_status() -> None:
    told = make_round("Qs Qd 5h 6h", wagers=BETS, status="voided", void={"reason": "misdeal"})
    assert run(told).raised == [("wrong_card_count", "H1")]


def test_wrong_card_count_a_misdeal_voided_with_two_cards_out_is_honest() -> None:
    assert run(make_round("Qs Qd", None, BETS, status="voided", void={"reason": "misdeal"})).raised == []


def test_wrong_card_count_an_open_round_with_cards_still_out_is_honest() -> None:
    assert run(make_round("Qs Qd", None, FOLD, status="open")).raised == []


def test_wrong_card_count_counts_places_not_readings() -> None:
    assert run(make_round(wagers=BETS, more_readings=[seven(card="Qd"), seven(8, card="Qd")])).raised == []


def test_wrong_card_count_by_the_place_of_a_fourth_card() -> None:
    assert run(make_round(wagers=BETS, more_readings=[seven(position=4)])).raised == [("wrong_card_count", "H1")]


def test_wrong_card_count_the_dealer_needs_cards_for_a_play() -> None:
    assert run(make_round(dealer=None, wagers=BETS)).raised == [("wrong_card_count", "dealer")]


@pytest.mark.parametrize("dealer", [None, ""])
def test_wrong_card_count_the_dealer_turns_nothing_when_all_fold(dealer: str | None) -> None:
    assert run(make_round(dealer=dealer, wagers=FOLD)).raised == []


@pytest.mark.parametrize("dealer", ["Ad", "Ad 7c"])
def test_wrong_card_count_the_dealer_does_not_stop_at_one_or_two_cards(dealer: str) -> None:
    assert run(make_round(dealer=dealer, wagers=FOLD)).raised == [("wrong_card_count", "dealer")]


def test_wrong_card_count_the_dealer_is_read_at_the_draw_and_turns_nothing_when_all_fold() -> None:
    told = make_round(wagers=FOLD)
    told["dealer_hand"] = []
    assert run(told).raised == []


def test_wrong_card_count_a_six_card_bet_stands_and_needs_the_dealer() -> None:
    told = make_round(dealer="", wagers=[*FOLD, ("six_card_bonus", "3.00")])
    assert run(told).raised == [("wrong_card_count", "dealer")]


def test_wrong_card_count_the_dealer_needs_cards_only_where_a_bet_hangs_on_them() -> None:
    six = ("six_card_bonus", "3.00")
    forfeited = filing(filing_id="forfeited", tables=["TCP-02"], wagers={"six_card_bonus": {**SIX_CARD_BONUS, "forfeited_by_fold": True}})
    without = filing(filing_id="without", tables=["TCP-03"], without=("six_card_bonus",))
    of_play = {"reason": "misdeal", "scope": "part", "wager_ids": ["a play in a void-p1-play"]}
    needed: dict[str, Row] = {
        "a play in a void": {"wagers": BETS[:2], "void": of_play},
        "six cards alone": {"wagers": [six], "table_id": "TCP-02"},
        "six cards of nobody's player": {"participants": [player(*FOLD, six, operator_id=None)]},
        "six cards in no currency": {"participants": [player(*FOLD, six, currency=None)]},
    }
    not_needed: dict[str, Row] = {
        "six cards that a fold forfeits": {"wagers": [*FOLD, six], "table_id": "TCP-02"},
        "six cards that are not offered": {"wagers": [*FOLD, six], "table_id": "TCP-03"},
        "a rejected play": {"participants": [player(*FOLD, bet("play", status="rejected"))]},
    }
    rounds = [make_round(dealer=None, round_id=name, **fields) for name, fields in {**needed, **not_needed}.items()]
    ran = run_checks(make_chunk(*rounds), make_filed(filing(tables=["TCP-01"]), forfeited, without), "wrong_card_count")
    assert set(ran.findings["round_id"]) == needed.keys()


def test_wrong_card_count_a_hand_that_is_not_there() -> None:
    ran = run(make_round(participants=[player(*BETS, hand_id="H9")]))
    assert ran.raised == [("wrong_card_count", "H9")]
    assert "hand H9 has no cards" in ran.one["message"]


def test_wrong_card_count_no_hand_named() -> None:
    ran = run(make_round(participants=[player(*BETS, hand_id=None)]))
    assert ran.raised == [("wrong_card_count", None)]
    assert "player p1 plays on no hand" in ran.one["message"]


def test_wrong_card_count_a_hand_voided_apart_may_be_short() -> None:
    void = {"reason": "misdeal", "scope": "part", "hand_ids": ["H2"]}
    people = [player(*BETS), player(*BETS, player_id="p2", hand_id="H2")]
    assert run(make_round(hands={"H1": "Qs Qd 5h", "H2": "6h"}, participants=people, void=void)).raised == []


def test_wrong_card_count_is_not_checked_where_the_feed_carries_no_cards() -> None:
    ran = run(make_round(None, None, BETS, feed_lacks=["cards"]), only="wrong_card_count")
    assert ran.raised == []
    assert ran.covered("wrong_card_count")["examined"] == 0


def test_wrong_card_count_a_round_without_any_card_where_the_feed_carries_them() -> None:
    assert run(make_round(None, None, BETS)).raised == [("wrong_card_count", "H1")]


def test_wrong_card_count_names_every_hand_in_one_finding() -> None:
    people = [player(*BETS), player(*BETS, player_id="p2", hand_id="H2")]
    found = run(make_round(hands={"H1": "Qs Qd", "H2": "6h"}, participants=people)).one
    assert found["hand_id"] == "H1"
    assert "hand H1 has 2 cards read and 2 posted, hand H2 has 1 card read and 1 posted" in found["message"]


def test_unreadable_card_read() -> None:
    told = make_round(wagers=BETS)
    told["card_readings"][1]["card"] = "??"
    found = run(told).one
    assert (found["check_id"], found["hand_id"], found["severity"]) == ("unreadable_card", "H1", "high")
    assert "card 2 of hand H1 was read as ??" in found["message"]


@pytest.mark.parametrize("text", ["??", "10h", "qd", "Qx"])
def test_unreadable_card_posted(text: str) -> None:
    assert run(make_round(f"Qs {text} 5h", wagers=BETS, readings=[])).raised == [("unreadable_card", "H1")]


def test_unreadable_card_read_again_in_time_is_honest() -> None:
    told = make_round(wagers=BETS, more_readings=[manual("Qd", source="scanner")])
    told["card_readings"][1]["card"] = "??"
    assert run(told).raised == []


@pytest.mark.parametrize("status", ["open", "interrupted", "voided"])
def test_unreadable_card_is_for_settled_rounds(status: str) -> None:
    told = make_round(wagers=BETS, status=status)
    told["card_readings"][1]["card"] = "??"
    assert run(told).raised == []


def test_reading_hand_mismatch() -> None:
    told = make_round(wagers=BETS)
    told["hands"][0]["cards"] = ["Qs", "Qd", "6h"]
    found = run(told).one
    assert (found["check_id"], found["hand_id"], found["severity"]) == ("reading_hand_mismatch", "H1", "critical")
    assert "hand H1 was read as Qs Qd 5h and posted as Qs Qd 6h" in found["message"]


def test_reading_hand_mismatch_compares_sets() -> None:
    told = make_round(wagers=BETS)
    told["hands"][0]["cards"] = ["5h", "Qs", "Qd"]
    assert run(told).raised == []


def test_reading_hand_mismatch_needs_readings() -> None:
    assert run(make_round(wagers=BETS, readings=[])).raised == []


@pytest.mark.parametrize("status", ["open", "interrupted", "voided"])
def test_reading_hand_mismatch_is_for_settled_rounds(status: str) -> None:
    told = make_round(wagers=BETS, status=status)
    told["hands"][0]["cards"] = ["Qs", "Qd", "6h"]
    assert run(told).raised == []


def test_conflicting_reading() -> None:
    found = run(make_round(wagers=BETS, more_readings=[seven()])).one
    assert (found["check_id"], found["hand_id"], found["severity"]) == ("conflicting_reading", "H1", "high")
    assert "card 2 of hand H1 was read as Qd and as 2d" in found["message"]


def test_conflicting_reading_with_an_unreadable_one() -> None:
    assert run(make_round(wagers=BETS, more_readings=[seven(card="??")])).raised == [("conflicting_reading", "H1")]


def test_conflicting_reading_of_two_that_were_not_recognised() -> None:
    found = run(make_round(wagers=BETS, more_readings=[seven(card="??", replaces=2), seven(8, card="??")])).one
    assert (found["check_id"], found["hand_id"]) == ("conflicting_reading", "H1")
    assert "card 2 of hand H1 was read as ?? and as ??" in found["message"]


@pytest.mark.parametrize(
    ("readings", "fault"),
    [
        ([seven(card="Qd", replaces=99)], "which no reading has"),
        ([seven(card="Qd", replaces=7)], "which is itself"),
        ([seven(card="Qd", position=1, replaces=2)], "which is another place"),
        ([seven(card="Qd", replaces=2), seven(8, card="Qd", replaces=2)], "which another reading replaces too"),
        ([seven(card="Qd", replaces=8), seven(8, card="Qd", replaces=7)], "which leads back to itself"),
    ],
)
def test_correction_chain_broken(readings: list[Row], fault: str) -> None:
    found = run(make_round(wagers=BETS, more_readings=readings)).one
    assert (found["check_id"], found["hand_id"], found["severity"]) == ("correction_chain_broken", "H1", "high")
    assert fault in found["message"]


def test_correction_chain_of_three_is_honest() -> None:
    more = [seven(card="2d", replaces=2), seven(8, card="Qd", replaces=7)]
    assert run(make_round(wagers=BETS, more_readings=more)).raised == []


def test_of_several_faults_on_one_hand_the_first_is_raised() -> None:
    more = [seven(card="??", replaces=99), seven(8, position=4, card="6h")]
    assert run(make_round(wagers=BETS, more_readings=more)).raised == [("correction_chain_broken", "H1")]


def test_of_several_hands_each_raises_its_own() -> None:
    told = make_round(wagers=BETS, more_readings=[seven()])
    told["dealer_hand"] = ["Ad", "7c", "3s"]
    assert run(told).raised == [("conflicting_reading", "H1"), ("reading_hand_mismatch", "dealer")]


def test_manual_correction_is_info() -> None:
    told = make_round("Qs 2d 5h", wagers=BETS, more_readings=[manual()])
    told["card_readings"][1]["card"] = "Qd"
    found = run(told).one
    assert (found["check_id"], found["hand_id"], found["severity"]) == ("manual_correction", "H1", "info")
    assert "card 2 of hand H1 was corrected from Qd to 2d at 15:00:15.000Z by PIT-2" in found["message"]


@pytest.mark.parametrize("nobody", [None, ""])
def test_correction_unattributed(nobody: str | None) -> None:
    ran = run(make_round("Qs 2d 5h", wagers=BETS, readings=_read(manual(by=nobody))))
    assert ran.raised == [("correction_unattributed", "H1"), ("manual_correction", "H1")]


def test_correction_by_the_scanner_needs_no_name() -> None:
    assert run(make_round("Qs 2d 5h", wagers=BETS, readings=_read(manual(by=None, source="scanner")))).raised == []


def _read(*more: Row) -> list[Row]:
    """Qs Qd 5h read for H1, Ad 7c 2s for the dealer, then these."""
    first = [reading(seq, "H1" if seq < 4 else "dealer", (seq - 1) % 3 + 1, card) for seq, card in enumerate(READ, 1)]
    return [*first, *more]


def test_correction_after_decision() -> None:
    ran = run(make_round("Qs 2d 5h", wagers=BETS, readings=_read(manual(source="scanner", read_at="+25.001"))))
    assert ran.raised == [("correction_after_decision", "H1")]
    assert (
        "card 2 of hand H1 was corrected from Qd to 2d at 15:00:25.001Z by PIT-2, after player p1 had decided at 15:00:25.000Z"
        in ran.one["message"]
    )


def test_correction_after_decision_says_what_is_due_by_either_reading_per_currency() -> None:
    people = [player(*BETS), player(*BETS, player_id="p2", currency="EUR"), player(*BETS, player_id="p3", play_mode="test")]
    people[0]["wagers"].append({"kind": "pair_plus", "stake": "5.00", "wager_id": "no", "status": "rejected"})
    told = make_round("Qs 2d 5h", participants=people, readings=_read(manual(source="scanner", read_at="+26.000")))
    found = run(told, only="correction_after_decision").one
    assert found["message"].endswith(
        " Of its real wagers, by the first reading 50.00 EUR is due in all, by the last reading 0.00 EUR is due in all;"
        " by the first reading 50.00 USD is due in all, by the last reading 0.00 USD is due in all."
    )


def test_correction_after_decision_says_what_a_reading_cannot_settle() -> None:
    readings = _read(manual("Qd", source="scanner", read_at="+26.000"))
    readings[1]["card"] = "??"
    found = run(make_round(wagers=BETS, readings=readings)).one
    assert found["message"].endswith(", by the first reading 3 USD wagers cannot be settled, by the last reading 50.00 USD is due in all.")


def test_correction_at_the_decision_is_in_time() -> None:
    assert run(make_round("Qs 2d 5h", wagers=BETS, readings=_read(manual(source="scanner", read_at="+25.000")))).raised == []


def test_correction_after_decision_compares_at_the_coarser_resolution() -> None:
    people = [player(*BETS, decided_at="+25")]
    told = make_round("Qs 2d 5h", participants=people, readings=_read(manual(source="scanner", read_at="+25.900")))
    assert run(told).raised == []


def test_correction_after_decision_counts_an_unreadable_card_made_readable() -> None:
    readings = _read(manual("Qd", source="scanner", read_at="+26.000"))
    readings[1]["card"] = "??"
    assert run(make_round(wagers=BETS, readings=readings)).raised == [("correction_after_decision", "H1")]


def test_correction_after_decision_the_same_card_again_is_no_change() -> None:
    assert run(make_round(wagers=BETS, readings=_read(manual("Qd", source="scanner", read_at="+26.000")))).raised == []


def test_correction_after_decision_is_about_player_cards() -> None:
    late = manual("7d", to="dealer", source="scanner", replaces=5, read_at="+38.000")
    assert run(make_round(dealer="Ad 7d 2s", wagers=BETS, readings=_read(late))).raised == []


def test_correction_after_decision_is_about_that_hand() -> None:
    people = [player(*BETS, decided_at="+30.000"), player(*BETS, player_id="p2", hand_id="H2", decided_at="+20.000")]
    hands: dict[str, str | None] = {"H1": "Qs 2d 5h", "H2": "6c 6d 6h"}
    others = [reading(10 + place, "H2", place, card) for place, card in enumerate(("6c", "6d", "6h"), 1)]
    told = make_round(hands=hands, participants=people, readings=_read(*others, manual(source="scanner", read_at="+25.000")))
    assert run(told).raised == []


def test_correction_after_decision_of_a_test_participant_is_info() -> None:
    people = [player(*BETS, play_mode="test")]
    told = make_round("Qs 2d 5h", participants=people, readings=_read(manual(source="scanner", read_at="+26.000")))
    assert run(told).one["severity"] == "info"


def test_correction_after_posting() -> None:
    late = manual("7d", to="dealer", source="scanner", replaces=5, read_at="+60.000")
    found = run(make_round(dealer="Ad 7d 2s", wagers=BETS, readings=_read(late))).one
    assert (found["check_id"], found["hand_id"], found["severity"]) == ("correction_after_posting", "dealer", "critical")
    assert (
        "card 2 of the dealer's hand was corrected from 7c to 7d at 15:01:00.000Z by PIT-2, after the result was posted at"
        in found["message"]
    )
    assert found["message"].endswith("by the first reading 50.00 USD is due in all, by the last reading 50.00 USD is due in all.")
    found = run(make_round(dealer="Ad 7d 2s", participants=[player(*BETS, play_mode="test")], readings=_read(late))).one
    assert found["message"].endswith("Of its real wagers, nothing is due by either reading.")


@pytest.mark.parametrize("at", ["+40.999", "+41.000"])
def test_correction_before_posting_is_in_time(at: str) -> None:
    late = manual("7d", to="dealer", source="scanner", replaces=5, read_at=at)
    assert run(make_round(dealer="Ad 7d 2s", wagers=BETS, readings=_read(late))).raised == []

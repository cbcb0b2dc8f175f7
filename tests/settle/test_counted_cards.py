"""The cards that count, and how far distrust reaches."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.settle.counted_cards import counted_cards
from pipeline.settle.hands import CARD
from tests.support.chunks import make_chunk, make_round, player, reading
from tests.support.settled import DEALER_ACE, PAIR, due, settled, settled_one

ANTE, PLAY, PAIR_PLUS, SIX = ("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00"), ("six_card_bonus", "5.00")
READ = [reading(1, "H1", 1, "Qs"), reading(2, "H1", 2, "Qd"), reading(3, "H1", 3, "5h")]
DEALER = [reading(4, "dealer", 1, "Ad"), reading(5, "dealer", 2, "7c"), reading(6, "dealer", 3, "2s")]


def judged(*more: dict[str, Any], **fields: Any) -> tuple[str | None, str | None]:
    """Why the player's and the dealer's hand of a round is distrusted."""
    rows = counted_cards(make_chunk(make_round(more_readings=list(more), **fields)))
    return rows.filter(~rows["is_dealer"])["distrust"][0], rows.filter("is_dealer")["distrust"][0]


def counted(*more: dict[str, Any], **fields: Any) -> str:
    row = counted_cards(make_chunk(make_round(more_readings=list(more), **fields))).row(0, named=True)
    return " ".join(CARD.categories[row[name]] for name in ("low", "middle", "high"))


def test_readings_count_before_what_was_posted_and_posted_cards_count_without_readings() -> None:
    assert counted() == "5h Qd Qs"
    assert counted(readings=[], player="2c Kd 7h") == "2c 7h Kd"
    assert counted(readings=READ, player=None) == "5h Qd Qs"


def test_a_correction_counts_and_what_it_replaces_does_not() -> None:
    chain = [reading(7, "H1", 2, "Qc", replaces=2), reading(8, "H1", 2, "Qh", replaces=7)]
    assert counted(*chain, player="Qs Qh 5h") == "5h Qh Qs"
    assert judged(*chain, player="Qs Qh 5h", readings=READ + DEALER) == (None, None)


def test_equal_readings_of_one_place_are_one_card() -> None:
    assert judged(reading(7, "H1", 2, "Qd"), reading(8, "dealer", 1, "Ad")) == (None, None)
    assert counted(reading(7, "H1", 2, "Qd")) == "5h Qd Qs"


def test_an_unreadable_card_read_again_is_readable() -> None:
    readings = [READ[0], reading(2, "H1", 2, "??"), READ[2], *DEALER, reading(7, "H1", 2, "Qd", replaces=2)]
    assert judged(readings=readings) == (None, None)


BROKEN = "correction_chain_broken"


@pytest.mark.parametrize(
    ("more", "player", "dealer"),
    [
        ([reading(7, "H1", 2, "Qd", replaces=99)], BROKEN, None),
        ([reading(7, "H1", 2, "Qd", replaces=7)], BROKEN, None),
        ([reading(7, "H1", 2, "Qd", replaces=8), reading(8, "H1", 2, "Qd", replaces=7)], BROKEN, None),
        (
            [reading(7, "H1", 2, "Qd", replaces=8), reading(8, "H1", 2, "Qd", replaces=9), reading(9, "H1", 2, "Qd", replaces=7)],
            BROKEN,
            None,
        ),
        ([reading(7, "H1", 2, "Qd", replaces=3)], BROKEN, None),
        ([reading(7, "dealer", 1, "Ad", replaces=1)], BROKEN, BROKEN),
        ([reading(7, "H1", 2, "Qd", replaces=2), reading(8, "H1", 2, "Qd", replaces=2)], BROKEN, None),
        ([reading(7, "dealer", 2, "7c", replaces=44)], None, BROKEN),
    ],
)
def test_a_broken_chain_distrusts_the_hands_it_touches(more: list[dict[str, Any]], player: str | None, dealer: str | None) -> None:
    assert judged(*more) == (player, dealer)


def test_a_long_chain_is_not_a_cycle() -> None:
    chain = [reading(seq, "H1", 2, "Qd", replaces=2 if seq == 7 else seq - 1) for seq in range(7, 40)]
    assert judged(*chain) == (None, None)


def test_two_readings_of_one_place_that_differ_conflict() -> None:
    assert judged(reading(7, "H1", 2, "Qc")) == ("conflicting_reading", None)
    assert judged(reading(7, "H1", 2, None)) == ("conflicting_reading", None)
    assert judged(reading(7, "dealer", 3, "??")) == (None, "conflicting_reading")
    assert judged(reading(7, "H1", 2, "??", replaces=2), reading(8, "H1", 2, "??")) == ("conflicting_reading", None)


@pytest.mark.parametrize("card", ["??", None, "10s", "qs", ""])
def test_a_card_that_is_none_of_the_52_is_unreadable(card: str | None) -> None:
    assert judged(readings=[reading(1, "H1", 1, card), *READ[1:], *DEALER]) == ("unreadable_card", None)


def test_a_reading_without_a_place_is_unreadable() -> None:
    assert judged(readings=[*READ[:2], reading(3, "H1", None, "5h"), *DEALER]) == ("unreadable_card", None)


def test_a_posted_card_can_be_unreadable() -> None:
    assert judged(player="Qs ?? 5h", readings=DEALER) == ("unreadable_card", None)
    assert judged(player="Qs ?? 5h", readings=READ + DEALER) == ("unreadable_card", None)


@pytest.mark.parametrize(
    "fields",
    [
        {"readings": [*READ[:2], *DEALER]},
        {"readings": [READ[2], *DEALER]},
        {"readings": DEALER, "player": "5h"},
        {"readings": DEALER, "player": "Qs Qd"},
        {"readings": DEALER, "player": "Qs Qd 5h 6h"},
        {"readings": [*READ, reading(9, "H1", 4, "6h"), *DEALER]},
        {"readings": READ + DEALER, "player": "Qs Qd"},
        {"readings": DEALER, "player": None},
    ],
)
def test_other_than_three_cards_is_a_wrong_count(fields: dict[str, Any]) -> None:
    assert judged(**fields) == ("wrong_card_count", None)


def test_readings_and_posted_hand_are_compared_as_sets() -> None:
    assert judged(readings=READ + DEALER, player="5h Qs Qd") == (None, None)
    assert judged(readings=READ + DEALER, player="5h Qs Qc") == ("reading_hand_mismatch", None)
    lowest = [reading(seq, "H1", seq, card) for seq, card in enumerate(("2c", "3c", "5h"), 1)]
    assert judged(readings=lowest + DEALER, player="2c 2c 5h") == ("reading_hand_mismatch", None)


def test_a_card_twice_in_a_round_distrusts_every_hand_that_holds_it() -> None:
    assert judged(player="Qs Qd 2s") == ("duplicate_card", "duplicate_card")
    assert judged(player="Qs Qs 5h") == ("duplicate_card", None)
    assert judged(player="Qs Qd 2s", readings=[]) == ("duplicate_card", "duplicate_card")
    hands = {"H1": "Qs Qd 5h", "H2": "9c 9d 5h", "H3": "Ks Kd 4c"}
    rows = counted_cards(make_chunk(make_round(hands=hands)))
    assert rows["distrust"].to_list() == ["duplicate_card", "duplicate_card", None, None]
    beside_unknown = counted_cards(make_chunk(make_round(hands={"H1": "2c ?? 5h", "H2": "2c 9h Kd"}, readings=[])))
    assert beside_unknown["distrust"].to_list() == ["unreadable_card", "duplicate_card", None]


def test_a_reading_for_no_hand_counts_for_the_one_deck_rule_alone() -> None:
    assert judged(reading(9, None, None, "Qs")) == ("duplicate_card", None)
    assert judged(reading(9, None, None, "4s")) == (None, None)


def test_a_misdealt_fourth_card_breaks_the_one_deck_rule_too() -> None:
    assert judged(player="Qs Qd 5h 2s", readings=[]) == ("wrong_card_count", "duplicate_card")


def test_rounds_share_no_deck() -> None:
    got = counted_cards(make_chunk(make_round(), make_round(round_id="r2"), make_round(round_id="r3", player="2s 3s 4s")))
    assert got["distrust"].to_list() == [None, None, None, None, "duplicate_card", "duplicate_card"]


def test_distrust_reaches_as_far_as_the_cards_do() -> None:
    spoilt_dealer = {"readings": READ, "dealer": "?? 7c 2s", "player": PAIR}
    got = settled_one(ANTE, PLAY, PAIR_PLUS, SIX, **spoilt_dealer)
    reasons = {kind: row["settlement_reason"] for kind, row in got.items()}
    assert reasons == dict.fromkeys(("ante", "play", "six_card_bonus"), "dealer: unreadable_card") | {"pair_plus": None}
    assert (got["ante"]["dealer_category"], got["ante"]["dealer_qualifies"], got["ante"]["hand_category"]) == (None, None, "pair")


def test_a_folded_ante_is_due_nothing_whatever_the_cards() -> None:
    got = settled_one(ANTE, PAIR_PLUS, SIX, readings=READ, dealer=None, player=PAIR)
    assert (due(got["ante"]), due(got["pair_plus"])) == (("0", "0"), ("0", None))
    assert got["six_card_bonus"]["settlement_reason"] == "dealer: wrong_card_count"
    unread = settled_one(ANTE, PAIR_PLUS, readings=[], player=None)
    assert (due(unread["ante"]), due(unread["pair_plus"])) == (("0", "0"), ("0", None))


def test_the_players_hand_is_named_before_the_dealers() -> None:
    got = settled_one(ANTE, PLAY, readings=[], player="Qs ?? 5h", dealer="Ad 7c")
    assert got["ante"]["settlement_reason"] == "unreadable_card"


def test_a_void_is_settled_whatever_the_cards() -> None:
    got = settled_one(ANTE, readings=[], player="Qs Qs", dealer=None, status="voided")
    assert due(got["ante"]) == ("10", "0")


def test_a_participant_on_a_hand_that_is_not_there_has_no_cards() -> None:
    people = [player(PAIR_PLUS, hand_id="H9", player_id="a"), player(PAIR_PLUS, hand_id=None, player_id="b"), player(PAIR_PLUS)]
    got = settled(make_round(participants=people, player=PAIR, dealer=DEALER_ACE))
    assert got["r1-a-pair_plus"]["settlement_reason"] == got["r1-b-pair_plus"]["settlement_reason"] == "wrong_card_count"
    assert got["r1-a-pair_plus"]["dealer_category"] == got["r1-b-pair_plus"]["dealer_category"] == "high_card"
    assert due(got["r1-p1-pair_plus"]) == ("10", None)

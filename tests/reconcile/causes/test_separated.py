"""Two causes that fit alike are told apart by a kind of hand, whichever two they are."""

from __future__ import annotations

from itertools import combinations

import pytest

from pipeline.reconcile.causes import HYPOTHESES
from pipeline.reconcile.causes.separated import separated_by, shows_on, told_apart
from pipeline.reconcile.causes.specimens import SPECIMENS
from tests.support.chunks import make_round
from tests.support.diagnosed import diagnosed_one, incidents_of

NAMES = [hypothesis.name for hypothesis in HYPOTHESES]


def test_every_two_causes_are_told_apart_by_some_kind_of_hand_and_each_shows_on_one() -> None:
    assert [pair for pair in combinations(NAMES, 2) if not separated_by(*pair)] == []
    assert [name for name in NAMES if not shows_on(name)] == []


def test_each_specimen_shows_something() -> None:
    shown = {words for name in NAMES for words in shows_on(name)}
    assert [specimen.words for specimen in SPECIMENS if specimen.words not in shown] == []


@pytest.mark.parametrize(
    ("one", "other", "hand"),
    [
        ("straight_missed", "ace_low_straight_missed", "a straight beats the dealer's qualified hand"),
        ("tie_lost", "win_pays_nothing", "the dealer qualifies and the hands tie"),
        ("ante_bonus_missing", "ante_bonus_only_on_win", "a straight beats the dealer's qualified hand"),
        ("pair_rank_ignored", "pair_kicker_ignored", "the pairs are equal and the odd cards are not"),
        ("lowest_card_first", "ranks_summed", "the player's ace high beats the dealer's king high with a lower lowest card"),
        ("qualifier_top_card_only", "qualifier_ignored",
         "the dealer qualifies with a pair lower than the qualifier and no card that reaches it"),
        ("stake_returned_twice", "paid_twice", "a straight beats the dealer's qualified hand"),
    ],
)  # fmt: skip
def test_the_hand_is_one_that_a_player_of_the_game_would_name(one: str, other: str, hand: str) -> None:
    assert hand in separated_by(one, other)


def test_on_a_hand_that_is_named_the_one_cause_fits_and_the_other_does_not() -> None:
    named = separated_by("straight_missed", "ace_high_straight_missed", "pair_plus")[0]
    (hand,) = [specimen.player for specimen in SPECIMENS if specimen.words == named]
    told = diagnosed_one(("pair_plus", "5.00", "0.00"), player=hand)["pair_plus"].all or []
    assert [name in told for name in ("straight_missed", "ace_high_straight_missed")] == [True, False]


def test_a_wrong_input_shows_where_it_would_settle_otherwise() -> None:
    assert separated_by("tie_won", "other_hand") == ("another seat's cards would settle the wager otherwise and tie_won would not",)
    assert separated_by("stale_result", "other_hand") == (
        "the cards of the round before and another seat's cards would settle the wager differently",
    )


def test_the_wagers_own_part_of_the_table_comes_first() -> None:
    of_main, of_side = (separated_by("win_pays_nothing", "paid_twice", kind)[0] for kind in ("play", "pair_plus"))
    assert ("a side wager" in of_main, "a side wager" in of_side) == (False, True)


def test_an_incident_names_the_hand_that_would_tell() -> None:
    """Every straight went unpaid, and no other kind of winning hand was dealt: the wins may pay nothing whatever they are."""
    rounds = [
        make_round(player="6c 7d 8h", wagers=[("pair_plus", "5.00", "0.00")], round_id=f"r{number}", at=f"2026-11-03T15:0{number}:00.000Z")
        for number in range(6)
    ]
    _, incidents = incidents_of(*rounds)
    (row,) = incidents.to_dicts()
    assert "win_pays_nothing" in row["also_explained_by"]
    assert told_apart(row["root_cause"], row["also_explained_by"], "pair_plus") in row["message"]
    assert (
        "They would differ on: a hand where a side wager on the player's three cards stands on a pair, which also beats" in row["message"]
    )

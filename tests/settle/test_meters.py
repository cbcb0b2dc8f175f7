"""58 Pa. Code § 649a.12(e): a progressive is paid a share of its meter."""

from __future__ import annotations

from typing import Any

from tests.support.chunks import bet, make_round, player
from tests.support.filings import filing
from tests.support.settled import MINI_ROYAL, MINI_ROYAL_SPADES, PAIR, due, settled, settled_one

ODDS = {"mini_royal_spades": {"meter": "100 %"}, "mini_royal": "500 for 1", "straight_flush": {"meter": "12.5 %"}}
TABLE = {"odds": ODDS, "forfeited_by_fold": True, "judged_on": "player_three", "stake_returned": False}
METER = {"m1": {"currency": "USD", "seed": "1000.00", "share_of": "progressive"}}
ENTRY = {"meter_id": "m1", "kind": "progressive", "seq": 4, "before": "25000.00", "contribution": "0.25", "currency": "USD"}


def under(meters: dict[str, Any] = METER, **table: Any) -> list[dict[str, Any]]:
    return [filing(wagers={"progressive": TABLE | table}, meters=meters)]


def one(
    hand: str = MINI_ROYAL_SPADES, entries: list[dict[str, Any]] | None = None, terms: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    return settled_one(("progressive", "1.00"), player=hand, meters=[ENTRY] if entries is None else entries, under=terms or under())[
        "progressive"
    ]


def several(*people: dict[str, Any], terms: list[dict[str, Any]] | None = None) -> dict[str, str | None]:
    told = make_round(participants=list(people), player=MINI_ROYAL_SPADES, meters=[ENTRY])
    return {row["wager_id"]: due(row)[0] for row in settled(told, under=terms or under()).values()}


def test_649a_12_e_ace_king_queen_of_spades_wins_all_of_the_meter() -> None:
    got = one()
    assert (due(got), got["line"], got["odds"]) == (("25000.25", None), "mini_royal_spades", "meter 100 %")


def test_649a_12_e_another_suit_is_paid_500_for_1() -> None:
    assert due(one(MINI_ROYAL)) == ("500", None)


def test_a_share_of_the_meter_is_exact_to_the_millionth() -> None:
    assert due(one("6h 7h 8h")) == ("3125.03125", None)


def test_a_miss_needs_no_meter() -> None:
    assert due(one(PAIR, entries=[])) == ("0", None)


def test_the_stake_comes_back_where_filed_so() -> None:
    assert due(one(terms=under(stake_returned=True))) == ("25001.25", None)


def test_two_winners_share_the_meter_equally() -> None:
    people = [player(bet("progressive", "1.00", wager_id=name), player_id=name) for name in "abc"]
    assert several(*people) == dict.fromkeys("abc", "8333.416667")


def test_each_winner_is_paid_in_full_where_filed_so() -> None:
    people = [player(bet("progressive", "1.00", wager_id=name), player_id=name) for name in "ab"]
    terms = under({"m1": {**METER["m1"], "several_winners": "each_in_full"}})
    assert several(*people, terms=terms) == dict.fromkeys("ab", "25000.25")
    not_the_filed_one = under({"m9": {**METER["m1"], "several_winners": "each_in_full"}})
    assert several(*people, terms=not_the_filed_one) == dict.fromkeys("ab", "25000.25")
    beside_another = under(
        {"m1": {**METER["m1"], "several_winners": "share_equally"}, "m9": {**METER["m1"], "several_winners": "each_in_full"}}
    )
    assert several(*people, terms=beside_another) == dict.fromkeys("ab", "12500.125")


def test_only_real_accepted_wagers_that_stand_share() -> None:
    people = [
        player(bet("progressive", "1.00", wager_id="real"), player_id="a"),
        player(bet("progressive", "1.00", wager_id="test"), player_id="b", play_mode="test"),
        player(bet("progressive", "1.00", wager_id="rejected", status="rejected"), player_id="c"),
        player(bet("ante", wager_id="ante"), bet("progressive", "1.00", wager_id="folded"), player_id="d"),
    ]
    assert several(*people) == {"real": "25000.25", "test": "25000.25", "rejected": None, "ante": "0", "folded": "0"}


def test_the_meter_is_found_by_the_filing_or_by_its_kind() -> None:
    other = {**ENTRY, "meter_id": "m0", "before": "7.00"}
    assert due(one(entries=[other, ENTRY])) == ("25000.25", None)
    assert due(one(entries=[{**ENTRY, "kind": None}])) == ("25000.25", None)
    assert due(one(entries=[other], terms=under({}))) == ("7.25", None)


def test_no_meter_in_the_round_is_unsettleable() -> None:
    for entries in ([], [{**ENTRY, "meter_id": "x", "kind": "other"}], [{**ENTRY, "before": None}], [{**ENTRY, "currency": "EUR"}]):
        got = one(entries=entries)
        assert (got["settlement"], got["settlement_reason"], due(got)) == ("unsettleable", "meter_missing", (None, None))


def test_a_free_progressive_hands_back_the_share_less_the_stake() -> None:
    free = bet("progressive", "1.00", funding="free")
    got = settled_one(free, player=MINI_ROYAL_SPADES, meters=[ENTRY], under=under(stake_returned=True))["progressive"]
    assert due(got) == ("25000.25", None)

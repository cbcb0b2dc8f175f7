"""overlapping_rounds, clock_regression, dealer_not_certified: the table's time, and who dealt on the day."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

import polars as pl

from pipeline.feeds.roster import ROSTER
from tests.support import night
from tests.support.chunks import make_round, player, reading, readings_of

Row = dict[str, Any]
run_night = partial(night.run_night, settle=False)
raised = partial(night.raised, settle=False)
VOID = {"reason": "misdeal", "authorised_by": "PIT-2", "scope": "round"}
BETS = [("ante", "10.00"), ("play", "10.00")]


def at(minute: int, second: str, sequence: int | None, **fields: Any) -> Row:
    """A round that starts at 15:MM:SS; its first card is read 11.1 s, its result posted 41 s later."""
    fields.setdefault("round_id", f"n{sequence}")
    return make_round(wagers=BETS, at=f"2026-11-03T15:{minute:02}:{second}Z", sequence=sequence, **fields)


def test_the_next_deal_before_the_posting() -> None:
    found = run_night("overlapping_rounds", at(0, "00.000", 1), at(0, "20.000", 2), at(5, "00.000", 3)).one
    assert (found["round_id"], found["wager_id"], found["severity"]) == ("n1", None, "medium")
    assert "first card of the next round n2 was read at 15:00:31.100Z, before this round was posted at 15:00:41.000Z" in found["message"]


def test_rounds_in_order_do_not_overlap() -> None:
    other_table = {"table_id": "TCP-02", "round_id": "other"}
    assert not raised(
        "overlapping_rounds",
        at(0, "00.000", 1),
        at(0, "29.900", 2),  # first card in the moment of the posting
        at(0, "29.900", 1, **other_table),
        at(5, "00.000", 3, posted_at=None, status="interrupted"),
        at(5, "20.000", 4, status="voided", void={**VOID, "at": "+12.000"}),
        at(5, "25.000", 5, readings=[]),
        at(6, "30.000", 6),
    )


def test_equal_at_the_coarser_resolution_is_in_time() -> None:
    card = reading(1, "H1", 1, "2c", read_at="+12")
    assert not raised("overlapping_rounds", at(0, "00.000", 1, posted_at="+41.900"), at(0, "29.000", 2, readings=[card]))


def test_a_void_ends_a_round_though_it_is_posted_later() -> None:
    voided = at(0, "00.000", 1, status="voided", void={**VOID, "at": "+12.000"}, posted_at="+50.000")
    assert not raised("overlapping_rounds", voided, at(0, "15.000", 2))
    late = at(0, "00.000", 1, status="voided", void={**VOID, "at": "+28.000"}, posted_at=None)
    assert raised("overlapping_rounds", late, at(0, "15.000", 2)) == [("n1", None)]


def test_the_next_round_is_the_next_by_sequence_else_by_time() -> None:
    by_number = [at(0, "00.000", 2), at(3, "00.000", 1), at(6, "00.000", 3)]
    assert raised("overlapping_rounds", *by_number) == [("n1", None)]
    by_time = [at(m, "00.000", None, round_id=f"t{m}") for m in (0, 3, 6)]
    assert not raised("overlapping_rounds", *by_time)
    restarted = [at(0, "00.000", 1), at(1, "00.000", 2), at(9, "00.000", 1, round_id="n1b"), at(10, "00.000", 2, round_id="n2b")]
    assert not raised("overlapping_rounds", *restarted)


def test_the_last_round_of_the_day_before_overlaps_the_first_of_this_one() -> None:
    edge = at(0, "00.000", 7)
    ran = run_night("overlapping_rounds", at(0, "20.000", 8), edge=edge)
    assert (ran.one["round_id"], ran.one["gaming_day"], ran.one["table_id"]) == ("n7", date(2026, 11, 3), "TCP-01")
    assert not raised("overlapping_rounds", at(2, "00.000", 8), edge=edge)
    assert not raised("overlapping_rounds", at(2, "00.000", 1), edge=edge)


def wager(**times: Any) -> list[Row]:
    return [player({"kind": "ante", "stake": "10.00", "paid": "0.00", **times})]


def test_times_that_run_backwards() -> None:
    found = raised(
        "clock_regression",
        make_round(wagers=BETS, round_id="opened-after-close", opened_at="+10.001"),
        make_round(wagers=BETS, round_id="closed-after-first-card", bets_closed_at="+11.101"),
        make_round(participants=wager(paid_at="+3.000"), round_id="paid-before-placed"),
        make_round(
            wagers=BETS, round_id="corrected-before-read",
            more_readings=[reading(9, "H1", 2, "Qc", replaces=2, read_at="+11.199", source="manual", by="D1")],
        ),
    )  # fmt: skip
    late = ["closed-after-first-card", "corrected-before-read", "opened-after-close", "paid-before-placed"]
    assert [round_id for round_id, _ in found] == late


def test_each_wrong_order_is_said() -> None:
    told = make_round(participants=wager(paid_at="+3.000"), bets_closed_at="+12.000", opened_at="+13.000")
    message = run_night("clock_regression", told).one["message"]
    assert "bets close at 15:00:12.000Z, before they opened at 15:00:13.000Z" in message
    assert "the first player card is read at 15:00:11.100Z, before bets closed at 15:00:12.000Z" in message
    assert "wager r1-p1-ante is paid at 15:00:03.000Z, before it was placed at 15:00:04.000Z" in message


def test_equal_times_missing_times_and_orders_with_a_check_of_their_own() -> None:
    dealer_first = [reading(1, "dealer", 1, "2c", read_at="+1.000"), *readings_of({"H1": "Qs Qd 5h"})]
    broken = reading(9, "H1", 2, "Qc", replaces=9, read_at="+11.150")
    elsewhere = reading(9, "H1", 2, "Qc", replaces=3, read_at="+11.250")
    assert not raised(
        "clock_regression",
        make_round(wagers=BETS, round_id="equal", opened_at="+10.000", bets_closed_at="+10.000"),
        make_round(wagers=BETS, round_id="card-at-the-close", bets_closed_at="+11.100"),
        make_round(wagers=BETS, round_id="whole-seconds", bets_closed_at="+11", opened_at="+11.900"),
        make_round(wagers=BETS, round_id="dealer-first", readings=dealer_first),
        make_round(participants=wager(paid_at="+4.000"), round_id="paid-as-placed"),
        make_round(participants=wager(paid_at=None, placed_at=None), round_id="no-times"),
        make_round(wagers=BETS, round_id="posted-before-verified", posted_at="+30.000"),
        make_round(wagers=BETS, round_id="paid-before-posted", posted_at="+60.000"),
        make_round(participants=wager(placed_at="+20.000"), round_id="placed-after-close"),
        make_round(participants=[player(*BETS, decided_at="+50.000")], round_id="decided-after-reveal"),
        make_round(wagers=BETS, round_id="replaces-itself", more_readings=[broken]),
        make_round(wagers=BETS, round_id="replaces-another-place", more_readings=[elsewhere]),
        make_round(wagers=BETS, round_id="untimed", opened_at=None, bets_closed_at=None),
    )


def test_opened_at_falling_along_sequence() -> None:
    fallen = [at(0, "00.000", 1), at(5, "00.000", 2), at(2, "00.000", 3), at(6, "00.000", 4)]
    found = run_night("clock_regression", *fallen).one
    assert found["round_id"] == "n3"
    assert "it opens at 15:02:00.000Z, before round n2 of the same table" in found["message"]


def test_opened_at_that_does_not_fall() -> None:
    assert not raised("clock_regression", at(0, "00.000", 1), at(0, "00.000", 2), at(0, "00", 3), at(3, "00.000", 9))
    assert not raised("clock_regression", at(5, "00.000", 1), at(0, "00.000", 2, table_id="TCP-02"))
    assert not raised("clock_regression", *(at(m, "00.000", None, round_id=f"t{m}") for m in (3, 1)))
    restarted = [at(0, "00.000", 1), at(1, "00.000", 2), at(9, "00.000", 1, round_id="n1b"), at(10, "00.000", 2, round_id="n2b")]
    assert not raised("clock_regression", *restarted)


def test_opened_at_falling_across_the_edge_of_the_day() -> None:
    edge = at(5, "00.000", 7)
    assert raised("clock_regression", at(4, "00.000", 8), edge=edge) == [("n8", None)]
    assert not raised("clock_regression", at(6, "00.000", 8), edge=edge)
    assert not raised("clock_regression", at(6, "00.000", 1), edge=edge)


def certificates(*rows: tuple[str, str, date, date | None]) -> pl.DataFrame:
    told = [{"dealer_id": d, "game": g, "certified_from": f, "certified_to": t} for d, g, f, t in rows]
    return pl.DataFrame(told, schema=ROSTER.schema)


def test_dealers_without_a_certificate_for_the_day() -> None:
    roster = certificates(
        ("other-game", "blackjack", date(2026, 1, 1), None),
        ("expired", "three_card_poker", date(2026, 1, 1), date(2026, 11, 2)),
        ("not-yet", "three_card_poker", date(2026, 11, 4), None),
        ("last-day", "three_card_poker", date(2026, 1, 1), date(2026, 11, 3)),
        ("first-day", "Three Card Poker", date(2026, 11, 3), None),
        ("second-certificate", "three_card_poker", date(2025, 1, 1), date(2025, 12, 31)),
        ("second-certificate", "three_card_poker", date(2026, 1, 1), date(2026, 12, 31)),
    )
    dealers = ["stranger", *roster["dealer_id"].unique().to_list()]
    rounds = [make_round(wagers=BETS, round_id=f"{who}-{n}", dealer_id=who, table_id=f"TCP-0{n}") for who in dealers for n in (1, 2)]
    ran = run_night("dealer_not_certified", *rounds, inputs=["roster"], roster=roster)
    assert sorted(ran.findings["dealer_id"].to_list()) == ["expired", "not-yet", "other-game", "stranger"]
    assert ran.findings.select("round_id", "table_id").null_count().row(0) == (4, 4)
    messages = dict(ran.findings.select("dealer_id", "message").rows())
    assert messages["stranger"].startswith("Dealer stranger dealt 2 rounds at TCP-01, TCP-02 and is not on the roster for this game")
    assert "was certified until 2026-11-02" in messages["expired"]


def test_a_certified_dealer_is_honest() -> None:
    roster = certificates(("D1", "three_card_poker", date(2026, 1, 1), None))
    assert raised("dealer_not_certified", make_round(wagers=BETS), inputs=["roster"], roster=roster) == []


def test_without_a_roster_or_a_dealer_nothing_is_said() -> None:
    nameless = make_round(wagers=BETS, dealer_id=None)
    assert run_night("dealer_not_certified", nameless).covered("dealer_not_certified")["reason"] == "not checked: no roster given"
    ran = run_night("dealer_not_certified", nameless, inputs=["roster"], roster=certificates())
    assert ran.findings.is_empty()
    assert "the log does not name the dealer" in ran.covered("dealer_not_certified")["reason"]

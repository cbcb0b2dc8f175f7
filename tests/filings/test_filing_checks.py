"""Each check of a filing and a day: the smallest case that it finds, and the nearest honest one that it does not."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.filings.licence import licence_verdicts
from tests.support.checks import run_checks
from tests.support.chunks import bet, make_chunk, make_round, player
from tests.support.submissions import load_texts, submission

if TYPE_CHECKING:
    from pathlib import Path

    from tests.filings.conftest import RunUnder

_BONUS = 'odds = { straight_flush = "5 to 1", three_of_a_kind = "4 to 1", straight = "1 to 1" }'
_D = (_BONUS, 'paytable = "58 Pa. Code § 649b.4(b) D"')
_ONE = ("decks = 2", 'decks = 2\noperators = ["op-1"]')
_SECOND = ('id = "keystone-tcp-2026"', 'id = "second"')
_TWO = ("decks = 2", 'decks = 2\noperators = ["op-2"]')


def _shown(*, limits: list[Any] | None = None, decks: int | None = None, operator_id: str | None = None, **prices: str) -> dict[str, Any]:
    odds = [{"kind": "pair_plus", "line": line, "price": price, "operator_id": operator_id} for line, price in prices.items()]
    return {"read_at": "+1.000", "odds": odds, "limits": limits, "decks": decks}


def _dealt(**fields: Any) -> dict[str, Any]:
    return make_round(wagers=[bet("ante")], **fields)


def test_no_filing_in_force(run_under: RunUnder) -> None:
    nobodys = make_round(participants=[player(bet("ante"), operator_id=None)], round_id="r3", table_id="X")
    ran = run_under("no_filing_in_force", submission(), rounds=[_dealt(table_id="X"), _dealt(round_id="r2", table_id="X"), nobodys])
    told = ran.findings.sort("operator_id", nulls_last=True)
    assert told.select("table_id", "operator_id", "round_id").rows() == [("X", "op-1", None), ("X", None, None)]
    assert "2 rounds were dealt at table X with players of operator op-1 on gaming day" in told["message"][0]
    assert "1 round was dealt at table X on gaming day" in told["message"][1]
    assert run_under("no_filing_in_force", submission(), rounds=[_dealt()]).raised == []


def test_a_round_that_names_no_table_is_told_under_no_filing(run_under: RunUnder) -> None:
    told = run_under("no_filing_in_force", submission(), rounds=[_dealt(table_id=None)]).one
    assert told["table_id"] is None
    assert told["message"].startswith("1 round was dealt at a table that the log does not name with players of operator op-1 on gaming day")


@pytest.mark.parametrize(
    "swap",
    [_TWO, ("2026-01-01", "2026-11-04"), ("2026-01-01", "2026-01-01\neffective_to = 2026-11-02"), ("studio-7", "studio-8")],
)
def test_a_filing_for_others_is_none(run_under: RunUnder, swap: tuple[str, str]) -> None:
    assert run_under("no_filing_in_force", submission(swap), rounds=[_dealt()]).one["severity"] == "critical"


def test_a_filing_governs_until_its_last_gaming_day(run_under: RunUnder) -> None:
    text = submission(("2026-01-01", "2026-11-03\neffective_to = 2026-11-03"))
    assert run_under("no_filing_in_force", text, rounds=[_dealt()]).raised == []


@pytest.mark.parametrize(("claim", "found"), [("other", True), ("keystone-tcp-2026", False), (None, False)])
def test_filing_claim_mismatch(run_under: RunUnder, claim: str | None, *, found: bool) -> None:
    nobodys = make_round(participants=[player(bet("ante"), operator_id=None)], round_id="r2", filing_id=claim)
    told = run_under("filing_claim_mismatch", submission(), rounds=[_dealt(filing_id=claim), nobodys]).findings["message"].sort()
    says = '1 round at table TCP-01{} on gaming day 2026-11-03 claimed to run under "other"'
    assert [message.partition(", where")[0] for message in told] == (
        [says.format(""), says.format(" with players of operator op-1")] if found else []
    )


def test_a_table_of_two_operators_claims_the_filing_of_one(run_under: RunUnder) -> None:
    people = [player(bet("ante"), player_id=f"p{n}", operator_id=f"op-{n}") for n in (1, 2)]
    texts = (submission(_ONE), submission(_SECOND, _TWO))
    for claim, found in (("second", 0), ("third", 2)):
        ran = run_under("filing_claim_mismatch", *texts, rounds=[make_round(participants=people, filing_id=claim)])
        assert len(ran.raised) == found


@pytest.mark.parametrize("price", ["6 to 1", "6:1", "6-1", "6/1", "12 to 2", "7 for 1", " 6 to 1 "])
def test_a_price_is_the_same_however_it_is_spelt(run_under: RunUnder, price: str) -> None:
    assert run_under("displayed_not_as_filed", submission(), rounds=[_dealt(displayed=_shown(straight=price))]).raised == []


@pytest.mark.parametrize("price", ["5 to 1", "6 for 1", "7:1", "six to one", "6", "", "0 to 0", "6 to 0"])
def test_displayed_odds_are_not_as_filed(run_under: RunUnder, price: str) -> None:
    ran = run_under("displayed_not_as_filed", submission(), rounds=[_dealt(displayed=_shown(straight=price, pair="1 to 1"))])
    assert f"Pair Plus straight {price}, filed 6 to 1" in ran.one["message"]
    assert (ran.one["table_id"], ran.one["operator_id"], ran.one["severity"]) == ("TCP-01", "op-1", "critical")


def test_displayed_lines_that_are_not_filed(run_under: RunUnder) -> None:
    ran = run_under("displayed_not_as_filed", submission(), rounds=[_dealt(displayed=_shown(mini_royal="100 to 1"))])
    assert "Pair Plus mini royal 100 to 1, filed nothing" in ran.one["message"]


@pytest.mark.parametrize(("decks", "found"), [(2, False), (1, True)])
def test_displayed_decks(run_under: RunUnder, decks: int, *, found: bool) -> None:
    assert len(run_under("displayed_not_as_filed", submission(), rounds=[_dealt(displayed=_shown(decks=decks))]).raised) == found


@pytest.mark.parametrize(
    ("limit", "found"),
    [
        ({"kind": "ante", "currency": "USD", "min": "1.00", "max": "500"}, False),
        ({"kind": "ante", "min": "1.00", "max": "500.00"}, False),
        ({"kind": "ante", "currency": "USD", "min": "1.00"}, False),
        ({"kind": "ante", "currency": "USD", "min": "2.00", "max": "500.00"}, True),
        ({"kind": "ante", "currency": "USD", "min": "1.00", "max": "600.00"}, True),
        ({"kind": "pair_plus", "currency": "USD", "min": "1.00", "max": "600.00"}, False),
        ({"kind": "lucky", "currency": "USD", "min": "1.00", "max": "600.00"}, True),
    ],
)
def test_displayed_limits(run_under: RunUnder, limit: dict[str, Any], *, found: bool) -> None:
    assert len(run_under("displayed_not_as_filed", submission(), rounds=[_dealt(displayed=_shown(limits=[limit]))]).raised) == found


def test_what_is_shown_is_compared_with_each_operators_own_filing(run_under: RunUnder) -> None:
    people = [player(bet("ante"), player_id=f"p{n}", operator_id=f"op-{n}") for n in (1, 2)]
    texts = (submission(_ONE), submission(_SECOND, _TWO, ('"6 to 1"', '"5 to 1"')))
    to_all = make_round(participants=people, displayed=_shown(straight="6 to 1"))
    assert run_under("displayed_not_as_filed", *texts, rounds=[to_all]).one["operator_id"] == "op-2"
    own = _shown(straight="6 to 1")
    own["odds"] += _shown(straight="5 to 1", operator_id="op-2")["odds"]
    assert run_under("displayed_not_as_filed", *texts, rounds=[make_round(participants=people, displayed=own)]).raised == []


def test_one_finding_counts_the_rounds_of_the_day(run_under: RunUnder) -> None:
    wrong = [_dealt(round_id=f"r{n}", displayed=_shown(straight="9 to 1", flush="9 to 1")) for n in range(3)]
    ran = run_under("displayed_not_as_filed", submission(), rounds=[*wrong, _dealt(round_id="ok", displayed=_shown(straight="6 to 1"))])
    assert ran.one["message"].startswith("3 rounds at table TCP-01 on gaming day 2026-11-03 showed players of operator op-1")


def test_flat_and_meter_prices_compare_by_value(run_under: RunUnder) -> None:
    text = submission(
        add='[wagers.progressive]\njudged_on = "player_three"\nforfeited_by_fold = false\nstake_returned = true\n'
        'odds = { mini_royal_spades = { meter = "100 %" }, mini_royal = { flat = "5000.00", currency = "USD" } }'
    )

    def shown(meter: str, flat: str) -> dict[str, Any]:
        lines = (("mini_royal_spades", meter), ("mini_royal", flat))
        return {"read_at": "+1.000", "odds": [{"kind": "progressive", "line": line, "price": price} for line, price in lines]}

    check = "displayed_not_as_filed"
    assert run_under(check, text, rounds=[_dealt(displayed=shown("100%", "$5,000"))]).raised == []
    assert run_under(check, text, rounds=[_dealt(displayed=shown("meter 100 %", "flat 5000.00 USD"))]).raised == []
    assert len(run_under(check, text, rounds=[_dealt(displayed=shown("100 to 1", "$500"))]).raised) == 1


@pytest.mark.parametrize(
    ("swaps", "check", "key"),
    [
        ((('"6 to 1"', '"7 to 1"'),), "paytable_not_licensed", "pair_plus.odds.straight"),
        ((("forfeited_by_fold = true", "forfeited_by_fold = false"),), "rule_not_licensed", "pair_plus.forfeited_by_fold"),
    ],
)
def test_what_is_not_licensed(run_under: RunUnder, swaps: tuple[tuple[str, str], ...], check: str, key: str) -> None:
    tried = [player(bet("ante"), play_mode="test"), player(bet("ante"), player_id="p2", operator_id="op-2", play_mode="test")]
    ran = run_under(check, submission(*swaps), rounds=[_dealt(), _dealt(round_id="r2", table_id="TCP-02", participants=tried)])
    assert key in ran.one["citation"]
    assert (ran.one["table_id"], ran.one["round_id"], ran.one["source_file"]) == (None, None, "0.toml")
    assert ran.one["severity"] != "info"
    assert "Table TCP-01, TCP-02 ran on gaming day 2026-11-03 under filing keystone-tcp-2026" in ran.one["message"]
    assert run_under(check, submission(), rounds=[_dealt()]).raised == []
    assert run_under(check, submission(*swaps, ('"US-PA"', '"XX"')), rounds=[_dealt()]).raised == []
    assert run_under(check, submission(*swaps), rounds=[_dealt(table_id="X")]).raised == []


def _on(folder: Path, check: str, at: str, day: date, *, text: str = "") -> list[tuple[str, str | None]]:
    filings = load_texts(folder, text or submission(_D, ("2026-01-01", "2025-01-01")))
    chunk = make_chunk(make_round(wagers=[bet("ante")], at=at), day=day)
    register = {"filed_licence": licence_verdicts(filings)}
    return run_checks(
        chunk, filings.filed, check, before=lambda con: [con.register(name, frame) for name, frame in register.items()], reach="both"
    ).raised


@pytest.mark.parametrize(
    ("check", "at", "day", "found"),
    [
        # New York is four hours behind in summer: the last round of gaming day 22 August is dealt on the 23rd.
        ("paytable_expired", "2028-08-23T03:59:59.000Z", date(2028, 8, 22), False),
        ("paytable_expired", "2028-08-23T04:00:00.000Z", date(2028, 8, 22), True),
        ("paytable_expiring", "2028-08-23T03:59:59.000Z", date(2028, 8, 22), True),
        ("paytable_expiring", "2028-08-23T12:00:00.000Z", date(2028, 8, 23), False),
        ("paytable_expiring", "2028-05-25T12:00:00.000Z", date(2028, 5, 25), True),
        ("paytable_expiring", "2028-05-24T12:00:00.000Z", date(2028, 5, 24), False),
        ("paytable_not_licensed", "2025-08-23T03:59:59.000Z", date(2025, 8, 22), True),
        ("paytable_not_licensed", "2025-08-23T12:00:00.000Z", date(2025, 8, 23), False),
    ],
)
def test_chapter_649b_by_calendar_days_of_new_york(tmp_path: Path, check: str, at: str, day: date, *, found: bool) -> None:
    assert len(_on(tmp_path, check, at, day)) == found


def test_649a_12_never_expires(tmp_path: Path) -> None:
    assert _on(tmp_path, "paytable_expired", "2040-01-01T12:00:00.000Z", date(2040, 1, 1), text=submission()) == []


@pytest.mark.parametrize(
    ("check", "filed", "found"),
    [
        ("filing_not_approved", "approved_on = 2026-11-04", True),
        ("filing_not_approved", "approved_on = 2026-11-03", False),
        ("filing_not_approved", "", False),
        ("studio_not_licensed", "studio_licence = { valid_from = 2026-11-04 }", True),
        ("studio_not_licensed", "studio_licence = { valid_to = 2026-11-02 }", True),
        ("studio_not_licensed", "studio_licence = { valid_from = 2026-11-03, valid_to = 2026-11-03 }", False),
        ("studio_not_licensed", "", False),
    ],
)
def test_approval_and_licence(run_under: RunUnder, check: str, filed: str, *, found: bool) -> None:
    ran = run_under(check, submission(("decks = 2", f"decks = 2\n{filed}")), rounds=[_dealt()])
    assert len(ran.raised) == found
    if not filed:
        assert ran.covered(check)["reason"].startswith("not checked: the filing")


def test_approval_not_evidenced(run_under: RunUnder) -> None:
    everything = (
        'approved_on = 2025-11-15\napproval_ref = "A"\nsimulcast_approval_ref = "S"\nlocation_approval_ref = "L"\n'
        'studio_licence = { ref = "X", valid_from = 2025-01-01, valid_to = 2027-12-31 }'
    )
    full = submission(("decks = 2", f"decks = 2\n{everything}"))
    assert run_under("approval_not_evidenced", full, rounds=[_dealt()]).raised == []
    people = [player(bet("ante"), player_id=f"p{n}", operator_id=f"op-{n}") for n in (1, 2)]
    ran = run_under("approval_not_evidenced", full.replace('approval_ref = "A"\n', "", 1), rounds=[_dealt(participants=people)])
    assert ran.one["severity"] == "info"
    assert ran.one["message"] == (
        "Table TCP-01 ran on gaming day 2026-11-03 under filing keystone-tcp-2026, which does not show approval_ref."
    )


def test_two_filings_of_a_day_are_two_findings(run_under: RunUnder) -> None:
    texts = [submission(swap, name, ('"6 to 1"', '"7 to 1"')) for swap, name in ((_ONE, ("Keystone", "Keystone")), (_TWO, _SECOND))]
    people = [player(bet("ante"), player_id=f"p{n}", operator_id=f"op-{n}") for n in (1, 2)]
    ran = run_under("paytable_not_licensed", *texts, rounds=[make_round(participants=people)])
    assert ran.findings["finding_id"].n_unique() == 2

"""The diagnosis of a night: what it may not touch, what testifies, and that it does not depend on how the night is cut."""

from __future__ import annotations

import json
from datetime import date
from random import Random
from typing import TYPE_CHECKING

import duckdb
import polars as pl
import pytest

from pipeline.core.results import FINDINGS
from pipeline.reconcile.catalogue import Named, contract_checks
from pipeline.reconcile.causes.cases import cases_of, order_of_rounds
from pipeline.reconcile.context import RunContext
from pipeline.reconcile.diagnose import MOST_NAMED, NO_RESULT, NOT_RECORDED, RIGHT_IN_ALL, Diagnosis
from pipeline.reconcile.payouts import settlements
from pipeline.settle.terms import terms_of
from pipeline.settle.wagers import settle
from tests.support.chunks import Row, make_chunk, make_round
from tests.support.diagnosed import Cause, diagnosed, diagnosed_chunk, night_of
from tests.support.filings import filing, make_filed
from tests.support.nasty_chunks import nasty_chunk, nasty_filed

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.audit import Outcome
    from pipeline.core.filed import Filed
    from pipeline.core.schema import Chunk

STRAIGHT, FLUSH, PAIR = ("6c 7d 8h", "35.00"), ("2h 7h 9h", "25.00"), ("Qs Qd 5h", "10.00")


def nasty(seed: int) -> tuple[Chunk, Filed]:
    rng = Random(seed)  # noqa: S311 - rounds for a test, the same each time
    filed = nasty_filed(rng)
    return nasty_chunk(rng), filed


@pytest.mark.parametrize("seed", range(12))
def test_the_unbroken_rule_hands_back_what_the_engine_says(seed: int) -> None:
    chunk, filed = nasty(seed)
    terms = terms_of(filed)
    settled = settlements(chunk, settle(chunk, filed), filed).filter(pl.col("settlement").is_in(["settled", "voided"]))
    cases, _ = cases_of(chunk, settled, order_of_rounds(chunk.rounds), chunk, filed, terms)
    same = cases.filter(~pl.col("is_cut"))
    assert same.height > 0
    assert same.filter(pl.col("plain").ne_missing(pl.col("due"))).select("kind", "due", "plain", "is_voided").rows() == []
    assert cases.filter(pl.col("is_cut"), pl.col("plain") <= pl.col("due")).is_empty()


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.exhaustive), pytest.param(2, marks=pytest.mark.exhaustive)])
def test_the_causes_do_not_depend_on_how_the_night_is_cut(seed: int) -> None:
    chunk, filed = nasty(seed)
    whole = diagnosed_chunk(chunk, filed)
    assert whole
    assert diagnosed_chunk(chunk, filed, chunks=3) == whole


def test_the_incidents_do_not_depend_on_how_the_night_is_cut() -> None:
    chunk, filed = nasty(1)
    findings, incidents = night_of(chunk, filed)
    assert incidents.height > 5
    again, again_incidents = night_of(chunk, filed, chunks=3)
    assert again.equals(findings)
    assert again_incidents.equals(incidents)


def night(*hands: tuple[str, str], first: int = 0) -> list[Row]:
    """A round a minute at one table, each with a Pair Plus wager of 5.00 on the hand, that was paid so."""
    return [
        make_round(
            player=hand,
            dealer="Ad Ac 3s",
            wagers=[("ante", "10.00"), ("play", "10.00"), ("pair_plus", "5.00", paid)],
            round_id=f"r{number}",
            sequence=number,
            at=f"2026-11-03T{15 + number // 60}:{number % 60:02}:00.000Z",
        )
        for number, (hand, paid) in enumerate(hands, first)
    ]


def first_causes(found: dict[str, Cause]) -> set[str | None]:
    return {cause.first for wager_id, cause in found.items() if wager_id.endswith("pair_plus")}


def test_rightly_paid_wagers_testify_against_a_broader_rule() -> None:
    missed = (STRAIGHT[0], "0.00")
    only_straights = diagnosed(*night(missed, FLUSH, PAIR, missed, FLUSH, PAIR, missed, PAIR, missed))
    assert first_causes(only_straights) == {"straight_missed"}
    every_win = diagnosed(*night(missed, (FLUSH[0], "0.00"), (PAIR[0], "0.00"), missed, (FLUSH[0], "0.00"), missed))
    assert first_causes(every_win) == {"win_pays_nothing"}


def test_an_incident_is_told_from_what_happened_before_and_after_it() -> None:
    right, missed = [STRAIGHT] * 6, [(STRAIGHT[0], "0.00")] * 5
    low = ("As 2d 3c", "0.00")
    found = diagnosed(*night(*right, *missed, low, *right))
    assert first_causes(found) == {"straight_missed"}
    assert "ace_low_straight_missed" in (found["r11-p1-pair_plus"].all or [])


def test_what_was_broken_at_another_hour_does_not_explain_this_one() -> None:
    nothing, missed = [(FLUSH[0], "0.00"), (STRAIGHT[0], "0.00")] * 10, [(STRAIGHT[0], "0.00"), FLUSH] * 6
    found = diagnosed(*night(*nothing, *[FLUSH, PAIR] * 6, *missed))
    by_round = {wager_id.partition("-")[0]: cause.first for wager_id, cause in found.items() if wager_id.endswith("pair_plus")}
    assert {by_round[f"r{number}"] for number in range(20)} == {"win_pays_nothing"}
    assert {by_round[f"r{number}"] for number in range(32, 44, 2)} == {"straight_missed"}


def test_another_table_does_not_testify() -> None:
    elsewhere = [{**told, "round_id": f"x{told['round_id']}", "table_id": "TCP-02"} for told in night(*[STRAIGHT] * 9)]
    here = diagnosed(*night((STRAIGHT[0], "0.00")))["r0-p1-pair_plus"]
    beside = diagnosed(*night((STRAIGHT[0], "0.00")), *elsewhere)["r0-p1-pair_plus"]
    assert here == beside


def test_a_check_that_joins_the_money_family_is_diagnosed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = make_round(player=PAIR[0], wagers=[("pair_plus", "5.00", "0.00")])
    assert diagnosed(wrong, check="new_money_check")["r1-p1-pair_plus"].first is None
    told = {**contract_checks(), "new_money_check": Named("new_money_check", "money", "critical", "A new one")}
    monkeypatch.setattr("pipeline.reconcile.diagnose.contract_checks", lambda: told)
    assert diagnosed(wrong, check="new_money_check")["r1-p1-pair_plus"].first is not None
    assert diagnosed(wrong, check="engine_disagreement")["r1-p1-pair_plus"].first is None


@pytest.mark.parametrize(
    ("check", "why"), [("bonus_split_mismatch", RIGHT_IN_ALL), ("paid_on_open_round", NO_RESULT), ("paid_without_stake", NO_RESULT)]
)
def test_a_wager_that_was_never_tried_says_why(check: str, why: str) -> None:
    told = {"check_id": [check], "round_id": ["r1"], "wager_id": ["w1"], "table_id": ["TCP-01"], "severity": ["critical"]}
    findings = pl.concat([FINDINGS.empty(), pl.DataFrame({"finding_id": ["f1"], **told})], how="diagonal")
    context = RunContext("run", "studio-7", date(2026, 11, 3))
    found, incidents = Diagnosis(make_filed(filing())).diagnosed(findings, make_chunk(make_round()).rounds.lazy(), context)
    assert found.select("root_cause", "root_cause_detail").rows() == [("unexplained", why)]
    assert incidents["message"].to_list() == [f"not diagnosed: 1 finding on TCP-01 at 2026-11-03 15:00:00 UTC, {why}."]


def test_an_incident_of_a_round_that_names_no_table_has_its_time() -> None:
    told = {"finding_id": ["f1"], "check_id": ["payout_mismatch"], "round_id": ["r1"], "wager_id": ["w1"], "severity": ["critical"]}
    findings = pl.concat([FINDINGS.empty(), pl.DataFrame(told)], how="diagonal")
    rounds = make_chunk(make_round(table_id=None)).rounds.lazy()
    _, incidents = Diagnosis(make_filed(filing())).diagnosed(findings, rounds, RunContext("run", "studio-7", date(2026, 11, 3)))
    assert incidents["message"][0].startswith("not diagnosed: 1 finding on no table at 2026-11-03 15:00:00 UTC")


def test_what_is_not_recorded_as_paid_has_nothing_to_reproduce() -> None:
    found = diagnosed(make_round(player=PAIR[0], wagers=[("pair_plus", "5.00", None)]), check="unsettled_wager")
    assert found["r1-p1-pair_plus"] == ("unexplained", [], NOT_RECORDED)


def test_only_money_findings_have_a_cause() -> None:
    wrong = make_round(player=PAIR[0], wagers=[("pair_plus", "5.00", "0.00")])
    assert diagnosed(wrong, check="paid_before_posted")["r1-p1-pair_plus"] == (None, None, None)


def test_a_finding_names_at_most_eight_causes() -> None:
    for cause in diagnosed_chunk(*nasty(1)).values():
        assert cause.all is not None
        assert len(cause.all) <= MOST_NAMED
        assert len(set(cause.all)) == len(cause.all)
        assert cause.first == (cause.all[0] if cause.all else "unexplained")


def test_a_night_rightly_paid_has_no_cause() -> None:
    assert diagnosed(make_round(player=PAIR[0], wagers=[("pair_plus", "5.00", "10.00")])) == {}


def test_the_sample_days_planted_causes_are_named(sample: Path, audited: tuple[Path, Outcome]) -> None:
    planted = [json.loads(line) for line in (sample / "truth.ndjson").read_text(encoding="utf-8").splitlines()]
    with duckdb.connect(str(audited[0] / "audit.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT check_id, round_id, wager_id, root_causes FROM findings WHERE root_cause IS NOT NULL").fetchall()
    named = {row[:3]: row[3] for row in rows}
    wanted = [row for row in planted if row["root_cause"]]
    assert len(wanted) > 40
    missed = [row for row in wanted if row["root_cause"] not in named.get((row["check"], row["round_id"], row["wager_id"]), [])]
    assert missed == []

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from pipeline.core.errors import ResettleError
from pipeline.simulate import Incident, Settings, simulate
from pipeline.simulate.faults import FAULTS
from pipeline.simulate.variants import VARIANTS
from tests.simulate.conftest import read_back

if TYPE_CHECKING:
    from pathlib import Path

    from tests.simulate.conftest import Delivery

BEYOND_A_ROUND = {"no_filing_in_force", "filing_claim_mismatch", "displayed_not_as_filed", "dealer_not_certified"}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_every_fault_can_be_planted(name: str, tmp_path: Path) -> None:
    days = 2 if name == "open_round_aged" else 1
    done = simulate(Settings(seed=3, rounds=100 * days, days=days, players=8, faults={name: 0.06}), tmp_path)
    assert done.truths
    if name not in BEYOND_A_ROUND:
        assert all(truth.round_id for truth in done.truths)
    money = {truth.check for truth in done.truths if truth.expected is not None}
    assert not money or len({truth.root_cause for truth in done.truths}) == 1


def test_truth_has_the_shape_that_a_judge_reads(faulty: Delivery) -> None:
    rounds = {told["round_id"]: told for told in faulty.rounds}
    for truth in faulty.truth:
        assert list(truth) == ["check", "round_id", "wager_id", "root_cause", "expected"]
        assert truth["expected"] is None or re.fullmatch(r"\d+\.\d\d", truth["expected"])
        if truth["check"] != "wallet_orphan":
            ids = Counter(w["wager_id"] for part in rounds[truth["round_id"]]["participants"] for w in part["wagers"])
            assert truth["wager_id"] is None or truth["wager_id"].removesuffix("#2") in ids
    assert [json.loads(json.dumps(truth)) for truth in faulty.truth] == faulty.truth


def test_one_kind_of_fault_a_round(faulty: Delivery) -> None:
    checks: dict[str, set[str | None]] = {}
    for truth in faulty.truth:
        checks.setdefault(truth["round_id"], set()).add(truth["root_cause"] or truth["check"])
    assert max(map(len, checks.values())) == 1


def test_a_money_fault_changes_what_is_paid(faulty: Delivery) -> None:
    wagers = {(told["round_id"], w["wager_id"]): w for told in faulty.rounds for part in told["participants"] for w in part["wagers"]}
    split = 0
    for truth in faulty.truth:
        if truth["expected"] is not None:
            wager = wagers[truth["round_id"], truth["wager_id"]]
            total = sum(round(float(wager.get(name) or 0) * 100) for name in ("paid", "bonus_paid"))
            assert (total == round(float(truth["expected"]) * 100)) == (truth["check"] == "bonus_split_mismatch")
            split += truth["check"] == "bonus_split_mismatch"
    assert split


def test_an_incident_holds_every_wager_that_the_broken_rule_pays_otherwise(tmp_path: Path) -> None:
    incident = Incident("stake_not_returned", "TCP-01", 5, 30)
    done = simulate(Settings(seed=3, rounds=120, incidents=(incident,)), tmp_path)
    told = read_back(done, tmp_path)
    named = {truth["wager_id"] for truth in told.truth}
    hit = set()
    for round_ in told.rounds:
        if round_["table_id"] != "TCP-01" or not 5 <= round_["sequence"] <= 30 or round_["status"] != "settled" or "void" in round_:
            continue
        for part in round_["participants"]:
            for w in part["wagers"]:
                won = w["kind"] not in {"ante", "play"} and w["paid"] not in {None, "0.00"} and w.get("funding") != "free"
                hit |= {w["wager_id"]} if won and part.get("play_mode") != "test" else set()
    assert hit
    assert hit <= named
    assert {truth["root_cause"] for truth in told.truth} == {"stake_not_returned"}


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_a_variant_changes_what_is_delivered_beside_the_log(name: str, tmp_path: Path) -> None:
    simulate(Settings(seed=3, rounds=12), tmp_path / "plain")
    done = simulate(Settings(seed=3, rounds=12, variants=(name,)), tmp_path / "changed")
    plain, changed = (
        {path.name: path.read_text() for path in (tmp_path / folder).rglob("*.*") if path.suffix in {".toml", ".csv"}}
        for folder in ("plain", "changed")
    )
    assert sum(plain[file] != changed[file] for file in plain) == 1
    assert [truth.check for truth in done.truths] == [name]


@pytest.mark.parametrize("wrong", [{"faults": {"no_such_fault": 0.1}}, {"variants": ("no_such_variant",)}])
def test_an_unknown_name_is_refused_with_those_that_there_are(wrong: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(ResettleError, match=r"unknown .*one of"):
        simulate(Settings(seed=3, rounds=3, **wrong), tmp_path)  # type: ignore[arg-type]

"""What is honest is silent: simulated honest deliveries through the whole audit, with all that an audit can be given beside the log."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.audit import Request, audit
from pipeline.simulate import Settings, simulate
from tests.simulate.test_honest_day import at, by_table, each_once
from tests.support.restated import Lake, ask

if TYPE_CHECKING:
    from pathlib import Path

    from tests.simulate.conftest import Delivery, Row

GRAVE = "SELECT check_id, round_id, message FROM findings WHERE severity <> 'info'"
IDLE = "SELECT check_id FROM coverage GROUP BY ALL HAVING sum(examined) = 0 ORDER BY ALL"


def audited(out: Path, lake: Path) -> Path:
    """A lake with the simulated delivery in it."""
    given: dict[str, Any] = {"control_totals": out / "control-totals.csv", "roster": out / "roster.csv", "wallet": (out / "wallet.ndjson",)}
    audit(Request((out / "rounds.ndjson",), out / "filings", lake, **given))
    return lake


def test_honest_days_raise_nothing_though_every_check_looks(honest: Delivery, tmp_path: Path) -> None:
    lake = audited(honest.done.files[0].parent, tmp_path / "lake")
    assert ask(lake, GRAVE) == []
    assert ask(lake, IDLE) == []


@pytest.mark.exhaustive
def test_an_honest_month_raises_nothing_though_every_check_looks(tmp_path: Path) -> None:
    simulate(Settings(seed=17, rounds=3100, days=31, start=date(2026, 10, 10), players=6), tmp_path)
    lake = audited(tmp_path, tmp_path / "lake")
    assert ask(lake, GRAVE) == []
    assert ask(lake, IDLE) == []
    assert ask(lake, "SELECT count(DISTINCT gaming_day) FROM rounds") == [(31,)]


@pytest.mark.exhaustive
def test_rounds_that_are_open_where_a_delivery_ends_and_settled_in_the_next_raise_nothing(honest: Delivery, tmp_path: Path) -> None:
    cut = datetime(2026, 11, 1, 12, tzinfo=UTC)
    rounds = [told for told in each_once(honest.rounds) if at(told["opened_at"]) < cut]
    last = [table[-1]["round_id"] for table in by_table(rounds).values()]
    lake = Lake(tmp_path / "lake", honest.done.files[0].parent / "filings", tmp_path)
    lake.deliver(*[left_open(told) if told["round_id"] in last else told for told in rounds])
    assert lake.ask("SELECT count(*) FROM rounds WHERE status = 'open'") == [(3,)]
    assert lake.ask(GRAVE) == []
    lake.deliver(*[told for told in each_once(honest.rounds) if at(told["opened_at"]) >= cut or told["round_id"] in last])
    assert lake.ask(f"SELECT count(*) FROM rounds WHERE is_current AND status = 'settled' AND round_id IN {(*last,)}") == [(3,)]
    assert lake.ask(GRAVE) == []


def left_open(told: Row) -> Row:
    """The round as it stood when its bets had closed and the cards were out."""
    people = [{**part, "wagers": [{**w, "paid": None, "paid_at": None, "bonus_paid": None} for w in part["wagers"]]}
              for part in told["participants"]]  # fmt: skip
    kept = {name: value for name, value in told.items() if name not in {"verified_at", "verified_by", "posted_at", "meters"}}
    return {**kept, "status": "open", "participants": people}

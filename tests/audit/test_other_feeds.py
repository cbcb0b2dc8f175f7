"""A night audited from flat tables or from a game history comes out as from the log, as far as they say the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.ask import query
from pipeline.audit import Outcome, Request, audit
from pipeline.report import terminal
from pipeline.simulate import Settings, simulate
from tests.support.other_feeds import Row, as_document, as_games, as_tables, profile_for, write_csv, write_parquet

if TYPE_CHECKING:
    from pathlib import Path

SETTLED = "studio_id, gaming_day, table_id, round_id, wager_id, operator_id, player_id, kind, currency, stake"
DUE = "hand_category, dealer_category, dealer_qualifies, outcome, line, odds, expected, expected_bonus, settlement, settlement_reason"
FOUND = "studio_id, gaming_day, table_id, check_id, severity, round_id, wager_id, operator_id, player_id, currency, expected, paid, delta"
UNSEEN = ("card_readings", "displayed", "meters", "dealer_revealed_at", "deck_id", "shuffler_in_use", "stream_outages", "filing_id",
    "revision", "recorded_at", "software_version", "video_ref")  # fmt: skip


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("night")
    faults = {"void_not_refunded": 0.08, "ace_high_straight_missed": 0.2, "duplicate_card": 0.05, "play_without_ante": 0.05}
    simulate(Settings(seed=21, rounds=50, faults=faults), folder)
    return folder


@pytest.fixture(scope="module")
def rounds(night: Path) -> list[Row]:
    once: dict[str, Row] = {}
    for line in (night / "rounds.ndjson").read_text().splitlines():
        one = json.loads(line)
        once.setdefault(one["round_id"], one)
    return list(once.values())


def run(night: Path, into: Path, lake: Path, profile: Path | None = None) -> Outcome:
    return audit(Request((into,), night / "filings", lake, profile=profile))


def ask(lake: Path, sql: str) -> pl.DataFrame:
    with query.connect(lake) as con:
        return pl.DataFrame(con.sql(sql).pl())


def alike(one: Path, other: Path) -> None:
    for columns, table in ((f"{SETTLED}, {DUE}, paid, bonus_paid, delta", "settlements"), (FOUND, "findings")):
        sql = f"SELECT {columns} FROM {table} ORDER BY ALL"
        told = ask(one, sql)
        assert told.height
        assert_frame_equal(told, ask(other, sql))


def log_of(rounds: list[Row], folder: Path) -> Path:
    file = folder / "rounds.ndjson"
    file.write_text("".join(json.dumps(one) + "\n" for one in rounds))
    return file


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_flat_tables(form: str, night: Path, rounds: list[Row], tmp_path: Path) -> None:
    run(night, log_of(rounds, tmp_path), tmp_path / "log")
    write = write_csv if form == "csv" else write_parquet
    run(night, write(tmp_path / form, as_tables(rounds)), tmp_path / "tables")
    alike(tmp_path / "log", tmp_path / "tables")


def seen(one: Row) -> Row:
    """The round with no more in it than a history tells."""
    kept = {name: value for name, value in one.items() if name not in UNSEEN}
    who = {person["hand_id"] for person in kept["participants"]}
    kept["hands"] = [hand for hand in kept.get("hands") or [] if hand["hand_id"] in who]
    return kept


def test_a_game_history(night: Path, rounds: list[Row], tmp_path: Path) -> None:
    told = [seen(one) for one in rounds if _is_told(one)]
    assert len(told) > 30
    run(night, log_of(told, tmp_path), tmp_path / "log")
    (tmp_path / "history.json").write_text(json.dumps(as_document(as_games(told, payout="net"))))
    (tmp_path / "profile.toml").write_text(profile_for("studio-3", payout="net"))
    run(night, tmp_path / "history.json", tmp_path / "history", tmp_path / "profile.toml")
    # What was paid as bonus is said of each ante here, and only where there was one there.
    due = f"SELECT {SETTLED}, {DUE} FROM settlements ORDER BY ALL"
    assert_frame_equal(ask(tmp_path / "log", due), ask(tmp_path / "history", due))
    found = f"SELECT {FOUND} FROM findings WHERE check_id <> 'bonus_split_mismatch' ORDER BY ALL"
    assert_frame_equal(ask(tmp_path / "log", found), ask(tmp_path / "history", found))


def _is_told(one: Row) -> bool:
    """A history has one status a participant, and no free wagers."""
    wagers = [wager for person in one["participants"] for wager in person["wagers"]]
    of_one_mind = all(len({wager.get("status") or "accepted" for wager in person["wagers"]}) <= 1 for person in one["participants"])
    return of_one_mind and not one.get("void") and all(wager.get("funding") in {None, "cash"} for wager in wagers)


def money_only(night: Path, rounds: list[Row], tmp_path: Path) -> tuple[Path, Outcome]:
    rows = as_tables(rounds)
    del rows["hands"], rows["card_readings"]
    return tmp_path / "lake", run(night, write_csv(tmp_path / "in", rows), tmp_path / "lake")


def test_a_feed_without_cards_is_money_only(night: Path, rounds: list[Row], tmp_path: Path) -> None:
    lake, outcome = money_only(night, rounds, tmp_path)
    reasons = dict(ask(lake, "SELECT settlement_reason, count(*) FROM settlements WHERE settlement = 'unsettleable' GROUP BY ALL").rows())
    assert reasons["no_cards_in_feed"] > 0
    assert not any("wrong_card_count" in reason for reason in reasons)
    assert ask(lake, "FROM findings WHERE check_id IN ('wrong_card_count', 'unreadable_card', 'reading_hand_mismatch')").is_empty()
    # What needs no card is still checked.
    states = set(ask(lake, "SELECT DISTINCT settlement, outcome FROM settlements").rows())
    assert {("voided", "void"), ("settled", "forfeit")} <= states
    assert "void_not_refunded" in ask(lake, "SELECT DISTINCT check_id FROM findings")["check_id"].to_list()
    coverage = ask(lake, "SELECT DISTINCT examined, reason FROM coverage WHERE check_id = 'wrong_card_count'").rows()
    assert {examined for examined, _ in coverage} == {0}
    assert all("the feed has no cards" in reason for _, reason in coverage)
    (day,) = {one.gaming_day for one in outcome.report.money_only}
    assert sum(one.wagers for one in outcome.report.money_only) > 0
    assert str(day) in terminal.render(outcome.report)
    assert "Money only: the feed of" in " ".join(terminal.render(outcome.report).split())


def test_a_log_without_a_card_all_day_is_money_only_until_cards_come(night: Path, rounds: list[Row], tmp_path: Path) -> None:
    bare = [{name: value for name, value in one.items() if name not in {"card_readings", "hands", "dealer_hand"}} for one in rounds]
    lake = tmp_path / "lake"
    assert run(night, log_of(bare, tmp_path), lake).report.money_only
    assert ask(lake, "FROM findings WHERE check_id = 'wrong_card_count'").is_empty()
    (tmp_path / "later").mkdir()
    assert not run(night, log_of(rounds, tmp_path / "later"), lake).report.money_only
    assert ask(lake, "FROM settlements WHERE settlement_reason = 'no_cards_in_feed'").is_empty()


@pytest.mark.exhaustive
def test_one_round_without_cards_is_no_feed_without_cards(night: Path, rounds: list[Row], tmp_path: Path) -> None:
    settled = next(
        one for one in rounds if one["status"] == "settled" and any(w["kind"] == "play" for p in one["participants"] for w in p["wagers"])
    )
    bare: dict[str, Any] = {**settled, "card_readings": [], "hands": [], "dealer_hand": None}
    run(night, log_of([bare if one is settled else one for one in rounds], tmp_path), tmp_path / "lake")
    found = ask(tmp_path / "lake", "SELECT round_id FROM findings WHERE check_id = 'wrong_card_count'")["round_id"].to_list()
    assert settled["round_id"] in found

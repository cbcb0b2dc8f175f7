from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import polars as pl
import pytest

from pipeline.core.errors import CheckError
from pipeline.core.schema import Column
from pipeline.lake import conservation, open_lake, open_run, writing
from pipeline.lake import tables as lake_tables
from pipeline.lake.analyst_views import analyst_views, read_view
from pipeline.lake.finding_life import STATUSES
from pipeline.lake.scan import over_files, select_files
from pipeline.lake.tables import PARTITION_TABLES, duckdb_type
from pipeline.reconcile.catalogue import SEVERITIES
from tests.support.lake import DAY, NIGHT, STUDIO, facts, findings, made, publish, settlements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import duckdb

OF_DAY = {"studio_id": STUDIO, "gaming_day": DAY, "table_id": "TCP-01", "is_current": True}


@pytest.fixture(scope="module")
def con(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """R1 settled with a faulty payment, R2 voided after the reveal, R3 open; R1 stands in an earlier telling too."""
    lake = tmp_path_factory.mktemp("views") / "lake"
    rounds = made(
        PARTITION_TABLES["rounds"],
        4,
        OF_DAY
        | {
            "round_id": ["R1", "R1", "R2", "R3"],
            "is_current": [True, False, True, True],
            "dealer_id": ["D1", "D9", "D2", "D2"],
            "status": ["settled", "settled", "voided", "open"],
            "has_void": [False, False, True, False],
            "void_reason": [None, None, "misdeal", None],
            "void_authorised_by": [None, None, "S1", None],
            "void_at": [None, None, NIGHT + timedelta(seconds=50), None],
            "dealer_revealed_at": NIGHT + timedelta(seconds=30),
            "opened_at": NIGHT,
        },
    )
    wagers: dict[str, list[object]] = {
        "round_id": ["R1", "R1", "R1", "R1", "R2", "R3"],
        "kind": ["ante", "pair_plus", "pair_plus", "ante", "ante", "ante"],
        "settlement": ["settled", "settled", "settled", "settled", "voided", "pending"],
        "outcome": ["win", "win", "forfeit", "win", "void", None],
        "line": [None, "pair", None, None, None, None],
        "odds": [None, "1 to 1", None, None, None, None],
        "funding": ["cash", "cash", "cash", "free", "cash", "cash"],
        "play_mode": ["real", "real", "real", "real", "real", "real"],
        "player_id": ["p1", "p1", "p2", "p2", "p1", "p1"],
        "paid": [Decimal(25), Decimal(20), Decimal(0), Decimal(10), Decimal(9), None],
        "expected": [Decimal(20), Decimal(20), Decimal(0), Decimal(10), Decimal(10), None],
        "expected_bonus": [Decimal(0), None, None, Decimal(0), Decimal(0), None],
        "bonus_paid": [Decimal(0), None, None, Decimal(0), None, None],
        "delta": [Decimal(5), Decimal(0), Decimal(0), Decimal(0), Decimal(-1), None],
    }
    played = {"round_id": "R1", "operator_id": "op-1", "player_id": "p1", "hand_id": "H1"}
    with writing(lake) as opened:
        publication = opened.begin(facts())
        with publication.partition(STUDIO, DAY) as writer:
            writer.append("rounds", rounds)
            writer.append("settlements", settlements(6, **wagers))
            writer.append("findings", findings(2, "a" * 32, delta=[Decimal(5), Decimal(-1)]))
            late = {"check_id": "void_after_reveal", "severity": "info", "round_id": ["R2"], "finding_id": ["late"], "delta": [None]}
            writer.append("findings", findings(1, "a" * 32, **late))
            writer.append(
                "participants",
                made(
                    PARTITION_TABLES["participants"],
                    1,
                    OF_DAY | played | {"decision": "fold", "decided_by": "timeout", "decided_at": NIGHT},
                ),
            )
            bet = played | {
                "kind": "ante",
                "currency": "USD",
                "stake": Decimal(10),
                "paid": Decimal(25),
                "status": "accepted",
                "paid_at": NIGHT + timedelta(seconds=60),
            }
            writer.append("wagers", made(PARTITION_TABLES["wagers"], 1, OF_DAY | bet))
            read = {
                "round_id": "R1",
                "to": "H1",
                "position": 1,
                "card": "Qs",
                "source": "scanner",
                "read_at": NIGHT + timedelta(seconds=10),
            }
            writer.append("card_readings", made(PARTITION_TABLES["card_readings"], 1, OF_DAY | read))
        publication.publish([writer.result])
    with open_lake(lake) as opened_lake:
        yield opened_lake


def rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[object, ...]]:
    return con.execute(sql).fetchall()


def test_dealer_totals_count_each_round_once_under_its_current_dealer(con: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT dealer_id, rounds, wagers, handle, returned, hold, delta, wrong_wagers FROM dealer_totals"
    assert rows(con, asked) == [("D1", 1, 4, 40, 55, -25, 5, 1)]


def test_player_totals_keep_what_was_paid_wrongly_apart(con: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT player_id, settlement, wagers, handle, free_handle, returned, due, overpaid, underpaid FROM player_totals ORDER BY 1, 2"
    assert rows(con, asked) == [
        ("p1", "pending", 1, 10, 0, 0, None, 0, 0),
        ("p1", "settled", 2, 20, 0, 45, 40, 5, 0),
        ("p1", "voided", 1, 10, 0, 9, 10, 0, 1),
        ("p2", "settled", 2, 20, 10, 10, 10, 0, 0),
    ]


def test_void_review_and_by_authoriser(con: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT round_id, scope, reason, authorised_by, after_reveal, wagers, staked, due, handed_back, delta FROM void_review"
    assert rows(con, asked) == [("R2", "round", "misdeal", "S1", True, 1, 10, 10, 9, -1)]
    asked = (
        "SELECT authorised_by, currency, voids, without_reason, after_reveal, wagers, staked, first_day, last_day FROM void_by_authoriser"
    )
    assert rows(con, asked) == [("S1", "USD", 1, 0, 1, 1, 10, DAY, DAY)]


def test_open_rounds(con: duckdb.DuckDBPyConnection) -> None:
    assert rows(con, "SELECT round_id, status, currency, wagers, staked, handed_back FROM open_rounds") == [("R3", "open", "USD", 1, 10, 0)]


def test_payout_lines_leave_forfeited_wagers_out(con: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT kind, line, odds, hits, wagers, dealt, staked, due, handed_back FROM payout_lines ORDER BY kind"
    assert rows(con, asked) == [("ante", None, None, 2, 2, 2, 20, 30, 35), ("pair_plus", "pair", "1 to 1", 1, 1, 2, 10, 20, 20)]


def test_round_timeline_tells_a_round_in_the_order_of_time(con: duckdb.DuckDBPyConnection) -> None:
    asked = "SELECT event, player_id, what FROM round_timeline WHERE round_id = 'R1' ORDER BY happened_at, event"
    assert rows(con, asked) == [
        ("decided", "p1", "fold by timeout"),
        ("opened", None, "bets opened, dealt by D1"),
        ("wager_placed", "p1", "ante of 10.00 USD accepted"),
        ("card_read", None, "Qs read for card 1 by scanner"),
        ("dealer_revealed", None, "the dealer's hand was turned"),
        ("paid", "p1", "25.00 USD handed back on ante"),
    ]


def test_conservation_is_a_view_and_a_function(con: duckdb.DuckDBPyConnection) -> None:
    assert rows(con, "SELECT paid, due, explained, difference FROM conservation") == [(64, 60, 4, 0)]
    assert conservation(con)["difference"].to_list() == [Decimal(0)]


def test_the_views_that_analysts_are_promised_are_there(con: duckdb.DuckDBPyConnection) -> None:
    named = {name for (name,) in rows(con, "SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NOT NULL")}
    assert named >= {
        "daily_totals", "dealer_totals", "player_totals", "round_timeline", "payout_lines", "void_review", "void_by_authoriser",
        "timeout_harm", "reconciliation", "remedy_status", "open_rounds", "finding_history",
    }  # fmt: skip
    assert rows(con, "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND comment IS NULL") == []


def test_severities_and_statuses_are_in_sql_what_they_are_in_the_program(con: duckdb.DuckDBPyConnection) -> None:
    ranks = con.execute("SELECT list_transform($names, lambda name: severity_rank(name))", {"names": list(SEVERITIES)}).fetchall()
    assert ranks == [([1, 2, 3, 4],)]
    actions = ["note", *STATUSES]
    told = con.execute("SELECT list_transform($names, lambda name: status_after(name))", {"names": actions}).fetchall()
    assert told == [([None, *STATUSES.values()],)]


def test_every_analyst_view_says_what_each_column_means(con: duckdb.DuckDBPyConnection) -> None:
    for view in analyst_views():
        assert con.sql(f"FROM {view.name}").columns == list(view.columns), view.name


def test_a_view_file_must_say_what_it_is() -> None:
    assert read_view("faults.sql", "-- view: faults\n-- title: t\n-- reach: round\n\nSELECT 1") is None
    with pytest.raises(CheckError, match=r"sql/views/other\.sql:1: the header must give"):
        read_view("other.sql", "-- view: faults\n-- title: t\n\nSELECT 1")
    with pytest.raises(CheckError, match="the header must give"):
        read_view("faults.sql", "-- view: faults\n\nSELECT 1")


def test_a_run_opens_by_itself(lake: Path) -> None:
    publish(lake, "a" * 32)
    publish(lake, "b" * 32, rows=5)
    for run_id, count in (("a" * 32, 3), ("b" * 32, 5), (None, 5)):
        with open_run(lake, run_id) as con:
            assert rows(con, "SELECT count(*) FROM settlements") == [(count,)]
            assert rows(con, "SELECT count(*) FROM source_files") == [(1,)]


def test_files_from_before_a_column_was_added_read_as_null(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(lake, "a" * 32)
    table = PARTITION_TABLES["settlements"]
    wider = type(table)(table.name, table.row, (*table.columns, Column("mood", pl.String, "of the dealer")))
    for known in (lake_tables.PARTITION_TABLES, lake_tables.STORED_TABLES, lake_tables.WRITTEN_TABLES):
        monkeypatch.setitem(known, "settlements", wider)
    with writing(lake) as opened:
        publication = opened.begin(facts("b" * 32))
        with publication.partition("studio-8", DAY) as writer:
            writer.append("settlements", settlements(2, studio_id="studio-8").with_columns(mood=pl.lit("good")))
        publication.publish([writer.result])
    with open_lake(lake) as con:
        assert rows(con, "SELECT studio_id, mood, count(*) FROM settlements GROUP BY ALL ORDER BY 1") == [
            ("studio-7", None, 3),
            ("studio-8", "good", 2),
        ]
    with open_run(lake, "a" * 32) as con:
        assert rows(con, "SELECT DISTINCT mood FROM settlements") == [(None,)]


def test_tables_without_files_have_their_columns() -> None:
    with over_files(PARTITION_TABLES, {}) as con:
        for table in PARTITION_TABLES.values():
            assert con.sql(f"FROM {table.name}").columns == [column.name for column in table.columns]
    assert select_files(PARTITION_TABLES["coverage"], ()).endswith("WHERE false")


def test_a_type_that_the_lake_has_no_place_for_is_refused() -> None:
    with pytest.raises(TypeError, match="the lake holds no Float64"):
        duckdb_type(pl.Float64())
    with pytest.raises(TypeError, match="the lake holds no"):
        duckdb_type(pl.Datetime("us", "Europe/Riga"))


def test_no_macro_or_view_that_is_stored_calls_what_older_clients_have_not(con: duckdb.DuckDBPyConnection) -> None:
    # In DuckDB 2.0 `if` is a function and stored as one; the 1.5 line has no function of that name.
    stored = con.execute("SELECT function_name, macro_definition FROM duckdb_functions() WHERE NOT internal").fetchall()
    stored += con.execute("SELECT view_name, sql FROM duckdb_views() WHERE NOT internal").fetchall()
    assert [name for name, definition in stored if re.search(r'(?i)\bif"?\(', definition)] == []

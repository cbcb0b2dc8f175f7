from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pytest

from pipeline.core.errors import CheckError
from pipeline.core.results import FINDINGS
from pipeline.reconcile.checks import CheckSet, View, load_checks, parse_check
from pipeline.reconcile.context import RunContext
from pipeline.reconcile.findings import CheckRun
from pipeline.reconcile.payouts import settlements
from pipeline.reconcile.session import open_session
from pipeline.settle.agreement import compare
from tests.support.checks import all_checks, engine_rows, run_checks
from tests.support.chunks import make_chunk, make_round, player
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    from pathlib import Path

HEADER = """-- check: {name}
-- title: An own check
-- severity: high
-- family: own
-- reach: round
-- question: Which?
-- examines: current_wagers
-- filing_key: {{kind}}.odds
-- citation: 58 Pa. Code § 649a.12

"""


def own(folder: Path, name: str, sql: str) -> Path:
    """An operator's check in a folder."""
    (folder / f"{name}.sql").write_text(HEADER.format(name=name) + sql, encoding="utf-8")
    return folder


def run_own(folder: Path, *rounds: Any, filed: Any = None, **told: Any) -> Any:
    """The operator's checks over a chunk, others left out, whether or not they fail."""
    chunk = make_chunk(*(rounds or (make_round(wagers=[("ante", "10.00"), ("pair_plus", "5.00")]),)))
    ours = {file.stem for file in folder.glob("*.sql")}
    names = {check.check_id for check in load_checks(folder).checks} & ours
    return run_checks(chunk, filed or make_filed(filing()), names, engine=engine_rows(chunk, {}), own=folder, may_fail=True, **told)


def test_an_operators_check_finds_what_its_select_returns(tmp_path: Path) -> None:
    own(
        tmp_path,
        "all_antes",
        "SELECT round_key, wager_id, kind, 'An ante ({filing}: {rule}).' AS message FROM current_wagers WHERE kind = 'ante'\n",
    )
    ran = run_own(tmp_path)
    found = ran.one
    assert ran.findings.schema == FINDINGS.schema
    assert (found["check_id"], found["severity"], found["wager_id"]) == ("all_antes", "high", "r1-p1-ante")
    # What the row does not say is the round's.
    assert (found["round_id"], found["table_id"], found["dealer_id"], found["source_line"]) == ("r1", "TCP-01", "D1", 1)
    assert found["citation"] == "filing keystone-tcp-2026, ante.odds; cf. 58 Pa. Code § 649a.12"
    assert found["message"] == "An ante (filing keystone-tcp-2026: ante.odds; cf. 58 Pa. Code § 649a.12)."
    assert ran.covered("all_antes")["examined"] == 2


def test_pennsylvania_is_cited_for_pennsylvania_only(tmp_path: Path) -> None:
    own(tmp_path, "all_antes", "SELECT round_key, wager_id, kind, '{rule}' AS message FROM current_wagers WHERE kind = 'ante'")
    found = run_own(tmp_path, filed=make_filed(filing(jurisdiction="MT"))).one
    assert found["citation"] == "filing keystone-tcp-2026, ante.odds"
    assert found["message"] == "ante.odds"


def test_without_a_filing_only_the_rules_name_is_cited(tmp_path: Path) -> None:
    own(tmp_path, "all_antes", "SELECT round_key, wager_id, kind, '{filing}: {rule}' AS message FROM current_wagers WHERE kind = 'ante'")
    found = run_own(tmp_path, filed=make_filed(filing(effective_from=date(2027, 1, 1)))).one
    assert (found["citation"], found["message"], found["filing_fingerprint"]) == ("all_antes", "no filing: all_antes", None)


def test_a_finding_cites_its_own_operators_filing(tmp_path: Path) -> None:
    own(tmp_path, "all_antes", "SELECT round_key, operator_id, wager_id, 'An ante.' AS message FROM current_wagers WHERE kind = 'ante'")
    filed = make_filed(filing(filing_id="one", operators=["op-1"]), filing(filing_id="two", operators=["op-2"]))
    people = [player(("ante", "10.00"), player_id="a", operator_id="op-2"), player(("ante", "10.00"), player_id="b", operator_id="op-1")]
    ran = run_own(tmp_path, make_round(participants=people), filed=filed)
    cited = dict(ran.findings.select("operator_id", "citation").rows())
    assert cited == {"op-1": "filing one, .odds; cf. 58 Pa. Code § 649a.12", "op-2": "filing two, .odds; cf. 58 Pa. Code § 649a.12"}


def test_a_findings_id_hangs_on_check_studio_subject_and_detail_and_on_nothing_else() -> None:
    def ids(**told: Any) -> list[str]:
        chunk = make_chunk(
            make_round(wagers=[("ante", "10.00", told.pop("paid", "0.00")), ("play", "10.00", "0.00")], **told),
            source_file=told.pop("file", "a"),
        )
        every = {"expected": "20.00", "outcome": "win"}
        return (
            run_checks(chunk, make_filed(filing()), "payout_mismatch", engine=engine_rows(chunk, {}, **every))
            .findings["finding_id"]
            .sort()
            .to_list()
        )

    first = ids()
    assert len(set(first)) == 2
    assert all(len(finding_id) == 32 for finding_id in first)
    assert ids(paid="1.00") == first
    assert ids(dealer_id="D9") == first
    assert set(ids(round_id="r2")).isdisjoint(first)
    assert set(ids(studio_id="studio-8")).isdisjoint(first)


def test_two_findings_on_one_subject_are_told_apart_and_equal_rows_are_one(tmp_path: Path) -> None:
    own(tmp_path, "twice", "SELECT 'r1' AS round_id, unnest(['A.', 'B.', 'B.']) AS message")
    found = run_own(tmp_path).findings
    assert found["message"].to_list() in (["A.", "B."], ["B.", "A."])
    assert found["finding_id"].n_unique() == 2
    own(tmp_path, "twice", "SELECT 'r1' AS round_id, unnest(['x', 'y']) AS detail, 'A.' AS message")
    assert run_own(tmp_path).findings["finding_id"].n_unique() == 2


def test_only_money_findings_fill_delta(tmp_path: Path) -> None:
    own(
        tmp_path,
        "all_antes",
        "SELECT round_key, wager_id, stake AS expected, 1 AS delta, 'An ante.' AS message FROM current_wagers LIMIT 1",
    )
    assert run_own(tmp_path).one["delta"] is None


@pytest.mark.parametrize(
    ("sql", "line", "error"),
    [
        ("SELECT wager_id,\n    stakes,\n    'x' AS message\nFROM current_wagers\n", 12, "stakes"),
        ("SELECT wager_id, 'x' AS message\nFROM current_wager\n", 12, "current_wager"),
        ("SELECT CAST('x' AS INTEGER) AS round_key, 'x' AS message", 11, "Could not convert"),
        ("SELECT wager_id FROM current_wagers", 11, "returns no message"),
        ("SELECT wager_id, CAST(NULL AS VARCHAR) AS message FROM current_wagers", 11, "without a message"),
        ("SELECT wager_id, 'x' AS message, stake * 1.5::DOUBLE AS paid FROM current_wagers", 11, "money is exact"),
        ("SELECT wager_id, 'x' AS message, 1 AS colour FROM current_wagers", 11, "colour"),
        ("SELECT content AS message FROM read_text('pyproject.toml')", 11, "file system operations are disabled"),
        ("SELECT * AS message FROM read_csv('https://example.org/x.csv')", 11, ""),
        ("SELECT file AS message FROM glob('*')", 11, "file system operations are disabled"),
        ("SELECT run_id AS message FROM context", 11, "context"),
        ("WITH gone AS (DELETE FROM wager_faults RETURNING 1) SELECT 'x' AS message FROM gone", 11, "top level"),
    ],
)
def test_a_broken_check_names_its_file_and_line_and_does_not_stop_the_others(tmp_path: Path, sql: str, line: int, error: str) -> None:
    own(tmp_path, "broken", sql)
    own(tmp_path, "whole", "SELECT round_key, wager_id, 'A wager.' AS message FROM current_wagers")
    ran = run_own(tmp_path)
    assert set(ran.findings["check_id"]) == {"whole"}
    (failure,) = ran.failed
    assert failure.check_id == "broken"
    assert failure.where == f"{tmp_path.name}/broken.sql:{line}"
    assert error in failure.error
    assert ran.covered("broken")["reason"].startswith("not checked: the check failed")


def suspecting(folder: Path, suspects: str) -> Path:
    """An operator's check that finds every wager, and suspects so much."""
    own(folder, "any", "SELECT round_key, wager_id, 'A wager.' AS message FROM current_wagers")
    file = folder / "any.sql"
    file.write_text(file.read_text(encoding="utf-8").replace("-- filing_key", f"-- suspects: {suspects}\n-- filing_key"), encoding="utf-8")
    return folder


def test_a_check_runs_only_where_there_is_something_that_it_suspects(tmp_path: Path) -> None:
    suspecting(tmp_path, "current_wagers where stake > 1000")
    small, big = (make_round(wagers=[("ante", stake)]) for stake in ("10.00", "2000.00"))
    quiet = run_own(tmp_path, small, thorough=False)
    assert (quiet.findings.height, quiet.covered("any")["examined"], quiet.failed) == (0, 1, ())
    assert run_own(tmp_path, big, thorough=False).one["message"] == "A wager."


def test_an_operators_check_runs_though_nothing_is_there_that_it_examines(tmp_path: Path) -> None:
    file = own(tmp_path, "any", "SELECT round_key, wager_id, 'A wager.' AS message FROM current_wagers") / "any.sql"
    file.write_text(file.read_text(encoding="utf-8").replace("s: current_wagers", "s: current_wagers where stake > 1000"), encoding="utf-8")
    with pytest.raises(AssertionError, match="any finds what it does not examine"):
        run_own(tmp_path, make_round(wagers=[("ante", "10.00")]), thorough=False)


def test_a_check_that_finds_what_it_does_not_suspect_shows_when_all_are_run(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="neither examines nor suspects"):
        run_own(suspecting(tmp_path, "current_wagers where stake > 1000"))


def test_what_a_check_suspects_names_its_line_where_it_does_not_run(tmp_path: Path) -> None:
    (failure,) = run_own(suspecting(tmp_path, "current_wagers where no = 1")).failed
    assert (failure.check_id, failure.where) == ("any", f"{tmp_path.name}/any.sql:8")
    assert "no" in failure.error


def test_a_check_may_name_a_view_in_capitals(tmp_path: Path) -> None:
    own(tmp_path, "loud", "SELECT round_key, 'A round.' AS message FROM Round_Clock")
    assert run_own(tmp_path, before=lambda _: None).one["message"] == "A round."


def test_a_check_that_counts_by_what_is_no_whole_number_fails(tmp_path: Path) -> None:
    own(tmp_path, "halves", "SELECT round_key, wager_id, 'A wager.' AS message FROM current_wagers")
    file = tmp_path / "halves.sql"
    file.write_text(file.read_text(encoding="utf-8").replace("s: current_wagers", "s: current_wagers by stake"), encoding="utf-8")
    (failure,) = run_own(tmp_path, make_round(wagers=[("ante", "10.50")])).failed
    assert (failure.where, failure.error) == (f"{tmp_path.name}/halves.sql:7", "'by' names a column that holds no whole numbers")


def test_what_a_check_examines_names_its_line_where_it_does_not_run(tmp_path: Path) -> None:
    own(tmp_path, "broken", "SELECT wager_id, 'x' AS message FROM current_wagers")
    file = tmp_path / "broken.sql"
    file.write_text(file.read_text(encoding="utf-8").replace("s: current_wagers", "s: current_wagers where no = 1"), encoding="utf-8")
    (failure,) = run_own(tmp_path).failed
    assert failure.where == f"{tmp_path.name}/broken.sql:7"
    assert "no" in failure.error


def test_a_check_that_cannot_be_read_fails_and_does_not_stop_the_others(tmp_path: Path) -> None:
    own(tmp_path, "whole", "SELECT round_key, wager_id, 'A wager.' AS message FROM current_wagers")
    (tmp_path / "headless.sql").write_text("SELECT 1\n", encoding="utf-8")
    (tmp_path / "latin.sql").write_bytes(b"-- check: latin\xe9\n")
    own(tmp_path, "payout_mismatch", "SELECT 'mine' AS message")
    loaded = load_checks(tmp_path)
    assert [(failure.check_id, failure.where) for failure in loaded.broken] == [
        ("headless", f"{tmp_path.name}/headless.sql:1"),
        ("latin", f"{tmp_path.name}/latin.sql"),
        ("payout_mismatch", f"{tmp_path.name}/payout_mismatch.sql:1"),
    ]
    assert run_own(tmp_path).findings["check_id"].unique().to_list() == ["whole"]


def test_a_folder_of_checks_that_is_not_there_is_an_error_in_use(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="no such folder"):
        load_checks(tmp_path / "none")


def test_a_check_that_fails_in_one_chunk_has_no_findings_from_another(tmp_path: Path) -> None:
    own(tmp_path, "sometimes", "SELECT round_id, CAST(stake AS TINYINT) AS source_line, 'A wager.' AS message FROM current_wagers")
    filed, checks = make_filed(filing()), load_checks(tmp_path)
    only = type(checks)(tuple(check for check in checks.checks if check.check_id == "sometimes"))
    con = open_session()
    run = CheckRun(con, only, filed, RunContext("run", "studio-7", date(2026, 11, 3)))
    con.register("filings", filed.filings)
    for stake in ("10.00", "1000.00"):
        chunk = make_chunk(make_round(wagers=[("ante", stake)]))
        con.register("rounds", chunk.rounds)
        con.register("current_rounds", chunk.rounds)
        con.register("current_wagers", chunk.wagers)
        engine = engine_rows(chunk, {})
        run.run_chunk(chunk, settlements(chunk, engine, filed), compare(engine, engine))
    assert run.findings().is_empty()
    assert [failure.check_id for failure in run.failed_checks] == ["sometimes"]


def test_findings_stand_by_check_within_a_round(tmp_path: Path) -> None:
    for name in ("one", "two"):
        own(tmp_path, name, "SELECT round_key, wager_id, 'A wager.' AS message FROM current_wagers")
    wagers = [(kind, "1.00") for kind in ("ante", "play", "pair_plus", "six_card_bonus")]
    assert run_own(tmp_path, make_round(wagers=wagers)).findings["check_id"].to_list() == ["one"] * 4 + ["two"] * 4


def test_a_view_that_is_kept_shows_the_days_checks_the_rows_of_all_chunks() -> None:
    view = View("staked", "round", "SELECT round_key, stake FROM current_wagers", keep="day")
    text = HEADER.format(name="any").replace("reach: round", "reach: day").replace("s: current_wagers", "s: context")
    check = parse_check(text + "SELECT sum(stake) || ' staked' AS message FROM staked", "ours/any.sql", own=True)
    filed, con = make_filed(filing()), open_session()
    run = CheckRun(con, CheckSet((check,), (view,)), filed, RunContext("run", "studio-7", date(2026, 11, 3)))
    con.register("filings", filed.filings)
    con.execute("CREATE TEMP TABLE context AS SELECT 'TCP-01' AS table_id")
    for number, stake in enumerate(("10.00", "5.00")):
        chunk = make_chunk(make_round(wagers=[("ante", stake)], round_id=f"r{number}"))
        con.register("rounds", chunk.rounds)
        con.register("current_rounds", chunk.rounds)
        con.register("current_wagers", chunk.wagers)
        engine = engine_rows(chunk, {})
        run.run_chunk(chunk, settlements(chunk, engine, filed), compare(engine, engine))
    run.run_day()
    assert (run.failed_checks, run.findings()["message"].to_list()) == ((), ["15.000000 staked"])


def test_a_view_of_the_projects_that_does_not_run_is_named() -> None:
    view = View("gone", "round", "SELECT 1\nFROM nowhere")
    check = parse_check(HEADER.format(name="any") + "SELECT 'A row.' AS message FROM gone", "ours/any.sql", own=True)
    chunk, filed, con = make_chunk(make_round(wagers=[("ante", "10.00")])), make_filed(filing()), open_session()
    con.register("current_wagers", chunk.wagers)
    engine = engine_rows(chunk, {})
    run = CheckRun(con, CheckSet((check,), (view,)), filed, RunContext("run", "studio-7", date(2026, 11, 3)))
    with pytest.raises(CheckError, match="nowhere") as raised:
        run.run_chunk(chunk, settlements(chunk, engine, filed), compare(engine, engine))
    assert raised.value.where == "sql/views/gone.sql"


def test_findings_do_not_hang_on_how_the_day_was_cut() -> None:
    def wrong(n: int) -> Any:
        return make_round(round_id=f"r{n}", at=f"2026-11-03T15:0{n}:00.000Z", sequence=n, wagers=[("ante", "10.00"), ("play", f"{n}.00")])

    rounds, filed = [wrong(n) for n in range(1, 5)], make_filed(filing())
    together = run_checks(make_chunk(*rounds), filed, "play_not_equal_ante")
    apart = [run_checks(make_chunk(told), filed, "play_not_equal_ante").findings for told in rounds]
    columns = [name for name in FINDINGS.schema if name != "source_line"]
    assert together.findings.select(columns).equals(pl.concat(apart).sort("round_id").select(columns))


def test_the_session_reads_no_file_and_keeps_its_settings() -> None:
    con = open_session()
    for sql in (
        "SELECT * FROM read_text('pyproject.toml')",
        "COPY (SELECT 1) TO 'x.csv'",
        "ATTACH 'x.duckdb'",
        "SET enable_external_access = true",
    ):
        with pytest.raises(duckdb.Error):
            con.execute(sql)


def test_the_fingerprint_of_the_set_changes_with_any_check(tmp_path: Path) -> None:
    own(tmp_path, "mine", "SELECT 'x' AS message")
    first = load_checks(tmp_path).fingerprint
    own(tmp_path, "mine", "SELECT 'y' AS message")
    assert first != load_checks(tmp_path).fingerprint != all_checks().fingerprint

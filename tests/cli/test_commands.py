from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.command_line import resettle

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.audit import Outcome


@pytest.fixture
def filing(sample: Path) -> Path:
    return sample / "filings" / "keystone-main-2026.toml"


def test_findings_at_the_level_asked_for_end_in_1_and_others_in_0(sample: Path, first_rounds: Path, tmp_path: Path) -> None:
    honest = tmp_path / "honest"
    assert resettle("simulate", "--out", honest, "--seed", "1", "--rounds", "9").exit_code == 0
    clean = resettle("audit", honest / "rounds.ndjson", "--filings", honest / "filings", "--lake", tmp_path / "clean")
    assert clean.exit_code == 0, clean.output
    faulty = resettle("audit", first_rounds, "--filings", sample / "filings", "--lake", tmp_path / "lake")
    assert faulty.exit_code == 1
    assert "wagers were paid wrongly" in faulty.output
    again = resettle("audit", first_rounds, "--filings", sample / "filings", "--lake", tmp_path / "lake")
    assert again.exit_code == 1
    assert "was audited before" in again.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("audit", "nothing.ndjson", "--filings", "FILINGS", "--lake", "LAKE"), "nothing.ndjson: no such file or folder"),
        (("audit", "LOG", "--filings", "nowhere", "--lake", "LAKE"), "nowhere"),
        (("audit", "LOG", "--filings", "FILINGS", "--lake", "LOG"), "is a file, not a folder"),
        (("audit", "LOG", "--filings", "FILINGS", "--lake", "LAKE", "--report", "LOG"), "a report cannot be written here"),
        (("audit", "LOG", "--lake", "LAKE"), "Missing option '--filings' (`"),
        (("no-such-command",), "No such command 'no-such-command'"),
        (("query", "SELECT 1", "--lake", "nowhere"), "nowhere"),
        (("verify", "--lake", "nowhere"), "there is no lake here"),
        (("filing", "check", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_an_error_in_use_is_one_line_that_ends_in_2(
    words: tuple[str, ...], said: str, sample: Path, first_rounds: Path, tmp_path: Path
) -> None:
    stands_for = {"LOG": first_rounds, "FILINGS": sample / "filings", "LAKE": tmp_path / "lake"}
    ended = resettle(*(stands_for.get(word, word) for word in words))
    assert ended.exit_code == 2
    assert ended.stdout == ""
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "lake" / "current.json").exists()


def test_a_check_of_ones_own_that_cannot_run_ends_in_3_and_is_named(sample: Path, first_rounds: Path, tmp_path: Path) -> None:
    checks = tmp_path / "checks"
    checks.mkdir()
    told = {"check": "mine", "title": "Mine", "severity": "info", "family": "own", "reach": "round", "question": "What?"}
    header = "".join(f"-- {key}: {value}\n" for key, value in {**told, "examines": "current_rounds"}.items())
    (checks / "mine.sql").write_text(f"{header}\nSELECT nothing_like_it AS message FROM current_rounds\n")
    ended = resettle("audit", first_rounds, "--filings", sample / "filings", "--lake", tmp_path / "lake", "--checks", checks)
    assert ended.exit_code == 3
    assert "checks/mine.sql:9" in ended.output


def test_a_query_prints_what_was_asked_for_in_each_format(audited: tuple[Path, Outcome]) -> None:
    lake, _ = audited
    stake, cards = "SELECT min(stake) AS stake FROM wagers", "SELECT cards FROM hands WHERE len(cards) = 3 ORDER BY ALL LIMIT 1"
    asked = f"SELECT stake, cards FROM ({stake}), ({cards})"
    assert "decimal(18,6)" in resettle("query", asked, "--lake", lake).stdout
    assert resettle("query", asked, "--lake", lake, "--format", "csv").stdout.startswith("stake,cards\n")
    (line,) = resettle("query", asked, "--lake", lake, "--format", "json").stdout.splitlines()
    assert len(json.loads(line)["cards"]) == 3
    assert resettle("query", asked, "--lake", lake, "--format", "parquet").stdout_bytes.startswith(b"PAR1")


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO 'out.csv'",
        "SELECT 1; SELECT 2",
        "DROP VIEW wagers",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELEC 1",
        "ATTACH 'x.duckdb'",
    ],
)
def test_a_query_reaches_nothing_but_the_lake(sql: str, audited: tuple[Path, Outcome]) -> None:
    ended = resettle("query", sql, "--lake", audited[0])
    assert ended.exit_code == 2
    assert ended.stderr.startswith("resettle: query: ")


def test_a_lake_that_was_moved_says_how_to_mend_it_and_is_mended(audited: tuple[Path, Outcome], tmp_path: Path) -> None:
    moved = tmp_path / "moved"
    shutil.copytree(audited[0], moved)
    assert f"resettle lake here {moved}" in resettle("query", "SELECT count(*) FROM wagers", "--lake", moved).stderr
    assert resettle("lake", "here", moved).exit_code == 0
    assert resettle("query", "SELECT count(*) FROM wagers", "--lake", moved).exit_code == 0
    assert "everything fits" in resettle("verify", "--lake", moved).stdout


def test_a_filing_is_checked_and_told_in_words(filing: Path, tmp_path: Path) -> None:
    assert resettle("filing", "check", filing).exit_code == 0
    unlicensed = tmp_path / "unlicensed.toml"
    unlicensed.write_text(filing.read_text().replace('flush = "4 to 1"', 'flush = "9 to 1"', 1))
    ended = resettle("filing", "check", unlicensed)
    assert ended.exit_code == 1
    assert "9 to 1" in ended.stdout


def test_the_difference_of_two_filings_is_told_with_its_worth_on_a_day(filing: Path, audited: tuple[Path, Outcome], tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(filing.read_text().replace("forfeited_by_fold = true", "forfeited_by_fold = false", 1))
    told = resettle("filing", "diff", filing, other, "--lake", audited[0], "--gaming-day", "2026-10-31")
    assert told.exit_code == 0, told.stderr
    assert "pair_plus.forfeited_by_fold: yes -> no" in told.stdout
    assert "Pair Plus: " in told.stdout
    assert "The two mean the same." in resettle("filing", "diff", filing, filing).stdout
    assert resettle("filing", "diff", filing, other, "--lake", audited[0]).exit_code == 2

from __future__ import annotations

import csv
import hashlib
import json
import shutil
import subprocess
from datetime import datetime
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import polars as pl
import pytest

from pipeline.case.scope import Scope, rounds_in
from pipeline.case.verify import verify_case
from pipeline.core.errors import CaseError, LakeError
from pipeline.lake.opening import open_run
from tests.explain.conftest import HOSTILE, Told
from tests.support.command_line import resettle
from tests.support.lake import bytes_under

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def case(told: Told, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case of three rounds, one of them hostile, with another filing; not to be changed."""
    out = tmp_path_factory.mktemp("cases") / "case"
    other = told.filings / "harbour-shared-2026.toml"
    rounds = ("--round", "TCP-01-0000031", "--round", "TCP-02-0000010", "--round", HOSTILE["round"])
    ended = resettle("case", "--lake", told.lake, "--out", out, *rounds, "--filing", other)
    assert ended.exit_code == 0, ended.output
    assert ended.stderr == ""
    return out


class Page(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def page(case: Path) -> Page:
    return Page((case / "case.html").read_text())


def test_the_page_answers_an_investigator(case: Path) -> None:
    shown = page(case)
    for words in (
        "3 rounds", "paid wrongly", "Under harbour-shared-2026 revision 1", "payout_mismatch", "TCP-01-0000030", "TCP-01-0000036",
        "bets closed", "♥", "Both say", "Filing keystone-main-2026", "resettle verify",
    ):  # fmt: skip
        assert words in shown.text, words
    assert {"svg", "table", "details"} <= shown.tags


def test_the_page_is_self_contained_and_hostile_names_stay_text(case: Path) -> None:
    shown = page(case)
    assert shown.tags.isdisjoint({"script", "img", "link", "iframe", "object"})
    assert not [name for name, _ in shown.attributes if name.startswith("on") or name == "src"]
    assert all(value is not None and value.startswith("#") for name, value in shown.attributes if name == "href")
    assert "<script>alert('round')</script>" in shown.text
    assert "\u202e" not in shown.text
    assert "\x1b" not in shown.text


def test_player_ids_are_masked_on_the_page_unless_revealed(told: Told, case: Path, tmp_path: Path) -> None:
    people = [row[0] for row in told.ask("SELECT DISTINCT player_id FROM participants")]
    text = (case / "case.html").read_text()
    assert not [one for one in people if one in text]
    assert "onerror" not in text
    assert "player 1" in text
    named = tmp_path / "named"
    assert resettle("case", "--lake", told.lake, "--out", named, "--player", HOSTILE["player"]).exit_code == 0
    assert "Case: player 1" in page(named).text
    assert not [one for one in people if one in page(named).text]
    out = tmp_path / "revealed"
    assert resettle("case", "--lake", told.lake, "--out", out, "--round", "TCP-01-0000031", "--reveal").exit_code == 0
    shown = page(out)
    seated = [row[0] for row in told.ask("SELECT DISTINCT player_id FROM participants WHERE round_id = 'TCP-01-0000031'")]
    assert all(one in shown.text for one in seated)
    assert '"round_id":"TCP-01-0000031"' in shown.text


def test_a_round_with_more_wagers_than_a_page_bears_tells_those_with_findings(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.case.page.MOST_WAGERS", 1)
    assert resettle("case", "--lake", told.lake, "--out", tmp_path / "case", "--round", "TCP-01-0000031").exit_code == 0
    shown = page(tmp_path / "case")
    assert "1 of 4, those with findings first" in " ".join(shown.text.split())
    assert "TCP-01-0000031-1-ante" in shown.text
    assert "TCP-01-0000031-0-ante" not in shown.text


def test_the_data_are_the_lake_s_rows_of_these_rounds(told: Told, case: Path) -> None:
    asked = json.loads((case / "case.json").read_bytes())["rounds"]
    rounds = {one["round_id"] for one in asked}
    assert rounds == {"TCP-01-0000031", "TCP-02-0000010", HOSTILE["round"]}
    for name in ("wagers", "settlements", "wallet"):
        frame = pl.read_parquet(case / "data" / f"{name}.parquet")
        held = [row for row in told.ask(f"SELECT round_id FROM {name}") if row[0] in rounds]
        assert frame.height == len(held) > 0
        with (case / "data" / f"{name}.csv").open(newline="") as file:
            assert sum(1 for _ in csv.DictReader(file)) == frame.height
    what_if = pl.read_parquet(case / "data" / "what_if.parquet")
    assert set(what_if["filing_id"].drop_nulls()) == {"harbour-shared-2026"}
    around = pl.read_parquet(case / "data" / "around_table.parquet").filter(pl.col("table_id") == "TCP-01")
    assert around.height == 11
    assert around["is_chosen"].sum() == 1
    others = pl.read_parquet(case / "data" / "around_player.parquet")
    assert not others["is_chosen"].all()
    assert others["is_chosen"].any()


def test_the_evidence_is_the_source_byte_for_byte(told: Told, case: Path) -> None:
    sources = {"rounds.ndjson": told.log, "wallet.ndjson": told.wallet}
    with (case / "evidence" / "lines.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    booked = pl.read_parquet(case / "data" / "wallet.parquet").height
    assert len(rows) == 3 + booked
    for row in rows:
        source = sources[row["source_file"]].read_bytes()
        raw = source[int(row["byte_offset"]) :][: int(row["bytes"])]
        assert source.splitlines()[int(row["source_line"]) - 1] == raw
        assert (case / row["kept_in"]).read_bytes()[int(row["kept_at"]) :].startswith(raw + b"\n")
        assert row["file_sha256"] == hashlib.sha256(source).hexdigest()


def test_the_filings_in_force_are_in_the_form_of_their_fingerprint(told: Told, case: Path) -> None:
    rounds = json.loads((case / "case.json").read_bytes())["filings"]
    cited = {row[0] for row in told.ask("SELECT DISTINCT filing_fingerprint FROM settlements WHERE round_id = 'TCP-01-0000031'")}
    assert cited <= {one["fingerprint"] for one in rounds}
    for path in (case / "evidence" / "filings").glob("*.json"):
        assert hashlib.sha256(path.read_bytes()).hexdigest() == path.stem
        assert json.loads(path.read_bytes())["filing_id"] in path.with_suffix(".txt").read_text()


def test_a_case_is_verified_with_resettle_and_without(case: Path) -> None:
    found = verify_case(case)
    assert (found.rounds, found.missing) == (3, ())
    ended = resettle("verify", case, "--head", found.sha256)
    assert (ended.exit_code, "everything fits" in ended.stdout) == (0, True)
    if shutil.which("sha256sum"):
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=case, check=True)  # noqa: S607
    assert found.sha256 == hashlib.sha256((case / "SHA256SUMS").read_bytes()).hexdigest()


def test_the_same_question_gives_the_same_bytes(told: Told, case: Path, tmp_path: Path) -> None:
    rounds = ("--round", "TCP-01-0000031", "--round", "TCP-02-0000010", "--round", HOSTILE["round"])
    again = tmp_path / "again"
    resettle("case", "--lake", told.lake, "--out", again, *rounds, "--filing", told.filings / "harbour-shared-2026.toml")
    assert bytes_under(again) == bytes_under(case)


def test_a_flipped_byte_anywhere_is_found(case: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(case, copy)
    for path in sorted(one for one in copy.rglob("*") if one.is_file()):
        content = path.read_bytes()
        flipped = bytearray(content)
        flipped[len(content) // 2] ^= 1
        path.write_bytes(flipped)
        with pytest.raises(CaseError):
            verify_case(copy)
        path.write_bytes(content)
    verify_case(copy)


def _resum(case: Path) -> None:
    """Digests made anew, as a forger would."""
    names = sorted(path.relative_to(case).as_posix() for path in case.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    sums = "".join(f"{hashlib.sha256((case / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (case / "SHA256SUMS").write_text(sums)


def _swap(path: Path, old: bytes, new: bytes) -> None:
    content = path.read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new, 1))


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("lost", "is missing"),
        ("added", "does not name it"),
        ("line", "is not the record"),
        ("filing", "fingerprint"),
        ("record", "record of round"),
    ],
)
def test_what_is_lost_added_or_does_not_fit_is_named(case: Path, tmp_path: Path, what: str, said: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(case, copy)
    head = verify_case(copy).sha256
    evidence = copy / "evidence"
    if what == "lost":
        (copy / "data" / "wagers.csv").unlink()
    elif what == "added":
        (copy / "data" / "more.csv").write_text("x")
    elif what == "line":
        _swap(evidence / "lines" / "001-rounds.ndjson", b"TCP-01", b"TCP-09")
    elif what == "filing":
        _swap(next((evidence / "filings").glob("*.json")), b'"qualifier":"Q"', b'"qualifier":"K"')
    else:
        lines = (evidence / "lines.csv").read_text().splitlines(keepends=True)
        (evidence / "lines.csv").write_text("".join(line for line in lines if not line.startswith("rounds.ndjson")))
        (evidence / "lines" / "001-rounds.ndjson").unlink()
    if what not in {"lost", "added"}:
        _resum(copy)
        with pytest.raises(CaseError, match="is another case"):
            verify_case(copy, head)
    with pytest.raises(CaseError, match=said):
        verify_case(copy)


def test_a_case_whose_source_was_moved_is_written_and_says_what_is_missing(told: Told, tmp_path: Path) -> None:
    elsewhere = tmp_path / "archive"
    elsewhere.mkdir()
    shutil.copy(told.log, elsewhere)
    out = tmp_path / "case"
    ended = resettle("case", "--lake", told.lake, "--out", out, "--round", "TCP-01-0000031", "--source", elsewhere)
    assert ended.exit_code == 0
    assert "evidence is missing: wallet.ndjson" in ended.stderr
    assert "--source DIR" in ended.stderr
    assert "wallet.ndjson" in "".join(verify_case(out).missing)
    assert "not in it: wallet.ndjson" in resettle("verify", out).stdout
    assert "Evidence is missing" in page(out).text


def test_nothing_is_written_over(told: Told, case: Path) -> None:
    before = bytes_under(case)
    ended = resettle("case", "--lake", told.lake, "--out", case, "--round", "TCP-01-0000031")
    assert (ended.exit_code, "not empty" in ended.stderr) == (2, True)
    assert bytes_under(case) == before


@pytest.mark.parametrize(
    ("scope", "condition"),
    [
        (Scope(table="TCP-02"), "table_id = 'TCP-02'"),
        (Scope(table="TCP-02", dealer="D011"), "table_id = 'TCP-02' AND dealer_id = 'D011'"),
        (Scope(dealer=HOSTILE["dealer"]), "table_id = 'TCP-03' AND contains(dealer_id, 'passwd')"),
        (Scope(since=datetime.fromisoformat("2026-10-31T06:10:00-04:00"), until=datetime.fromisoformat("2026-10-31T10:15:00+00:00")),
         "dated_at BETWEEN '2026-10-31 10:10:00+00' AND '2026-10-31 10:15:00+00'"),
        (Scope(player=HOSTILE["player"]), "contains(dealer_id, 'passwd')"),
    ],
)  # fmt: skip
def test_what_is_asked_for_picks_the_rounds_that_fit_all_of_it(told: Told, scope: Scope, condition: str) -> None:
    with open_run(told.lake) as con:
        found = {round_id for _, _, round_id in rounds_in(con, scope)}
    assert found == {row[0] for row in told.ask(f"SELECT round_id FROM rounds WHERE is_current AND {condition}")}
    assert found


def test_a_finding_stands_for_its_round_and_one_about_a_dealer_for_his_rounds(told: Told) -> None:
    with open_run(told.lake) as con:
        for finding, round_id in told.ask("SELECT finding_id, round_id FROM findings WHERE check_id = 'payout_mismatch' LIMIT 1"):
            assert [one[2] for one in rounds_in(con, Scope(finding=finding))] == [round_id]
        asked = "SELECT finding_id FROM findings WHERE check_id = 'dealer_not_certified' AND contains(dealer_id, 'passwd')"
        ((finding,),) = told.ask(asked)
        assert [one[2] for one in rounds_in(con, Scope(finding=finding))] == [HOSTILE["round"]]


def test_an_incident_stands_for_the_rounds_of_its_findings(told: Told, tmp_path: Path) -> None:
    incident, message = told.ask("SELECT incident_id, message FROM incidents ORDER BY hits DESC, incident_id LIMIT 1")[0]
    ended = resettle("case", "--lake", told.lake, "--out", tmp_path / "case", "--incident", incident)
    assert ended.exit_code == 0, ended.output
    found = {one["round_id"] for one in json.loads((tmp_path / "case" / "case.json").read_bytes())["rounds"]}
    assert found == {row[0] for row in told.ask(f"SELECT DISTINCT round_id FROM findings WHERE incident_id = '{incident}'")}
    assert incident in pl.read_parquet(tmp_path / "case" / "data" / "incidents.parquet")["incident_id"]
    assert message.partition(",")[0] in page(tmp_path / "case").text


def test_a_lake_without_incidents_says_so(told: Told) -> None:
    with open_run(told.lake) as con:
        columns = [row[0] for row in con.sql("DESCRIBE findings").fetchall() if row[0] != "incident_id"]
        con.execute(f"CREATE TABLE earlier AS SELECT {', '.join(columns)} FROM findings")
        con.execute("CREATE OR REPLACE VIEW findings AS SELECT * FROM earlier")
        with pytest.raises(LakeError, match="this lake holds no incidents"):
            rounds_in(con, Scope(incident="i1"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing says what the case is about"),
        (("--round", "nothing"), "round nothing is not in the lake"),
        (("--player", "nobody\n"), "no round of the lake fits player nobody\\n"),
        (("--incident", "i1"), "no incident i1 stands in the lake"),
        (("--finding", "finding"), "finding names no finding"),
        (("--round", "TCP-01-0000031", "--source", "nowhere"), "nowhere: no such file or folder"),
    ],
)
def test_an_error_in_use_is_one_line_that_ends_in_2_and_leaves_no_folder(
    told: Told, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    ended = resettle("case", "--lake", told.lake, "--out", tmp_path / "case", *words)
    assert (ended.exit_code, ended.stderr.count("\n")) == (2, 1)
    assert said in ended.stderr
    assert not list(tmp_path.iterdir())


def test_one_thing_is_verified_at_a_time(told: Told, tmp_path: Path) -> None:
    assert "name the folder of a case" in resettle("verify").stderr
    assert resettle("verify", tmp_path, "--lake", told.lake).exit_code == 2
    assert "it is no case file" in resettle("verify", tmp_path).stderr

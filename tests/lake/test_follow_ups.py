from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pytest

from flows.notice import Notice
from pipeline.core.errors import LakeError
from pipeline.lake import appended, open_as_of, open_lake, relocate, verify, writing
from pipeline.lake.follow_ups import record
from pipeline.lake.layout import FOLLOW_UPS, NOTICES
from pipeline.lake.manifest import chain, read_run, read_state
from pipeline.report.model import build_report
from pipeline.report.wording import answers
from tests.support.command_line import resettle
from tests.support.lake import DAY, STUDIO, facts, findings, settlements, source_files

if TYPE_CHECKING:
    from pathlib import Path


def night(lake: Path, number: int, **paid: str) -> None:
    """Publishes the night anew with one finding for each id: what was handed back."""
    run_id = f"{number:x}" * 32
    with writing(lake) as opened:
        publication = opened.begin(facts(run_id))
        with publication.partition(STUDIO, DAY) as writer:
            wagers = [f"w-{finding_id}" for finding_id in paid]
            money = [Decimal(told) for told in paid.values()]
            over = [told - 20 for told in money]
            writer.append("settlements", settlements(len(paid), wager_id=wagers, paid=money, delta=over))
            writer.append("findings", findings(len(paid), run_id, finding_id=list(paid), wager_id=wagers, paid=money, delta=over))
        publication.deliver("source_files", source_files("rounds.ndjson", f"{number:064x}"))
        publication.publish([writer.result])


def history(lake: Path, finding_id: str = "aa11") -> list[tuple[object, ...]]:
    sql = "SELECT place, recorded_by, action, status, assignee, note, stands FROM finding_history WHERE finding_id = $id ORDER BY place"
    with open_lake(lake) as con:
        return con.execute(sql, {"id": finding_id}).fetchall()


def status(lake: Path) -> dict[str, str]:
    with open_lake(lake) as con:
        return dict(con.execute("SELECT finding_id, status FROM finding_status ORDER BY ALL").fetchall())


@pytest.fixture
def three(lake: Path) -> Path:
    night(lake, 1, aa11="25", aa22="26", bb33="27")
    return lake


def test_what_is_recorded_stands_in_order_and_alters_no_finding(three: Path) -> None:
    with open_lake(three) as con:
        before = con.execute("FROM findings ORDER BY finding_id").fetchall()
    record(three, ["aa11"], "assign", "B. Head", assignee="A. Clerk")
    record(three, ["aa11"], "note", "A. Clerk", "asked the studio")
    record(three, ["aa11", "bb33"], "accept", "A. Clerk")
    record(three, ["aa11"], "close", "B. Head", "paid back")
    assert history(three) == [
        (1, "B. Head", "assign", "assigned", "A. Clerk", None, True),
        (2, "A. Clerk", "note", "assigned", "A. Clerk", "asked the studio", True),
        (3, "A. Clerk", "accept", "accepted", "A. Clerk", None, True),
        (4, "B. Head", "close", "closed", "A. Clerk", "paid back", True),
    ]
    assert status(three) == {"aa11": "closed", "aa22": "open", "bb33": "accepted"}
    with open_lake(three) as con:
        assert con.execute("FROM findings ORDER BY finding_id").fetchall() == before
    verify(three)


def test_it_outlives_a_rerun_and_the_finding_itself(three: Path) -> None:
    record(three, ["aa11"], "close", "A. Clerk", "paid back")
    record(three, ["aa22"], "dispute", "A. Clerk", "the reader was wrong")
    night(three, 2, aa11="25", bb33="27")
    assert status(three) == {"aa11": "closed", "aa22": "disputed", "bb33": "open"}
    assert history(three, "aa22") == [(1, "A. Clerk", "dispute", "disputed", None, "the reader was wrong", False)]
    verify(three)


def test_a_closed_finding_that_comes_back_is_reopened_by_itself(three: Path) -> None:
    record(three, ["aa11", "bb33"], "close", "A. Clerk", "paid back")
    night(three, 2, bb33="27")
    assert status(three) == {"aa11": "closed", "bb33": "closed"}
    night(three, 3, aa11="25", bb33="27")
    assert status(three) == {"aa11": "reopened", "bb33": "closed"}
    assert history(three)[-1] == (2, f"run {'3' * 32}", "reopen", "reopened", None, "came back", True)
    night(three, 4, aa11="25", bb33="27")
    assert status(three)["aa11"] == "reopened"
    record(three, ["aa11"], "close", "A. Clerk", "again")
    night(three, 5, aa11="25", bb33="27")
    assert status(three) == {"aa11": "closed", "bb33": "closed"}
    assert [row[2] for row in history(three)] == ["close", "reopen", "close"]
    verify(three)


def test_a_closed_finding_that_says_something_else_is_reopened(three: Path) -> None:
    record(three, ["aa11", "aa22"], "close", "A. Clerk", "paid back")
    record(three, ["aa22"], "assign", "A. Clerk", assignee="B. Head")
    night(three, 2, aa11="25.01", aa22="26.01", bb33="27")
    assert status(three) == {"aa11": "reopened", "aa22": "assigned", "bb33": "open"}
    assert history(three)[-1][5] == "says something else"


def test_what_was_recorded_later_is_not_known_as_of_an_earlier_publish(three: Path) -> None:
    night(three, 2, aa11="25")
    record(three, ["aa11"], "close", "A. Clerk", "paid back")
    first = chain(three, read_state(three))[0]
    with open_as_of(three, read_run(three, 1, first.run_id).finished_at) as con:
        assert con.execute("SELECT count(*) FROM finding_history").fetchall() == [(0,)]


def test_a_changed_or_missing_line_is_noticed(three: Path) -> None:
    record(three, ["aa11"], "close", "A. Clerk", "paid back")
    record(three, ["aa22"], "close", "A. Clerk", "paid back")
    path = three / FOLLOW_UPS
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"A. Clerk", b"Z. Clerk", 1))
    with pytest.raises(LakeError, match="changed after it was recorded"):
        verify(three)
    path.write_bytes(whole.splitlines(keepends=True)[1])
    with pytest.raises(LakeError, match="or the line before it was"):
        record(three, ["bb33"], "accept", "A. Clerk")


def test_a_last_line_is_held_by_the_next_publish_and_before_that_by_its_head(three: Path) -> None:
    record(three, ["aa11"], "close", "A. Clerk", "paid back")
    last = verify(three).beside[FOLLOW_UPS]
    path = three / FOLLOW_UPS
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"A. Clerk", b"Z. Clerk"))
    verify(three)
    with pytest.raises(LakeError, match="is in no chain here"):
        verify(three, head=last)
    path.write_bytes(whole)
    night(three, 2, aa11="25")
    for told in (whole.replace(b"A. Clerk", b"Z. Clerk"), b""):
        path.write_bytes(told)
        with pytest.raises(LakeError, match="a line is missing or changed that stood there at publish 2"):
            verify(three)


def test_a_changed_notice_is_noticed(three: Path) -> None:
    with writing(three) as opened:
        for number in range(2):
            held = appended.read(three / NOTICES, Notice)
            appended.add(opened, NOTICES, held, [Notice(datetime(2026, 11, 5, tzinfo=UTC), f"run-{number}", "t", "s")])
    assert set(verify(three).beside) == {NOTICES}
    path = three / NOTICES
    path.write_bytes(path.read_bytes().replace(b"run-0", b"run-9"))
    with pytest.raises(LakeError, match="was changed after it was recorded"):
        verify(three)


@pytest.mark.parametrize(
    ("finding_id", "by", "said"),
    [
        ("cc", "A. Clerk", "no finding cc stands in the lake"),
        ("", "A. Clerk", "no finding"),
        ("aa", "A. Clerk", "several findings begin with aa"),
        ("aa1", "A. Clerk", "the finding aa11 is closed already"),
        ("aa1", " ", "nobody is named"),
    ],
)
def test_what_cannot_be_recorded_is_refused(finding_id: str, by: str, said: str, three: Path) -> None:
    record(three, ["aa11"], "close", "A. Clerk", "paid back")
    with pytest.raises(LakeError, match=said):
        record(three, [finding_id], "close", by, "once more")
    assert len(history(three)) == 1


def test_nothing_is_recorded_where_one_of_several_is_unknown(three: Path) -> None:
    with pytest.raises(LakeError, match="no finding cc"):
        record(three, ["aa11", "cc"], "accept", "A. Clerk")
    assert history(three) == []


def test_the_desk_lists_and_records(three: Path) -> None:
    assert resettle("findings", "assign", "aa1", "bb3", "--to", "B. Head", "--by", "A. Clerk", "--lake", three).exit_code == 0
    assert "2 findings closed" in resettle("findings", "close", "aa1", "aa2", "--note", "all paid\x1b", "--by", "A", "--lake", three).stdout
    told = resettle("findings", "list", "--lake", three).stdout
    assert "bb33" in told
    assert "assigned (B. Head)" in told
    assert "+7.00 USD" in told
    assert "aa11" not in told
    closed = resettle("findings", "list", "--lake", three, "--status", "closed").stdout
    assert "note: all paid\\x1b" in closed
    assert closed.endswith("2 findings.\n")
    assert resettle("findings", "list", "--lake", three, "--assignee", "nobody").stdout == "No finding.\n"
    lived = resettle("ask", "finding_life", "--lake", three, "--param", "finding=aa1", "--format", "csv").stdout.splitlines()
    assert [line.split(",")[4:6] for line in lived] == [["action", "status"], ["assign", "assigned"], ["close", "closed"]]
    for words in (("close", "bb3"), ("dispute", "bb3"), ("note", "bb3"), ("assign", "bb3")):
        assert resettle("findings", *words, "--by", "A", "--lake", three).exit_code == 2


def test_the_report_says_what_was_done(three: Path) -> None:
    assert "What was done" not in " ".join(told.text for told in answers(build_report(three)))
    record(three, ["aa11"], "close", "A. Clerk", "paid back")
    told = {one.text: one.good for one in answers(build_report(three))}
    assert told["What was done about them: 2 open, 1 closed."] is False
    record(three, ["aa22", "bb33"], "accept", "A. Clerk")
    assert {one.text: one.good for one in answers(build_report(three))}["What was done about them: 2 accepted, 1 closed."] is True


def test_a_catalogue_of_an_older_version_is_made_anew_by_the_command_that_mends(three: Path) -> None:
    with duckdb.connect(three / "audit.duckdb") as con:
        con.execute("DROP VIEW finding_status")
    with pytest.raises(LakeError, match="resettle lake here"):
        verify(three)
    relocate(three)
    verify(three)


def test_a_moved_lake_reads_its_own_files_in_a_plain_client(three: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(three, ["aa11"], "note", "A. Clerk", "seen")
    asked = "SELECT (SELECT count(*) FROM settlements), (SELECT max(recorded_by) FROM finding_history)"
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{three}/audit.duckdb' AS there (READ_ONLY)")
        con.execute("USE there")
        stood = con.execute(asked).fetchall()
    there = tmp_path / "it's elsewhere"
    shutil.move(three, there)
    monkeypatch.chdir(tmp_path)
    for path in (there / "audit.duckdb", "it's elsewhere/audit.duckdb"):
        with duckdb.connect(path, read_only=True) as con:
            assert con.execute(asked).fetchall() == stood
            ((told,),) = con.execute("SELECT comment FROM duckdb_views() WHERE view_name = 'lake'").fetchall()
    assert "mend them with: resettle lake here DIR" in told


def test_the_file_reads_as_plain_ndjson(three: Path) -> None:
    record(three, ["aa11"], "close", "A. Clerk", "paid back")
    (line,) = (three / FOLLOW_UPS).read_text().splitlines()
    told = json.loads(line)
    assert (told["entry"], told["finding_id"], told["action"], told["recorded_by"], told["number"]) == (1, "aa11", "close", "A. Clerk", 1)

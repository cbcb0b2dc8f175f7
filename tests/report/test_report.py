from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from html.parser import HTMLParser
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from pipeline.core.errors import LakeError, ResettleError
from pipeline.core.money import amount
from pipeline.core.results import INCIDENTS
from pipeline.lake import writing
from pipeline.report import html, terminal
from pipeline.report import json as as_json
from pipeline.report.model import Report, build_report
from pipeline.report.parts import FindingCount, IncidentMoney, NotChecked, Wallet, WalletSum
from pipeline.report.wording import answers, count, how_hold_comes_about, visible
from pipeline.report.write import write_report
from tests.support.lake import DAY, STUDIO, facts, made, source_files
from tests.support.reported import HOSTILE, RUN, published

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Report:
    wrong = {"paid": Decimal(25), "delta": Decimal(5), "wager_id": ["w1"]}
    short = {"paid": Decimal("19.5"), "delta": Decimal("-0.5"), "currency": "EUR"}
    stuck = {
        "settlement": "unsettleable",
        "settlement_reason": "dealer: unreadable_card",
        "expected": [None],
        "expected_bonus": [None],
        "delta": [None],
    }
    settled: list[dict[str, object]] = [{}, wrong, short, stuck, {"play_mode": "test"}]
    found: list[dict[str, object]] = [
        {"finding_id": ["f1"], "wager_id": ["w1"]},
        {
            "finding_id": ["f2"],
            "currency": "EUR",
            "delta": Decimal("-0.5"),
            "player_id": HOSTILE,
            "message": f"{HOSTILE} was paid too little",
        },
        {"finding_id": ["f3"], "check_id": "duplicate_card", "delta": [None], "message": "the Qs stands twice", "round_id": [HOSTILE]},
        {"finding_id": ["f4"], "check_id": "test_play_in_feed", "severity": "info", "delta": [None]},
    ]
    return published(tmp_path_factory.mktemp("busy") / "lake", settled, found)


def texts(report: Report) -> list[str]:
    return [told.text for told in answers(report)]


def test_from_all_that_was_staked_and_handed_back_to_the_hold(busy: Report) -> None:
    (line,) = how_hold_comes_about(busy)
    assert line == (
        "USD: 30.00 staked and 65.00 handed back in all, less 10.00 and 20.00 on ones that cannot be settled, are 20.00 and 45.00 on "
        "settled wagers; 20.00 less 45.00 is the hold, -25.00."
    )
    assert line in html.render(busy)
    usd, eur = busy.money
    free = how_hold_comes_about(replace(busy, money=(replace(usd, free_handle=Decimal(5)), eur)))[0]
    assert free.endswith("20.00 less 5.00 of free stakes less 45.00 is the hold, -30.00.")
    settled = tuple(state for state in busy.states if state.settlement == "settled")
    assert how_hold_comes_about(replace(busy, states=settled)) == []


def test_the_answers_come_first_and_in_words(busy: Report) -> None:
    assert texts(busy) == [
        "The night is complete: every one of 3 records in 1 file was read.",
        "2 wagers were paid wrongly: 5.00 USD too much on 1, 0.50 EUR too little on 1.",
        "1 wager cannot be settled (10.00 USD staked).",
        "3 findings: 3 critical. 1 remark for information.",
        "2 of 3 checks examined something; what was not checked, and why, stands below.",
    ]


def test_the_model_counts_what_is_current_and_real(busy: Report) -> None:
    assert [(night.studio_id, night.gaming_day, night.rounds) for night in busy.nights] == [(STUDIO, DAY, 2)]
    usd = next(money for money in busy.money if money.currency == "USD")
    assert (usd.wagers, usd.settled, usd.handle, usd.returned, usd.due, usd.hold) == (3, 2, 20, 45, 40, -25)
    assert busy.test_wagers == 1
    assert [(state.settlement, state.currency, state.due) for state in busy.states] == [
        ("settled", "EUR", 20),
        ("settled", "USD", 40),
        ("unsettleable", "USD", None),
    ]
    assert [(row.reason, row.wagers) for row in busy.unsettleable] == [("dealer: unreadable_card", 1)]
    assert [row.difference for row in busy.conservation] == [0, 0]
    assert [(row.check_id, row.reason, row.tables, row.examined, row.not_examined) for row in busy.not_checked] == [
        ("meter_break", "not checked: no meters in the log", 1, 0, 0),
        ("missing_play", "no claim", 1, 3, 1),
    ]


def test_the_worst_are_the_largest_of_each_currency_then_the_gravest(busy: Report) -> None:
    assert [found.finding_id for found in busy.worst] == ["f1", "f2", "f3"]
    assert (busy.worst[0].source_file, busy.worst[0].source_line) == ("rounds.ndjson", 0)


def test_a_quiet_night_says_so(tmp_path: Path) -> None:
    report = published(tmp_path / "lake", [{}], [])
    assert texts(report)[:3] == [
        "The night is complete: every one of 3 records in 1 file was read.",
        "Every one of 1 settled wager was paid what was due.",
        "No finding.",
    ]
    assert all(told.good for told in answers(report))
    assert "Nothing was found." in html.render(report)


@pytest.mark.parametrize(("tables", "examined", "said"), [
    (2, 0, "Completeness not proven: every one of 3 records in 1 file was read, but no control totals were given."),
    (1, 4, "Completeness not proven: every one of 3 records in 1 file was read, but for 1 table no control totals were given."),
])  # fmt: skip
def test_without_control_totals_completeness_is_not_proven(busy: Report, tables: int, examined: int, said: str) -> None:
    lacking = NotChecked("control_total_mismatch", "not checked: no control totals given", tables, examined, 0)
    assert texts(replace(busy, not_checked=(*busy.not_checked, lacking)))[0] == said


def test_control_totals_that_are_not_met_make_a_night_incomplete(busy: Report) -> None:
    told = "The night is not complete: every one of 3 records in 1 file was read, but"
    missed = FindingCount("control_total_mismatch", "critical", 1)
    assert texts(replace(busy, findings=(*busy.findings, missed)))[0] == f"{told} the control totals say otherwise."
    gaps = FindingCount("sequence_gap", "medium", 3)
    assert texts(replace(busy, findings=(*busy.findings, gaps)))[0] == f"{told} round numbers are missing in 3 places."


def test_a_night_without_a_round_says_so(tmp_path: Path) -> None:
    with writing(tmp_path / "lake") as opened:
        publication = opened.begin(facts(RUN))
        publication.deliver("source_files", source_files("rounds.ndjson", "d" * 64, records=0))
        publication.publish([])
    report = build_report(tmp_path / "lake")
    assert texts(report)[0] == "No activity: there is no round in 0 records in 1 file."
    assert "No activity" in html.render(report)
    assert "no activity" in terminal.render(report)


def test_what_is_not_to_be_trusted_stands_first(tmp_path: Path) -> None:
    report = published(
        tmp_path / "lake",
        [{"paid": Decimal(21), "delta": Decimal(1)}],
        [],
        ("the engines disagree on 1 wagers",),
        accepted=1,
        quarantined=1,
    )
    assert texts(report)[0] == "These results are not to be trusted: the engines disagree on 1 wagers."
    assert texts(report)[1] == "Records are missing: the books of rounds.ndjson do not balance."
    assert texts(report)[2] == "Money is not conserved: 1.00 USD of op-1 on 2026-11-03 is named by no finding."
    assert "DO NOT BALANCE" in terminal.render(report)


def test_quarantine_makes_a_night_incomplete(tmp_path: Path) -> None:
    report = published(tmp_path / "lake", [{}], [], accepted=2, quarantined=1)
    assert texts(report)[0] == "The night is not complete: 1 record of 3 cannot be read and lies in quarantine."


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def page(report: Report) -> Page:
    read = Page()
    read.feed(html.render(report))
    return read


def test_the_page_holds_everything_in_itself_and_escapes_the_log(busy: Report) -> None:
    read = page(busy)
    names = {tag for tag, _ in read.tags}
    assert not names & {"script", "link", "img", "iframe", "form"}
    assert not [attrs for _, attrs in read.tags if str(attrs.get("href") or attrs.get("src") or "#")[0] != "#"]
    assert '<script>alert("x")</script>\\x1b[31m\\u202e\\n' in read.text
    assert "{{7*7}}" in read.text
    assert "49" not in read.text.split("was paid too little")[0][-80:]
    assert "url(" not in html.render(busy)


def test_the_page_is_built_of_headings_captions_and_headed_columns(busy: Report) -> None:
    read = page(busy)
    tags = [tag for tag, _ in read.tags]
    assert tags.count("h1") == 1
    assert tags.count("caption") == tags.count("table") > 4
    assert all("scope" in attrs for tag, attrs in read.tags if tag == "th")
    ids = {attrs["id"] for _, attrs in read.tags if attrs.get("id")}
    assert {str(attrs["href"])[1:] for tag, attrs in read.tags if tag == "a"} <= ids
    assert ("html", {"lang": "en"}) in read.tags


def test_plain_text_fits_a_hundred_columns_and_steers_no_terminal(busy: Report) -> None:
    out = StringIO()
    terminal.show(busy, out, page="report/report.html")
    text = out.getvalue()
    assert max(map(len, text.splitlines())) <= 100
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert "[bold]" in text
    assert "rounds.ndjson:0" in text
    assert "not checked: no meters in the log: meter_break" in text
    assert "in part: missing_play, 1 of 4 not: no claim" in text
    assert "resettle audit rounds.ndjson --filings filings --lake lake" in text
    assert text.index("paid wrongly") < text.index("Findings")


def test_json_says_the_same_as_the_model(busy: Report) -> None:
    said = json.loads(as_json.render(busy))
    assert [told["text"] for told in said["answers"]] == texts(busy)
    assert said["report"]["worst"][1]["message"] == f"{HOSTILE} was paid too little"
    assert said["report"]["money"][0]["handle"] == "20.000000"
    assert said["report"]["run"]["run_id"] == RUN


def test_writing_leaves_a_page_and_its_json(busy: Report, tmp_path: Path) -> None:
    where = write_report(busy, tmp_path / "report")
    write_report(busy, tmp_path / "report")
    assert where.read_text() == html.render(busy)
    assert sorted(path.name for path in where.parent.iterdir()) == ["report.html", "report.json"]
    with pytest.raises(ResettleError, match="report cannot be written"):
        write_report(busy, where / "below a file")


def incident(number: int, extent: str, **given: object) -> pl.DataFrame:
    subject = {"incident_id": f"i{number}", "run_id": RUN, "studio_id": STUDIO, "gaming_day": DAY, "extent": extent, "hits": number}
    money = [[{"currency": "USD", "wagers": number, "players": 1, "overpaid": Decimal(5), "underpaid": Decimal(0)}]]
    return made(INCIDENTS, 1, {**subject, "root_cause": "paid_twice", "message": f"{extent}: {number}", "money": money, **given})


def test_incidents_stand_before_findings_the_systematic_ones_first(tmp_path: Path) -> None:
    place = {"table_id": "TCP-01", "first_round_id": "r7"}
    some = (
        incident(40, "isolated"),
        incident(3, "systematic", message=HOSTILE),
        incident(9, "systematic", **place),
        incident(1, "unexplained"),
    )
    finding = {
        "finding_id": ["f1"],
        "delta": [None],
        "round_id": "r7",
        "root_cause": "paid_twice",
        "source_line": 17,
        "citation": "filing a, b",
    }
    report = published(tmp_path / "lake", [{}], [finding], incidents=some)
    assert [one.incident_id for one in report.incidents] == ["i9", "i3", "i1", "i40"]
    assert report.incidents[0].money == (IncidentMoney("USD", 9, 1, Decimal(5), Decimal(0)),)
    assert (report.incidents[0].citation, report.incidents[0].source_file, report.incidents[0].source_line) == (
        "filing a, b",
        "rounds.ndjson",
        17,
    )
    assert report.incidents[1].citation is None
    assert "2 systematic incidents: 12 wrong payments in runs of rounds in which one rule was broken throughout." in texts(report)
    in_all = "In all: 2 systematic (12 findings), 1 unexplained (1 finding), 1 isolated (40 findings)."
    shown, page = terminal.render(report), html.render(report)
    for told in (shown, page):
        assert in_all in told
        assert told.index("systematic: 9") < told.index("isolated: 40")
    assert shown.index("\nIncidents") < shown.index("\nFindings")
    assert page.index("<h3>Incidents</h3>") < page.index("<h3>Findings by check</h3>")
    assert "<script>alert" not in page
    assert json.loads(as_json.render(report))["report"]["incidents"][0]["money"][0]["overpaid"] == "5.000000"


def test_what_the_wallet_moved_stands_beside_what_was_reported(busy: Report) -> None:
    assert "Not compared: no wallet ledger reaches this night." in html.render(busy)
    row = Wallet("op-1", "USD", "settled", 2, Decimal(40), Decimal(45), Decimal(44), Decimal(5), Decimal(-1))
    told = replace(busy, wallet=(row,), wallet_sum=WalletSum(2, 0, 1))
    assert "The wallet and the studio's report differ in 1 of 2 players' rounds: -1.00 USD in all." in texts(told)
    assert "not compared" not in html.render(told).lower()
    told = replace(busy, wallet=(replace(row, wallet=Decimal(45), wallet_less_reported=Decimal(0)),), wallet_sum=WalletSum(2, 0, 0))
    assert "The wallet moved what the studio reported, in every one of 2 players' rounds." in texts(told)


def test_a_hundred_thousand_findings_make_a_page_of_the_worst(tmp_path: Path) -> None:
    many = 100_000
    ids = [f"f{number}" for number in range(many)]
    report = published(tmp_path / "lake", [{}], [{"finding_id": ids, "delta": [Decimal(number) for number in range(many)]}])
    assert [found.finding_id for found in report.worst] == ids[:-11:-1]
    page = html.render(report)
    assert len(page) < 60_000
    assert "100,000" in page
    assert "resettle findings list --lake DIR" in page


def test_a_run_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(LakeError, match="nothing is published here"):
        build_report(tmp_path)
    published(tmp_path / "lake", [{}], [])
    with pytest.raises(LakeError, match="no run nonsense was published here"):
        build_report(tmp_path / "lake", "nonsense")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("0", "0.00 USD"),
        ("1234.5", "1,234.50 USD"),
        ("-0.125", "-0.125 USD"),
        ("999999999999.999999", "999,999,999,999.999999 USD"),
        (None, "-"),
    ],
)
def test_amounts_keep_every_digit(value: str | None, told: str) -> None:
    assert amount(None if value is None else Decimal(value).quantize(Decimal("0.000001")), "USD") == told


def test_words() -> None:
    assert amount(Decimal(5), "USD", signed=True) == "+5.00 USD"
    assert (count(1, "wager"), count(1200, "wager")) == ("1 wager", "1,200 wagers")
    assert visible("a\x9b\u2028\U000e0001é") == "a\\x9b\\u2028\\U000e0001é"
    assert visible(None) == ""
    assert date(2026, 11, 3) == DAY

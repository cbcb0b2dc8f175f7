from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from flows.notice import give_notice, message
from pipeline.lake import verify, writing
from tests.support.desk import Desk
from tests.support.reported import published

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOUND = {"finding_id": ["f1", "f2"], "player_id": "player-4711", "message": "player-4711 was paid too much"}


@pytest.fixture
def desk() -> Iterator[Desk]:
    started = Desk()
    yield started
    started.close()


def test_a_notice_holds_counts_and_the_link_and_no_player(desk: Desk, tmp_path: Path) -> None:
    report = published(tmp_path / "lake", [{}], [FOUND])
    assert give_notice(report, tmp_path / "lake", "https://reports.example/night", [desk.address], "critical") == []
    (told,) = desk.taken
    assert told["subject"] == "Resettle: studio-7 2026-11-03"
    assert told["text"] == "2 findings: 2 critical\nhttps://reports.example/night"
    assert (told["findings"], told["report"], told["trusted"]) == ({"critical": 2}, "https://reports.example/night", True)
    assert "4711" not in json.dumps(told)


def test_the_same_findings_are_told_of_once_whichever_run_finds_them(desk: Desk, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    for run_id, found in (("a" * 32, FOUND), ("a" * 32, FOUND), ("b" * 32, FOUND), ("c" * 32, {"finding_id": ["f1", "f2", "f3"]})):
        if run_id != "a" * 32 or not lake.exists():
            report = published(lake, [{}], [found], run_id=run_id)
        assert give_notice(report, lake, None, [desk.address], "critical") == []
    assert [told["findings"] for told in desk.taken] == [{"critical": 2}, {"critical": 3}]
    assert "secret-token" not in (lake / "notices" / "notices.ndjson").read_text()
    verify(lake)


def test_another_target_is_told_too_and_one_that_did_not_take_it_is_told_again(desk: Desk, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    report = published(lake, [{}], [FOUND])
    desk.answer = 500
    (fault,) = give_notice(report, lake, None, [desk.address], "critical")
    assert fault == "a webhook did not take the notice (HTTPStatusError); the next run tells it again"
    desk.answer = 204
    assert give_notice(report, lake, None, [desk.address, f"{desk.address}-2"], "critical") == []
    assert len(desk.taken) == 2


def test_only_what_is_grave_enough_is_told_of(desk: Desk, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    report = published(lake, [{}], [{"finding_id": ["f1"], "severity": "medium", "delta": [None], "check_id": "sequence_gap"}])
    assert give_notice(report, lake, None, [desk.address], "high") == []
    assert desk.taken == []
    assert give_notice(report, lake, None, [desk.address], "medium") == []
    assert desk.taken[0]["findings"] == {"medium": 1}


def test_a_night_that_is_not_to_be_trusted_is_always_told_of(tmp_path: Path) -> None:
    report = published(tmp_path / "lake", [{"paid": Decimal(20)}], [], ("the engines disagree on 1 wagers",))
    told = message(report, None, ["critical"])
    assert told is not None
    assert told["text"] == "These results are not to be trusted; the report says why."


def test_a_notice_that_cannot_be_kept_fails_nothing(desk: Desk, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    report = published(lake, [{}], [FOUND])
    with writing(lake):
        (fault,) = give_notice(report, lake, None, [desk.address], "critical")
    assert "may be told twice" in fault
    assert len(desk.taken) == 1
    (lake / "notices").mkdir(exist_ok=True)
    (lake / "notices" / "notices.ndjson").write_text("{}\n")
    (fault,) = give_notice(report, lake, None, [desk.address], "critical")
    assert "notices.ndjson" in fault

from __future__ import annotations

import hashlib
import json
import shutil
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.ask.query import connect
from pipeline.case.scope import Scope, rounds_in
from pipeline.core.errors import LakeError
from pipeline.explain.retold import retell
from pipeline.explain.subject import find
from pipeline.lake.earlier import Published
from tests.explain.conftest import HOSTILE, Told
from tests.support.command_line import resettle

if TYPE_CHECKING:
    from pathlib import Path


def explained(told: Told, named: str, *more: str | Path) -> dict[str, Any]:
    ended = resettle("explain", named, "--lake", told.lake, "--json", *more)
    assert ended.exit_code == 0, ended.output
    answer: dict[str, Any] = json.loads(ended.stdout)
    return answer


def mismatch(told: Told) -> tuple[str, str, str]:
    """Finding, round and wager of the first side wager that was paid wrongly."""
    asked = """
        SELECT finding_id, round_id, wager_id FROM findings JOIN settlements USING (studio_id, round_id, wager_id)
        WHERE check_id = 'payout_mismatch' AND line IS NOT NULL AND kind = 'pair_plus' ORDER BY ALL LIMIT 1
    """
    return told.ask(asked)[0]  # type: ignore[return-value]


def test_a_wager_is_told_from_its_cards_to_its_wallet(told: Told) -> None:
    finding, round_id, wager_id = mismatch(told)
    answer = explained(told, wager_id)
    (wager,) = answer["round"]["wagers"]
    assert (answer["what"], answer["round"]["round_id"], wager["wager_id"]) == ("wager", round_id, wager_id)
    assert wager["agree"]
    assert wager["as_published"]
    assert wager["polars"] == wager["sql"]
    assert Decimal(wager["paid"]) - Decimal(wager["expected"]) == Decimal(wager["delta"]) != 0
    assert [(found["finding_id"], bool(found["root_cause"])) for found in wager["findings"]] == [(finding, True)]
    assert [step["about"] for step in wager["steps"]] == [
        "Wager", "Decision", "Filing", "Hand", "Due", "Arithmetic", "Engines", "Paid", "Wallet", "Finding", "Cause", "Incident",
    ]  # fmt: skip
    said = resettle("explain", wager_id, "--lake", told.lake).stdout
    for words in (wager["odds"], wager["filing_fingerprint"], "too ", "wallet debited", "Both say"):
        assert words in said


def test_a_finding_leads_to_its_wager_and_a_round_to_all_of_its_wagers(told: Told) -> None:
    finding, round_id, wager_id = mismatch(told)
    answer = explained(told, finding)
    assert (answer["what"], answer["finding"]["finding_id"]) == ("finding", finding)
    assert [wager["wager_id"] for wager in answer["round"]["wagers"]] == [wager_id]
    whole = explained(told, round_id)
    held = told.ask(f"SELECT count(*) FROM wagers WHERE is_current AND round_id = '{round_id}'")[0][0]
    assert (whole["what"], len(whole["round"]["wagers"])) == ("round", held)
    assert len(whole["round"]["hands"]) >= 2
    assert {event["event"] for event in whole["round"]["timeline"]} >= {"opened", "bets_closed", "wager_placed", "card_read", "posted"}


def test_a_finding_or_incident_is_named_by_the_beginning_of_its_id_and_of_two_neither(told: Told) -> None:
    finding, round_id, _ = mismatch(told)
    with connect(told.lake) as con:
        assert find(con, finding[:16]).finding_id == finding
        assert rounds_in(con, Scope(finding=finding[:16])) == rounds_in(con, Scope(finding=finding))
        assert find(con, round_id).what == "round"
        ((incident,),) = con.sql("SELECT min(incident_id) FROM findings").fetchall()
        assert rounds_in(con, Scope(incident=incident[:16])) == rounds_in(con, Scope(incident=incident))
        firsts = "SELECT left(finding_id, 1) AS first FROM findings GROUP BY first HAVING count(*) > 1 ORDER BY first LIMIT 1"
        ((two,),) = con.sql(firsts).fetchall()
        with pytest.raises(LakeError, match=f"several findings begin with {two}"):
            find(con, two)


def test_a_finding_about_no_round_is_told_as_it_is(told: Told) -> None:
    finding, message = told.ask("SELECT finding_id, message FROM findings WHERE round_id IS NULL ORDER BY ALL LIMIT 1")[0]
    answer = explained(told, finding)
    assert answer["round"] is None
    assert answer["finding"]["message"] == message
    assert "no single round" in resettle("explain", finding, "--lake", told.lake).stdout


def test_every_wager_comes_out_as_it_was_published(told: Told) -> None:
    rounds = [row[0] for row in told.ask("SELECT DISTINCT round_id FROM rounds ORDER BY ALL")]
    retold = retell(Published(told.lake), "studio-3", date(2026, 10, 31), rounds)
    assert retold.engines.height == told.ask("SELECT count(*) FROM settlements")[0][0]
    assert retold.engines["agree"].all()
    assert retold.engines["as_published"].all()


def test_a_correction_is_told_with_what_it_replaced(told: Told) -> None:
    asked = """
        SELECT r.round_id, e.card FROM card_readings AS r JOIN card_readings AS e ON e.round_key = r.round_key AND e.seq = r.replaces
        WHERE r.is_current AND e.card <> r.card AND r.studio_id = e.studio_id AND r."to" = e."to" ORDER BY ALL LIMIT 1
    """
    round_id, was = told.ask(asked)[0]
    answer = explained(told, round_id)["round"]
    readings = [reading for hand in answer["hands"] for reading in hand["readings"]]
    correction = next(reading for reading in readings if reading["replaces"] is not None)
    replaced = next(reading for reading in readings if reading["seq"] == correction["replaces"])
    assert (replaced["card"], replaced["counts"], correction["counts"]) == (was, False, True)
    assert any("was first read as" in step["told"] for step in answer["steps"])


def test_the_raw_line_is_that_of_the_file_byte_for_byte(told: Told) -> None:
    _, round_id, _ = mismatch(told)
    source = explained(told, round_id)["round"]["source"]
    line = told.lines[source["line"] - 1]
    assert source["raw"].encode() == line
    assert source["sha256"] == hashlib.sha256(line).hexdigest()
    assert source["file_sha256"] == [hashlib.sha256(told.log.read_bytes()).hexdigest()]
    assert told.log.read_bytes()[source["byte_offset"] :][: source["bytes"]] == line


@pytest.fixture
def moved(told: Told, tmp_path: Path) -> Told:
    """A copy of the lake whose source was moved away."""
    asked = "SELECT command FROM runs"
    (command,) = told.ask(asked)[0]
    assert str(told.log) in command
    elsewhere = tmp_path / "archive" / "2026" / told.log.name
    elsewhere.parent.mkdir(parents=True)
    shutil.copy(told.log, elsewhere)
    return Told(told.lake, elsewhere, told.wallet, told.filings, told.lines)


def test_a_source_that_was_moved_is_said_with_the_way_out_and_found_there(told: Told, moved: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    _, round_id, _ = mismatch(told)
    hidden = told.log.with_suffix(".hidden")
    told.log.rename(hidden)
    try:
        source = explained(told, round_id)["round"]["source"]
        assert source["raw"] is None
        assert "--source DIR" in source["missing"]
        assert "--source DIR" in " ".join(resettle("explain", round_id, "--lake", told.lake).stdout.split())
        there = explained(told, round_id, "--source", moved.log.parent)["round"]["source"]
        assert there["raw"].encode() == told.lines[there["line"] - 1]
        monkeypatch.chdir(moved.log.parent)
        assert explained(told, round_id, "--source", "rounds.ndjson")["round"]["source"]["missing"] is None
    finally:
        hidden.rename(told.log)


def test_a_file_of_the_name_that_is_another_is_not_believed(told: Told, tmp_path: Path) -> None:
    _, round_id, _ = mismatch(told)
    content = told.log.read_bytes()
    (tmp_path / "rounds.ndjson").write_bytes(content.replace(b"op-harbour", b"op-elsewhe", 1))
    source = explained(told, round_id, "--source", tmp_path)["round"]["source"]
    assert source["raw"] is None
    assert "is not the file that was audited" in source["missing"]
    assert resettle("explain", round_id, "--lake", told.lake, "--source", tmp_path / "nowhere").exit_code == 2


def test_another_filing_says_what_it_would_have_paid(told: Told, tmp_path: Path) -> None:
    asked = """
        SELECT wager_id, filing_id FROM settlements
        WHERE kind = 'pair_plus' AND line = 'pair' AND filing_id = 'keystone-main-2026' AND outcome = 'win' LIMIT 1
    """
    wager_id, filing_id = told.ask(asked)[0]
    other = tmp_path / "other.toml"
    text = (told.filings / f"{filing_id}.toml").read_text()
    other.write_text(text.replace('pair = "1 to 1"', 'pair = "3 to 1"').replace(f'id = "{filing_id}"', 'id = "other"'))
    (wager,) = explained(told, wager_id, "--filing", other)["round"]["wagers"]
    assert Decimal(wager["instead"]["difference"]) == 2 * Decimal(wager["stake"])
    assert (wager["instead"]["filing_id"], wager["instead"]["odds"]) == ("other", "3 to 1")
    assert "Under other revision 1 it would be a win" in wager["steps"][-1]["told"]
    assert wager["expected"] != wager["instead"]["due"]


def test_another_filing_that_does_not_offer_the_wager_says_so(told: Told) -> None:
    wager_id, _ = told.ask("SELECT wager_id, kind FROM settlements WHERE kind = 'six_card_bonus' AND table_id = 'TCP-01' LIMIT 1")[0]
    (wager,) = explained(told, wager_id, "--filing", told.filings / "harbour-seated-2026.toml")["round"]["wagers"]
    assert (wager["instead"]["due"], wager["instead"]["reason"]) == (None, "wager_not_offered")
    assert "does not offer" in wager["steps"][-1]["told"]


@pytest.mark.parametrize("named", ["round", "wager"])
def test_hostile_ids_are_found_and_never_steer_the_terminal(told: Told, named: str) -> None:
    answer = explained(told, HOSTILE[named])
    assert answer["round"]["round_id"] == HOSTILE["round"]
    assert HOSTILE["player"] in {wager["player_id"] for wager in answer["round"]["wagers"]}
    said = resettle("explain", HOSTILE[named], "--lake", told.lake).stdout
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "\\x1b[31m" in said


def test_what_is_not_there_and_what_is_there_twice_is_one_line_that_ends_in_2(told: Told) -> None:
    ended = resettle("explain", "nothing\n\x1b[31m", "--lake", told.lake)
    assert (ended.exit_code, ended.stderr.count("\n")) == (2, 1)
    assert "names no wager or round or finding" in ended.stderr
    assert "\x1b" not in ended.stderr
    asked = "SELECT wager_id, min(round_id) FROM wagers GROUP BY wager_id HAVING count(DISTINCT round_id) > 1 ORDER BY ALL LIMIT 1"
    twice, round_id = told.ask(asked)[0]
    assert "say which with --studio and --round" in resettle("explain", twice, "--lake", told.lake).stderr
    assert explained(told, twice, "--round", round_id)["round"]["round_id"] == round_id
    assert "names no wager" in resettle("explain", twice, "--lake", told.lake, "--studio", "another").stderr

"""Rounds told again: repeats, revisions, conflicts, other gaming days, late rounds and other filings."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import pytest

from pipeline.lake import verify
from tests.support.lake import bytes_under
from tests.support.restated import Lake, Log, a_round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

STANDING = "SELECT gaming_day::VARCHAR, revision, is_current FROM rounds WHERE round_id = 'R1' ORDER BY gaming_day, round_key"
RESTATED = "SELECT severity, gaming_day::VARCHAR, message FROM findings WHERE check_id = 'round_restated' ORDER BY ALL"
PUBLISHES = "SELECT count(*) FROM runs"
DAYS = "SELECT gaming_day::VARCHAR, any_value(run_id) FROM coverage WHERE studio_id = 's1' GROUP BY ALL ORDER BY 1"
EARLY, LATE, NEXT = "2026-11-03T15:00:00Z", "2026-11-03T23:30:00Z", "2026-11-04T00:10:00Z"


@pytest.fixture
def lake(log: Log, lake_of: Callable[..., Lake]) -> Iterator[Lake]:
    made: Lake = lake_of(log.filings)
    yield made
    verify(made.root)


def days(lake: Lake) -> dict[str, str]:
    return dict(lake.ask(DAYS))


def test_the_same_delivery_again_publishes_nothing(lake: Lake) -> None:
    told = [a_round(), a_round("R2", LATE)]
    assert not lake.deliver(*told, name="a.ndjson").repeated
    before = bytes_under(lake.root)
    again = lake.deliver(*told, name="a.ndjson")
    assert again.repeated
    assert [(night.rounds) for night in again.report.nights] == [2]
    assert bytes_under(lake.root) == before


@pytest.mark.exhaustive
def test_an_earlier_delivery_again_publishes_nothing(lake: Lake) -> None:
    first = lake.deliver(a_round(), name="a.ndjson")
    lake.deliver(a_round("R2", LATE), name="b.ndjson")
    before = bytes_under(lake.root)
    again = lake.deliver(a_round(), name="a.ndjson")
    assert again.repeated
    assert again.report.run.run_id == first.report.run.run_id
    assert bytes_under(lake.root) == before


@pytest.mark.exhaustive
def test_the_same_deliveries_give_the_same_bytes_in_another_lake(log: Log, lake_of: Callable[..., Lake]) -> None:
    one, two = lake_of(log.filings, "one"), lake_of(log.filings, "two")
    for lake in (one, two):
        lake.deliver(a_round("R1", LATE), a_round("R2", NEXT), name="a.ndjson")
        lake.deliver(a_round("R1", LATE, paid="5.00"), name="b.ndjson")
    said = [{name: content for name, content in bytes_under(lake.root).items() if name.endswith(".parquet")} for lake in (one, two)]
    assert said[0] == said[1]


def test_a_new_file_of_repeats_is_entered_into_the_books(lake: Lake) -> None:
    lake.deliver(a_round(), name="a.ndjson")
    content = lake.content()
    lake.deliver(a_round(), a_round(), name="b.ndjson")
    assert lake.content() == content
    assert lake.ask("SELECT source_file, accepted, repeats FROM source_files ORDER BY ALL") == [("a.ndjson", 1, 0), ("b.ndjson", 0, 2)]


def test_a_changed_round_is_a_new_revision_and_both_are_kept(lake: Lake) -> None:
    lake.deliver(a_round(revision=1))
    lake.deliver(a_round(revision=2, paid="20.00"))
    assert lake.ask(STANDING) == [("2026-11-03", 1, False), ("2026-11-03", 2, True)]
    ((severity, day, message),) = lake.ask(RESTATED)
    assert (severity, day) == ("medium", "2026-11-03")
    assert message == "Revision 2 replaced revision 1: paid of wager R1-w1 0.00 → 20.00."
    assert lake.ask("SELECT count(*), sum(paid) FROM settlements") == [(1, 20)]


@pytest.mark.exhaustive
def test_what_weighs_nothing_is_for_information(lake: Lake) -> None:
    lake.deliver(a_round(revision=1))
    lake.deliver(a_round(revision=2, dealer_id="D2"))
    assert [row[0] for row in lake.ask(RESTATED)] == ["info"]


@pytest.mark.exhaustive
def test_a_lower_revision_that_comes_later_changes_nothing_current(lake: Lake) -> None:
    lake.deliver(a_round(revision=2, paid="20.00"))
    lake.deliver(a_round(revision=1))
    assert lake.ask(STANDING) == [("2026-11-03", 1, False), ("2026-11-03", 2, True)]
    assert lake.ask("SELECT sum(paid) FROM settlements") == [(20,)]


@pytest.mark.exhaustive
def test_where_no_revision_decides_the_later_counts_and_the_lake_says_so(lake: Lake) -> None:
    lake.deliver(a_round())
    lake.deliver(a_round(paid="20.00"))
    assert lake.ask(STANDING) == [("2026-11-03", None, False), ("2026-11-03", None, True)]
    ((_, _, message),) = lake.ask(RESTATED)
    assert message.endswith("Neither a revision nor a time of recording says which of the two counts: the later to arrive does.")


def test_two_contents_in_one_delivery_conflict_until_one_comes_alone(lake: Lake) -> None:
    one, other = a_round(), a_round(paid="20.00")
    lake.deliver(one, other)
    assert lake.ask("SELECT check_id FROM findings WHERE check_id IN ('conflicting_round', 'round_restated')") == [("conflicting_round",)]
    assert lake.ask("SELECT settlement_reason FROM settlements") == [("conflicting_round",)]
    lake.deliver(other)
    assert lake.ask("SELECT check_id FROM findings WHERE check_id IN ('conflicting_round', 'round_restated')") == [("round_restated",)]
    assert lake.ask("SELECT sum(paid), count(*) FROM settlements") == [(20, 1)]
    assert len(lake.ask(STANDING)) == 2


@pytest.mark.parametrize("rest", [[a_round("R2", EARLY)], pytest.param([], marks=pytest.mark.exhaustive)])
def test_a_round_that_moves_to_another_gaming_day_loses_its_place_on_the_old_one(lake: Lake, rest: list[object]) -> None:
    lake.deliver(a_round("R1", LATE, revision=1), *rest)
    lake.deliver(a_round("R1", NEXT, revision=2, paid="20.00"))
    assert lake.ask(STANDING) == [("2026-11-03", 1, False), ("2026-11-04", 2, True)]
    ((severity, day, message),) = lake.ask(RESTATED)
    assert (severity, day) == ("medium", "2026-11-04")
    assert "paid of wager R1-w1 0.00 → 20.00" in message
    assert "opened_at of the round 2026-11-03 23:30:00+00 → 2026-11-04 00:10:00+00" in message
    assert lake.ask("SELECT gaming_day::VARCHAR, paid FROM settlements WHERE round_id = 'R1'") == [("2026-11-04", 20)]
    assert lake.ask("SELECT count(*), count(DISTINCT (round_id, wager_id)) FROM settlements") == [(1 + len(rest), 1 + len(rest))]


@pytest.mark.exhaustive
def test_a_moved_round_ends_the_same_whichever_revision_comes_first(log: Log, lake_of: Callable[..., Lake]) -> None:
    told = [
        a_round("R1", LATE, revision=1),
        a_round("R1", NEXT, revision=2, paid="20.00"),
        a_round("R1", "2026-11-20T10:00:00Z", revision=3),
    ]
    found = []
    for name, orders in (("a", [told]), ("b", [[one] for one in told]), ("c", [[one] for one in reversed(told)])):
        lake = lake_of(log.filings, name)
        for part in orders:
            lake.deliver(*part)
        found.append(lake.content())
    assert found[0] == found[1] == found[2]


@pytest.mark.exhaustive
def test_a_conflict_over_two_gaming_days_settles_nothing(lake: Lake) -> None:
    lake.deliver(a_round("R1", LATE), a_round("R1", NEXT))
    assert lake.ask("SELECT count(*), count(DISTINCT settlement_reason), min(settlement_reason) FROM settlements") == [
        (1, 1, "conflicting_round")
    ]
    assert lake.ask(RESTATED) == []


@pytest.mark.exhaustive
def test_a_late_round_opens_its_day_and_the_next_only_where_its_edge_changed(lake: Lake) -> None:
    lake.deliver(
        a_round("R1", "2026-11-02T10:00:00Z", sequence=1), a_round("R2", EARLY, sequence=2), a_round("R4", LATE, sequence=4),
        a_round("R5", NEXT, sequence=5), a_round("R7", "2026-11-05T10:00:00Z", sequence=7),
    )  # fmt: skip
    before = days(lake)
    assert list(before) == ["2026-11-02", "2026-11-03", "2026-11-04", "2026-11-05"]
    lake.deliver(a_round("R3", "2026-11-03T16:00:00Z", sequence=3))
    after = days(lake)
    assert [day for day in after if after[day] != before[day]] == ["2026-11-03"]
    lake.deliver(a_round("R6", "2026-11-04T23:59:00Z", sequence=6))
    last = days(lake)
    assert [day for day in last if last[day] != after[day]] == ["2026-11-04", "2026-11-05"]
    assert lake.ask("SELECT count(*) FROM findings WHERE check_id = 'sequence_gap'") == [(0,)]


def test_a_gap_is_withdrawn_when_it_is_filled(lake: Lake) -> None:
    lake.deliver(a_round("R1", EARLY, sequence=1), a_round("R3", LATE, sequence=3))
    assert lake.ask("SELECT round_id FROM findings WHERE check_id = 'sequence_gap'") == [("R3",)]
    lake.deliver(a_round("R2", "2026-11-03T16:00:00Z", sequence=2))
    assert lake.ask("SELECT round_id FROM findings WHERE check_id = 'sequence_gap'") == []


def test_another_filing_settles_the_same_files_again(log: Log, lake_of: Callable[..., Lake], tmp_path: Path) -> None:
    lake = lake_of(log.filings)
    lines = [line for line in log.lines if b'"studio-9"' in line]
    lake.deliver(*lines, name="a.ndjson")
    before = lake.ask("SELECT DISTINCT filing_fingerprint FROM settlements WHERE filing_id IS NOT NULL ORDER BY 1")
    changed = tmp_path / "changed"
    changed.mkdir()
    for file in log.filings.iterdir():
        text = file.read_text().replace("[filing]", "[filing]\nrevision = 2", 1)
        (changed / file.name).write_text(text)
    again = copy.copy(lake)
    again.filings = changed
    assert not again.deliver(*lines, name="a.ndjson").repeated
    assert lake.ask("SELECT DISTINCT filing_fingerprint FROM settlements WHERE filing_id IS NOT NULL ORDER BY 1") != before
    assert not lake.deliver(*lines, name="a.ndjson").repeated
    assert lake.ask("SELECT DISTINCT filing_fingerprint FROM settlements WHERE filing_id IS NOT NULL ORDER BY 1") == before
    assert lake.ask(PUBLISHES) == [(3,)]


@pytest.mark.exhaustive
def test_a_filing_that_starts_the_day_at_another_hour_dates_the_same_rounds_anew(
    log: Log, lake_of: Callable[..., Lake], tmp_path: Path
) -> None:
    lake, fresh = lake_of(log.filings), lake_of(log.filings, "fresh")
    lines = [line for line in log.lines if b'"studio-9"' in line]
    lake.deliver(*lines, name="a.ndjson")
    changed = tmp_path / "changed"
    changed.mkdir()
    for file in log.filings.iterdir():
        text = file.read_text().replace("[filing]", "[filing]\nrevision = 2", 1)
        assert 'starts_at = "06:00"' in text
        (changed / file.name).write_text(text.replace('starts_at = "06:00"', 'starts_at = "23:59"'))
    lake.filings = fresh.filings = changed
    before = {key[1] for key in lake.content()}
    lake.deliver(*lines[::-1], name="recut.ndjson")
    fresh.deliver(*lines, name="a.ndjson")
    assert {key[1] for key in lake.content()} != before
    assert lake.content() == fresh.content()
    assert lake.ask("SELECT count(*) = count(DISTINCT (round_id, wager_id)) FROM settlements") == [(True,)]
    verify(lake.root)


@pytest.mark.exhaustive
def test_two_studios_do_not_touch_each_other(lake: Lake) -> None:
    lake.deliver(a_round(), a_round(studio_id="s2"))
    before = lake.ask("SELECT studio_id, any_value(run_id) FROM coverage GROUP BY ALL ORDER BY ALL")
    lake.deliver(a_round(studio_id="s2", paid="20.00"))
    after = lake.ask("SELECT studio_id, any_value(run_id) FROM coverage GROUP BY ALL ORDER BY ALL")
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False]
    assert lake.ask("SELECT studio_id, sum(paid) FROM settlements GROUP BY ALL ORDER BY ALL") == [("s1", 0), ("s2", 20)]

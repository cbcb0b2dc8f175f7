from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from pipeline.core.errors import LakeError
from pipeline.lake import open_lake, verify, writing
from pipeline.lake.remedies import Payee, read, record
from pipeline.lake.tables import PARTITION_TABLES
from tests.support.command_line import resettle
from tests.support.lake import DAY, NIGHT, STUDIO, facts, findings, made, settlements, source_files

if TYPE_CHECKING:
    from pathlib import Path

RUN = "1" * 32
OWED = {
    "aa11": ("ii11", "p1", "USD", "-5"),
    "aa22": ("ii11", "p1", "USD", "-7"),
    "aa33": ("ii11", "p1", "EUR", "-2"),
    "bb44": ("ii11", "p2", "USD", "-3"),
    "bb55": ("ii11", "p2", "USD", "4"),
    "cc66": ("ii22", "p3", "USD", "-6"),
    "dd77": ("ii33", "p4", "USD", "8"),
}
SUMS = "SELECT coalesce(incident_id, finding_id), player_id, currency, findings, owed, paid, booked, status FROM remedy_status ORDER BY ALL"
OPEN = [
    ("ee88", "p1", "USD", 1, 9, 0, 0, "open"),
    ("ii11", "p1", "EUR", 1, 2, 0, 0, "open"),
    ("ii11", "p1", "USD", 2, 12, 0, 0, "open"),
    ("ii11", "p2", "USD", 1, 3, 0, 0, "open"),
    ("ii22", "p3", "USD", 1, 6, 0, 0, "open"),
]


def publish(lake: Path, run_id: str = RUN, booked: tuple[tuple[str, str, str, str], ...] = (), **regrouped: str) -> None:
    """A night of these findings, by id with incident, player, currency and difference, and one of the wallet.

    Args:
        lake: where.
        run_id: of the run.
        booked: adjustments of the wallet: their id, the finding that they name, the player and the amount.
        **regrouped: findings that are part of another incident.
    """
    incidents, players, currencies, deltas = (list(column) for column in zip(*OWED.values(), strict=True))
    money = [Decimal(delta) for delta in deltas]
    with writing(lake) as opened:
        publication = opened.begin(facts(run_id))
        with publication.partition(STUDIO, DAY) as writer:
            writer.append("settlements", settlements(len(OWED)))
            named = [regrouped.get(finding_id, incident) for finding_id, incident in zip(OWED, incidents, strict=True)]
            told = {"finding_id": list(OWED), "incident_id": named, "player_id": players, "currency": currencies, "delta": money}
            writer.append("findings", findings(len(OWED), run_id, **told, paid=[20 + one for one in money]))
            short = {
                "finding_id": "ee88",
                "check_id": "wallet_missing_credit",
                "player_id": "p1",
                "expected": Decimal(9),
                "paid": Decimal(0),
            }
            writer.append("findings", findings(1, run_id, **short, delta=[None]))
            for place, (txn_id, finding_id, player_id, amount) in enumerate(booked):
                entry = {"txn_id": txn_id, "ref_finding": finding_id, "player_id": player_id, "amount": Decimal(amount), "currency": "USD"}
                entry |= {
                    "studio_id": STUDIO,
                    "gaming_day": DAY,
                    "operator_id": "op-1",
                    "type": "adjustment",
                    "status": "accepted",
                    "at": NIGHT,
                }
                writer.append("wallet", made(PARTITION_TABLES["wallet"], 1, {**entry, "source_line": [place]}))
        publication.deliver("source_files", source_files("rounds.ndjson", f"{run_id:0>64}"))
        publication.publish([writer.result])


def sums(lake: Path) -> list[tuple[object, ...]]:
    with open_lake(lake) as con:
        return con.execute(SUMS).fetchall()


def line(lake: Path, owing: str, player_id: str, currency: str = "USD") -> tuple[object, ...]:
    (row,) = [row for row in sums(lake) if row[:3] == (owing, player_id, currency)]
    return row[4:]


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A night that is only looked at."""
    lake = tmp_path_factory.mktemp("remedies") / "lake"
    publish(lake)
    return lake


@pytest.fixture
def night(lake: Path) -> Path:
    publish(lake)
    return lake


def test_what_is_owed_stands_by_incident_player_and_currency_and_a_finding_without_one_alone(untouched: Path) -> None:
    assert sums(untouched) == OPEN


def test_a_remedy_of_an_incident_pays_the_player_that_is_named(night: Path) -> None:
    ran = resettle(
        "remedy", "ii1", "--lake", night, "--txn", "a1", "--amount", "12", "--player", "p1", "--currency", "USD", "--by", "A. Clerk"
    )
    assert (ran.exit_code, ran.stdout) == (0, "12 USD to p1 recorded for incident ii11; the view remedy_status sums up.\n")
    assert line(night, "ii11", "p1") == (12, 12, 0, "made whole")
    assert line(night, "ii11", "p2") == (3, 0, 0, "open")
    assert [(one.incident_id, one.finding_id, one.recorded_by) for one in read(night)] == [("ii11", "aa11", "A. Clerk")]
    with open_lake(night) as con:
        assert con.execute("SELECT incident_id, txn_id, amount FROM remedies").fetchall() == [("ii11", "a1", 12)]
    verify(night)


def test_a_remedy_of_a_finding_counts_towards_its_incident(night: Path) -> None:
    record(night, "aa2", "a1", "7.00", "A. Clerk")
    assert line(night, "ii11", "p1") == (12, 7, 0, "partly paid")
    record(night, "ii22", "a2", "7.50", "A. Clerk")
    assert line(night, "ii22", "p3") == (6, Decimal("7.5"), 0, "too much paid")
    record(night, "ee88", "a3", "9", "A. Clerk")
    assert line(night, "ee88", "p1") == (9, 9, 0, "made whole")


def test_what_the_wallet_booked_for_a_finding_is_matched_by_itself_and_counts_once(night: Path) -> None:
    record(night, "ii11", "a1", "12", "A. Clerk", payee=Payee("p1", "op-1", "USD"))
    publish(night, "2" * 32, booked=(("a1", "aa22", "p1", "11"), ("a2", "bb44", "p2", "3"), ("a3", "bb44", "p9", "1")))
    assert line(night, "ii11", "p1") == (12, 11, 11, "partly paid")
    assert line(night, "ii11", "p2") == (3, 3, 3, "made whole")
    assert line(night, "ii11", "p9") == (0, 1, 1, "nothing owed")


def test_a_remedy_outlives_that_its_finding_comes_into_another_incident(night: Path) -> None:
    record(night, "ii22", "a1", "6", "A. Clerk")
    publish(night, "2" * 32, cc66="ii99")
    assert line(night, "ii99", "p3") == (6, 6, 0, "made whole")
    assert "ii22" not in {row[0] for row in sums(night)}


@pytest.mark.parametrize(
    ("named", "payee", "said"),
    [
        ("ii11", Payee(), "owes 3 players or currencies"),
        ("ii11", Payee("p1"), "owes 2 players or currencies"),
        ("ii11", Payee("p3"), "owes that player nothing in that currency"),
        ("ii33", Payee(), "the incident ii33 owes no player anything"),
        ("aa11", Payee("p2"), "the finding aa11 owes that player nothing"),
        ("ii", Payee(), "several incidents begin with ii"),
        ("aa", Payee(), "several findings begin with aa"),
        ("zz", Payee(), "no finding or incident zz stands in the lake"),
        ("", Payee(), "no finding or incident .empty. stands"),
    ],
)
def test_what_names_no_one_to_pay_is_refused(named: str, payee: Payee, said: str, untouched: Path) -> None:
    with pytest.raises(LakeError, match=said):
        record(untouched, named, "a1", "1.00", "A. Clerk", payee=payee)
    assert read(untouched) == []


def test_an_adjustment_is_recorded_once_for_an_incident_and_its_findings(night: Path) -> None:
    of_p1 = Payee("p1", currency="USD")
    record(night, "aa22", "a1", "7", "A. Clerk")
    with pytest.raises(LakeError, match="recorded for this incident already"):
        record(night, "ii11", "a1", "12", "A. Clerk", payee=of_p1)
    record(night, "ii11", "a2", "5", "A. Clerk", payee=of_p1)
    for named, payee in (("ii11", of_p1), ("aa11", Payee()), ("aa22", Payee())):
        with pytest.raises(LakeError, match="already"):
            record(night, named, "a2", "1", "A. Clerk", payee=payee)
    assert line(night, "ii11", "p1") == (12, 12, 0, "made whole")

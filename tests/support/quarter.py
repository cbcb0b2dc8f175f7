"""A simulated quarter of a studio, night by night, with what goes wrong on the way and in which night that can be known.

Two tables deal for ninety gaming days; a third comes under new filings in the middle of them. Faults are planted throughout. On top, files
come a night late, a whole night's delivery is lost and found a week later, rounds are told again with what was paid put right, and an hour
of a table is voided after the fact.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from pipeline.simulate import Settings, TableSpec, simulate
from pipeline.simulate.faults import FAULTS

if TYPE_CHECKING:
    from pathlib import Path

Round = dict[str, Any]

NIGHTS: Final = 90
FIRST_DAY: Final = date(2026, 10, 5)
CHANGE: Final = 46
"""The first night under the new filings of the table ``TCP-01``."""

LATE: Final = {7: "TCP-02", 23: "TCP-03", 61: "TCP-02", 77: "TCP-01"}
"""Night to the table whose log comes with the next night's."""

LOST: Final = 30
FOUND: Final = 37
RETOLD: Final = {12: "TCP-02", 40: "TCP-03", 71: "TCP-01"}
"""Night to the table of which a round is first told with a payment that was not made, and put right two nights later."""

VOIDED: Final = 52
VOIDED_TABLE: Final = "TCP-03"
ROUNDS_A_NIGHT: Final = 13
RATE: Final = 0.0006
ZONE: Final = ZoneInfo("America/New_York")
OF_TWO_ROUNDS: Final = {"overlapping_rounds": 1, "deck_not_alternated": -1}
"""Checks that take another round of the table to be known: the next one, or the one before."""


@dataclass(frozen=True)
class Fault:
    """What is wrong, from the night in which it can be known, up to the night in which it is no longer so (0: it stays).

    ``due`` is what was due in all, where money is wrong.
    """

    check: str
    round_id: str | None
    wager_id: str | None
    known: int
    gone: int = 0
    due: str | None = None

    @property
    def key(self) -> tuple[str, str | None, str | None]:
        return self.check, self.round_id, self.wager_id

    def stands(self, night: int) -> bool:
        return self.known <= night and (not self.gone or night < self.gone)


@dataclass
class Quarter:
    """The deliveries of each night, by number from one, and everything that is wrong in them."""

    folder: Path
    rounds: dict[int, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    wallet: dict[int, list[bytes]] = field(default_factory=lambda: defaultdict(list))
    faults: list[Fault] = field(default_factory=list)

    def logs(self, night: int) -> Path:
        return self.folder / f"night-{night:02}.ndjson"

    def ledger(self, night: int) -> Path:
        return self.folder / f"wallet-{night:02}.ndjson"

    def filings(self, night: int) -> Path:
        """The folder of filings as it is in a night: the new ones are put beside those that they end."""
        return self.folder / ("filings" if night < CHANGE else "filings-then")


def laid(folder: Path) -> Quarter:
    """Deals the quarter into a folder."""
    quarter = Quarter(folder)
    told, ledger, truth = _dealt(folder)
    by_round = {one["round_id"]: one for one in told}
    home = {round_id: night_of(one) for round_id, one in by_round.items()}
    arrives = {round_id: _arrival(night, by_round[round_id]["table_id"]) for round_id, night in home.items()}
    booked = {one["round_id"]: _night(one["at"]) for one in map(json.loads, ledger)}
    truths = [_known(one, by_round, arrives, booked) for one in truth]
    spoiled = {fault.round_id for fault in truths}
    lines: dict[int, list[Round]] = defaultdict(list)
    for one in told:
        lines[arrives[one["round_id"]]].append(one)
    for night, table in RETOLD.items():
        truths += _retold(lines, night, table, spoiled)
    hour = _hour(lines[VOIDED])
    ids = {one["round_id"] for one in hour}
    # The void makes another amount due; of other faults in the hour it is not said whether they outlive it.
    truths = [replace(one, gone=VOIDED + 1) if one.round_id in ids else one for one in truths if one.round_id not in ids or one.due]
    truths += _voided(lines, hour)
    for night, rounds in lines.items():
        quarter.rounds[night] = [json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in rounds]
    for line in ledger:
        night = home.get(json.loads(line)["round_id"].removesuffix("-LOST"), 0)
        quarter.wallet[FOUND if night == LOST else night].append(line)
    quarter.faults = truths
    for night in range(1, NIGHTS + 1):
        if night != LOST:
            quarter.logs(night).write_bytes(b"".join(quarter.rounds[night]))
            quarter.ledger(night).write_bytes(b"".join(quarter.wallet[night]))
    return quarter


def night_of(told: Round) -> int:
    """The night of a round: its gaming day, which starts at six in the morning, counted from the first one."""
    return _night(told["opened_at"])


def _night(at: str) -> int:
    wall = datetime.fromisoformat(at).astimezone(ZONE).replace(tzinfo=None)
    return ((wall - timedelta(hours=6)).date() - FIRST_DAY).days + 1


def _arrival(night: int, table: str) -> int:
    return FOUND if night == LOST else night + (LATE.get(night) == table)


def _dealt(folder: Path) -> tuple[list[Round], list[bytes], list[dict[str, Any]]]:
    """The rounds, the wallet's lines and what is wrong of three simulated deliveries, and their filings in two folders."""
    rates = {name: RATE for name, fault in FAULTS.items() if fault.by_default} | {"open_round_aged": RATE}
    days = CHANGE - 1
    shared, others = (TableSpec("TCP-01", "shared"),), (TableSpec("TCP-02", "draw"), TableSpec("TCP-03", "seated"))
    until, then = (
        Settings(seed=21, rounds=ROUNDS_A_NIGHT * days, days=days, start=FIRST_DAY, tables=shared, faults=rates),
        Settings(
            seed=22, rounds=ROUNDS_A_NIGHT * (NIGHTS - days), days=NIGHTS - days, start=FIRST_DAY + timedelta(days=days), tables=shared,
            faults=rates, variants=("rule_not_licensed",),
        ),
    )  # fmt: skip
    beside = Settings(seed=23, rounds=2 * ROUNDS_A_NIGHT * NIGHTS, days=NIGHTS, start=FIRST_DAY, tables=others, faults=rates)
    told: list[Round] = []
    ledger: list[bytes] = []
    truth: list[dict[str, Any]] = []
    last = 0
    for name, settings in (("until", until), ("then", then), ("beside", beside)):
        simulate(settings, folder / name)
        _filed(folder, name, days)

        def renumbered(line: bytes, by: int = last if name == "then" else 0, name: str = name) -> bytes:
            line = re.sub(rb"(?<=TCP-01-)\d{7}", lambda found: b"%07d" % (int(found[0]) + by), line)
            line = re.sub(rb'(?<="sequence":)\d+', lambda found: b"%d" % (int(found[0]) + by), line)
            return re.sub(rb'(?<="filing_id":")[^"]+', lambda found: found[0] + b"-" + name.encode(), line)

        read = {
            kind: [renumbered(line) for line in (folder / name / f"{kind}.ndjson").read_bytes().splitlines(keepends=True)]
            for kind in ("rounds", "wallet", "truth")
        }
        told += map(json.loads, read["rounds"])
        ledger += read["wallet"]
        truth += map(json.loads, read["truth"])
        last = max(one["sequence"] for one in told)
    return told, ledger, truth


def _filed(folder: Path, name: str, days: int) -> None:
    """Each filing under an id of its own; that of the first half ends, and that of the second begins, in the middle."""
    for path in (folder / name / "filings").glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        text = re.sub(r'(?m)^id = "([^"]+)"', rf'id = "\1-{name}"', text)
        if name == "until":
            text = text.replace("[filing]\n", f"[filing]\neffective_to = {FIRST_DAY + timedelta(days=days - 1)}\n")
        if name == "then":
            text = re.sub(r"(?m)^effective_from = .*", f"effective_from = {FIRST_DAY + timedelta(days=days)}", text)
        for kept in ("filings-then", *(("filings",) if name != "then" else ())):
            (folder / kept).mkdir(exist_ok=True)
            (folder / kept / f"{name}-{path.name}").write_text(text, encoding="utf-8")
    if name == "beside":
        shutil.copy(folder / name / "roster.csv", folder / "roster.csv")


def _known(truth: dict[str, Any], rounds: dict[str, Round], arrives: dict[str, int], booked: dict[str, int]) -> Fault:
    """A planted fault, with the night in which it can be known: when the last of what tells it has come."""
    check, round_id = truth["check"], truth["round_id"]
    told = (check, round_id, truth["wager_id"])
    if round_id is None:
        return Fault(*told, known=CHANGE)
    known = arrives[round_id.removesuffix("-LOST")]
    if check == "wallet_orphan":
        # A booking without a round belongs to the gaming day of its own time.
        known = max(known, booked[round_id])
    if check == "open_round_aged":
        limit = datetime.fromisoformat(rounds[round_id]["opened_at"]) + timedelta(hours=24)
        known = min(arrives[one] for one, other in rounds.items() if datetime.fromisoformat(other["opened_at"]) > limit)
    if beside := OF_TWO_ROUNDS.get(check):
        table, _, number = round_id.rpartition("-")
        known = max(known, arrives.get(f"{table}-{int(number) + beside:07}", 0))
    return Fault(*told, known, due=truth["expected"])


def _retold(lines: dict[int, list[Round]], night: int, table: str, spoiled: set[str | None]) -> list[Fault]:
    """Tells an honest round with a euro or dollar more than was paid on one wager, and two nights later as it was."""
    for place, right in enumerate(lines[night]):
        paid = [w for part in right["participants"] for w in part["wagers"] if w.get("paid") not in {None, "0.00"}]
        alone = sum(one["round_id"] == right["round_id"] for one in lines[night]) == 1
        if (
            right["table_id"] != table
            or right["round_id"] in spoiled
            or right["status"] != "settled"
            or "void" in right
            or not paid
            or not alone
        ):
            continue
        wrong = json.loads(json.dumps(right)) | {"revision": 1}
        wager = next(w for part in wrong["participants"] for w in part["wagers"] if w["wager_id"] == paid[0]["wager_id"])
        wager["paid"] = str(Decimal(wager["paid"]) + 1)
        lines[night][place] = wrong
        lines[night + 2].append(right | {"revision": 2})
        due = str(Decimal(paid[0]["paid"]) + Decimal(paid[0].get("bonus_paid") or 0))
        at_once = Fault("payout_mismatch", right["round_id"], wager["wager_id"], night, night + 2, due)
        return [at_once, Fault("round_restated", right["round_id"], None, night + 2)]
    raise AssertionError(f"no honest round with a win on {table} in night {night}")


def _hour(rounds: list[Round]) -> list[Round]:
    """The settled rounds of the table that began in the hour in which most of them did."""
    hours: dict[datetime, list[Round]] = defaultdict(list)
    for one in rounds:
        if one["table_id"] == VOIDED_TABLE and one["status"] == "settled" and "void" not in one:
            hours[datetime.fromisoformat(one["opened_at"]).replace(minute=0, second=0, microsecond=0)].append(one)
    return max(hours.values(), key=len)


def _voided(lines: dict[int, list[Round]], hour: list[Round]) -> list[Fault]:
    """Voids the hour with the next night's delivery and leaves in the log what was paid before: each wager but the pushed is then wrong."""
    faults = []
    for one in {told["round_id"]: told for told in hour}.values():
        void = {"reason": "shoe failed", "authorised_by": "PIT-1", "at": one["posted_at"], "scope": "round"}
        lines[VOIDED + 1].append(one | {"status": "voided", "void": void, "revision": 2})
        faults.append(Fault("round_restated", one["round_id"], None, VOIDED + 1))
        for part in one["participants"]:
            for wager in part["wagers"]:
                paid = Decimal(wager.get("paid") or 0) + Decimal(wager.get("bonus_paid") or 0)
                due = Decimal(0 if wager.get("funding") == "free" else wager["stake"])
                if paid != due and wager.get("status", "accepted") == "accepted":
                    check = "void_paid_as_settled" if paid > due else "void_not_refunded"
                    faults.append(Fault(check, one["round_id"], wager["wager_id"], VOIDED + 1, due=str(due)))
    return faults

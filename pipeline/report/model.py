"""What a report says, as one typed model. Every renderer shows this and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from pipeline.lake import manifest
from pipeline.lake.earlier import Published
from pipeline.lake.layout import checked_root
from pipeline.lake.opening import open_run, run_manifest
from pipeline.lake.scan import sql_text
from pipeline.lake.totals import conservation
from pipeline.report import parts
from pipeline.report.behaviour import behaviour
from pipeline.report.history import figures

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import duckdb

    from pipeline.report.behaviour_parts import Behaviour


@dataclass(frozen=True, slots=True)
class Report:
    """A run's report, in the order in which it answers: complete, money, what went wrong, what changed, the game, what was not checked."""

    nights: tuple[parts.Night, ...]
    untrusted: tuple[str, ...]
    rounds: tuple[parts.RoundCount, ...]
    files: tuple[parts.FileBooks, ...]
    quarantined: tuple[parts.Quarantined, ...]
    money_only: tuple[parts.MoneyOnly, ...]
    money: tuple[parts.Money, ...]
    states: tuple[parts.SettlementState, ...]
    unsettleable: tuple[parts.Unsettleable, ...]
    test_wagers: int
    conservation: tuple[parts.Conservation, ...]
    wallet: tuple[parts.Wallet, ...]
    wallet_sum: parts.WalletSum
    incident_counts: tuple[parts.IncidentCount, ...]
    incidents: tuple[parts.Incident, ...]
    findings: tuple[parts.FindingCount, ...]
    worst: tuple[parts.Worst, ...]
    followed_up: tuple[parts.FollowedUp, ...]
    figures: tuple[parts.Figure, ...]
    game: Behaviour
    checked: int
    checks_known: int
    not_checked: tuple[parts.NotChecked, ...]
    filings: tuple[parts.FilingUsed, ...]
    run: parts.Run


_Part = TypeVar("_Part")


def build_report(lake: Path, run_id: str | None = None) -> Report:
    """The report on what a run published.

    Args:
        lake: the lake.
        run_id: the run; null: the one published last.

    Raises:
        LakeError: there is no lake, or no such run in it.
    """
    root = checked_root(lake)
    one = run_manifest(root, run_id)
    record = manifest.read_run(root, one.number, one.run_id)
    with open_run(root, one.run_id) as con:
        ((test_wagers,),) = _numbers(con, "test_play")
        ((checked, known),) = _numbers(con, "checked")
        return Report(
            nights=_ask(con, "nights", parts.Night),
            untrusted=tuple(one.untrusted),
            rounds=_ask(con, "rounds", parts.RoundCount),
            files=_ask(con, "files", parts.FileBooks),
            quarantined=_ask(con, "quarantined", parts.Quarantined),
            money_only=_ask(con, "money_only", parts.MoneyOnly),
            money=_ask(con, "money", parts.Money),
            states=_ask(con, "states", parts.SettlementState),
            unsettleable=_ask(con, "reasons", parts.Unsettleable),
            test_wagers=test_wagers,
            conservation=tuple(parts.Conservation(*row) for row in conservation(con).iter_rows()),
            wallet=_ask(con, "wallet", parts.Wallet),
            wallet_sum=_ask(con, "wallet_sum", parts.WalletSum)[0],
            incident_counts=_ask(con, "incident_counts", parts.IncidentCount),
            incidents=_ask(con, "incidents", _incident),
            findings=_ask(con, "findings", parts.FindingCount),
            worst=_ask(con, "worst", parts.Worst),
            followed_up=_ask(con, "follow_ups", parts.FollowedUp),
            figures=figures(Published(root), one.partitions),
            game=behaviour(con),
            checked=checked,
            checks_known=known,
            not_checked=_ask(con, "not_checked", parts.NotChecked),
            filings=_ask(con, "filings", parts.FilingUsed),
            run=parts.Run(
                run_id=one.run_id,
                number=one.number,
                command=record.command,
                versions={"resettle": one.code_version, "python": record.python_version, **one.versions},
                filings_fingerprint=one.filings_fingerprint,
                checks_fingerprint=one.checks_fingerprint,
                manifest_sha256=record.manifest_sha256,
                host=record.host,
                started_at=record.started_at,
                finished_at=record.finished_at,
            ),
        )


def _numbers(con: duckdb.DuckDBPyConnection, question: str) -> list[tuple[int, ...]]:
    return [tuple(int(number) for number in row) for row in con.execute(sql_text("report", f"{question}.sql")).fetchall()]


def _incident(*row: Any) -> parts.Incident:
    told = dict(zip((field.name for field in fields(parts.Incident)), row, strict=True))
    told["money"] = tuple(parts.IncidentMoney(*each.values()) for each in told["money"] or ())
    return parts.Incident(**told)


def _ask(con: duckdb.DuckDBPyConnection, question: str, part: Callable[..., _Part]) -> tuple[_Part, ...]:
    """The answer to a question, whose columns are the part's fields in order."""
    return tuple(part(*row) for row in con.execute(sql_text("report", f"{question}.sql")).fetchall())

"""All that the nights of a run are settled by: in the process that read the delivery, or opened from shared storage in another one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import polars as pl

from pipeline.core.errors import InputError
from pipeline.edges import edge_before
from pipeline.feeds.grade import graded
from pipeline.feeds.stage import Stage
from pipeline.filings.load import load_filings
from pipeline.lake import PartitionWriter, disk, versions
from pipeline.lake.earlier import Published
from pipeline.lake.layout import PLAN
from pipeline.ledger import WalletLedger
from pipeline.night import settle_night
from pipeline.reconcile.checks import load_checks
from pipeline.reconcile.context import RunContext
from pipeline.version import code_version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.filings.load import Filings
    from pipeline.night import Settled
    from pipeline.reconcile.checks import CheckSet
    from pipeline.reopened import Night
    from pipeline.steps import Progress

READING: Final = "reading"
WALLET: Final = "wallet"

_AROUND: Final = "around"
_SAME: Final = "give every worker the same release, and the same filings and checks under the same paths"


class Plan(msgspec.Struct, frozen=True):
    """What is handed over of a run, beside the files that lie in its staging folder.

    Attributes:
        run_id: the run.
        head: SHA-256 of the lake's manifest as the run found it; null where nothing was published.
        lake: the lake.
        filings, checks: where they lie.
        rests: what the run rests on: the fingerprints of both, and the versions.
        inputs: which of ``checks.INPUTS`` were given.
        nights: what is to be settled, each with about how many wagers it has.
        is_known: all files were read before, with the same books.
    """

    run_id: str
    head: str | None
    lake: str
    filings: str
    checks: str | None
    rests: dict[str, str]
    inputs: list[str]
    nights: list[tuple[str, date, int]]
    is_known: bool


@dataclass(frozen=True, slots=True)
class Settling:
    """What every night of a run is settled by.

    Attributes:
        staging: the run's staging folder.
        run_id: the run.
        lake: the lake as the run found it.
        filings: the filings of the run.
        checks: the checks of the run.
        stage: the rounds.
        wallet: the wallet's entries.
        around: name to frame of what the checks see beside the rounds of any night.
        inputs: which of ``checks.INPUTS`` were given beside a wallet's ledger.
    """

    staging: Path
    run_id: str
    lake: Published
    filings: Filings
    checks: CheckSet
    stage: Stage
    wallet: WalletLedger
    around: Mapping[str, pl.DataFrame]
    inputs: frozenset[str]

    def settle(self, night: Night, into: Path, progress: Progress) -> Settled:
        """Settle, check and write one night.

        Args:
            night: the studio and the gaming day.
            into: the folder that stands in for the lake.
            progress: who is told how far the work is.
        """
        studio_id, gaming_day = night
        edge = edge_before(self.stage, self.lake, studio_id, gaming_day)
        wallet = self.wallet.of(night)
        inputs = self.inputs if wallet is None else self.inputs | {"wallet"}
        with PartitionWriter(into, self.run_id, studio_id, gaming_day) as writer:
            return settle_night(
                lambda: graded(self.stage.told(night), self.stage, night), writer, self.filings, self.checks,
                RunContext(self.run_id, studio_id, gaming_day, inputs),
                {**self.around, "edge_rounds": edge.rounds, "edge_meters": edge.meters},
                partial(progress.settled, f"{studio_id} {gaming_day}"), wallet,
            )  # fmt: skip

    def save(self, filings: Path, checks: Path | None, nights: Sequence[Night], *, is_known: bool) -> None:
        """Write into the staging folder what other processes need; the plan comes last, so that where it lies the rest is whole."""
        self.stage.save()
        self.wallet.save()
        disk.make_folder(self.staging / _AROUND)
        for name, frame in self.around.items():
            frame.write_ipc(self.staging / _AROUND / f"{name}.arrow", compression="uncompressed")
        plan = Plan(
            run_id=self.run_id, head=head_of(self.lake), lake=str(self.lake.root), filings=str(filings.resolve()),
            checks=None if checks is None else str(checks.resolve()), rests=_rests(self.filings, self.checks), inputs=sorted(self.inputs),
            nights=[(*night, self.stage.wagers(night)) for night in nights], is_known=is_known,
        )  # fmt: skip
        disk.write(self.staging / f"{PLAN}.part", msgspec.json.encode(plan))
        disk.move(self.staging / f"{PLAN}.part", self.staging / PLAN)

    @classmethod
    def opened(cls, staging: Path) -> Settling:
        """What another process has saved.

        Raises:
            ResettleError: it cannot be read here, or the filings, the checks or the versions here are not those of the run.
        """
        plan = read_plan(staging)
        filings, checks = load_filings(Path(plan.filings)), load_checks(None if plan.checks is None else Path(plan.checks))
        for name, now in _rests(filings, checks).items():
            if plan.rests[name] != now:
                raise InputError(f"this worker's {name} is not that of the run: {now[:24]} for {plan.rests[name][:24]}", "", _SAME)
        lake = Published(Path(plan.lake))
        around = {path.stem: pl.read_ipc(path) for path in sorted((staging / _AROUND).glob("*.arrow"))}
        stage, wallet = Stage.opened(staging / READING / "rounds"), WalletLedger.opened(filings, lake, staging / WALLET)
        return cls(staging, plan.run_id, lake, filings, checks, stage, wallet, around, frozenset(plan.inputs))


def read_plan(staging: Path) -> Plan:
    """The plan of a run.

    Raises:
        InputError: it cannot be read here.
    """
    try:
        return msgspec.json.decode((staging / PLAN).read_bytes(), type=Plan)
    except OSError as error:
        way_out = "workers must see the lake, or its working copy (RESETTLE_CACHE), under the same path"
        raise InputError("cannot be read here", str(staging / PLAN), way_out) from error


def head_of(lake: Published) -> str | None:
    """SHA-256 of the lake's latest manifest; None where nothing was published."""
    return lake.state.manifest_sha256 if lake.state else None


def _rests(filings: Filings, checks: CheckSet) -> dict[str, str]:
    return {"filings": filings.fingerprint, "checks": checks.fingerprint, "resettle": code_version(), **versions()}

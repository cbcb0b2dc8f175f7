"""One night, one studio: every chunk of its rounds through both engines, the comparison and the checks, into the lake's staging."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec
import polars as pl
import pyarrow.dataset as ds

from pipeline.core.overlap import ahead
from pipeline.core.results import FINDINGS
from pipeline.core.schema import CHUNK_TABLES
from pipeline.filings.licence import licence_verdicts
from pipeline.filings.theory import theory
from pipeline.lake.facts import PartitionFacts
from pipeline.reconcile.checks import FailedCheck
from pipeline.reconcile.diagnose import Diagnosis
from pipeline.reconcile.findings import CheckRun
from pipeline.reconcile.kept import Kept
from pipeline.reconcile.payouts import settlements
from pipeline.reconcile.session import open_session
from pipeline.settle.agreement import compare, settled_result
from pipeline.settle.twin import Twin
from pipeline.settle.wagers import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pipeline.feeds.chunks import Told
    from pipeline.filings.load import Filings
    from pipeline.lake import PartitionWriter
    from pipeline.ledger import NightWallet
    from pipeline.reconcile.checks import CheckSet
    from pipeline.reconcile.context import RunContext


class Settled(msgspec.Struct, frozen=True):
    """What came of a night.

    Attributes:
        facts: counts, digests and control sums of the tables written.
        disagreements: wagers on which the two engines differ.
        failed_checks: checks that could not be run.
    """

    facts: PartitionFacts
    disagreements: int
    failed_checks: tuple[FailedCheck, ...]

    @property
    def untrusted(self) -> list[str]:
        """Why the night is not to be trusted, in words; empty where it is."""
        night = f"{self.facts.studio_id} {self.facts.gaming_day}"
        reasons = [f"{night}: check {failed.check_id} failed at {failed.where}: {failed.error}" for failed in self.failed_checks]
        if self.disagreements:
            reasons.append(f"{night}: the engines disagree on {self.disagreements} wagers")
        if not self.facts.is_conserved:
            reasons.append(f"{night}: paid less due is not the sum of the money findings")
        if not self.facts.is_wallet_conserved:
            reasons.append(f"{night}: what the wallet moved less what was reported is not the sum of the wallet findings")
        return reasons


def settle_night(
    tell: Callable[[], Iterable[Told]],
    writer: PartitionWriter,
    filings: Filings,
    checks: CheckSet,
    context: RunContext,
    around: Mapping[str, pl.DataFrame],
    on_wagers: Callable[[int], None] = lambda _: None,
    wallet: NightWallet | None = None,
) -> Settled:
    """Settle, compare and check the chunks of one studio and gaming day, and write what comes of it.

    Args:
        tell: tells the whole rounds in order of time, the same whenever it is called; none leaves the night without a round, and nothing
            is checked.
        writer: where the tables go; closed at the end.
        filings: the filings of the run.
        checks: the checks of the run.
        context: run, studio and gaming day.
        around: name to frame of what the checks see beside the rounds: edges, control totals, roster, quarantine, newest times.
        on_wagers: told after each chunk how many wagers it had.
        wallet: what the wallet booked; None where no ledger was given.
    """
    writer.theory = theory(filings)
    # The other half of the machine puts the next chunk together and encodes the last one.
    con = open_session(threads=max(1, (os.cpu_count() or 1) // 2))
    twin = Twin(con)
    filed = filings.filed
    for name, frame in {**around, "filed_licence": licence_verdicts(filings)}.items():
        con.register(name, frame)
    run = CheckRun(con, checks, filed, context, Kept(writer.folder))
    diagnosis = Diagnosis(filed, Kept(writer.folder))

    def settle_chunk(one: Told, ours: pl.DataFrame) -> int:
        chunk = one.chunk
        differing = compare(ours, twin.settle(one.everything, filed))
        settled = settlements(chunk, settled_result(ours, differing), filed)
        if wallet is not None:
            wallet.enter(con, chunk)
        run.run_chunk(chunk, settled, differing)
        diagnosis.examine(chunk, settled)
        if wallet is not None:
            wallet.leave(con, writer)
        for table in CHUNK_TABLES:
            writer.append(table.name, getattr(chunk, table.name))
        writer.append("settlements", settled)
        on_wagers(chunk.wagers.height)
        return differing["wager_key"].n_unique()

    disagreements = sum(settle_chunk(one, ours) for one, ours in ahead((one, settle(one.chunk, filed)) for one in tell()))
    if (file := writer.written("rounds")) is None:
        if wallet is not None:
            wallet.keep(writer)
        return Settled(writer.close(), 0, run.failed_checks)
    rounds = pl.scan_parquet(file, glob=False)
    con.register("rounds", ds.dataset(file, format="parquet"))
    run.run_day()
    con.close()
    if diagnosis.needs_weighing:
        for one in tell():
            diagnosis.weigh(one.chunk)
    findings, incidents = diagnosis.diagnosed(run.findings(), rounds, context)
    writer.append("findings", FINDINGS.empty().vstack(findings))
    writer.append("incidents", incidents)
    tables = rounds.select(pl.col("table_id").drop_nulls().unique()).collect()
    writer.append("coverage", run.coverage(tables["table_id"].to_list()))
    return Settled(writer.close(), disagreements, run.failed_checks)

"""The stages of an audit between the opened lake and the published night."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.errors import InputError
from pipeline.core.schema import QUARANTINE, SOURCE_FILES, TIME
from pipeline.feeds.control_totals import CONTROL_TOTALS, read_control_totals
from pipeline.feeds.delivery import Delivery, read_delivery
from pipeline.feeds.inputs import delivered_files
from pipeline.feeds.profile import read_profile
from pipeline.feeds.roster import ROSTER, read_roster
from pipeline.feeds.staged import round_hash
from pipeline.feeds.wallet_ledger import ledger_files
from pipeline.feeds.wallet_profile import read_wallet_profile
from pipeline.filings.theory import theory_frames
from pipeline.lake import disk
from pipeline.lake.earlier import delivered_rows, published_chunks
from pipeline.lake.layout import PLAN
from pipeline.lake.manifest import inputs_of
from pipeline.lake.round_days import round_days
from pipeline.ledger import WalletLedger
from pipeline.prepare import Prepare
from pipeline.reopened import Night, aged, following, gapped, holding, newest_times
from pipeline.settling import READING, WALLET, Settling, head_of, read_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from pipeline.audit import Request
    from pipeline.core.schema import Chunk
    from pipeline.feeds.pseudonyms import Pseudonyms
    from pipeline.feeds.reader import Context, Source
    from pipeline.feeds.stage import Stage
    from pipeline.filings.load import Filings
    from pipeline.lake import Publication, Writing
    from pipeline.night import Settled
    from pipeline.quarantine import Try
    from pipeline.reconcile.checks import CheckSet
    from pipeline.steps import Progress

_BOOKS = ("source_file", "sha256", "records", "quarantined", "other_day")
_BOOKS_KEPT = "books"


class Stages:
    """Read, settle each night, publish: to be called in this order.

    Args:
        request: what is asked.
        filings: the filings of the run.
        checks: the checks of the run.
        lake: the opened lake.
        publication: the run on its way into it.
        progress: who is told how far the work is.
        expected: name and SHA-256 of the files that the run was named after.
        pseudonyms: what stands in place of player ids; None: these stay.
        only: names of the files to read; None: all that were given.
        again: published nights to judge again, beside those that the delivery touches or re-opens.
    """

    def __init__(
        self,
        request: Request,
        filings: Filings,
        checks: CheckSet,
        lake: Writing,
        publication: Publication,
        progress: Progress,
        expected: AbstractSet[tuple[str, str]] = frozenset(),
        pseudonyms: Pseudonyms | None = None,
        only: AbstractSet[str] | None = None,
        again: Sequence[Night] = (),
    ) -> None:
        self._request = request
        self._filings = filings
        self._checks = checks
        self._lake = lake
        self._publication = publication
        self._progress = progress
        self._expected = expected
        self._pseudonyms = pseudonyms
        self._only = only
        self._again = again
        self._profile = None if request.profile is None else read_profile(request.profile)
        self._delivery: Delivery | None = None
        self._wallet = WalletLedger(filings, lake, publication.staging / WALLET)
        self._newest = pl.DataFrame(schema={"studio_id": pl.String, "newest": TIME})
        self._quarantine = QUARANTINE.empty()
        self._is_known = False
        self._delivered: dict[str, pl.DataFrame] = {}
        self._given = {
            "control_totals": CONTROL_TOTALS.empty() if request.control_totals is None else read_control_totals(request.control_totals),
            "roster": ROSTER.empty() if request.roster is None else read_roster(request.roster),
        }

    @property
    def delivery(self) -> Delivery:
        """What was read."""
        if self._delivery is None:
            raise RuntimeError("nothing was read yet")
        return self._delivery

    def read(self, inputs: Sequence[Path]) -> list[Night]:
        """Read the delivery into the lake's staging; returns the nights that it touches or re-opens, in order.

        Raises:
            InputError: a file cannot be read at all, or is not what it was when the run began.
        """
        self._read(inputs)
        self._quarantine = pl.concat([delivered_rows(self._lake, QUARANTINE), self.delivery.quarantine()]).collect()
        self._reopen(self.delivery.stage)
        nights = self._read_wallet()
        given = pl.concat([self.delivery.source_files, *self._wallet.source_files()])
        self._refuse_changed(given)
        files = set(given.select("source_file", "sha256").iter_rows())
        read_before = {number for number, one in self._lake.chain.items() if not files.isdisjoint(inputs_of(one))}
        known = delivered_rows(self._lake, SOURCE_FILES, read_before).select(_BOOKS).collect()
        self._is_known = given.join(known, on=_BOOKS, how="anti").is_empty()
        self._deliver(given, pl.concat([self.delivery.quarantine().collect(), *self._wallet.quarantine()]))
        return nights

    def retry(self, tries: Sequence[Try]) -> list[Night]:
        """Read lines of the quarantine again; returns the nights that this touches or re-opens, none where no line can be read."""
        self._read((), lambda context: [one.source(context) for one in tries])
        read = {row["source_file"]: row for row in self.delivery.source_files.iter_rows(named=True)}
        still = self.delivery.quarantine().select("source_file", "source_line").collect()
        books, left = [], []
        for one in tries:
            if (accepted := read[one.name]["accepted"]) + (repeats := read[one.name]["repeats"]):
                books.append(one.books_after(accepted, repeats))
                left.append(one.left(still.filter(pl.col("source_file") == one.name)["source_line"]))
        self._is_known = not books
        if self._is_known:
            return []
        names = [one["source_file"].item() for one in books]
        others = delivered_rows(self._lake, QUARANTINE).filter(~pl.col("source_file").is_in(names)).collect()
        self._quarantine = pl.concat([others, *left])
        self._reopen(self.delivery.stage)
        nights = self._read_wallet()
        self._deliver(pl.concat(books), pl.concat(left))
        return nights

    def _read(self, inputs: Sequence[Path], opened: Callable[[Context], Sequence[Source]] | None = None) -> None:
        self._delivery = read_delivery(
            inputs, self._filings.gaming_days, self._publication.staging / READING, only_day=self._request.gaming_day,
            limits=self._request.limits, profile=self._profile, progress=self._progress.read, published=self._published, opened=opened,
            pseudonyms=self._pseudonyms,
            only=self._only,
        )  # fmt: skip
        self._newest = newest_times(self.delivery.stage, self._lake)

    def _refuse_changed(self, read: pl.DataFrame) -> None:
        """The run is named after what its files held before they were read: one that grew meanwhile would be published as another."""
        for name, _ in sorted(set(read.select("source_file", "sha256").iter_rows()) ^ self._expected)[:1]:
            raise InputError("changed while it was read", name, "run this again once the file is whole and nobody writes to it")

    def hand_over(self, nights: Sequence[Night]) -> Prepare:
        """Write into the staging folder what other processes need to settle the nights, and this one to go on after it was killed."""
        folder = self._publication.staging / _BOOKS_KEPT
        disk.make_folder(folder)
        for name, rows in self._delivered.items():
            rows.write_ipc(folder / f"{name}.arrow", compression="uncompressed")
        self._settling().save(self._request.filings, self._request.checks, nights, is_known=self._is_known)
        return Prepare.by(self._publication.staging)

    def resume(self) -> Prepare | None:
        """What this very run had handed over before it was killed; None where it had not got so far, or the lake has gone on since."""
        staging = self._publication.staging
        if not (staging / PLAN).exists():
            return None
        plan = read_plan(staging)
        if plan.head != head_of(self._lake):
            self._publication.discard()
            return None
        self._is_known = plan.is_known
        self._deliver(*(pl.read_ipc(staging / _BOOKS_KEPT / f"{name}.arrow") for name in ("source_files", "quarantine")))
        return Prepare.by(staging)

    def _deliver(self, source_files: pl.DataFrame, quarantine: pl.DataFrame) -> None:
        self._delivered = {"source_files": source_files, "quarantine": quarantine}
        self._publication.deliver("source_files", source_files)
        self._publication.deliver_filings(self._filings.filed, theory_frames(self._filings))
        self._publication.deliver("quarantine", quarantine)

    def _read_wallet(self) -> list[Night]:
        """Read the wallet's ledger and open again what it reaches; returns the nights to settle."""
        if self._request.wallet:
            taken = {file.name for file in delivered_files(self._request.inputs)} if self._request.inputs else set()
            profile = None if self._request.profile is None else read_wallet_profile(self._request.profile)
            files = [file for file in ledger_files(self._request.wallet, taken) if self._only is None or file.name in self._only]
            self._wallet.read(files, profile, self._progress, self._request.limits, self._pseudonyms)
        nights = self._wallet.place(self.delivery.stage, self._request.gaming_day)
        for night in sorted({*nights} - {*self.delivery.stage.partitions()}):
            for chunk in published_chunks(self._lake, *night):
                self.delivery.stage.add_published(chunk)
        return nights

    def settle(self, night: Night) -> Settled:
        """Settle, check and write one night."""
        return self._settling().settle(night, self._publication.staging, self._progress)

    def _settling(self) -> Settling:
        return Settling(
            staging=self._publication.staging, run_id=self._publication.facts.run_id, lake=self._lake, filings=self._filings,
            checks=self._checks, stage=self.delivery.stage, wallet=self._wallet,
            around={**self._given, "newest_times": self._newest, "quarantine": self._quarantine},
            inputs=frozenset(name for name in self._given if getattr(self._request, name) is not None),
        )  # fmt: skip

    def publish(self, nights: Sequence[Settled]) -> int | None:
        """Make the run what readers see, in one step.

        Returns:
            The number of the publish; None where all of it stood already, and nothing was published.
        """
        facts = [night.facts for night in nights]
        # Its files were all read before with the same books, or nothing of the quarantine can be read.
        if self._is_known and self._publication.stands(facts):
            self._publication.discard()
            return None
        for frame in round_days(self._lake, self._publication.staging, facts, round_hash()):
            self._publication.deliver("round_days", frame)
        untrusted = [reason for night in nights for reason in night.untrusted]
        return self._publication.publish(facts, untrusted).number

    def _published(self, stage: Stage) -> Iterator[Chunk]:
        for night in holding(stage, self._lake):
            yield from published_chunks(self._lake, *night)

    def _reopen(self, stage: Stage) -> None:
        quarantine = self.delivery.quarantine()
        nights = {
            *following(stage, self._lake),
            *aged(stage, self._lake, self._newest, self._filings.filed),
            *gapped(stage, self._lake, quarantine),
            *self._again,
        }
        for night in sorted(nights - set(stage.partitions())):
            for chunk in published_chunks(self._lake, *night):
                stage.add_published(chunk)

"""The stages of an audit between the opened lake and the published night."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import TIME
from pipeline.edges import edge_before
from pipeline.feeds.control_totals import CONTROL_TOTALS, read_control_totals
from pipeline.feeds.delivery import Delivery, read_delivery
from pipeline.feeds.roster import ROSTER, read_roster
from pipeline.lake.earlier import published_chunks
from pipeline.night import Settled, settle_night
from pipeline.reconcile.context import RunContext

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pipeline.audit import Request
    from pipeline.core.schema import Chunk
    from pipeline.filings.load import Filings
    from pipeline.lake import Publication, Writing
    from pipeline.reconcile.checks import CheckSet
    from pipeline.steps import Progress

Night = tuple[str, date]
"""A studio and a gaming day."""

_CLOCKS: Final = ("dated_at", "recorded_at", "opened_at", "bets_closed_at", "dealer_revealed_at", "verified_at", "posted_at", "void_at")


class Stages:
    """Read, settle each night, publish: to be called in this order.

    Args:
        request: what is asked.
        filings: the filings of the run.
        checks: the checks of the run.
        lake: the opened lake.
        publication: the run on its way into it.
        progress: who is told how far the work is.
    """

    def __init__(
        self, request: Request, filings: Filings, checks: CheckSet, lake: Writing, publication: Publication, progress: Progress
    ) -> None:
        self._request = request
        self._filings = filings
        self._checks = checks
        self._lake = lake
        self._publication = publication
        self._progress = progress
        self._delivery: Delivery | None = None
        self._newest = pl.DataFrame(schema={"studio_id": pl.String, "newest": TIME})
        self._inputs = frozenset(name for name in ("control_totals", "roster") if getattr(request, name) is not None)
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
        """Read the delivery into the lake's staging; returns the nights that it touches, in order.

        Raises:
            InputError: a file cannot be read at all, or there is nothing to audit in any of them.
        """
        self._delivery = read_delivery(
            inputs, self._filings.gaming_days, self._publication.staging / "reading",
            only_day=self._request.gaming_day, progress=self._progress.read, published=self._published,
        )  # fmt: skip
        self._publication.deliver("source_files", self.delivery.source_files)
        self._publication.deliver_filings(self._filings.filed)
        self._publication.deliver("quarantine", self.delivery.quarantine().collect())
        self._newest = self.delivery.stage.newest(_CLOCKS)
        return self.delivery.stage.partitions()

    def settle(self, night: Night) -> Settled:
        """Settle, check and write one night."""
        studio_id, gaming_day = night
        edge = edge_before(self.delivery.stage, self._lake, studio_id, gaming_day)
        around = {
            **self._given, "edge_rounds": edge.rounds, "edge_meters": edge.meters, "newest_times": self._newest,
            "quarantine": self.delivery.quarantine().collect(),
        }  # fmt: skip
        with self._publication.partition(studio_id, gaming_day) as writer:
            return settle_night(
                self.delivery.stage.chunks(night), writer, self._filings, self._checks,
                RunContext(self._publication.facts.run_id, studio_id, gaming_day, self._inputs), around,
                partial(self._progress.settled, f"{studio_id} {gaming_day}"),
            )  # fmt: skip

    def publish(self, nights: Sequence[Settled]) -> int:
        """Make the run what readers see, in one step; returns the number of the publish."""
        untrusted = [reason for night in nights for reason in night.untrusted]
        return self._publication.publish([night.facts for night in nights], untrusted).number

    def _published(self, nights: Sequence[Night]) -> Iterator[Chunk]:
        for night in nights:
            yield from published_chunks(self._lake, *night)

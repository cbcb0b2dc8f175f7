"""The quarantine at work: what lies in it, one record byte for byte, and trying its lines again without their delivery.

A record in quarantine becomes readable only where something else changed: the feed profile (the zone of times without offset), what is
filed, or this program. So a retry reads the lines that are kept, by what stands today. What can be read now is published like a delivery
(the order of arrival counts, where nothing else decides between two tellings), and the books of its file stand on as if it had been read
at first: records = accepted + repeats + quarantined + other day. ``source_files`` keeps a row for each run that read the file; the view
shows the last. A retry that can read nothing more publishes nothing.

Only lines of round logs are tried: a row of a table or a game of a document cannot be read without what stands around it. Of a line that
was too long only the head is kept. Both are counted, and need their delivery again.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import polars as pl

from pipeline.audit import begin_run
from pipeline.core.errors import LakeError
from pipeline.core.schema import QUARANTINE, SOURCE_FILES
from pipeline.feeds.quarantined import QuarantinedLines, is_cut, is_of_log
from pipeline.feeds.round_log import RoundLogReader
from pipeline.filings.load import load_filings
from pipeline.lake import writing
from pipeline.lake.earlier import Published, delivered_rows
from pipeline.lake.filed import refuse_changed
from pipeline.lake.layout import checked_root
from pipeline.reconcile.checks import load_checks
from pipeline.stages import Stages
from pipeline.steps import Unwatched

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.audit import Request
    from pipeline.feeds.reader import Context
    from pipeline.lake import Writing

_LINE = ("source_file", "source_line")


@dataclass(frozen=True, slots=True)
class Retried:
    """What came of a retry.

    Attributes:
        tried: lines that were read again.
        taken: lines that could be read now; some may repeat what is known.
        left: records that lie in quarantine still.
        not_tried: of those, what cannot be tried without its delivery.
        untrusted: why what was published is not to be trusted; empty where it is.
    """

    tried: int
    taken: int
    left: int
    not_tried: int
    untrusted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Try:
    """The lines of one file that are tried again.

    Attributes:
        rows: all that lies in quarantine of the file (``schema.QUARANTINE``).
        books: its books as they stand (``schema.SOURCE_FILES``, one row).
    """

    rows: pl.DataFrame
    books: pl.DataFrame

    @property
    def name(self) -> str:
        """The file."""
        return str(self.books["source_file"].item())

    @property
    def key(self) -> tuple[str, str]:
        """Name and SHA-256 of the file."""
        return self.name, str(self.books["sha256"].item())

    @property
    def lines(self) -> pl.DataFrame:
        """The rows that can be tried, in order."""
        return self.rows.filter(is_of_log() & ~is_cut()).sort("source_line")

    def source(self, context: Context) -> QuarantinedLines:
        """The lines as an input."""
        return QuarantinedLines(RoundLogReader(context), *self.key, self.lines)

    def left(self, still: pl.Series) -> pl.DataFrame:
        """The rows that stay, where the lines ``still`` cannot be read."""
        gone = self.lines.filter(~pl.col("source_line").is_in(still.implode())).select("source_line")
        return self.rows.join(gone, on="source_line", how="anti").sort("source_line")

    def books_after(self, accepted: int, repeats: int) -> pl.DataFrame:
        """The file's books, once so many more records are accepted or repeat another."""
        return self.books.with_columns(
            pl.col("accepted") + accepted, pl.col("repeats") + repeats, pl.col("quarantined") - accepted - repeats
        )


def listed(lake: Path, reason: str | None = None, file: str | None = None) -> pl.DataFrame:
    """What lies in quarantine: ``id, source_file, source_line, reason, bytes, raw``, sorted by file and line.

    Args:
        lake: the lake.
        reason: only where the reason holds this text.
        file: only of this file.

    Raises:
        LakeError: there is no lake.
    """
    shown = Published(checked_root(lake))
    if shown.state is None:
        raise LakeError("there is no lake here", str(lake), "publish one with: resettle audit INPUT --filings DIR --lake DIR")
    rows = delivered_rows(shown, QUARANTINE)
    if reason is not None:
        rows = rows.filter(pl.col("reason").str.contains(reason, literal=True))
    if file is not None:
        rows = rows.filter(pl.col("source_file") == file)
    found = rows.sort(*_LINE).collect()
    ids = pl.Series("id", [sha256(raw).hexdigest()[:12] for raw in found["raw"]], dtype=pl.String)
    return found.select(ids, *_LINE, "reason", pl.col("raw").bin.size().alias("bytes"), "raw")


def record(lake: Path, named: str) -> pl.DataFrame:
    """The rows of ``listed`` that are called ``named``: by id, or by ``FILE:LINE``.

    Raises:
        LakeError: there is no lake, or no such record in its quarantine.
    """
    rows = listed(lake)
    file, _, line = named.rpartition(":")
    by_line = (pl.col("source_file") == file) & (pl.col("source_line").cast(pl.String) == line)
    found = rows.filter((pl.col("id") == named) | by_line)
    if found.is_empty():
        raise LakeError(f"no record {named} lies in quarantine", str(lake), "resettle quarantine list shows what does")
    return found


def retry(request: Request) -> Retried:
    """Try everything again that lies in quarantine.

    Args:
        request: the filings, the profile and the lake, and what else the nights are to be checked with; its ``inputs`` are empty.

    Raises:
        ResettleError: nothing was published; it says what, where and the way out.
    """
    filings, checks = load_filings(request.filings), load_checks(request.checks)
    untrusted: list[str] = []
    with writing(request.lake) as lake:
        if lake.state is None:
            raise LakeError("there is no lake here", str(request.lake), "audit a delivery first")
        if lake.key_fingerprint is not None:
            way_out = "deliver the mended records in a file of their own"
            raise LakeError(
                "holds pseudonyms, so what lies in its quarantine is withheld and cannot be read again", str(request.lake), way_out
            )
        refuse_changed(filings, lake)
        before = delivered_rows(lake, QUARANTINE).collect()
        for tries in _tries(lake):
            tried = {"retry": sha256(b"\n".join(raw for one in tries for raw in one.lines["raw"])).hexdigest()}
            publication = begin_run(request, lake, filings, checks, {one.key for one in tries}, more=tried)
            stages = Stages(request, filings, checks, lake, publication, Unwatched())
            settled = [stages.settle(night) for night in stages.retry(tries)]
            if stages.publish(settled) is not None:
                untrusted += [reason for night in settled for reason in night.untrusted]
        lake.refresh()
        left = delivered_rows(lake, QUARANTINE).collect()
    able = before.filter(is_of_log() & ~is_cut()).height
    not_tried = left.filter(~is_of_log() | is_cut()).height
    return Retried(able, before.height - left.height, left.height, not_tried, tuple(untrusted))


def _tries(lake: Writing) -> list[list[Try]]:
    """What to try, a list for each publish: two files of one name are tried one after the other."""
    batches: list[list[Try]] = []
    for rows, books in _files(lake):
        one = Try(rows, books)
        if one.lines.height:
            place = next((batch for batch in batches if all(other.name != one.name for other in batch)), None)
            if place is None:
                batches.append(place := [])
            place.append(one)
    return batches


def _files(lake: Writing) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    """The quarantine of each file that was read, with the books that stand of it; in the order of the publishes."""
    found = []
    for number in lake.state.deliveries if lake.state else ():
        rows, books = (delivered_rows(lake, table, {number}).collect() for table in (QUARANTINE, SOURCE_FILES))
        for name in books.filter(pl.col("quarantined") > 0)["source_file"].sort():
            of = pl.col("source_file") == name
            found.append((rows.filter(of), books.filter(of)))
    return found

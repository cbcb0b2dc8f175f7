"""A filing keeps its meaning: what a lake was once judged by can only be replaced by a higher revision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.errors import FilingError

if TYPE_CHECKING:
    from pipeline.filings.load import Filings
    from pipeline.lake.earlier import Published


def refuse_changed(filings: Filings, lake: Published) -> None:
    """Compare the filings of a run with those of the same id and revision that the lake rests on.

    Raises:
        FilingError: one of them means something else now; names the file, the id and both fingerprints.
    """
    files = [lake.root / facts.file for one in lake.chain.values() if (facts := one.delivery.get("filings")) and facts.file]
    if not files:
        return
    held = pl.scan_parquet(files, glob=False).select("filing_id", "revision", held="filing_fingerprint").unique().collect()
    now = filings.filed.filings.select("filing_id", "revision", "fingerprint", "source_file")
    known = held.join(now, on=["filing_id", "revision"], how="inner").sort("filing_id", "revision")
    for filing_id, revision, before, fingerprint, file in known.filter(pl.col("held") != pl.col("fingerprint")).iter_rows():
        changed = f"filing {filing_id} revision {revision} is not the one this lake rests on ({fingerprint[:12]}… for {before[:12]}…)"
        raise FilingError(changed, file, f"give the changed filing revision = {revision + 1}, or restore it")

"""What a lake rests on: the filings that each publish was judged by. A filing keeps its meaning: only a higher revision replaces it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.errors import FilingError, LakeError
from pipeline.core.filed import FILED_TABLES, Filed
from pipeline.filings.frames import filings_of
from pipeline.lake.working_copy import brought

if TYPE_CHECKING:
    from pipeline.core.schema import Table
    from pipeline.filings.load import Filings
    from pipeline.filings.submission import Filing
    from pipeline.lake.earlier import Published


def refuse_changed(filings: Filings, lake: Published) -> None:
    """Compare the filings of a run with those of the same id and revision that the lake rests on.

    Raises:
        FilingError: one of them means something else now; names the file, the id and both fingerprints.
    """
    told = (one.delivery.get("filings") for one in lake.chain.values())
    # Most publishes rest on the same filings: of those that say the same, one is read.
    tables = {facts.content_sha256: facts for facts in told if facts and facts.file}
    if not tables:
        return
    files = [brought(lake.root, facts) for facts in tables.values()]
    held = pl.scan_parquet(files, glob=False).select("filing_id", "revision", held="filing_fingerprint").unique().collect()
    now = filings.filed.filings.select("filing_id", "revision", "fingerprint", "source_file")
    known = held.join(now, on=["filing_id", "revision"], how="inner").sort("filing_id", "revision")
    for filing_id, revision, before, fingerprint, file in known.filter(pl.col("held") != pl.col("fingerprint")).iter_rows():
        changed = f"filing {filing_id} revision {revision} is not the one this lake rests on ({fingerprint[:12]}… for {before[:12]}…)"
        raise FilingError(changed, file, f"give the changed filing revision = {revision + 1}, or restore it")


def filed_with(lake: Published, number: int) -> Filed:
    """What was filed, as the run of a publish was given it; ``filing_no`` is that run's.

    Args:
        lake: the lake.
        number: the publish.
    """
    held = lake.chain[number].delivery

    def rows(table: Table) -> pl.DataFrame:
        facts = held.get(table.name)
        if facts is None or facts.file is None:
            return pl.DataFrame(schema={"filing_fingerprint": pl.String, **table.schema})
        return pl.read_parquet(brought(lake.root, facts), glob=False)

    filings = rows(FILED_TABLES[0]).with_row_index("filing_no").rename({"filing_fingerprint": "fingerprint"})
    numbers = filings.select("filing_no", filing_fingerprint="fingerprint")
    others = [
        rows(table).drop("filing_no", strict=False).join(numbers, on="filing_fingerprint", maintain_order="left")
        for table in FILED_TABLES[1:]
    ]
    return Filed(
        *(frame.select(table.schema.names()).cast(table.schema) for table, frame in zip(FILED_TABLES, (filings, *others), strict=True))
    )


def filings_with(lake: Published, number: int) -> list[Filing]:
    """The filings that the run of a publish was given, whole, by their ``filing_no``.

    Raises:
        LakeError: one of them does not mean what its fingerprint says.
    """
    found = filings_of(filed := filed_with(lake, number))
    for filing, fingerprint in zip(found, filed.filings["fingerprint"], strict=True):
        if filing.fingerprint != fingerprint:
            raise LakeError(
                f"filing {filing.filing_id} is not what its fingerprint {fingerprint[:12]}… says",
                str(lake.root),
                "check the lake with: resettle verify, and the version of this program that published it (the view runs)",
            )
    return found

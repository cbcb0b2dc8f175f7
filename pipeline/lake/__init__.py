"""The lake: immutable Parquet partitions, one atomic switch, a chain of manifests and the file that analysts open.

A run goes through here in this order::

    from pipeline.lake import RunFacts, versions, run_digest, writing

    with writing(Path("lake")) as lake:                     # one audit at a time; sweeps up after a killed one
        decides = {"resettle": code_version, **versions()}
        run_id = run_digest(inputs, filings_fingerprint, checks_fingerprint, decides, options)
        publication = lake.begin(RunFacts(run_id=run_id, ...))
        if not publication.published:                       # the same run stands already: there is nothing to do
            results = []
            for studio_id, gaming_day in partitions:        # each may run in a process of its own
                with publication.partition(studio_id, gaming_day) as writer:
                    for chunk in chunks(studio_id, gaming_day):
                        writer.append("rounds", chunk.rounds)
                        writer.append("settlements", settlements)
                        writer.append("findings", findings)
                results.append(writer.result)               # counts, digests, control sums, conservation
            publication.deliver("quarantine", quarantine)
            publication.deliver("source_files", source_files)
            publication.deliver_filings(filed)
            publication.publish(results, untrusted=[])      # the switch
        lake.refresh()                                      # audit.duckdb, where it is missing or behind

Readers use ``pipeline.lake.opening.open_lake`` for everything that is current, or ``open_run`` for the partitions of one run;
``relocate`` mends a lake that was moved and ``verify`` walks its chain.

On disk::

    LAKE/current.json                                                           what is current: the one file that a publish switches
    LAKE/audit.duckdb                                                           views over it, for analysts
    LAKE/tables/<table>/studio_id=<quoted>/gaming_day=<date>/<run_id>.parquet   never changed once published
    LAKE/deliveries/<table>/<run_id>.parquet                                    what belongs to a delivery, not to a day
    LAKE/manifests/<number>-<run_id>.json                                       the chain: what each publish holds, repeatable
    LAKE/runs/<number>-<run_id>.json                                            clock, host and command of each publish
    LAKE/signatures/<number>-<run_id>.json                                      the signature of a publish, where it was signed
    LAKE/remedies/remedies.ndjson                                               what was paid back; lines are only ever added
    LAKE/follow_ups/follow_ups.ndjson                                           what people said of findings; the same
    LAKE/notices/notices.ndjson                                                 who was told of what, by digests; the same
    LAKE/lock                                                                   held by the one process that writes
    LAKE/staging/                                                               what a run has not yet published
"""

from __future__ import annotations

from pipeline.lake.facts import PartitionFacts, RunFacts, TableFacts, run_digest
from pipeline.lake.opening import open_as_of, open_lake, open_run, relocate
from pipeline.lake.partition import PartitionWriter
from pipeline.lake.publish import Publication, Writing, versions, writing
from pipeline.lake.totals import conservation
from pipeline.lake.verify import Verified, verify

__all__ = [
    "PartitionFacts",
    "PartitionWriter",
    "Publication",
    "RunFacts",
    "TableFacts",
    "Verified",
    "Writing",
    "conservation",
    "open_as_of",
    "open_lake",
    "open_run",
    "relocate",
    "run_digest",
    "verify",
    "versions",
    "writing",
]

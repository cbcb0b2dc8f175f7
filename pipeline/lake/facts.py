"""What is on record of a run: its tables, its partitions, and the run itself. All of it goes into manifests as JSON."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class TableFacts(msgspec.Struct, frozen=True):
    """A published table of a partition or a delivery.

    Attributes:
        rows: rows in it.
        content_sha256: digest of the rows whatever their order, without the columns of ``content.NOT_CONTENT``.
        file: its file, relative to the lake; null where it has no rows.
        bytes: size of that file.
        sha256: digest of that file.
        control: currency to column to sum, as decimal text in major units.
    """

    rows: int
    content_sha256: str
    file: str | None = None
    bytes: int = 0
    sha256: str | None = None
    control: dict[str, dict[str, str]] = {}


class Conserved(msgspec.Struct, frozen=True):
    """The conservation of money of a day's settled and voided real-money wagers of one operator and currency, as decimal text.

    Attributes:
        operator_id: the operator.
        currency: ISO 4217 code.
        paid: handed back, bonus included.
        due: what should have been.
        explained: sum of the differences that findings name.
        difference: paid - due - explained: 0, or the night is not to be trusted.
    """

    operator_id: str | None
    currency: str | None
    paid: str
    due: str
    explained: str
    difference: str


class WalletConserved(msgspec.Struct, frozen=True):
    """The conservation of a day's money from the studio's report to the wallet, of one operator and currency, as decimal text.

    Attributes:
        operator_id: the operator.
        currency: ISO 4217 code.
        reported: what the studio says it handed back, bonus included.
        wallet: what the wallet handed back, had it taken the stakes as reported.
        explained: sum of the differences that wallet findings name.
        unreached: sum of the differences of what the ledger does not reach, and so nothing is said of.
        difference: wallet - reported - explained - unreached: 0, or the night is not to be trusted.
    """

    operator_id: str | None
    currency: str | None
    reported: str
    wallet: str
    explained: str
    unreached: str
    difference: str


class Lookback(msgspec.Struct, frozen=True):
    """What later deliveries ask of a night, so that they need not read it (``pipeline.lake.lookback``).

    Attributes:
        newest: the newest time of its rounds; null where none has one.
        waiting: its rounds that are still open and of which no finding says that they have aged.
        gaps: the tables with a gap in their sequence.
    """

    newest: datetime | None = None
    waiting: int = 0
    gaps: list[str] = []


class PartitionFacts(msgspec.Struct, frozen=True):
    """A published studio and gaming day.

    Attributes:
        studio_id: the studio.
        gaming_day: the gaming day.
        tables: its tables by name.
        conservation: the conservation of its money.
        source_files: names of the files that its rounds come from, those of earlier deliveries too; of its wallet entries where it has
            no round.
        wallet_conservation: the same from the report to the wallet; empty where no ledger reaches the day.
        lookback: what later deliveries ask of it; null where an older version published it.
    """

    studio_id: str
    gaming_day: date
    tables: dict[str, TableFacts]
    conservation: list[Conserved] = []
    source_files: list[str] = []
    wallet_conservation: list[WalletConserved] = []
    lookback: Lookback | None = None

    @property
    def is_conserved(self) -> bool:
        """Each difference between paid and due is named by a finding."""
        return all(Decimal(row.difference) == 0 for row in self.conservation)

    @property
    def is_wallet_conserved(self) -> bool:
        """Each difference between what was reported and what the wallet moved is named by a finding."""
        return all(Decimal(row.difference) == 0 for row in self.wallet_conservation)


class InputFacts(msgspec.Struct, frozen=True):
    """A file that a run read."""

    source_file: str
    sha256: str
    bytes: int
    lines: int
    records: int


class RunFacts(msgspec.Struct, frozen=True):
    """What a run rests on, known before it starts.

    Attributes:
        run_id: ``run_digest`` of the rest.
        filings_fingerprint: digest of what the filings mean.
        checks_fingerprint: digest of the checks.
        code_version: version of this program.
        command: the command line, for the record.
        gaming_day: the only gaming day that was asked for; null: every one in the delivery.
        options: the options that decide it, each as a digest or as it was said.
        retried: it read lines of the quarantine again, not whole files.
        key_fingerprint: of the key of the pseudonyms that stand in place of player ids; null: these stand as delivered.
        started_at: when the run started; goes to ``runs`` only.
    """

    run_id: str
    filings_fingerprint: str
    checks_fingerprint: str
    code_version: str
    command: str = ""
    gaming_day: date | None = None
    options: dict[str, str] = {}
    retried: bool = False
    key_fingerprint: str | None = None
    started_at: datetime = msgspec.field(default_factory=lambda: datetime.now(UTC))


def run_digest(
    inputs: Iterable[tuple[str, str]],
    filings_fingerprint: str,
    checks_fingerprint: str,
    versions: Mapping[str, str],
    options: Mapping[str, str],
) -> str:
    """The run's id: 32 hexadecimal digits over everything that decides what it will publish, and over nothing else.

    Args:
        inputs: name (as it will stand in ``source_file``) and SHA-256 of each file read, in any order.
        filings_fingerprint: digest of what the filings mean.
        checks_fingerprint: digest of the checks.
        versions: name to version of this program and of what decides the bytes (DuckDB, Polars, PyArrow).
        options: the options that change what is published, like the gaming day asked for.
    """
    said = [sorted(inputs), filings_fingerprint, checks_fingerprint, sorted(versions.items()), sorted(options.items())]
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()[:32]

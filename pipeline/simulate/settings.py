"""What a simulated delivery is asked to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from math import ceil
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import ResettleError

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE_KINDS: Final = ("shared", "draw", "seated")
COMPRESSIONS: Final = ("", "gz", "zst")
MOST_ROUNDS_A_DAY: Final = 1300
SEATED_CROWD: Final = 5
WAGERS_A_PLAYER: Final = 2.03
"""About what a player at a shared table stakes in a round; turns a number of wagers into a number of players."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table: ``shared`` (one hand for all), ``draw`` (shared, the shoe reads cards at the draw) or ``seated`` (up to seven hands)."""

    table_id: str
    kind: str


@dataclass(frozen=True, slots=True)
class Incident:
    """A systematic fault: every wager of the table that the broken rule pays otherwise, from one sequence number to another."""

    fault: str
    table_id: str
    first: int
    last: int


DEFAULT_TABLES: Final = (TableSpec("TCP-01", "shared"), TableSpec("TCP-02", "draw"), TableSpec("TCP-03", "seated"))


@dataclass(frozen=True, slots=True)
class Settings:
    """A simulated delivery; the same settings give the same bytes.

    Attributes:
        seed: decides every card, player and fault.
        rounds: rounds over all tables and days.
        wagers: about how many wagers instead; sets rounds and players a round.
        days: gaming days, one after the other.
        start: the first gaming day (the default one ends with the change from daylight-saving time).
        tables: the studio's tables.
        players: players at a shared table, on average.
        faults: fault name to the share of rounds in which one is planted.
        incidents: systematic faults.
        variants: faults of what was filed or delivered beside the log, by name.
        compression: ``""``, ``"gz"`` or ``"zst"``, for the two NDJSON files.
        jobs: processes; no influence on the bytes.
        studio_id: the studio.
    """

    seed: int
    rounds: int = 300
    wagers: int | None = None
    days: int = 1
    start: date = date(2026, 10, 31)
    tables: tuple[TableSpec, ...] = DEFAULT_TABLES
    players: int = 6
    faults: Mapping[str, float] = field(default_factory=dict)
    incidents: tuple[Incident, ...] = ()
    variants: tuple[str, ...] = ()
    compression: str = ""
    jobs: int = 1
    studio_id: str = "studio-3"

    def __post_init__(self) -> None:
        """Refuse what can't be dealt.

        Raises:
            ResettleError: a number below one, no table, an unknown table kind or compression.
        """
        for name in ("rounds", "days", "players", "jobs"):
            if getattr(self, name) < 1:
                raise ResettleError("must be 1 or more", f"--{name}")
        if not self.tables or len({t.table_id for t in self.tables}) < len(self.tables):
            raise ResettleError("names no table, or one twice", "--tables")
        for table in self.tables:
            if table.kind not in TABLE_KINDS:
                raise ResettleError(f"unknown kind {table.kind!r}", f"--tables {table.table_id}", f"one of {', '.join(TABLE_KINDS)}")
        if self.compression not in COMPRESSIONS:
            raise ResettleError(f"unknown compression {self.compression!r}", "--compression", "gz or zst")

    def plan(self, table_no: int) -> tuple[list[int], int]:
        """Rounds on each day and players a round, of one table."""
        shares = len(self.tables) * self.days
        seated = self.tables[table_no].kind == "seated"
        if self.wagers is None:
            whole, rest = divmod(self.rounds, shares)
            counts = [whole + (day * len(self.tables) + table_no < rest) for day in range(self.days)]
            return [min(count, MOST_ROUNDS_A_DAY) for count in counts], self.players
        a_day = self.wagers / self.days
        kinds = [table.kind for table in self.tables]
        if all(kind == "seated" for kind in kinds):
            share = a_day / len(kinds)
        else:
            # what seven seats cannot stake in a day goes to the tables where there is room for all
            seats = min(a_day / len(kinds), MOST_ROUNDS_A_DAY * SEATED_CROWD * WAGERS_A_PLAYER)
            share = seats if seated else (a_day - seats * kinds.count("seated")) / (len(kinds) - kinds.count("seated"))
        crowd = SEATED_CROWD if seated else self.players
        rounds = min(MOST_ROUNDS_A_DAY, max(1, round(share / (crowd * WAGERS_A_PLAYER))))
        players = crowd if seated else max(1, ceil(share / (rounds * WAGERS_A_PLAYER)))
        return [rounds] * self.days, players


def parse_tables(text: str) -> tuple[TableSpec, ...]:
    """``TCP-01=shared,TCP-02=seated`` as tables.

    Raises:
        ResettleError: an entry that is no ``id=kind``.
    """
    tables = []
    for entry in text.split(","):
        table_id, equals, kind = entry.strip().partition("=")
        if not equals or not table_id:
            raise ResettleError(f"{entry!r} is no table", "--tables", "write TCP-01=shared,TCP-02=seated")
        tables.append(TableSpec(table_id, kind))
    return tuple(tables)


def parse_fault(text: str) -> tuple[str, float]:
    """``stake_not_returned=0.01`` as a name and a rate.

    Raises:
        ResettleError: no ``name=rate``, or a rate outside 0 to 1.
    """
    name, _, rate = text.partition("=")
    try:
        value = float(rate)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ResettleError(f"{text!r} is no fault and rate", "--fault", "write stake_not_returned=0.01")
    return name, value


def parse_incident(text: str) -> Incident:
    """``stake_not_returned@TCP-02:40-90`` as an incident.

    Raises:
        ResettleError: another form.
    """
    name, _, where = text.partition("@")
    table_id, _, span = where.partition(":")
    first, _, last = span.partition("-")
    if not (name and table_id and first.isdigit() and last.isdigit()):
        raise ResettleError(f"{text!r} is no incident", "--incident", "write stake_not_returned@TCP-02:40-90")
    return Incident(name, table_id, int(first), int(last))

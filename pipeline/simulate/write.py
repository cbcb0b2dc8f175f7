"""Writes a delivery: each table deals into a part file of its own, and the parts are merged in order of time."""

from __future__ import annotations

import gzip
import heapq
import multiprocessing
import os
import shutil
import threading
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from pipeline.core.errors import ResettleError
from pipeline.simulate.clock import ZONE, Writer
from pipeline.simulate.offers import DAY_STARTS_AT, filing_text, money
from pipeline.simulate.table import TableRun, dealers_of
from pipeline.simulate.variants import demand_known, extra_tables, offers_of, variant_truths
from pipeline.simulate.wallet import entries
from pipeline.simulate.wire import round_line, truth_lines, wallet_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.simulate.deal import Deal, Truth
    from pipeline.simulate.settings import Settings

TRUTH: Final = "truth.ndjson"
STREAMS: Final = ("rounds.ndjson", "wallet.ndjson", TRUTH)


@dataclass(slots=True)
class Books:
    """A table's control totals of a gaming day: rounds, first and last round, and handle and returned by currency."""

    rounds: int = 0
    first: str = ""
    last: str = ""
    handle: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    returned: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, deal: Deal) -> None:
        """Count a round: real players' wagers that were accepted, and what came back on any."""
        self.rounds += 1
        self.first = self.first or deal.round_id
        self.last = deal.round_id
        for part in deal.parts:
            for w in part.wagers if not part.test else ():
                self.handle[part.currency] += w.stake if w.status == "accepted" else 0
                self.returned[part.currency] += (w.paid or 0) + (w.bonus or 0)


@dataclass(slots=True)
class Dealt:
    """What a table dealt: for each round its opening and the bytes it takes in each stream, the control totals, and what is wrong."""

    folder: Path
    rounds: list[tuple[int, int, int, int]] = field(default_factory=list)
    books: dict[date, Books] = field(default_factory=dict)
    truths: list[tuple[int, Truth]] = field(default_factory=list)
    wagers: int = 0


@dataclass(frozen=True, slots=True)
class Simulated:
    """What was written: the files, how many rounds and wagers stand in them, and what is wrong in them, in order of time."""

    files: tuple[Path, ...]
    rounds: int
    wagers: int
    truths: tuple[Truth, ...]


def gaming_day(at: int) -> date:
    """The local date after subtracting the start of the day on the wall clock."""
    wall = datetime.fromtimestamp(at / 1_000, UTC).astimezone(ZONE).replace(tzinfo=None)
    return (wall - timedelta(hours=DAY_STARTS_AT)).date()


def _tellings(deal: Deal, run: TableRun, studio_id: str, say: Writer) -> bytes:
    line = round_line(deal, studio_id, run.offers, say)
    if deal.told_twice == "conflict":
        return line + round_line(replace(deal, software_version="4.2.2"), studio_id, run.offers, say)
    if deal.told_twice == "restated":
        wager = next(w for part in deal.parts for w in part.wagers if w.paid is not None)
        right, wager.paid = wager.paid, (wager.paid or 0) + 1_00
        first = round_line(replace(deal, revision=1), studio_id, run.offers, say)
        wager.paid = right
        return first + line
    return line * 2 if deal.told_twice == "again" else line


def deal_table(settings: Settings, table_no: int, folder: Path) -> Dealt:
    """Deal a table into a part file for each stream."""
    run = TableRun(settings, table_no)
    say = Writer(local=run.table.kind == "seated")
    part = Dealt(folder)
    folder.mkdir(parents=True)
    with (folder / STREAMS[0]).open("wb") as rounds, (folder / STREAMS[1]).open("wb") as wallet, (folder / STREAMS[2]).open("wb") as truth:
        for deal, truths, rng in run.rounds():
            part.books.setdefault(gaming_day(deal.opened_at), Books()).add(deal)
            moved = wallet_lines(entries(deal, rng), settings.studio_id, say)
            if deal.told_twice is None and rng.random() < 0.004:
                deal.told_twice = "again"
            lines = _tellings(deal, run, settings.studio_id, say), moved, truth_lines(truths)
            for stream, text in zip((rounds, wallet, truth), lines, strict=True):
                stream.write(text)
            part.rounds.append((deal.opened_at, len(lines[0]), len(lines[1]), len(lines[2])))
            part.truths += [(deal.opened_at, found) for found in truths]
            part.wagers += sum(len(seat.wagers) for seat in deal.parts)
    return part


def _end_with_parent() -> None:
    """In a worker: do not go on dealing when the process that asked for it is gone."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _deal_tables(settings: Settings, folder: Path) -> list[Dealt]:
    jobs = [(settings, number, folder / str(number)) for number in range(len(settings.tables))]
    if settings.jobs == 1:
        return [deal_table(*job) for job in jobs]
    with ProcessPoolExecutor(settings.jobs, multiprocessing.get_context("spawn"), initializer=_end_with_parent) as pool:
        return list(pool.map(deal_table, *zip(*jobs, strict=True)))


@contextmanager
def _open(path: Path, compression: str) -> Iterator[Callable[[bytes], object]]:
    """A way to write bytes into the file, compressed so that the same bytes give the same file."""
    if compression == "gz":
        with gzip.GzipFile(path, "wb", compresslevel=6, mtime=0) as packed:
            yield packed.write
    elif compression == "zst":
        with pa.CompressedOutputStream(str(path), "zstd") as stream:
            yield stream.write
    else:
        with path.open("wb") as file:
            yield file.write


def _merge(parts: list[Dealt], stream: int, path: Path, compression: str) -> None:
    def pieces(number: int, part: Dealt) -> Iterator[tuple[int, int, int]]:
        for entry in part.rounds:
            yield entry[0], number, entry[1 + stream]

    files = [(part.folder / STREAMS[stream]).open("rb") for part in parts]
    try:
        with _open(path, compression) as put:
            for _, number, size in heapq.merge(*(pieces(number, part) for number, part in enumerate(parts))):
                put(files[number].read(size))
    finally:
        for file in files:
            file.close()


def _control_totals(settings: Settings, parts: list[Dealt]) -> str:
    lines = ["studio_id,table_id,gaming_day,rounds,first_round_id,last_round_id,handle,returned,currency"]
    slip = 1_00 if "control_total_mismatch" in settings.variants else 0
    for table, part in zip(settings.tables, parts, strict=True):
        for day, books in sorted(part.books.items()):
            for currency in sorted(books.handle):
                amounts = f"{money(books.handle[currency] + slip)},{money(books.returned[currency])},{currency}"
                slip = 0
                lines.append(f"{settings.studio_id},{table.table_id},{day},{books.rounds},{books.first},{books.last},{amounts}")
    return "\n".join(lines) + "\n"


def _roster(settings: Settings) -> str:
    lines = ["dealer_id,game,certified_from,certified_to,route,hours,weeks"]
    for table_no in range(len(settings.tables)):
        lines += [f"{dealer},three_card_poker,2025-06-01,2027-05-31,initial,100,5" for dealer in dealers_of(table_no)]
    return "\n".join(lines) + "\n"


def simulate(settings: Settings, out: Path) -> Simulated:
    """Deal a delivery into a folder; the same settings give the same bytes.

    Writes ``rounds.ndjson`` (``round-log/1``), ``wallet.ndjson`` (``wallet-ledger/1``), both compressed where asked for,
    ``truth.ndjson``, ``control-totals.csv``, ``roster.csv`` and ``filings/*.toml``.

    Raises:
        ResettleError: an unknown fault, or a folder that cannot be written.
    """
    try:
        return _simulate(settings, out)
    except OSError as error:
        raise ResettleError(error.strerror or "cannot be written", str(error.filename or out), "choose another --out") from error


def _simulate(settings: Settings, out: Path) -> Simulated:
    demand_known(settings)
    out.mkdir(parents=True, exist_ok=True)
    folder = out / ".parts"
    shutil.rmtree(folder, ignore_errors=True)
    names = [name + (f".{settings.compression}" if settings.compression and name != TRUTH else "") for name in STREAMS]
    try:
        parts = _deal_tables(settings, folder)
        for number, name in enumerate(names):
            _merge(parts, number, out / name, settings.compression if name != TRUTH else "")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    others = variant_truths(settings)
    with (out / TRUTH).open("ab") as truth:
        truth.write(truth_lines(others))
    texts = {"control-totals.csv": _control_totals(settings, parts), "roster.csv": _roster(settings)}
    for offer in offers_of(settings):
        texts[f"filings/{offer.filing_id}.toml"] = filing_text(offer, settings, extra_tables(settings, offer))
    (out / "filings").mkdir(exist_ok=True)
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8", newline="\n")
    planted = heapq.merge(*(part.truths for part in parts), key=_opening)
    return Simulated(
        files=tuple(out / name for name in (*names, *texts)),
        rounds=sum(len(part.rounds) for part in parts),
        wagers=sum(part.wagers for part in parts),
        truths=(*(truth for _, truth in planted), *others),
    )


def _opening(truth: tuple[int, Truth]) -> int:
    return truth[0]

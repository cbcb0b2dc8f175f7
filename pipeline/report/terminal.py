"""The report in a terminal: coloured where one is watching, plain text elsewhere, and readable at 100 columns."""

from __future__ import annotations

import sys
from io import StringIO
from typing import TYPE_CHECKING, Final, TextIO

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pipeline.core.money import amount
from pipeline.report.wording import (
    STATE_WORDS,
    answers,
    count,
    how_hold_comes_about,
    incidents_in_all,
    probability_of,
    test_of,
    visible,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipeline.report.model import Report
    from pipeline.report.parts import Worst

PLAIN_WIDTH: Final = 100

_STYLES: Final = {"critical": "bold red", "high": "red", "medium": "yellow", "info": "dim"}


def show(report: Report, stream: TextIO | None = None, page: str | None = None) -> None:
    """Prints the report.

    Args:
        report: what to say.
        stream: where to; standard output where none is given.
        page: path of the report's page, named at the end.
    """
    out = stream or sys.stdout
    console = Console(file=out, width=None if out.isatty() else PLAIN_WIDTH, highlight=False, markup=False, emoji=False)
    console.print(_whole(report, page))


def render(report: Report, width: int = PLAIN_WIDTH, page: str | None = None) -> str:
    """The report as plain text."""
    out = StringIO()
    console = Console(file=out, width=width, highlight=False, markup=False, emoji=False, color_system=None)
    console.print(_whole(report, page))
    return out.getvalue()


def _whole(report: Report, page: str | None) -> RenderableType:
    parts: list[RenderableType] = []
    for heading, body in _sections(report, page):
        parts += [Text(f"\n{heading}", style="bold"), Padding(body, (0, 0, 0, 2), expand=False)]
    return Group(_head(report), *parts)


def _head(report: Report) -> RenderableType:
    nights = [f"{visible(night.studio_id)}, {night.gaming_day} ({count(night.rounds, 'round')})" for night in report.nights]
    shown = nights[:5] + ([f"and {len(nights) - 5} more"] if len(nights) > 5 else [])
    lines = [Text("Resettle: " + ("; ".join(shown) or "no activity"), style="bold")]
    lines += [Text(f"{'  ' if told.good else '! '}{told.text}", style="green" if told.good else "bold red") for told in answers(report)]
    return Group(*lines)


def _sections(report: Report, page: str | None) -> Iterator[tuple[str, RenderableType]]:
    yield from _complete(report)
    yield from _paid(report)
    yield from _wrong(report)
    if report.game.odd:
        rows = ((test_of(test), probability_of(test.adjusted)) for test in report.game.odd)
        yield "The game: what stands out beyond chance", _table(("Test", ">Corrected probability"), rows)
    if report.not_checked:
        yield "Not checked", _not_checked(report)
    yield "How to get the same again", _again(report, page)


def _complete(report: Report) -> Iterator[tuple[str, RenderableType]]:
    yield "Rounds", Text(", ".join(f"{row.rounds:,} {row.status}" for row in report.rounds) or "none")
    if report.files:
        yield "Files: records = accepted + repeats + quarantined + other day", _files(report)
    if report.quarantined:
        rows = ((f"{row.records:,}", visible(row.reason), f"{visible(row.source_file)}:{row.source_line}") for row in report.quarantined)
        yield "Quarantine", _table((">Records", "Why it cannot be read", "First"), rows)


def _paid(report: Report) -> Iterator[tuple[str, RenderableType]]:
    if report.money:
        yield "Money (real money; a currency on each line)", _money(report)
        yield "What came of the wagers", _states(report)
    if report.unsettleable:
        reasons = ((f"{row.wagers:,}", visible(row.reason)) for row in report.unsettleable)
        yield "Why wagers cannot be settled", _table((">Wagers", "Reason"), reasons)
    if report.conservation:
        yield "Conservation of money: paid less due is what findings name", _conservation(report)
    if report.wallet:
        yield "Due, reported, and moved by the wallet", _wallet(report)


def _wrong(report: Report) -> Iterator[tuple[str, RenderableType]]:
    if report.incidents:
        yield "Incidents: wrong payments with one cause, the systematic ones first", _incidents(report)
    if report.worst:
        yield f"The worst {len(report.worst)}", Group(*(_worst(number, found) for number, found in enumerate(report.worst, 1)))
    if report.findings:
        yield "Findings", _findings(report)


def _money(report: Report) -> RenderableType:
    head = ("Currency", ">Wagers", ">Handle", ">Handed back", ">Hold", ">Too much", ">Too little")
    rows = (
        (
            visible(row.currency),
            f"{row.wagers:,}",
            amount(row.handle, None),
            amount(row.returned, None),
            amount(row.hold, None),
            amount(row.overpaid, None),
            amount(row.underpaid, None),
        )
        for row in report.money
    )
    return Group(_table(head, rows), *(Text(line) for line in how_hold_comes_about(report)))


def _states(report: Report) -> RenderableType:
    rows = (
        (
            STATE_WORDS.get(row.settlement, row.settlement),
            f"{row.wagers:,}",
            amount(row.staked, row.currency),
            amount(row.returned, row.currency),
            amount(row.due, row.currency),
        )
        for row in report.states
    )
    table = _table(("", ">Wagers", ">Staked", ">Handed back", ">Due"), rows)
    return Group(table, Text(f"{count(report.test_wagers, 'test wager')} in no total")) if report.test_wagers else table


def _wallet(report: Report) -> RenderableType:
    rows = (
        (
            visible(row.operator_id),
            visible(row.standing),
            amount(row.due, None),
            amount(row.reported, None),
            amount(row.wallet, row.currency),
            amount(row.wallet_less_reported, None, signed=True),
        )
        for row in report.wallet
    )
    return _table(("Operator", "Standing", ">Due", ">Reported", ">Wallet", ">Wallet less report"), rows)


def _incidents(report: Report) -> RenderableType:
    lines = [Text(f"{number:>2}. {visible(one.message)}") for number, one in enumerate(report.incidents, 1)]
    return Group(*lines, Text(incidents_in_all(report), style="dim"))


def _findings(report: Report) -> RenderableType:
    rows = (
        (Text(row.severity, _STYLES[row.severity]), f"{row.findings:,}", visible(row.title), visible(row.check_id))
        for row in report.findings
    )
    return _table(("Severity", ">Number", "What", "Check"), rows)


def _worst(number: int, found: Worst) -> RenderableType:
    delta = amount(found.delta, found.currency, signed=True) if found.delta is not None else ""
    where = [
        f"{visible(found.source_file)}:{found.source_line}" if found.source_file else "",
        f"table {visible(found.table_id)}" if found.table_id else "",
    ]
    where += [f"round {visible(found.round_id)}" if found.round_id else "", f"wager {visible(found.wager_id)}" if found.wager_id else ""]
    line = Text.assemble(f"{number:>2}. ", (found.severity, _STYLES[found.severity]), f"  {visible(found.check_id)}  {delta}")
    cause = [Text(f"cause: {visible(found.root_cause)}")] if found.root_cause else []
    details = Group(Text(visible(found.message) or found.title), *cause, Text(", ".join(filter(None, where)), style="dim"))
    return Group(line, Padding(details, (0, 0, 0, 4), expand=False))


def _files(report: Report) -> RenderableType:
    head = ("File", ">Records", ">Accepted", ">Repeats", ">Quarant.", ">Other day", "Books")
    rows = (
        (
            visible(row.source_file),
            *(f"{number:,}" for number in (row.records, row.accepted, row.repeats, row.quarantined, row.other_day)),
            "balance" if row.balances else "DO NOT BALANCE",
        )
        for row in report.files
    )
    return _table(head, rows)


def _conservation(report: Report) -> RenderableType:
    rows = (
        (
            visible(row.studio_id),
            str(row.gaming_day),
            visible(row.operator_id),
            amount(row.paid - row.due, row.currency, signed=True),
            amount(row.explained, row.currency, signed=True),
            "yes" if not row.difference else f"NO: {amount(row.difference, row.currency, signed=True)}",
        )
        for row in report.conservation
    )
    return _table(("Studio", "Day", "Operator", ">Paid less due", ">In findings", "Conserved"), rows)


def _not_checked(report: Report) -> RenderableType:
    wholly: dict[str, list[str]] = {}
    for row in report.not_checked:
        if not row.examined:
            wholly.setdefault(row.reason, []).append(row.check_id)
    lines = [f"{reason}: {', '.join(checks)}" for reason, checks in wholly.items()]
    lines += [
        f"in part: {row.check_id}, {row.not_examined:,} of {row.examined + row.not_examined:,} not: {row.reason}"
        for row in report.not_checked
        if row.examined
    ]
    return Group(*(Text(visible(line)) for line in lines))


def _again(report: Report, page: str | None) -> RenderableType:
    run = report.run
    lines = [
        f"command   {visible(run.command)}",
        f"run       {run.run_id} (publish {run.number}, {run.finished_at:%Y-%m-%d %H:%M:%S} UTC)",
        f"versions  {', '.join(f'{name} {version}' for name, version in run.versions.items())}",
        f"filings   {', '.join(f'{visible(row.filing_id)} revision {row.revision}' for row in report.filings) or 'none'}",
        f"manifest  {run.manifest_sha256}",
    ]
    return Text("\n".join([*lines, *([f"report    {page}"] if page else [])]))


def _table(head: Iterable[str], rows: Iterable[tuple[str | Text, ...]]) -> Table:
    """A table; a heading that starts with ``>`` stands over numbers."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in head:
        right = heading.startswith(">")
        table.add_column(heading.removeprefix(">"), justify="right" if right else "left", overflow="fold", no_wrap=right)
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    return table

"""Filings as the five frames that both engines read, and back from them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.core.filed import FILED_LIMITS, FILED_LINES, FILED_METERS, FILED_WAGERS, FILINGS, Filed
from pipeline.core.times import GamingDay
from pipeline.filings.price import Price
from pipeline.filings.submission import Cap, Filing, Licence, Limit, Line, Meter, Wager

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.core.schema import Table


def frames_of(filings: Sequence[Filing]) -> Filed:
    """The frames of filings; ``filing_no`` is the place in the sequence, from 0.

    Rows stand in the order of ``filing_no``, then kind (ante and play first), then line (the best first).
    """
    numbered = list(enumerate(filings))
    return Filed(
        filings=_frame(FILINGS, (_filing_row(number, each) for number, each in numbered)),
        wagers=_frame(
            FILED_WAGERS,
            (
                (
                    number, wager.kind, wager.judged_on, wager.forfeited_by_fold, wager.rounding, wager.stake_returned, wager.alone,
                    wager.super_royal, wager.paytable,
                )
                for number, each in numbered
                for wager in each.wagers
            ),
        ),
        lines=_frame(
            FILED_LINES,
            (
                (
                    number, wager.kind, line.name, line.price.basis, line.price.num, line.price.den, line.price.flat, line.price.currency,
                    line.price.text,
                )
                for number, each in numbered
                for wager in each.wagers
                for line in wager.lines
            ),
        ),
        limits=_frame(
            FILED_LIMITS,
            ((number, limit.kind, limit.currency, limit.lowest, limit.highest) for number, each in numbered for limit in each.limits),
        ),
        meters=_frame(
            FILED_METERS,
            (
                (
                    number, meter.meter_id, meter.currency, meter.seed,
                    None if meter.contribution is None else meter.contribution.numerator,
                    None if meter.contribution is None else meter.contribution.denominator,
                    meter.share_of, meter.fixed_awards_from_meter, meter.several_winners,
                )
                for number, each in numbered
                for meter in each.meters
            ),
        ),
    )  # fmt: skip


def _filing_row(number: int, filing: Filing) -> tuple[object, ...]:
    minutes = filing.gaming_day.starts_at_minutes
    cap = filing.cap
    return (
        number, filing.filing_id, filing.revision, filing.fingerprint, filing.operator, filing.studio_id, filing.jurisdiction,
        filing.effective_from, filing.effective_to, filing.tables, filing.operators, filing.currencies, filing.decks,
        filing.deck_alternation,
        filing.gaming_day.timezone, f"{minutes // 60:02}:{minutes % 60:02}", filing.qualifier, filing.tie, filing.on_timeout,
        filing.dealer_cards_read, filing.stakes_may_be_added, filing.linked_equal, filing.void_returns_folded, filing.late_credit_grace_s,
        filing.open_round_limit_s, filing.supervisors, filing.submitted_on, filing.approved_on, filing.approval_ref,
        filing.simulcast_approval_ref, filing.location_approval_ref, filing.licence.ref, filing.licence.valid_from, filing.licence.valid_to,
        cap and cap.amount, cap and cap.currency, cap and cap.per, cap and cap.kinds, cap and cap.cut, filing.source_file,
    )  # fmt: skip


def _frame(table: Table, rows: Iterable[tuple[object, ...]]) -> pl.DataFrame:
    columns = list(zip(*rows, strict=True)) or [()] * len(table.columns)
    return pl.DataFrame(
        [
            pl.Series(column.name, [list(value) if isinstance(value, tuple) else value for value in values], dtype=column.dtype)
            for column, values in zip(table.columns, columns, strict=True)
        ]
    )


_Rows = dict[int, list[dict[str, Any]]]

_AS_FILED = (
    "filing_id", "revision", "operator", "studio_id", "jurisdiction", "effective_from", "effective_to", "decks", "deck_alternation",
    "qualifier", "tie", "on_timeout", "dealer_cards_read", "stakes_may_be_added", "linked_equal", "void_returns_folded",
    "late_credit_grace_s", "open_round_limit_s", "submitted_on", "approved_on", "approval_ref", "simulcast_approval_ref",
    "location_approval_ref", "source_file",
)  # fmt: skip


def filings_of(filed: Filed) -> list[Filing]:
    """The filings that frames were made of: what ``frames_of`` was given, by ``filing_no``."""
    wagers, lines, limits, meters = (_by_filing(frame) for frame in (filed.wagers, filed.lines, filed.limits, filed.meters))
    return [
        _filing(row, wagers.get(number, []), lines.get(number, []), limits.get(number, []), meters.get(number, []))
        for row in filed.filings.sort("filing_no").iter_rows(named=True)
        if (number := row["filing_no"]) is not None
    ]


def _by_filing(frame: pl.DataFrame) -> _Rows:
    found: _Rows = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(row.pop("filing_no"), []).append(row)
    return found


def _filing(
    row: dict[str, Any],
    wagers: list[dict[str, Any]],
    lines: list[dict[str, Any]],
    limits: list[dict[str, Any]],
    meters: list[dict[str, Any]],
) -> Filing:
    hours, minutes = row["starts_at"].split(":")
    return Filing(
        **{name: row[name] for name in _AS_FILED},
        tables=tuple(row["tables"]),
        operators=_names(row["operators"]),
        currencies=tuple(row["currencies"]),
        supervisors=tuple(row["supervisors"]),
        gaming_day=GamingDay(row["timezone"], int(hours) * 60 + int(minutes)),
        licence=Licence(row["licence_ref"], row["licence_from"], row["licence_to"]),
        cap=None
        if row["cap_amount"] is None
        else Cap(row["cap_amount"], row["cap_currency"], row["cap_per"], _names(row["cap_kinds"]), row["cap_cut"]),
        wagers=tuple(Wager(lines=tuple(_line(line) for line in lines if line["kind"] == wager["kind"]), **wager) for wager in wagers),
        limits=tuple(Limit(limit["kind"], limit["currency"], limit["min"], limit["max"]) for limit in limits),
        meters=tuple(_meter(meter) for meter in meters),
    )


def _names(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _line(row: dict[str, Any]) -> Line:
    return Line(row["line"], Price(row["basis"], row["num"], row["den"], row["flat"], row["currency"]))


def _meter(row: dict[str, Any]) -> Meter:
    num, den = row.pop("contribution_num"), row.pop("contribution_den")
    return Meter(contribution=None if num is None else Fraction(num, den), **row)

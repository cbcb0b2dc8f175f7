"""Filings as the five frames that both engines read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.core.filed import FILED_LIMITS, FILED_LINES, FILED_METERS, FILED_WAGERS, FILINGS, Filed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.core.schema import Table
    from pipeline.filings.submission import Filing


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

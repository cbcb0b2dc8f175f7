"""A small language for wallet ledgers beside the rounds of ``tests.support.chunks``, and the wallet checks over both.

``debit("10.00", wager="ante")`` is an entry of player p1 in round r1; ``judge(round, debit(...), credit(...))`` runs the wallet checks.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from pipeline.core.schema import TIME
from pipeline.feeds.wallet_stage import STAGED_ENTRY
from tests.support.checks import Ran, _shared_session, engine_rows, run_checks
from tests.support.chunks import AT, DAY, make_chunk
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    import duckdb

Row = dict[str, Any]

CHECKS: Final = (
    "wallet_duplicate", "wallet_credit_and_cancel", "wallet_currency_mismatch", "wallet_orphan", "wallet_missing_debit",
    "wallet_missing_credit", "wallet_amount_mismatch", "wallet_late_credit",
)  # fmt: skip
"""In the contract's order: the first that holds."""


def entry(kind: str, amount: str, at: float, wager: str | None = None, **fields: Any) -> Row:
    """An entry, ``at`` seconds after the round opened. Its id is made of its kind and amount unless ``txn_id`` is given."""
    base = {"operator_id": "op-1", "player_id": "p1", "round_id": "r1", "currency": "USD", "status": "accepted"}
    moment = datetime.fromisoformat(AT).astimezone(UTC) + timedelta(seconds=at)
    return {
        **base, "type": kind, "txn_id": f"{kind}-{amount}", "amount": amount, "wager_id": wager, "at": moment, "at_digits": 3, **fields
    }  # fmt: skip


def debit(amount: str, **fields: Any) -> Row:
    """A stake taken."""
    return entry("debit", amount, fields.pop("at", 4.0), **fields)


def credit(amount: str, **fields: Any) -> Row:
    """Money handed back."""
    return entry("credit", amount, fields.pop("at", 42.0), **fields)


def cancel(amount: str, **fields: Any) -> Row:
    """A debit taken back, under that debit's id."""
    return entry("cancel", amount, fields.pop("at", 20.0), **{"txn_id": f"debit-{amount}", **fields})


def later(hours: float) -> Row:
    """An entry of another player that shows how far the ledger has come: a debit and its cancel, of no one in the log."""
    return entry("debit", "1.00", hours * 3600, player_id="later", round_id="later", txn_id="later", status="rejected")


def registered(con: duckdb.DuckDBPyConnection, round_ids: set[str], entries: tuple[Row, ...], from_day: date = DAY) -> None:
    """Put entries into a connection as a night would: exact repeats dropped, ids that tell two things marked."""
    told = [{"source_file": "wallet.ndjson", "source_line": n, **one, "amount": Decimal(one["amount"])} for n, one in enumerate(entries, 1)]
    frame = pl.DataFrame([{name: one.get(name) for name in STAGED_ENTRY} for one in told], schema=STAGED_ENTRY)
    known = pl.col("round_id").is_in(list(round_ids))
    frame = frame.with_columns(known.fill_null(value=False).alias("round_known"), pl.col("before_log").fill_null(value=False), hour=0)
    frame = frame.unique([name for name in STAGED_ENTRY if name != "source_line"], keep="first", maintain_order=True)
    taken = pl.col("status") == "accepted"
    frame = frame.with_columns(id_reused=taken & (taken.sum().over("operator_id", "type", "txn_id") > 1))
    con.register("wallet_entries", frame)
    clocks = frame.group_by("operator_id").agg(newest=pl.col("at").max()).with_columns(from_day=pl.lit(from_day))
    con.register("wallet_clocks", clocks.cast({"newest": TIME}))


def judge(told: Row | list[Row], *entries: Row, reaches: float = 5.0, from_day: date = DAY, **options: Any) -> Ran:
    """Run the wallet checks over rounds and a ledger.

    Args:
        told: a round, or several.
        *entries: the ledger.
        reaches: hours after the round opened that the ledger has come to.
        from_day: the gaming day on which it begins.
        **options: what an engine says of the wagers (see ``engine_rows``).
    """
    rounds = told if isinstance(told, list) else [told]
    chunk = make_chunk(*rounds)
    con = _shared_session()[0]
    registered(con, {one["round_id"] for one in rounds}, (*entries, *([later(reaches)] if reaches else [])), from_day)
    ran = run_checks(chunk, make_filed(filing()), CHECKS, inputs={"wallet"}, engine=engine_rows(chunk, {}, **options))
    _demand_conserved(con, ran)
    return ran


def lines() -> pl.DataFrame:
    """The lines of the reconciliation of the last ``judge``."""
    return _shared_session()[0].sql("SELECT * EXCLUDE (grace) FROM wallet_lines ORDER BY round_id, player_id, currency").pl()


def _demand_conserved(con: duckdb.DuckDBPyConnection, ran: Ran) -> None:
    """Every entry counts once, and what the wallet moved otherwise than reported is what the findings name."""
    counts = con.sql("SELECT (SELECT count(*) FROM wallet_entries), (SELECT count(*) FROM wallet_booked)").fetchall()[0]
    assert counts[0] == counts[1]
    moved, reported = con.sql("""
        SELECT (SELECT sum(moved) FROM wallet_booked WHERE ref_finding IS NULL),
            (SELECT sum(coalesce(paid, 0) + coalesce(bonus_paid, 0)
                - if(funding = 'cash' AND status = 'accepted', stake, 0)) FROM settlements)
    """).fetchall()[0]
    unreached = con.sql("SELECT coalesce(sum(difference), 0) FROM wallet_lines WHERE NOT examined").fetchall()[0][0]
    named = ran.findings.select((pl.col("paid") - pl.col("expected")).sum()).item() or 0
    assert (moved or 0) - (reported or 0) == named + unreached

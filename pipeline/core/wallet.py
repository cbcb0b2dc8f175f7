"""The wallet's tables, column by column: the ledger's entries as read, as the lake keeps them, and the three-way reconciliation."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.schema import DUE, MONEY, TIME, Column, Table

_SOURCE = (
    Column("source_file", pl.String, "name of the file that the row was read from"),
    Column("source_line", pl.Int64, "line in that file, from 1; the row of a Parquet file"),
)
_ENTRY = (
    Column("operator_id", pl.String, "the operator whose ledger it is"),
    Column("txn_id", pl.String, "the entry's id; an entry is (operator, type, txn_id)"),
    Column("type", pl.String, "debit, credit, cancel or adjustment"),
    Column("status", pl.String, "accepted or rejected"),
    Column("player_id", pl.String, "the player"),
    Column("round_id", pl.String, "the round"),
    Column("wager_id", pl.String, "the wager, where the ledger names it"),
    Column("ref_id", pl.String, "the entry that it cancels or adjusts"),
    Column("ref_finding", pl.String, "the finding that it remedies"),
    Column("amount", MONEY, "the amount, in major units of the currency"),
    Column("currency", pl.String, "ISO 4217 code"),
    Column("at", TIME, "when it was booked"),
    Column("at_digits", pl.Int8, "digits written after the seconds of at"),
)

ENTRY: Final = Table(
    "entry",
    "an entry of a wallet ledger as it was read (wallet-ledger/1)",
    (Column("studio_id", pl.String, "the studio, where the ledger names it"), *_ENTRY, *_SOURCE),
)

WALLET: Final = Table(
    "wallet",
    "an entry of an operator's wallet ledger",
    (
        Column("studio_id", pl.String, "the studio of the round that it belongs to"),
        Column("gaming_day", pl.Date, "the gaming day of the round that it belongs to; of its own time where the round is not known"),
        *_ENTRY,
        Column("moved", DUE, "what it moved to the player, below zero from them; 0 for a rejected entry and for a cancel of one"),
        *_SOURCE,
    ),
)

RECONCILIATION: Final = Table(
    "reconciliation",
    "a player's money in a round, in one currency: what was due, what the studio says it took and paid, and what the wallet moved",
    (
        Column("studio_id", pl.String, "the studio"),
        Column("gaming_day", pl.Date, "the gaming day"),
        Column("table_id", pl.String, "the table; null where the log does not know the round"),
        Column("round_id", pl.String, "the round"),
        Column("operator_id", pl.String, "the operator"),
        Column("player_id", pl.String, "the player, all their sessions together"),
        Column("currency", pl.String, "ISO 4217 code"),
        Column("play_mode", pl.String, "real or test; test play stands in no total"),
        Column("standing", pl.String, "settled (or voided), unsettleable, pending, not_accepted, or unknown to the log"),
        Column("due", DUE, "what should have been handed back, bonus included; null unless settled"),
        Column("staked", DUE, "cash stakes that the studio says it accepted"),
        Column("reported", DUE, "what the studio says it handed back, bonus included"),
        Column("debited", DUE, "what the wallet took"),
        Column("credited", DUE, "what the wallet credited"),
        Column("cancelled", DUE, "debits that the wallet took back"),
        Column("adjusted", DUE, "what the wallet adjusted without naming a finding"),
        Column("remedied", DUE, "what the wallet adjusted to remedy a finding; beside the comparison"),
        Column("stake_difference", DUE, "debited less cancelled less staked"),
        Column("paid_difference", DUE, "credited and adjusted less reported"),
        Column("difference", DUE, "what the player has more (below zero: less) by the wallet than by the studio's report"),
        Column("check_id", pl.String, "the wallet check that it fails, the first that holds; null where none does"),
        Column("examined", pl.Boolean, "the ledger reaches it, and so the wallet checks examine it"),
        Column("status", pl.String, "how it stands, in words"),
    ),
)

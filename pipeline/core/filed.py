"""What the operators filed, as five small frames that one loader makes and both engines read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import polars as pl

from pipeline.core.schema import DUE, MONEY, Column, Table

_NO = Column("filing_no", pl.Int32, "number of the filing in this run, from 0")

FILINGS: Final = Table(
    "filings",
    "a filing: one Rules Submission, one revision",
    (
        _NO,
        Column("filing_id", pl.String, "the filing's id"),
        Column("revision", pl.Int64, "its revision"),
        Column("fingerprint", pl.String, "SHA-256 of what the filing means, over its canonical form"),
        Column("operator", pl.String, "who filed"),
        Column("studio_id", pl.String, "the studio"),
        Column("jurisdiction", pl.String, "where it is filed, like US-PA"),
        Column("effective_from", pl.Date, "first gaming day it governs"),
        Column("effective_to", pl.Date, "last gaming day it governs; null: open"),
        Column("tables", pl.List(pl.String), "the tables it governs"),
        Column("operators", pl.List(pl.String), "the log's operator ids it governs; null: all"),
        Column("currencies", pl.List(pl.String), "ISO 4217 codes"),
        Column("decks", pl.Int64, "decks in use at a table"),
        Column("deck_alternation", pl.Boolean, "two decks alternate round by round"),
        Column("timezone", pl.String, "IANA zone of the gaming day"),
        Column("starts_at", pl.String, "local hour the gaming day starts, HH:MM"),
        Column("qualifier", pl.String, "lowest high card with which the dealer qualifies"),
        Column("tie", pl.String, "push or player_wins"),
        Column("on_timeout", pl.String, "fold, play or play_if_at_least:XYZ; null: not filed"),
        Column("dealer_cards_read", pl.String, "at_reveal or at_draw"),
        Column("stakes_may_be_added", pl.Boolean, "a kind may be staked twice by one participant"),
        Column("linked_equal", pl.Boolean, "ante and Pair Plus are linked and equal, 58 Pa. Code § 649a.7(e)"),
        Column("void_returns_folded", pl.Boolean, "a void returns the stakes of those who folded"),
        Column("late_credit_grace_s", pl.Int64, "seconds after posting within which a credit is in time"),
        Column("open_round_limit_s", pl.Int64, "seconds after which an open round has aged"),
        Column("supervisors", pl.List(pl.String), "who may verify beside the dealer"),
        Column("submitted_on", pl.Date, "when it was submitted"),
        Column("approved_on", pl.Date, "when it was approved"),
        Column("approval_ref", pl.String, "the approval's reference"),
        Column("simulcast_approval_ref", pl.String, "the simulcast approval's reference"),
        Column("location_approval_ref", pl.String, "the location approval's reference"),
        Column("licence_ref", pl.String, "the studio licence"),
        Column("licence_from", pl.Date, "first day of the studio licence"),
        Column("licence_to", pl.Date, "last day of the studio licence"),
        Column("cap_amount", DUE, "aggregate payout limit; null: not filed"),
        Column("cap_currency", pl.String, "its currency"),
        Column("cap_per", pl.String, "player_round, hand or round"),
        Column("cap_kinds", pl.List(pl.String), "the kinds it counts; null: all"),
        Column("cap_cut", pl.String, "pro_rata or last_first"),
        Column("source_file", pl.String, "the file it was read from"),
    ),
)

FILED_WAGERS: Final = Table(
    "filed_wagers",
    "a wager kind that a filing offers; ante, play and ante_bonus are kinds too",
    (
        _NO,
        Column("kind", pl.String, "the wager kind"),
        Column("judged_on", pl.String, "player_three, best_five_of_six, or showdown (ante and play)"),
        Column("forfeited_by_fold", pl.Boolean, "a fold forfeits it"),
        Column("rounding", pl.String, "exact, down or half_up, to the currency's minor unit"),
        Column("stake_returned", pl.Boolean, "a flat or meter price also hands the stake back"),
        Column("alone", pl.Boolean, "it may stand without an ante"),
        Column("super_royal", pl.String, "what makes a Super Royal, where filed"),
        Column("paytable", pl.String, "the licensed paytable's name, where one was filed by name"),
    ),
)

FILED_LINES: Final = Table(
    "filed_lines",
    "a line of a filed paytable; ante and play have the one line 'win'",
    (
        _NO,
        Column("kind", pl.String, "the wager kind"),
        Column("line", pl.String, "the category that is paid"),
        Column("basis", pl.String, "to, for, flat or meter"),
        Column("num", pl.Int64, "x of 'x to y' and 'x for y'; the percentage of a meter in millionths; null for flat"),
        Column("den", pl.Int64, "y of 'x to y' and 'x for y'; 100 million for a meter; null for flat"),
        Column("flat", DUE, "the flat amount"),
        Column("currency", pl.String, "of the flat amount"),
        Column("odds", pl.String, "as filed: '40 to 1', 'flat 1000000.00 USD', 'meter 100 %'"),
    ),
)

FILED_LIMITS: Final = Table(
    "filed_limits",
    "the stakes that a filing allows",
    (
        _NO,
        Column("kind", pl.String, "the wager kind"),
        Column("currency", pl.String, "the currency; null: each filed one"),
        Column("min", MONEY, "lowest stake"),
        Column("max", MONEY, "highest stake"),
    ),
)

FILED_METERS: Final = Table(
    "filed_meters",
    "a progressive meter",
    (
        _NO,
        Column("meter_id", pl.String, "the meter"),
        Column("currency", pl.String, "its currency"),
        Column("seed", MONEY, "what it starts from after a win of all of it"),
        Column("contribution_num", pl.Int64, "share of each stake that feeds it, as a fraction: numerator"),
        Column("contribution_den", pl.Int64, "denominator"),
        Column("share_of", pl.String, "the wager kind that feeds it and wins from it"),
        Column("fixed_awards_from_meter", pl.Boolean, "fixed awards are taken from the meter"),
        Column("several_winners", pl.String, "share_equally or each_in_full"),
    ),
)

FILED_EDGES: Final = Table(
    "filed_edges",
    "what a wager kind of a filing keeps for the house on average, exactly; an ante stands with its bonus",
    (
        _NO,
        Column("kind", pl.String, "the wager kind"),
        Column("house_edge", pl.String, "of one unit staked, as a fraction; of ante and play at optimal play; flat and meter awards apart"),
        Column("house_edge_percent", DUE, "the same in percent, to six decimals"),
    ),
)

FILED_CHANCES: Final = Table(
    "filed_chances",
    "how many of all dealt hands a filed paytable line pays",
    (
        _NO,
        Column("kind", pl.String, "the wager kind"),
        Column("line", pl.String, "the category that is paid"),
        Column("ways", pl.Int64, "hands that it pays"),
        Column("of_hands", pl.Int64, "of so many: 22,100 hands of three cards, or 20,358,520 of six"),
    ),
)

FILED_TABLES: Final = (FILINGS, FILED_WAGERS, FILED_LINES, FILED_LIMITS, FILED_METERS)


@dataclass(frozen=True, slots=True)
class Filed:
    """All filings of a run as frames; each row names its filing by ``filing_no``."""

    filings: pl.DataFrame
    wagers: pl.DataFrame
    lines: pl.DataFrame
    limits: pl.DataFrame
    meters: pl.DataFrame

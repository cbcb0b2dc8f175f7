"""The tables that an audit computes, column by column: the settlements, the findings and what was examined (round-log/1's lake)."""

from __future__ import annotations

from typing import Final

import polars as pl

from pipeline.core.schema import DUE, ENGINE, TIME, WAGERS, Column, Table

_WAGER = {column.name: column for column in WAGERS.columns}
_ENGINE = {column.name: column for column in ENGINE.columns}
_RUN = Column("run_id", pl.String, "the run: a digest of the files, filings, checks and versions that it rests on")
_FILING = (
    Column("filing_id", pl.String, "the filing in force; null where none is"),
    Column("filing_fingerprint", pl.String, "SHA-256 of what that filing means"),
)

SETTLEMENTS: Final = Table(
    "settlements",
    "a current wager: what was due, what was paid, and the difference",
    (
        *(_WAGER[name] for name in ("studio_id", "gaming_day", "table_id", "round_id", "wager_id", "operator_id", "player_id")),
        *(_WAGER[name] for name in ("kind", "currency", "stake")),
        *(_ENGINE[name] for name in ("hand_category", "dealer_category", "dealer_qualifies", "outcome", "line", "odds")),
        *(_ENGINE[name] for name in ("expected", "expected_bonus")),
        *(_WAGER[name] for name in ("paid", "bonus_paid")),
        Column("delta", DUE, "paid and bonus paid less both expected, nothing recorded counting 0; null where nothing is expected"),
        *(_ENGINE[name] for name in ("settlement", "settlement_reason")),
        *_FILING,
        _ENGINE["rule"],
        *(_WAGER[name] for name in ("round_key", "participant_key", "hand_key", "wager_key", "play_mode", "status", "funding")),
        _ENGINE["filing_no"],
        *(_WAGER[name] for name in ("source_file", "source_line")),
    ),
)

FINDINGS: Final = Table(
    "findings",
    "something that is wrong, or worth knowing (severity info)",
    (
        Column("finding_id", pl.String, "digest of check, studio, subject and what tells two such apart; the same in every run"),
        _RUN,
        Column("gaming_day", pl.Date, "the gaming day it belongs to"),
        Column("studio_id", pl.String, "the studio"),
        Column("table_id", pl.String, "the table; null where it is about none"),
        Column("check_id", pl.String, "the check that raised it"),
        Column("severity", pl.String, "critical, high, medium or info; of a test player always info"),
        Column("round_id", pl.String, "the round; null where it is about none"),
        Column("wager_id", pl.String, "the wager; null where it is about none"),
        Column("hand_id", pl.String, "the hand; null where it is about none"),
        Column("dealer_id", pl.String, "who dealt the round"),
        Column("operator_id", pl.String, "the operator; null where it is about none"),
        Column("player_id", pl.String, "the player; null where it is about none"),
        Column("currency", pl.String, "of the amounts"),
        Column("expected", DUE, "due in all, bonus included"),
        Column("paid", DUE, "handed back in all, bonus included"),
        Column("delta", DUE, "paid less expected; of money findings on settled or voided real-money wagers alone, so that it sums"),
        Column("root_cause", pl.String, "the likeliest fault that reproduces what was paid; unexplained where none does or none was tried"),
        Column("root_causes", pl.List(pl.String), "every fault that reproduces it, likeliest first, at most eight"),
        Column("root_cause_detail", pl.String, "the price, line, stake or reading meant; of unexplained, why no fault was tried"),
        Column("message", pl.String, "one sentence: what happened, what was due and by which rule"),
        Column("citation", pl.String, "the filing and its key, compared with the regulation where Pennsylvania's applies"),
        Column("filing_fingerprint", pl.String, "SHA-256 of what the cited filing means"),
        *(_WAGER[name] for name in ("source_file", "source_line")),
        Column("incident_id", pl.String, "the incident that it is part of; null where it is no money finding on real money"),
    ),
)

_PAID_WRONG = pl.Struct([
    pl.Field("currency", pl.String), pl.Field("wagers", pl.Int64), pl.Field("players", pl.Int64),
    pl.Field("overpaid", DUE), pl.Field("underpaid", DUE),
])  # fmt: skip

INCIDENTS: Final = Table(
    "incidents",
    "money findings with one cause at one table: a run of rounds in which a rule was broken throughout, or what stands alone",
    (
        Column("incident_id", pl.String, "digest of day, table, wagers, cause, whom it struck and the first round"),
        _RUN,
        Column("gaming_day", pl.Date, "the gaming day"),
        Column("studio_id", pl.String, "the studio"),
        Column("table_id", pl.String, "the table"),
        Column("kind", pl.String, "the wager kind; main for ante and play, which one rule settles; null where it is not known"),
        Column("root_cause", pl.String, "the likeliest fault, as on the findings"),
        Column(
            "root_cause_detail",
            pl.String,
            "the price, line, threshold or filing meant, where it is one; of unexplained, why no fault was tried",
        ),
        Column("also_explained_by", pl.List(pl.String), "other faults that the wagers at hand cannot tell from it"),
        Column("extent", pl.String, "systematic, isolated, or unexplained where no fault reproduces what was paid or none was tried"),
        Column("struck", pl.String, "whom it struck: operator, filing, dealer, deck, software or reader; null: the whole table"),
        Column("struck_id", pl.String, "which of these"),
        Column("opportunities", pl.Int64, "wagers where the broken rule pays otherwise than the right one; null where no rule is known"),
        Column("hits", pl.Int64, "those of them that were paid as the broken rule says: its findings"),
        Column("first_round_id", pl.String, "the first round with a hit"),
        Column("last_round_id", pl.String, "the last round with a hit"),
        Column("first_at", TIME, "when that first round opened"),
        Column("last_at", TIME, "when that last round opened"),
        Column(
            "began_with",
            pl.String,
            "what changed between the last wager paid rightly and its first hit, like dealer B after A",
        ),
        Column("ended_with", pl.String, "what changed between its last hit and the next wager paid rightly"),
        Column("players", pl.Int64, "how many players it touched"),
        Column("money", pl.List(_PAID_WRONG), "per currency: wagers, players, paid too much, paid too little"),
        Column("message", pl.String, "the incident in a sentence"),
    ),
)

COVERAGE: Final = Table(
    "coverage",
    "how much a check examined at a table on a gaming day",
    (
        _RUN,
        Column("gaming_day", pl.Date, "the gaming day"),
        Column("studio_id", pl.String, "the studio"),
        Column("table_id", pl.String, "the table"),
        Column("check_id", pl.String, "the check"),
        Column("examined", pl.Int64, "how many of its subjects were examined"),
        Column("not_examined", pl.Int64, "how many could not be"),
        Column("reason", pl.String, "why; 'not checked: …' where nothing was examined, and null where everything was"),
    ),
)

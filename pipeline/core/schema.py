"""The typed tables, column by column: one source for the readers, the lake, its comments and the data dictionary.

Amounts as logged are ``MONEY`` (DECIMAL(18,6)), amounts computed are ``DUE`` (DECIMAL(38,6)), both in major units of the
row's currency. Times are UTC; ``*_digits`` is the number of digits that the log wrote after the seconds, so that two times are
compared at the coarser of their resolutions. ``*_key`` numbers run over a studio's gaming day in the order of time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import polars as pl

MONEY: Final = pl.Decimal(18, 6)
DUE: Final = pl.Decimal(38, 6)
TIME: Final = pl.Datetime("us", "UTC")
CARDS: Final = pl.List(pl.String)

PolarsType = pl.DataType | type[pl.DataType]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, its Polars type and what it means."""

    name: str
    dtype: PolarsType
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, what a row is, and its columns in order."""

    name: str
    row: str
    columns: tuple[Column, ...]

    @property
    def schema(self) -> pl.Schema:
        """Name to Polars type, in order."""
        return pl.Schema({c.name: c.dtype for c in self.columns})

    def empty(self) -> pl.DataFrame:
        """A frame with these columns and no row."""
        return pl.DataFrame(schema=self.schema)


def _time(name: str, meaning: str) -> tuple[Column, Column]:
    return Column(name, TIME, meaning), Column(f"{name}_digits", pl.Int8, f"digits written after the seconds of {name}")


_DAY = (
    Column("studio_id", pl.String, "the studio that dealt the round"),
    Column("gaming_day", pl.Date, "local date after subtracting the filed start hour; of the round, for everything in it"),
    Column("table_id", pl.String, "the table"),
    Column("round_id", pl.String, "the round's id, unique in its studio"),
)
_ROUND_KEY = Column("round_key", pl.Int64, "number of the round's telling within its studio and gaming day, in order of time")
_CURRENT = Column("is_current", pl.Boolean, "true for what stands now; false for what a later telling replaced")
_SOURCE = (
    Column("source_file", pl.String, "name of the file that the row was read from"),
    Column("source_line", pl.Int64, "line in that file, row of a Parquet or game of a history, from 1"),
)
_PERSON = (
    Column("operator_id", pl.String, "the operator whose player it is"),
    Column("player_id", pl.String, "the player, as the operator names them"),
    Column("session_id", pl.String, "the player's session, where the log gives one"),
    Column("hand_id", pl.String, "the hand that the wager is on"),
)

ROUNDS: Final = Table(
    "rounds",
    "a telling of a round",
    (
        *_DAY,
        _ROUND_KEY,
        Column("revision", pl.Int64, "which telling of the round, as logged"),
        Column("recorded_at", TIME, "when this telling was recorded"),
        _CURRENT,
        Column("conflicting", pl.Boolean, "two contents of this round stand in one delivery: its wagers are unsettleable"),
        Column("game", pl.String, "three_card_poker"),
        Column("sequence", pl.Int64, "the table's own count of rounds"),
        Column("filing_id", pl.String, "the filing that the table says it runs under (a claim)"),
        Column("dealer_id", pl.String, "who dealt"),
        Column("deck_id", pl.String, "which deck was in play"),
        Column("shuffler_in_use", pl.Boolean, "whether an automated shuffler was in use"),
        Column("software_version", pl.String, "the table software"),
        Column("video_ref", pl.String, "where the pictures are"),
        Column("stream_outages", pl.List(pl.Struct({"from": TIME, "to": TIME})), "when players had no pictures"),
        Column("status", pl.String, "settled, voided, interrupted or open"),
        Column("has_void", pl.Boolean, "the log carries a void"),
        Column("void_reason", pl.String, "why it was voided"),
        Column("void_authorised_by", pl.String, "who allowed the void"),
        Column("void_at", TIME, "when it was voided"),
        Column("void_scope", pl.String, "round or part"),
        Column("void_hand_ids", pl.List(pl.String), "hands named by a part void"),
        Column("void_player_ids", pl.List(pl.String), "players named by a part void"),
        Column("void_wager_ids", pl.List(pl.String), "wagers named by a part void"),
        Column("dated_at", TIME, "the time that dates the round: opened_at, else the first of the others that is there"),
        *_time("opened_at", "when bets opened"),
        *_time("bets_closed_at", "when bets closed"),
        *_time("dealer_revealed_at", "when the dealer's hand was turned"),
        *_time("verified_at", "when the result was verified"),
        Column("verified_by", pl.String, "who verified the result"),
        *_time("posted_at", "when the result was posted"),
        Column(
            "feed_lacks",
            pl.List(pl.String),
            "what the feed that told the round never carries: cards (it is graded money only), decision, void_reason; null: nothing",
        ),
        *_SOURCE,
    ),
)

HANDS: Final = Table(
    "hands",
    "a hand of a round: the dealer's, each posted hand, and each that a reading or a participant names",
    (
        *_DAY,
        _ROUND_KEY,
        Column("hand_key", pl.Int64, "number of the hand within the studio's gaming day"),
        Column("hand_id", pl.String, "the hand's id; 'dealer' for the dealer's"),
        Column("is_dealer", pl.Boolean, "the dealer's hand"),
        Column("cards", CARDS, "the cards as posted, in dealt order; null where the hand was not posted"),
        _CURRENT,
        *_SOURCE,
    ),
)

CARD_READINGS: Final = Table(
    "card_readings",
    "a reading of one card",
    (
        *_DAY,
        _ROUND_KEY,
        Column("hand_key", pl.Int64, "the hand that it was read for"),
        Column("reading_no", pl.Int32, "order in the log, from 0"),
        Column("seq", pl.Int64, "the reading's own number in the round"),
        Column("to", pl.String, "'dealer' or a hand id"),
        Column("position", pl.Int64, "place in the hand, from 1"),
        Column("card", pl.String, "rank and suit, or '??'"),
        Column("source", pl.String, "scanner or manual"),
        *_time("read_at", "when it was read"),
        Column("replaces", pl.Int64, "the seq that it corrects"),
        Column("by", pl.String, "who corrected it"),
        Column("device_id", pl.String, "the reader"),
        _CURRENT,
        *_SOURCE,
    ),
)

PARTICIPANTS: Final = Table(
    "participants",
    "a player's part in a round: studio, round, operator, player, session and hand",
    (
        *_DAY,
        _ROUND_KEY,
        Column("participant_key", pl.Int64, "number of the participant within the studio's gaming day"),
        *_PERSON,
        Column("hand_key", pl.Int64, "the hand; null where none is named"),
        Column("currency", pl.String, "ISO 4217 code"),
        Column("decision", pl.String, "play, fold or null: what the log claims"),
        *_time("decided_at", "when it was decided"),
        Column("decided_by", pl.String, "player, timeout, disconnect or operator"),
        Column("play_mode", pl.String, "real or test"),
        _CURRENT,
        *_SOURCE,
    ),
)

WAGERS: Final = Table(
    "wagers",
    "a wager, as logged",
    (
        *_DAY,
        _ROUND_KEY,
        Column("participant_key", pl.Int64, "the participant who placed it"),
        Column("hand_key", pl.Int64, "the hand that it is on; null where none is named"),
        Column("wager_key", pl.Int64, "number of the wager within the studio's gaming day"),
        Column("wager_id", pl.String, "the wager's id, unique in its round; '#2' is added to a repeated id"),
        Column("id_repeated", pl.Boolean, "its id stood in the round before"),
        *_PERSON,
        Column("currency", pl.String, "ISO 4217 code"),
        Column("play_mode", pl.String, "real or test"),
        Column("kind", pl.String, "ante, play, pair_plus, … or one that the filing defines"),
        Column("stake", MONEY, "what was staked"),
        *_time("placed_at", "when it was placed"),
        Column("paid", MONEY, "everything handed back, stake included; null where nothing is recorded"),
        *_time("paid_at", "when it was paid"),
        Column("bonus_paid", MONEY, "the ante bonus, where it is booked beside the ante"),
        Column("status", pl.String, "accepted, rejected or cancelled"),
        Column("funding", pl.String, "cash or free"),
        _CURRENT,
        *_SOURCE,
    ),
)

DISPLAYED: Final = Table(
    "displayed",
    "a price, a limit or the number of decks as shown to players",
    (
        *_DAY,
        _ROUND_KEY,
        Column("read_at", TIME, "when the display was read"),
        Column("what", pl.String, "odds, limits or decks"),
        Column("operator_id", pl.String, "whose players see it; null: all"),
        Column("kind", pl.String, "the wager kind"),
        Column("line", pl.String, "the paytable line, for odds"),
        Column("price", pl.String, "the price as shown, for odds"),
        Column("currency", pl.String, "for limits"),
        Column("min", MONEY, "for limits"),
        Column("max", MONEY, "for limits"),
        Column("decks", pl.Int64, "for decks"),
        _CURRENT,
        *_SOURCE,
    ),
)

METERS: Final = Table(
    "meters",
    "a meter's movement in a round",
    (
        *_DAY,
        _ROUND_KEY,
        Column("meter_no", pl.Int32, "order in the round, from 0"),
        Column("meter_id", pl.String, "the meter"),
        Column("kind", pl.String, "the wager kind that feeds it"),
        Column("seq", pl.Int64, "the meter's own count of movements"),
        Column("before", MONEY, "its value before the round"),
        Column("contribution", MONEY, "what the round's wagers added"),
        Column("paid", MONEY, "what was paid from it"),
        Column("reseed", MONEY, "what was put back"),
        Column("after", MONEY, "its value after the round"),
        Column("currency", pl.String, "ISO 4217 code"),
        _CURRENT,
        *_SOURCE,
    ),
)

ENGINE: Final = Table(
    "engine",
    "what an engine says of a wager, one row for each current wager in the order of wager_key",
    (
        Column("wager_key", pl.Int64, "the wager"),
        Column("settlement", pl.String, "settled, voided, unsettleable, pending or not_accepted"),
        Column("settlement_reason", pl.String, "why it is not simply settled; null where it is"),
        Column("filing_no", pl.Int32, "row of the filings frame in force; null where none is"),
        Column("hand_category", pl.String, "category of the hand that the wager is judged on"),
        Column("dealer_category", pl.String, "category of the dealer's three cards"),
        Column("dealer_qualifies", pl.Boolean, "the dealer's hand reaches the filed qualifier"),
        Column("outcome", pl.String, "win, lose, push, forfeit or void; null where not settled or voided"),
        Column("line", pl.String, "the paytable line that pays; on an ante, of the ante bonus"),
        Column("odds", pl.String, "that line's price as filed"),
        Column("expected", DUE, "due in all, ante bonus apart; null unless settled or voided"),
        Column("expected_bonus", DUE, "due as ante bonus; null unless it is an ante settled or voided"),
        Column("rule", pl.String, "the filing's key that decides, like pair_plus.forfeited_by_fold"),
    ),
)

QUARANTINE: Final = Table(
    "quarantine",
    "a record that cannot be read",
    (
        Column("source_file", pl.String, "name of the file"),
        Column("source_line", pl.Int64, "line in that file, row of a Parquet or game of a history, from 1"),
        Column("byte_offset", pl.Int64, "offset of the record in the decompressed file, from 0"),
        Column("reason", pl.String, "why it cannot be read"),
        Column("raw", pl.Binary, "the record byte for byte"),
    ),
)

SOURCE_FILES: Final = Table(
    "source_files",
    "a file that was read, with its books: records = accepted + repeats + quarantined + other_day",
    (
        Column("source_file", pl.String, "name of the file"),
        Column("sha256", pl.String, "digest of the file as delivered"),
        Column("bytes", pl.Int64, "size of the file as delivered"),
        Column("lines", pl.Int64, "lines, rows or games in it, blank lines included, the header of a CSV not"),
        Column("blank", pl.Int64, "blank lines"),
        Column("records", pl.Int64, "records in it"),
        Column("accepted", pl.Int64, "records taken in"),
        Column("repeats", pl.Int64, "records that repeat another to the last value"),
        Column("quarantined", pl.Int64, "records that cannot be read"),
        Column("other_day", pl.Int64, "records of a gaming day that was not asked for"),
        Column("unknown_fields", pl.List(pl.Struct({"field": pl.String, "count": pl.Int64})), "fields that the format does not know"),
    ),
)

CHUNK_TABLES: Final = (ROUNDS, HANDS, CARD_READINGS, PARTICIPANTS, WAGERS, DISPLAYED, METERS)


CHUNK_WAGERS: Final = 350_000
"""How many wagers a chunk holds, about: three are in flight, and where each player has a hand a wager weighs most."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole rounds of one studio and gaming day, as seven typed frames sorted by their keys."""

    rounds: pl.DataFrame
    hands: pl.DataFrame
    card_readings: pl.DataFrame
    participants: pl.DataFrame
    wagers: pl.DataFrame
    displayed: pl.DataFrame
    meters: pl.DataFrame

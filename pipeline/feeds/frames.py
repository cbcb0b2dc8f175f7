"""A block of well-formed records, as the seven frames of ``pipeline.feeds.staged``, each in the order of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import CARDS, MONEY, TIME
from pipeline.feeds.staged import TELLING
from pipeline.feeds.typed import in_zone, money, times

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DEALER: Final = "dealer"
UNREADABLE: Final = "??"
ROUND_TIMES: Final = ("opened_at", "bets_closed_at", "dealer_revealed_at", "verified_at", "posted_at")


class FrameBuilder:
    """Makes the frames of one block, and notes in ``bad`` the tellings that hold an amount or a time that is none.

    Args:
        records: the decoded records with ``telling``; sorted by it.
        zone: IANA zone of times without offset; None: such a time is none.
    """

    def __init__(self, records: pl.DataFrame, zone: str | None = None) -> None:
        self._records = records
        self._zone = zone
        self.bad = pl.Series(TELLING, [], dtype=pl.Int64)

    def rounds(self) -> pl.DataFrame:
        """A row a telling; ``dated_at`` from the round's own times only."""
        void = pl.col("void").struct
        frame = self._records.select(
            TELLING, "studio_id", "table_id", "round_id", "revision", "recorded_at",
            pl.col("game").fill_null("three_card_poker"),
            "sequence", "filing_id", "dealer_id", "deck_id", "shuffler_in_use", "software_version", "video_ref", "status",
            pl.col("void").is_not_null().alias("has_void"),
            void.field("reason").alias("void_reason"), void.field("authorised_by").alias("void_authorised_by"),
            void.field("at").alias("void_at"), void.field("scope").alias("void_scope"),
            void.field("hand_ids").alias("void_hand_ids"), void.field("player_ids").alias("void_player_ids"),
            void.field("wager_ids").alias("void_wager_ids"),
            "opened_at", "bets_closed_at", "dealer_revealed_at", "verified_at", "verified_by", "posted_at",
        )  # fmt: skip
        frame = self._timed(frame, ROUND_TIMES)
        frame = self._timed(frame, ("recorded_at", "void_at"), digits=False)
        return frame.with_columns(self._outages())

    def _outages(self) -> pl.Series:
        kind = pl.List(pl.Struct({"from": TIME, "to": TIME}))
        listed = self._children("stream_outages")
        if listed.is_empty():
            return pl.Series("stream_outages", [None] * self._records.height, dtype=kind)
        listed = self._timed(listed, ("from", "to"), digits=False)
        gathered = listed.group_by(TELLING, maintain_order=True).agg(pl.struct("from", "to").alias("stream_outages"))
        return self._records.select(TELLING).join(gathered, on=TELLING, how="left", maintain_order="left")["stream_outages"].cast(kind)

    def hands(self, named: Sequence[pl.DataFrame]) -> pl.DataFrame:
        """A row a hand: the dealer's first, then those posted, then those that ``named`` (telling, hand_id) names besides."""
        dealt = self._records.select(TELLING, hand_id=pl.lit(DEALER), cards="dealer_hand")
        posted = self._children("hands").select(TELLING, "hand_id", "cards")
        frame = pl.concat([dealt, posted]).with_columns(_filled("cards"))
        if frame.select(TELLING, "hand_id").is_duplicated().any():
            frame = _posted_once(frame)
        known = pl.concat([frame, *(one.select(TELLING, "hand_id", cards=pl.lit(None, CARDS)) for one in named)])
        nameless = known.filter(pl.col("hand_id").is_null() & pl.col("cards").is_not_null())
        known = known.filter(pl.col("hand_id").is_not_null()).unique([TELLING, "hand_id"], keep="first", maintain_order=True)
        return (
            pl.concat([known, nameless])
            .sort(TELLING, maintain_order=True)
            .with_columns(hand_no=pl.int_range(pl.len(), dtype=pl.Int32).over(TELLING), is_dealer=pl.col("hand_id").eq_missing(DEALER))
            .select(TELLING, "hand_no", "hand_id", "is_dealer", "cards")
        )

    def card_readings(self) -> pl.DataFrame:
        """A row a reading, without ``hand_no``."""
        frame = self._timed(self._children("card_readings"), ("read_at",))
        return frame.with_columns(reading_no=_number())

    def participants(self) -> pl.DataFrame:
        """A row a participant as the log lists them, with ``wagers`` still nested and ``entry`` its row, without ``hand_no``."""
        frame = self._timed(self._children("participants"), ("decided_at",))
        return frame.with_columns(pl.col("play_mode").fill_null("real"), entry=pl.int_range(pl.len(), dtype=pl.Int32))

    def wagers(self, participants: pl.DataFrame) -> pl.DataFrame:
        """A row a wager, with what it takes from its participant."""
        taken = (TELLING, "participant_no", "hand_no", "operator_id", "player_id", "session_id", "hand_id", "currency", "play_mode")
        frame = _unfolded(participants.select(*taken, "wagers"), "wagers")
        frame = self._timed(frame, ("placed_at", "paid_at"))
        frame = self._priced(frame, ("stake", "paid", "bonus_paid"))
        self._note(frame, frame["stake"].is_null())
        frame = frame.with_columns(pl.col("status").fill_null("accepted"), pl.col("funding").fill_null("cash"), wager_no=_number())
        return _identified(frame)

    def displayed(self) -> pl.DataFrame:
        """A row a price, a limit or a number of decks as displayed."""
        texts = dict.fromkeys(("what", "operator_id", "kind", "line", "price", "currency", "min", "max"), pl.String)
        empty = pl.DataFrame(schema={TELLING: pl.Int64, "read_at": TIME, **texts, "decks": pl.Int64})
        shown = self._records.select(TELLING, "displayed").filter(pl.col("displayed").is_not_null()).unnest("displayed")
        parts = [empty]
        if not shown.is_empty():
            shown = self._timed(shown, ("read_at",), digits=False)
            parts += [
                _unfolded(shown.select(TELLING, "read_at", "odds"), "odds").with_columns(what=pl.lit("odds")),
                _unfolded(shown.select(TELLING, "read_at", "limits"), "limits").with_columns(what=pl.lit("limits")),
                shown.filter(pl.col("decks").is_not_null()).select(TELLING, "read_at", "decks", what=pl.lit("decks")),
            ]
        frame = pl.concat(parts, how="diagonal").sort(TELLING, maintain_order=True)
        return self._priced(frame, ("min", "max")).with_columns(display_no=_number())

    def meters(self) -> pl.DataFrame:
        """A row a meter's movement."""
        frame = self._priced(self._children("meters"), ("before", "contribution", "paid", "reseed", "after"))
        return frame.with_columns(meter_no=_number())

    def _children(self, name: str) -> pl.DataFrame:
        return _unfolded(self._records.select(TELLING, name), name)

    def _note(self, frame: pl.DataFrame, bad: pl.Series | None) -> None:
        if bad is not None and bad.any():
            self.bad = pl.concat([self.bad, frame.filter(bad)[TELLING]]).unique()

    def _timed(self, frame: pl.DataFrame, names: Sequence[str], *, digits: bool = True) -> pl.DataFrame:
        # All columns as one, since most are short and each pass over one costs as much as over a few thousand rows.
        texts = pl.concat([frame[name].alias(names[0]) for name in names])
        time, written, bad = times(texts if self._zone is None else in_zone(texts, self._zone))
        columns: dict[str, pl.Series] = {}
        for number, name in enumerate(names):
            start = number * frame.height
            columns[name] = time.slice(start, frame.height)
            if digits:
                columns[f"{name}_digits"] = written.slice(start, frame.height)
            self._note(frame, None if bad is None else bad.slice(start, frame.height))
        return frame.with_columns(**columns)

    def _priced(self, frame: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
        columns: dict[str, pl.Series] = {}
        for name in names:
            columns[name], bad = money(frame[name])
            self._note(frame, bad)
        return frame.with_columns(**columns).cast(dict.fromkeys(names, MONEY))


def _number() -> pl.Expr:
    return pl.int_range(pl.len(), dtype=pl.Int32).over(TELLING)


def _unfolded(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    return frame.explode(name, empty_as_null=False, keep_nulls=False).unnest(name)


def _filled(name: str) -> pl.Expr:
    """A card that is null was not read."""
    return pl.col(name).list.eval(pl.element().fill_null(UNREADABLE))


def _posted_once(posted: pl.DataFrame) -> pl.DataFrame:
    """A hand posted twice: once where both are alike, else with all its cards, which are then too many."""
    cards = pl.col("cards").drop_nulls()
    named = posted.filter(pl.col("hand_id").is_not_null())
    merged = named.group_by([TELLING, "hand_id"], maintain_order=True).agg(
        pl.when(cards.n_unique() > 1)
        .then(cards.list.explode(keep_nulls=False, empty_as_null=False).implode())
        .otherwise(cards.first())
        .alias("cards")
    )
    return pl.concat([merged.select(posted.columns), posted.filter(pl.col("hand_id").is_null())])


def _identified(wagers: pl.DataFrame) -> pl.DataFrame:
    """Gives each wager an id that is unique in its round: ``#n`` where it has none, ``id#2`` to the later of two."""
    wagers = wagers.with_columns(
        pl.col("wager_id").fill_null(pl.concat_str(pl.lit("#"), pl.col("wager_no") + 1)), id_repeated=pl.lit(value=False)
    )
    # A second round is needed only where the log itself uses an id like 'a#2'.
    while (doubled := wagers.select(TELLING, "wager_id").is_duplicated()).any():
        by_time = pl.struct(pl.col("placed_at").cast(pl.Int64).fill_null(2**63 - 1), "wager_no")
        nth = pl.when(doubled).then(by_time.rank("ordinal").over(TELLING, "wager_id")).otherwise(1)
        wagers = wagers.with_columns(nth=nth).with_columns(
            wager_id=pl.when(pl.col("nth") > 1).then(pl.concat_str("wager_id", pl.lit("#"), "nth")).otherwise("wager_id"),
            id_repeated=pl.col("id_repeated") | (pl.col("nth") > 1),
        ).drop("nth")  # fmt: skip
    return wagers

"""From games to records of ``round-log/1``, whole columns at a time, by what the feed profile says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.money import from_micros, micros
from pipeline.core.schema import CARDS, DUE
from pipeline.feeds.profile import ANTE_BONUS
from pipeline.feeds.records import shaped
from pipeline.feeds.staged import TELLING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.feeds.profile import GameHistory, Profile

UNKNOWN_CODE: Final = "code:"
"""What the kind of a wager begins with whose bet code the profile does not know; no filing can offer it."""

SHARED_HAND: Final = "player"
"""The hand's id where one is dealt to all."""

_SIGNED: Final = r"^-?[0-9]{1,12}(?:\.[0-9]{1,6})?$"
_GAME_FIELDS: Final = (
    "round_id", "table_id", "dealer_id", "sequence", "opened_at", "bets_closed_at", "posted_at", "recorded_at", "revision",
    "verified_at", "verified_by",
)  # fmt: skip


def records_of(games: pl.DataFrame, profile: Profile, history: GameHistory) -> pl.DataFrame:
    """The records of some games (``records.RECORD``).

    Args:
        games: ``telling`` and the columns of the game's shape.
        profile: the feed's profile.
        history: its part on game histories.
    """
    place = history.places.game
    rounds = games.select(
        TELLING,
        *(_at(getattr(place, name), pl.Int64 if name in {"sequence", "revision"} else pl.String).alias(name) for name in _GAME_FIELDS),
        studio_id=_at(place.studio_id) if place.studio_id else pl.lit(profile.studio_id),
        status=_said(_at(place.status), history.words.game),
        dealer_hand=_spelt(_at(place.dealer_cards, CARDS), profile),
    )
    persons = _persons(games, rounds, profile, history)
    bets = _bets(persons, history)
    hands = _hands(games, persons, profile, history)
    entries = _entries(persons, bets, history)
    void = _voids(games, rounds, bets, history)
    for part in (hands, entries, void):
        rounds = rounds.join(part, on=TELLING, how="left", maintain_order="left")
    return shaped(rounds)


def _at(place: str | None, kind: pl.DataType | type[pl.DataType] = pl.String, within: str | None = None) -> pl.Expr:
    """The value at a place, of the frame or within the struct in one of its columns."""
    if place is None:
        return pl.lit(None, kind)
    first, *below = place.split(".") if within is None else (within, *place.split("."))
    value = pl.col(first)
    for name in below:
        value = value.struct.field(name)
    return value


def _said(word: pl.Expr, words: Mapping[str, str]) -> pl.Expr:
    """Our words for the provider's; a word that the profile does not know stays, and is refused by the closed list that it is not in."""
    return word.replace_strict(dict(words), default=word, return_dtype=pl.String) if words else word


def _spelt(cards: pl.Expr, profile: Profile) -> pl.Expr:
    """Cards as ``round-log/1`` spells them; what is no card in the feed's spelling stays, and counts as unreadable."""
    return cards.list.eval(pl.element().replace_strict(profile.cards.spelling(), default=pl.element(), return_dtype=pl.String))


def _persons(games: pl.DataFrame, rounds: pl.DataFrame, profile: Profile, history: GameHistory) -> pl.DataFrame:
    place = history.places.participant
    listed = games.select(TELLING, game_currency=_at(history.places.game.currency), person="participants").with_columns(
        game_status=rounds["status"]
    )
    listed = listed.explode("person", empty_as_null=False, keep_nulls=False)

    def at(name: str, kind: pl.DataType | type[pl.DataType] = pl.String) -> pl.Expr:
        return _at(getattr(place, name), kind, "person")

    seat = pl.concat_str(pl.lit("seat-"), pl.int_range(1, pl.len() + 1).over(TELLING))
    return listed.select(
        TELLING, "game_status", "person",
        *(at(name).alias(name) for name in ("player_id", "session_id", "decision", "decided_at", "decided_by")),
        operator_id=at("operator_id") if place.operator_id else pl.lit(profile.operator_id),
        currency=pl.coalesce(at("currency"), "game_currency"),
        hand_id=pl.lit(SHARED_HAND) if history.shared_hand else pl.coalesce(at("hand_id"), seat),
        cards=_spelt(at("cards", CARDS), profile),
        said=_said(at("status"), history.words.participant),
        play_mode=_said(at("play_mode"), history.words.play_mode),
        entry=pl.int_range(pl.len(), dtype=pl.Int64),
    )  # fmt: skip


def _bets(persons: pl.DataFrame, history: GameHistory) -> pl.DataFrame:
    """A row a wager, in the order of the game: ``telling, entry`` and the wager's fields, and whether the round's void reached it."""
    place = history.places.bet
    listed = persons.select(TELLING, "entry", "currency", "said", bet=pl.col("person").struct.field("bets"))
    listed = listed.explode("bet", empty_as_null=False, keep_nulls=False)
    frame = listed.select(
        TELLING, "entry", "currency", "said",
        *(_at(getattr(place, name), within="bet").alias(name) for name in ("code", "stake", "payout", "placed_at", "paid_at", "wager_id")),
    )  # fmt: skip
    frame = _paid(frame, history)
    unknown = pl.concat_str(pl.lit(UNKNOWN_CODE), "code")
    frame = frame.with_columns(kind=pl.col("code").replace_strict(dict(history.codes), default=unknown, return_dtype=pl.String))
    frame = _with_bonus(frame, history).with_columns(number=pl.int_range(1, pl.len() + 1).over(TELLING))
    named = pl.concat_str("wager_id", pl.lit(":"), "code") if history.wager_ids == "with_code" else pl.col("wager_id")
    return frame.with_columns(
        wager_id=pl.coalesce(named, pl.concat_str(pl.lit("#"), "number")),
        status=pl.when(~pl.col("said").is_in(["accepted", "voided"])).then("said"),
        voided=(pl.col("said") == "voided").fill_null(value=False),
    )


def _paid(bets: pl.DataFrame, history: GameHistory) -> pl.DataFrame:
    """Stakes and what was handed back, stake included, in units of the currency; text that is no amount stays as it is."""
    if history.payout == "gross" and not history.units:
        return bets.rename({"payout": "paid"})
    unit = pl.col("currency").replace_strict(dict(history.units), default=1, return_dtype=pl.Int64).fill_null(1).cast(pl.Int128)

    def units(name: str) -> pl.Expr:
        text = pl.col(name)
        return micros(pl.when(text.str.contains(_SIGNED)).then(text).cast(DUE)) * unit

    back = units("payout") + units("stake").fill_null(0) if history.payout == "net" else units("payout")
    return bets.with_columns(
        stake=pl.coalesce(from_micros(units("stake")).cast(pl.String), "stake"),
        paid=pl.coalesce(from_micros(back).cast(pl.String), "payout"),
    )


def _with_bonus(bets: pl.DataFrame, history: GameHistory) -> pl.DataFrame:
    """Adds ``bonus_paid``, and takes out the bets that carry nothing but the bonus of an ante beside them."""
    if history.ante_bonus == "in_ante":
        return bets.with_columns(bonus_paid=pl.lit(None, pl.String))
    none = pl.when((pl.col("kind") == "ante") & pl.col("paid").is_not_null()).then(pl.lit("0"))
    if history.ante_bonus == "none":
        return bets.with_columns(bonus_paid=none)
    is_ante = (pl.col("kind") == "ante").fill_null(value=False)
    is_bonus = (pl.col("kind") == ANTE_BONUS).fill_null(value=False)
    unstaked = pl.col("stake").is_null() | pl.col("stake").str.contains(r"^0(?:\.0+)?$")
    bets = bets.with_columns(
        carries=is_bonus & unstaked & is_ante.any().over("entry"),
        first=is_ante & (is_ante.cum_sum().over("entry") == 1),
        stake=pl.when(is_bonus).then(pl.col("stake").fill_null("0")).otherwise("stake"),
    )
    text = pl.col("paid")
    strange = text.filter(~text.str.contains(_SIGNED))
    total = text.filter(text.str.contains(_SIGNED)).cast(DUE).sum().cast(pl.String)
    bonus = (
        bets.filter("carries")
        .group_by("entry", maintain_order=True)
        .agg(bonus=pl.when(text.is_not_null().any()).then(pl.coalesce(strange.first(), total)))
    )
    bets = bets.filter(~pl.col("carries")).join(bonus, on="entry", how="left", maintain_order="left")
    return bets.with_columns(bonus_paid=pl.coalesce(pl.when("first").then("bonus"), none))


def _hands(games: pl.DataFrame, persons: pl.DataFrame, profile: Profile, history: GameHistory) -> pl.DataFrame:
    if history.shared_hand:
        cards = _spelt(_at(history.places.game.player_cards, CARDS), profile)
        dealt = games.select(TELLING, hand_id=pl.lit(SHARED_HAND), cards=cards)
    else:
        dealt = persons.select(TELLING, "hand_id", "cards")
    return dealt.filter(pl.col("cards").is_not_null()).group_by(TELLING, maintain_order=True).agg(hands=pl.struct("hand_id", "cards"))


def _entries(persons: pl.DataFrame, bets: pl.DataFrame, history: GameHistory) -> pl.DataFrame:
    standing = pl.col("status").is_null() & ~pl.col("voided")
    wagers = bets.group_by("entry", maintain_order=True).agg(
        wagers=pl.struct(
            "kind", "stake", "wager_id", "placed_at", "paid", "paid_at", "bonus_paid", "status", funding=pl.lit(None, pl.String)
        ),
        anted=(standing & (pl.col("kind") == "ante")).any(),
        played=(standing & (pl.col("kind") == "play")).any(),
    )
    absent = pl.lit("fold") if history.missing_play == "fold" else pl.lit(None, pl.String)
    claimed = pl.when("anted", pl.col("game_status") == "settled").then(pl.when("played").then(pl.lit("play")).otherwise(absent))
    persons = persons.join(wagers, on="entry", how="left", maintain_order="left").with_columns(decision=pl.coalesce("decision", claimed))
    names = (
        "player_id", "operator_id", "session_id", "hand_id", "currency", "decision", "decided_at", "decided_by", "play_mode", "wagers",
    )  # fmt: skip
    return persons.group_by(TELLING, maintain_order=True).agg(participants=pl.struct(names))


def _voids(games: pl.DataFrame, rounds: pl.DataFrame, bets: pl.DataFrame, history: GameHistory) -> pl.DataFrame:
    """``void`` of the games that were voided, or in which participants were."""
    place = history.places.game
    named = bets.filter("voided").group_by(TELLING, maintain_order=True).agg(wager_ids=pl.col("wager_id"))
    whole = pl.col("status") == "voided"
    frame = games.select(
        TELLING, reason=_at(place.void_reason), authorised_by=_at(place.void_authorised_by), void_at=_at(place.void_at)
    ).with_columns(rounds["status", "posted_at"])
    frame = frame.join(named, on=TELLING, how="left", maintain_order="left").filter(whole | pl.col("wager_ids").is_not_null())
    void = pl.struct(
        "reason", "authorised_by",
        at=pl.coalesce("void_at", "posted_at"),
        scope=pl.when(whole).then(pl.lit("round")).otherwise(pl.lit("part")),
        hand_ids=pl.lit(None, pl.List(pl.String)),
        player_ids=pl.lit(None, pl.List(pl.String)),
        wager_ids=pl.when(~whole).then("wager_ids"),
    )  # fmt: skip
    return frame.select(TELLING, void=void)

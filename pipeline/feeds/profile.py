"""The feed profile: what a provider does not publish of its feed, told by whoever knows. The table ``[feed]`` of a TOML file.

``docs/profiles/game-history.toml`` is an example with every key.
"""

from __future__ import annotations

import zoneinfo
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct, field

from pipeline.core.cards import RANKS
from pipeline.core.errors import InputError
from pipeline.feeds.profile_file import read_profile_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Word = Annotated[str, Meta(min_length=1, max_length=200)]
Place = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*){0,4}$", max_length=200)]
"""Where a value stands: keys joined by dots, like ``table.id``."""

ANTE_BONUS: Final = "ante_bonus"
"""The kind of a bet code whose bet is no wager but carries the ante's bonus."""


class Cards(Struct, frozen=True, forbid_unknown_fields=True):
    """How cards are spelt: a rank, then a suit.

    Args:
        ten: how a ten is written.
        suits: four characters, for clubs, diamonds, hearts and spades.
        lower_ranks: ranks are written in lower case.
    """

    ten: Literal["T", "10"] = "T"
    suits: Annotated[str, Meta(min_length=4, max_length=4)] = "cdhs"
    lower_ranks: bool = False

    def spelling(self) -> dict[str, str]:
        """Each card as the feed spells it, to how ``round-log/1`` does."""
        ranks = {rank: self.ten if rank == "T" else rank for rank in RANKS}
        return {
            (written.lower() if self.lower_ranks else written) + theirs: rank + ours
            for rank, written in ranks.items()
            for theirs, ours in zip(self.suits, "cdhs", strict=True)
        }


class GamePlaces(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the fields of a round stand in a game; None: the feed does not carry it."""

    round_id: Place = "id"
    status: Place = "status"
    table_id: Place = "table.id"
    studio_id: Place | None = None
    dealer_id: Place | None = None
    sequence: Place | None = None
    opened_at: Place | None = None
    bets_closed_at: Place | None = None
    posted_at: Place | None = "settledAt"
    recorded_at: Place | None = None
    revision: Place | None = None
    verified_at: Place | None = None
    verified_by: Place | None = None
    currency: Place | None = "currency"
    player_cards: Place | None = None
    dealer_cards: Place | None = None
    void_reason: Place | None = None
    void_authorised_by: Place | None = None
    void_at: Place | None = None


class ParticipantPlaces(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the fields of a participant stand in it."""

    player_id: Place = "playerId"
    session_id: Place | None = "sessionId"
    operator_id: Place | None = None
    currency: Place | None = "currency"
    status: Place | None = None
    hand_id: Place | None = None
    cards: Place | None = None
    play_mode: Place | None = None
    decision: Place | None = None
    decided_at: Place | None = None
    decided_by: Place | None = None


class BetPlaces(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the fields of a bet stand in it."""

    code: Place = "code"
    stake: Place = "stake"
    payout: Place = "payout"
    placed_at: Place | None = "placedOn"
    paid_at: Place | None = None
    wager_id: Place | None = "transactionId"


class Places(Struct, frozen=True, forbid_unknown_fields=True):
    """Where everything stands."""

    game: GamePlaces = field(default_factory=GamePlaces)
    participant: ParticipantPlaces = field(default_factory=ParticipantPlaces)
    bet: BetPlaces = field(default_factory=BetPlaces)


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """The provider's words to those of ``round-log/1``.

    Args:
        game: a game's status.
        participant: a participant's status: what it means for their wagers. ``voided``: the round's void reached them.
        play_mode: how a participant plays.
    """

    game: dict[Word, Literal["settled", "voided", "interrupted", "open"]]
    participant: dict[Word, Literal["accepted", "rejected", "cancelled", "voided"]] = field(default_factory=dict)
    play_mode: dict[Word, Literal["real", "test"]] = field(default_factory=dict)


class GameHistory(Struct, frozen=True, forbid_unknown_fields=True):
    """What must be known of a game history.

    Args:
        codes: bet code to wager kind; to ``ante_bonus`` where a bet of its own carries the ante's bonus. Another code becomes the kind
            ``code:`` and itself, which no filing offers.
        payout: ``gross`` (stake included) or ``net``.
        ante_bonus: where the ante's bonus sits: ``in_ante`` (in its payout), ``own_code``, or ``none`` (nothing is ever paid as one).
        missing_play: what an ante without a play bet means in a settled game: ``fold``, or ``unknown``.
        wager_ids: ``as_given``, or ``with_code`` where several bets share a transaction.
        shared_hand: one hand is dealt to all players.
        units: currency to what an amount of 1 means in it, where that is not 1.
        words: the provider's words.
        places: where everything stands.
    """

    codes: dict[Word, Word]
    words: Words
    payout: Literal["gross", "net"]
    ante_bonus: Literal["in_ante", "own_code", "none"]
    missing_play: Literal["fold", "unknown"]
    wager_ids: Literal["as_given", "with_code"] = "as_given"
    shared_hand: bool = True
    units: dict[Annotated[str, Meta(pattern="^[A-Z]{3}$")], Annotated[int, Meta(ge=1, le=1_000_000)]] = field(default_factory=dict)
    places: Places = field(default_factory=Places)

    @property
    def lacks(self) -> frozenset[str]:
        """What the feed never carries (``schema.ROUNDS``, ``feed_lacks``)."""
        game, person = self.places.game, self.places.participant
        missing = {
            "cards": game.dealer_cards is None and game.player_cards is None and person.cards is None,
            "decision": self.missing_play == "unknown" and person.decision is None,
            "void_reason": game.void_reason is None or game.void_authorised_by is None,
        }
        return frozenset(name for name, lacking in missing.items() if lacking)


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """The profile of a feed.

    Args:
        format: the format that it is about; inputs of another are read as if there were none.
        timezone: IANA zone of times without offset; None: such a time cannot be read.
        studio_id: the studio, where the feed does not name it.
        operator_id: the operator, where the feed does not name them.
        cards: how cards are spelt.
        history: of a game history.
    """

    format: Literal["game-history", "tables", "round-log/1"]
    timezone: str | None = None
    studio_id: Word | None = None
    operator_id: Word | None = None
    cards: Cards = field(default_factory=Cards)
    history: GameHistory | None = None


def read_profile(path: Path) -> Profile | None:
    """The table ``[feed]`` of a profile; None where it has none.

    Raises:
        InputError: the file cannot be read, or says something that a profile cannot say; it names the key.
    """
    told = read_profile_file(path)
    if stray := sorted(told.keys() - {"feed", "wallet"}):
        raise InputError(f"{stray[0]!r} is no table of a profile", path.name, "a profile has the tables [feed] and [wallet]")
    if "feed" not in told:
        return None
    try:
        profile = msgspec.convert(told["feed"], Profile)
    except msgspec.ValidationError as error:
        raise InputError(_why(str(error)), f"{path.name}: feed", "docs/profiles/game-history.toml shows every key") from None
    for where, what, way_out in _problems(profile):
        raise InputError(what, f"{path.name}: feed.{where}", way_out)
    return profile


Problem = tuple[str, str, str]
"""The key, what is wrong with it, and the way out."""


def _why(message: str) -> str:
    what, _, where = message.partition(" - at `$")
    where = where.rstrip("`").lstrip(".")
    return f"{where}: {what}" if where else what


def _problems(profile: Profile) -> Iterator[Problem]:
    if profile.timezone is not None and profile.timezone not in zoneinfo.available_timezones():
        yield "timezone", f"{profile.timezone!r} is no time zone", "write an IANA zone, like Europe/Riga"
    suits = profile.cards.suits
    if len(set(suits)) < 4 or any(suit.isspace() or suit.isdigit() for suit in suits):
        yield "cards.suits", f"{suits!r} are not four suits", "give four characters, for clubs, diamonds, hearts and spades"
    if (profile.format == "game-history") != (profile.history is not None):
        yield "history", 'goes with format = "game-history", and that with it', "write [feed.history], or another format"
    elif profile.history is not None:
        yield from _of_history(profile, profile.history)


def _of_history(profile: Profile, history: GameHistory) -> Iterator[Problem]:
    game, person, bet = history.places.game, history.places.participant, history.places.bet
    for name, given, place, level in (
        ("studio_id", profile.studio_id, game.studio_id, "game"),
        ("operator_id", profile.operator_id, person.operator_id, "participant"),
    ):
        if (given is None) == (place is None):
            yield name, "must be said once", f"give {name}, or history.places.{level}.{name}"
    if game.currency is None and person.currency is None:
        yield "history.places.participant.currency", "nothing says the currency", "give the place of the game's or the participant's"
    if (ANTE_BONUS in history.codes.values()) != (history.ante_bonus == "own_code"):
        yield (
            "history.ante_bonus",
            'is "own_code" where a code is "ante_bonus", and only there',
            "give the code, or say where the bonus sits",
        )
    if history.shared_hand and (person.cards is not None or person.hand_id is not None):
        yield "history.shared_hand", "is true, and yet participants have hands of their own", "write shared_hand = false"
    if not history.shared_hand and (game.player_cards is not None or (person.cards is None and person.hand_id is None)):
        yield "history.shared_hand", "is false", "give history.places.participant.hand_id or .cards, and no game.player_cards"
    yield from _of_places({"game": _placed(game, "participants"), "participant": _placed(person, "bets"), "bet": _placed(bet, None)})


def _placed(places: GamePlaces | ParticipantPlaces | BetPlaces, taken: str | None) -> dict[str, str]:
    told = {name: place for name, place in msgspec.structs.asdict(places).items() if place is not None}
    return told if taken is None else {**told, f"({taken})": taken}


def _of_places(levels: dict[str, dict[str, str]]) -> Iterator[Problem]:
    for level, places in levels.items():
        for name, place in places.items():
            for other, above in places.items():
                if other != name and (place == above or place.startswith(f"{above}.")):
                    yield f"history.places.{level}.{name}", f"{place!r} is the place of {other} too", "give each field a place of its own"
    ends = [place.rpartition(".")[2] for places in levels.values() for place in places.values()]
    for name in ("stake", "payout"):
        if ends.count(key := levels["bet"][name].rpartition(".")[2]) > 1:
            yield f"history.places.bet.{name}", f"another field is called {key!r} too", "an amount's key must be its own"

"""The shape of a game, made from a feed profile: only what the profile names is read, everything else is unknown and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, Raw

from pipeline.feeds.shape import Text, Whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.feeds.profile import Places

_Cards = list[str | None] | msgspec.UnsetType | None
_WHOLE: Final = frozenset({"sequence", "revision"})
_CARDS: Final = frozenset({"player_cards", "dealer_cards", "cards"})
_AMOUNTS: Final = frozenset({"stake", "payout"})


def game_shape(places: Places, *, raw: bool = False) -> Any:
    """The struct of a game.

    Args:
        places: where everything stands.
        raw: amounts are any JSON value, kept byte for byte; else they are text.
    """
    amount = Raw | msgspec.UnsetType if raw else Text
    bet = _struct("Bet", _tree(places.bet, amount))
    person = _struct("Participant", {**_tree(places.participant, amount), "bets": _list(bet)})
    return _struct("Game", {**_tree(places.game, amount), "participants": _list(person)})


def _list(of: Any) -> Any:
    return list.__class_getitem__(of) | msgspec.UnsetType | None


def _tree(places: msgspec.Struct, amount: Any) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, place in msgspec.structs.asdict(places).items():
        if place is not None:
            *above, last = place.split(".")
            branch = tree
            for key in above:
                branch = branch.setdefault(key, {})
            branch[last] = amount if name in _AMOUNTS else Whole if name in _WHOLE else _Cards if name in _CARDS else Text
    return tree


def _struct(name: str, tree: Mapping[str, Any]) -> Any:
    fields = [
        (f"field_{number}", _struct(f"{name}.{key}", below) | msgspec.UnsetType | None if isinstance(below, dict) else below,
         msgspec.field(default=UNSET, name=key))
        for number, (key, below) in enumerate(tree.items())
    ]  # fmt: skip
    return msgspec.defstruct(name, fields, gc=False)

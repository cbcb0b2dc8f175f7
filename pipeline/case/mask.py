"""Player ids taken out of whatever a page shows: each becomes ``player 1``, ``player 2``, … throughout the case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import structs

if TYPE_CHECKING:
    from collections.abc import Iterable

_SURE: Final = 6
"""From this length on, an id is taken out even from the midst of a word."""

_PLAYER: Final = "player_id"


class Mask:
    """Masks the ids of some players.

    An id of digits alone, or of one or two characters, also occurs in amounts and words: it is taken out where it is a player's by its
    field or stands after the word *player*, as the sentences of the checks have it. Any other is taken out wherever it stands.

    Args:
        ids: the ids, in the order in which they are to be numbered.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self.names = {player_id: f"player {number}" for number, player_id in enumerate(dict.fromkeys(ids), 1)}
        longest = sorted(self.names, key=lambda one: (-len(one), one))
        plain = [one for one in longest if len(one) > 2 and not one.isdecimal()]
        words = [re.escape(one) if len(one) >= _SURE else rf"(?<![A-Za-z0-9]){re.escape(one)}(?![A-Za-z0-9])" for one in plain]
        self._anywhere = re.compile("|".join(words)) if words else None
        named = "|".join(re.escape(one) for one in longest if one not in set(plain))
        self._named = re.compile(rf"(?<![A-Za-z0-9])([Pp])layer ({named})(?![A-Za-z0-9])") if named else None

    def text(self, text: str) -> str:
        """The text without the ids."""
        if self._named is not None:
            text = self._named.sub(lambda found: f"{found[1]}{self.names[found[2]][1:]}", text)
        if self._anywhere is not None:
            text = self._anywhere.sub(lambda found: self.names[found[0]], text)
        return re.sub(r"([Pp])layer player (\d+)", r"\1layer \2", text)

    def value(self, value: Any, name: str = "") -> Any:
        """A story, a row or a list of them without the ids.

        Args:
            value: what is shown.
            name: the field that it stands in.
        """
        if isinstance(value, str):
            return self.names.get(value, value) if name == _PLAYER else self.text(value)
        if isinstance(value, msgspec.Struct):
            return structs.replace(value, **{field: self.value(getattr(value, field), field) for field in value.__struct_fields__})
        if isinstance(value, dict):
            return {key: self.value(one, str(key)) for key, one in value.items()}
        if isinstance(value, list):
            return [self.value(one, name) for one in value]
        return value

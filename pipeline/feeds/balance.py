"""The books of a text: each key that stands in it must have been read, or be one that the format does not know.

A JSON decoder keeps one of two equal keys in silence. So the keys of the raw text are counted and compared with the keys of the same
records written out again; where the two differ, a key stands twice or is unknown. Unknown keys that were met before are counted by name.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.feeds.shape import Place

_ESCAPE: Final = re.compile(rb"\\.", re.DOTALL)
_SPACED: Final = re.compile(rb'"[ \t\r]+:')
_UNCOUNTABLE: Final = re.compile(rb"\\u00[0-7]")
_MOST_NAMES: Final = 1_000
_MOST_LEARNED: Final = 64
_LONGEST_NAME: Final = 100
OTHER_FIELDS: Final = "(other fields)"


def count_keys(text: bytes) -> int | None:
    """The number of keys in JSON ``text``, counted by their colons; None where escapes make that unsure.

    A string that begins with a colon is counted too, alike in any two ways to write it, save where the colon, a quote or a control
    character is spelled by its number.
    """
    if b"\\" in text:
        if _UNCOUNTABLE.search(text):
            return None
        text = _ESCAPE.sub(b"", text)
    count = text.count(b'":')
    if any(space in text and space + b":" in text for space in (b" ", b"\t", b"\r")):
        count += sum(1 for _ in _SPACED.finditer(text))
    return count


class UnknownFields:
    """Fields that the format does not know, by name and number, bounded in memory."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def add(self, counts: Iterable[tuple[str, int]]) -> None:
        """Adds to the numbers; names beyond the first thousand are counted together."""
        for name, count in counts:
            if not count:
                continue
            short = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + "…"
            short = short.encode("utf-8", "replace").decode()
            if short not in self.counts and len(self.counts) >= _MOST_NAMES:
                short = OTHER_FIELDS
            self.counts[short] += count


class Balance:
    """Compares texts with what was read of them, and learns the names of unknown fields.

    Args:
        known: the keys that the format knows, place by place.
    """

    def __init__(self, known: Place) -> None:
        self._known = known
        self._names = frozenset(_names(known))
        self._learned: tuple[tuple[str, bytes], ...] = ()

    def learned(self, text: bytes) -> list[tuple[str, int]]:
        """How often each unknown name that was learned stands in ``text`` as a key."""
        return [(name, text.count(token)) for name, token in self._learned]

    def unknown(self, raw: bytes, read: bytes) -> list[tuple[str, int]] | None:
        """The unknown fields of ``raw`` where its books balance with ``read``, the same records written out again; else None."""
        # What was not read holds at least the colon of its key; so equal numbers of colons, wherever they stand, settle it.
        if (b"\\" not in raw or b"\\u003" not in raw) and raw.count(b":") == read.count(b":"):
            return []
        stands, kept = count_keys(raw), count_keys(read)
        if stands is None or kept is None:
            return None
        unknown = self.learned(raw)
        return unknown if stands - sum(count for _, count in unknown) == kept else None

    def examine(self, raw: bytes) -> Counter[str]:
        """The unknown fields of one record, known to be JSON; their names are learned.

        Raises:
            ValueError: a key that the format knows stands twice; the message says where. An unknown field is ignored, once or twice.
            RecursionError: it is nested too deeply.
        """
        found: Counter[str] = Counter()
        record = json.loads(raw, object_pairs_hook=_Pairs, parse_int=str, parse_float=str, parse_constant=_refuse)
        _walk(record, self._known, found, "")
        have = {name for name, _ in self._learned}
        for name in sorted(found):
            plain = name.isprintable() and not set(name) & {'"', "\\"} and len(name) <= _LONGEST_NAME
            if plain and name not in self._names and name not in have and len(self._learned) < _MOST_LEARNED:
                self._learned = (*self._learned, (name, f'"{name}":'.encode()))
        return found


class _Pairs(list[tuple[str, object]]):
    """An object's keys and values, in the order of the text."""


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"no JSON: {name}")


def _walk(value: object, known: Place | None, found: Counter[str], where: str) -> None:
    if isinstance(value, _Pairs):
        seen: set[str] = set()
        for name, below in value:
            if known is None or name not in known:
                found[name] += 1
                _walk(below, None, found, where)
                continue
            if name in seen:
                raise ValueError(f"{where}{': ' if where else ''}duplicate key {name!r}")
            seen.add(name)
            _walk(below, known[name], found, f"{where}.{name}" if where else name)
    elif isinstance(value, list):
        for number, below in enumerate(value):
            _walk(below, known, found, f"{where}[{number}]")


def _names(known: Place) -> Iterable[str]:
    for name, below in known.items():
        yield name
        if below is not None:
            yield from _names(below)

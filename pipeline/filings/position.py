"""Where in a TOML file a key stands, for messages; the TOML parser itself tells only where the syntax breaks."""

from __future__ import annotations

import re

Position = tuple[int, int]

_NAME = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_HEADER = re.compile(rf"\s*\[\[?\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*\]")
_KEY = re.compile(rf"(\s*)({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")
_LONGEST_LINE = 2_000


def positions_in(text: str) -> dict[tuple[str, ...], Position]:
    """The line and column, both from 1, of each table and key that starts a line of TOML, by the path that leads to it."""
    positions: dict[tuple[str, ...], Position] = {}
    here: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        start = line[:_LONGEST_LINE]
        if header := _HEADER.match(start):
            here = _parts(header[1])
            positions.setdefault(here, (number, start.index("[") + 1))
        elif key := _KEY.match(start):
            positions.setdefault((*here, *_parts(key[2])), (number, len(key[1]) + 1))
    return positions


def nearest_position(positions: dict[tuple[str, ...], Position], path: tuple[str, ...]) -> Position | None:
    """Where the key at the end of the path stands, else the table or key that holds it; None where none of them starts a line."""
    for length in range(len(path), 0, -1):
        if path[:length] in positions:
            return positions[path[:length]]
    return None


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_NAME, name))

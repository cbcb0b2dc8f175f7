"""Cuts the games out of game histories as they stream by: no document is held whole.

A file holds one document or several, one after another (pages) or a line each; a document holds days, and a day games:
``data[].games[]``. What lies around the games is walked key by key, a game is found by its braces and read elsewhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from pipeline.feeds.blocks import BOM
from pipeline.feeds.strict import Refused
from pipeline.feeds.suspect import why_undecoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.feeds.blocks import Readable, ReadLimits

_STRING: Final = rb'"(?>[^"\\\n]++|\\[^\n])*+"'
_DEEPEST: Final = 24
_SPACE: Final = re.compile(rb"[ \t\r\n]*+")
_TOKEN: Final = re.compile(rb"(" + _STRING + rb")([ \t\r\n]*+:)?|[{}\[\],]|[^\s{}\[\],:\"]++")
_DOCUMENT: Final = re.compile(rb"\n[{\[]")
_MOST_REFUSED: Final = 10_000
_GAMES: Final = ("data", "games")
_KNOWN: Final[dict[tuple[str, ...], frozenset[str]]] = {(): frozenset({"data"}), ("data",): frozenset({"games", "date"})}


def _object(depth: int) -> bytes:
    """A pattern of objects that hold others, at most ``depth`` deep; it never goes back over what it has matched."""
    inner = rb"\{(?>[^{}\"]++|" + _STRING + rb")*+\}"
    for _ in range(depth):
        inner = rb"\{(?>[^{}\"]++|" + _STRING + rb"|" + inner + rb")*+\}"
    return inner


_GAME: Final = re.compile(_object(_DEEPEST))


@dataclass(slots=True)
class Games:
    """Some games of a file.

    Args:
        texts: each game byte for byte.
        offsets: where each begins in the decompressed file.
        numbers: of each, in the file, from 1.
        refused: what stands in a game's place and is none.
        unknown: fields around the games that the format does not know.
    """

    texts: list[bytes] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)


class GameCutter:
    """Cuts one file, whose decompressed bytes it is given. ``count`` is the number of its games, those that are none included.

    A game is held whole: one longer than the limit of a line is none. Where the text of a document breaks, what follows in it, up to the
    next line that begins a document, is one record that cannot be read.

    Args:
        limits: sizes of pieces and games.
    """

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self.count = 0

    def games(self, stream: Readable) -> Iterator[Games]:
        """The games, in order, some megabytes at a time."""
        text = _Window(stream, self._limits.block_bytes)
        out, size = Games(), 0
        walk = _Walk()
        while text.skip_space():
            try:
                game = self._next(text, walk, out)
            except _BrokenError as error:
                raw = error.head + text.skip_document(self._limits.raw_head_bytes)
                self._refuse(out, error.offset, error.reason or _why_no_json(raw), raw)
                walk = _Walk()
                continue
            if game is not None:
                self.count += 1
                out.texts.append(game[1])
                out.offsets.append(game[0])
                out.numbers.append(self.count)
                size += len(game[1])
            if size >= self._limits.block_bytes or len(out.refused) > _MOST_REFUSED:
                yield out
                out, size = Games(), 0
        if walk.stack:
            self._refuse(out, text.offset, "no JSON: the document is cut off", b"")
        yield out

    def _next(self, text: _Window, walk: _Walk, out: Games) -> tuple[int, bytes] | None:
        """Steps over one token, or over the whole game that begins here, which is returned with its offset."""
        if walk.is_games:
            found = text.match(_GAME, self._limits.line_bytes, whole=True) if text.starts(b"{") else None
            if found is not None:
                return found
            if text.starts(b"{"):
                raise _BrokenError(text.offset, _too_long(text, self._limits))
        found = text.match(_TOKEN, self._limits.line_bytes)
        if found is None:
            raise _BrokenError(text.offset)
        offset, token = found
        if walk.is_games and token not in {b",", b"]"}:
            if token == b"[":
                raise _BrokenError(offset, "a list where a game should be", token)
            self._refuse(out, offset, "no object where a game should be", token)
        elif not walk.step(token, out.unknown):
            raise _BrokenError(offset, None, token)
        elif walk.lacks_data():
            self._refuse(out, offset, "a document without data", token)
        return None

    def _refuse(self, out: Games, offset: int, reason: str, raw: bytes) -> None:
        self.count += 1
        out.refused.append(Refused(self.count, offset, reason, raw[: self._limits.raw_head_bytes]))


class _BrokenError(Exception):
    """The text of a document breaks at ``offset``; ``head`` was stepped over already."""

    def __init__(self, offset: int, reason: str | None = None, head: bytes = b"") -> None:
        super().__init__(reason)
        self.offset = offset
        self.reason = reason
        self.head = head


class _Window:
    """The part of a stream that is looked at."""

    def __init__(self, stream: Readable, step: int) -> None:
        self._stream = stream
        self._step = max(step, 4096)
        self._text = b""
        self._at = 0
        self._before = 0
        self.ended = False
        if self._fill() and self._text.startswith(BOM):
            self._at = len(BOM)

    @property
    def offset(self) -> int:
        """Where the window stands in the stream."""
        return self._before + self._at

    @property
    def size(self) -> int:
        """How many bytes are held from there on."""
        return len(self._text) - self._at

    def starts(self, text: bytes) -> bool:
        """Whether ``text`` stands here."""
        return self._text.startswith(text, self._at)

    def skip_space(self) -> bool:
        """Steps over white space; whether anything is left."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return True
            if not self._fill():
                return False

    def match(self, pattern: re.Pattern[bytes], limit: int, *, whole: bool = False) -> tuple[int, bytes] | None:
        """Steps over what ``pattern`` matches here, and returns it with its offset; None where it matches nothing in ``limit`` bytes.

        Args:
            pattern: what to match.
            limit: how far to look.
            whole: a match shows by itself that it is at its end.
        """
        while True:
            found = pattern.match(self._text, self._at)
            if found is not None and (whole or found.end() < len(self._text) or self.ended):
                if found.end() - found.start() > limit:
                    return None
                offset, self._at = self.offset, found.end()
                return offset, found[0]
            if self.size > limit or (not self._fill() and found is None):
                return None

    def skip_document(self, keep: int) -> bytes:
        """Steps to the next line that begins a document; returns the first bytes of what was stepped over."""
        head = b""
        while True:
            found = _DOCUMENT.search(self._text, self._at)
            end = found.start() if found else len(self._text)
            if len(head) < keep:
                head += self._text[self._at : min(end, self._at + keep - len(head))]
            # The line feed may be the last byte that is held.
            self._at = end if found or self.ended else max(self._at, end - 1)
            if found:
                return head
            if not self._fill():
                self._at = len(self._text)
                return head

    def _fill(self) -> bool:
        more = self._stream.read(self._step) if not self.ended else b""
        if not more:
            self.ended = True
            return False
        self._text = self._text[self._at :] + more
        self._before += self._at
        self._at = 0
        return True


class _Walk:
    """Where in a document the text stands."""

    def __init__(self) -> None:
        self.stack: list[tuple[bytes, tuple[str, ...]]] = []
        self._key: str | None = None
        self._seen = False
        self._closed = False

    @property
    def is_games(self) -> bool:
        """In a list of games."""
        return bool(self.stack) and self.stack[-1] == (b"[", _GAMES)

    def lacks_data(self) -> bool:
        """Whether the last step closed a document that has no days at all."""
        closed, self._closed = self._closed, False
        return closed and not self._seen

    def step(self, token: bytes, unknown: Counter[str]) -> bool:
        """Goes on by one token; whether it can stand here."""
        if token in {b"{", b"["}:
            return self._open(token)
        if not self.stack:
            return False
        if token in {b"}", b"]"}:
            return self._close(token)
        kind, path = self.stack[-1]
        if kind == b"{" and token.endswith(b":"):
            self._key = _text_of(token)
            self._seen |= not path and self._key == "data"
            if path in _KNOWN and self._key not in _KNOWN[path]:
                unknown[".".join((*path, self._key))] += 1
        elif token == b",":
            self._key = None
        return True

    def _open(self, token: bytes) -> bool:
        path: tuple[str, ...] = ()
        if self.stack:
            kind, path = self.stack[-1]
            if kind == b"{":
                if self._key is None:
                    return False
                path = (*path, self._key)
        if not path and token == b"{":
            self._seen = False
        self.stack.append((token, path))
        self._key = None
        return True

    def _close(self, token: bytes) -> bool:
        kind, path = self.stack.pop()
        self._closed = not path and kind == b"{"
        self._key = None
        return kind == (b"{" if token == b"}" else b"[")


def _text_of(token: bytes) -> str:
    try:
        return str(json.loads(token.rstrip(b": \t\r\n")))
    except ValueError:
        return token.decode("utf-8", "replace")


def _too_long(text: _Window, limits: ReadLimits) -> str | None:
    """The reason given for a game that does not end within the limit; None where the file ended before."""
    return None if text.size <= limits.line_bytes else f"game longer than {limits.line_bytes} bytes; its first bytes are kept"


def _why_no_json(raw: bytes) -> str:
    """Why nothing more could be found in ``raw``, from where it breaks on."""
    try:
        msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        reason = why_undecoded(raw, error)
        return "nested too deeply" if raw.startswith(b"{") and "trailing characters" in reason else reason
    return "no JSON: the document breaks off"

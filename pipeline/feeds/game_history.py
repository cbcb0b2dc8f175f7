"""Reads game histories, ``data[].games[].participants[].bets[]``, by a feed profile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
import polars as pl

from pipeline.core.errors import InputError
from pipeline.feeds.blocks import Block, BlockReader
from pipeline.feeds.game_cutter import GameCutter, Games
from pipeline.feeds.game_records import records_of
from pipeline.feeds.game_shape import game_shape
from pipeline.feeds.intake import BlockBooks
from pipeline.feeds.reader import FileFacts
from pipeline.feeds.round_log import decoded_lines, text_lines
from pipeline.feeds.shape import decoded
from pipeline.feeds.strict import Refused, StrictDecoder
from pipeline.feeds.suspect import NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pipeline.feeds.head import Head
    from pipeline.feeds.log_files import LogFile
    from pipeline.feeds.profile import GameHistory, Profile
    from pipeline.feeds.reader import Context
    from pipeline.feeds.strict import StrictLines

NAME: Final = "game-history"


def recognises(head: Head) -> bool:
    """Whether a file begins with a document of the format."""
    return "data" in head.keys


class GameHistoryReader:
    """Reads games. May be used from several threads.

    Args:
        context: the feed's profile, the longest game, and where the records go.
    """

    def __init__(self, context: Context) -> None:
        self.limits = context.limits
        self._told: tuple[Profile, GameHistory] | None = None
        profile = context.profile
        if profile is not None and profile.history is not None:
            places = profile.history.places
            self._told = profile, profile.history
            self._shape = game_shape(places)
            self._decoder = StrictDecoder(self._shape, game_shape(places, raw=True), context.limits)
            self._amounts = "|".join(place.rpartition(".")[2] for place in (places.bet.stake, places.bet.payout))
            self._intake = context.intake.reading(profile.timezone, profile.history.lacks)

    def open(self, files: Sequence[LogFile]) -> GameHistoryFile:
        """One file.

        Raises:
            InputError: there is no profile of a game history.
        """
        (file,) = files
        if self._told is None:
            raise InputError("a game history, and no feed profile says what its bet codes mean", file.name, "give one with --profile FILE")
        return GameHistoryFile(self, file)

    def read(self, games: Games, number: int, source_file: str) -> BlockBooks:
        """The frames of some games."""
        books = BlockBooks(source_file, refused=list(games.refused), records=len(games.texts) + len(games.refused), unknown=games.unknown)
        # White space within a game may be a line feed; within a text it never is.
        lines = [text.replace(b"\n", b" ").replace(b"\r", b" ") for text in games.texts]
        if not lines:
            return books

        def refuse(at: int, reason: str) -> None:
            books.refused.append(Refused(games.numbers[at], games.offsets[at], reason, games.texts[at]))

        strict = self._decoder.read(Block(b"\n".join(lines), 0, 0))
        books.unknown = games.unknown + strict.unknown
        for one in strict.refused:
            refuse(one.line, one.reason)
        if strict.at:
            self._take(strict, games, books, number, refuse)
        books.refused.sort(key=lambda one: one.line)
        return books

    def _take(self, strict: StrictLines, games: Games, books: BlockBooks, number: int, refuse: Callable[[int, str], None]) -> None:
        if self._told is None:
            raise RuntimeError("no profile was given")
        lines, at, wrong = self._amounts_quoted(strict)
        for one in wrong:
            refuse(one, "impossible amount as a number")
        frame = decoded_lines(lines, len(strict.text), decoded(msgspec.inspect.type_info(self._shape))).with_columns(at)
        records = records_of(frame, *self._told)
        numbers = pl.Series("source_line", games.numbers, dtype=pl.Int64).gather(at)
        reasons, _ = self._intake.take(books, records, numbers, number)
        for one, reason in reasons.iter_rows():
            refuse(one, reason)

    def _amounts_quoted(self, strict: StrictLines) -> tuple[pl.Series, pl.Series, pl.Series]:
        """The games, a line each, with their amounts as text; their places; and the places of those with another amount."""
        lines, at = text_lines(strict)
        if not strict.numeric:
            return lines, at, at.clear()
        # A net payout may be below zero.
        lines = lines.str.replace_all(rf'"({self._amounts})":(-?{NUMBER})([,}}])', '"$1":"$2"$3')
        wrong = lines.str.contains(rf'"(?:{self._amounts})":[^"n]')
        return lines.filter(~wrong), at.filter(~wrong), at.filter(wrong)


class GameHistoryFile:
    """A file of game histories as one input of a delivery (``pipeline.feeds.reader.Source``)."""

    def __init__(self, reader: GameHistoryReader, file: LogFile) -> None:
        self._reader = reader
        self._file = file
        self._bytes: BlockReader | None = None
        self._cutter = GameCutter(reader.limits)
        self.name = file.name

    def pieces(self, seen: Callable[[str, int], None]) -> Iterator[Games]:
        """The games of the file, some megabytes at a time."""
        self._bytes = BlockReader(self._file.path, self._reader.limits, lambda size: seen(self.name, size))
        yield from self._bytes.through(self._cutter.games)

    def read(self, piece: Games, number: int) -> list[BlockBooks]:
        """The books of some games."""
        return [self._reader.read(piece, number, self.name)]

    def files(self) -> list[FileFacts]:
        """The file itself."""
        if self._bytes is None:
            raise RuntimeError("nothing was read yet")
        return [FileFacts(self.name, self._bytes.sha256, self._bytes.size, self._cutter.count)]

"""What a format is: one file that recognises its inputs and turns them into records, refused rows and books.

``docs/writing-a-reader.md`` shows how to write one. The bytes of an input are cut into pieces in one thread, in order, and the pieces are
read in several.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pipeline.feeds.blocks import BlockReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from pipeline.feeds.blocks import Block, LongLine, ReadLimits
    from pipeline.feeds.intake import BlockBooks, Intake
    from pipeline.feeds.log_files import LogFile
    from pipeline.feeds.profile import Profile


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file that was read to its end.

    Args:
        name: what it is called in ``source_file``.
        sha256: digest of the file as delivered.
        size: bytes of the file as delivered.
        lines: its records and blank lines.
    """

    name: str
    sha256: str
    size: int
    lines: int


@dataclass(frozen=True, slots=True)
class Context:
    """What a reader is given.

    Args:
        intake: where its records go.
        limits: sizes of blocks and records.
        spill: an empty folder of its own, to be made when it is needed.
        profile: the feed profile; None where none was given.
    """

    intake: Intake
    limits: ReadLimits
    spill: Path
    profile: Profile | None = None

    def zone(self, name: str) -> str | None:
        """The zone of times without offset, where the profile is one for the format ``name`` and gives it."""
        return self.profile.timezone if self.profile is not None and self.profile.format == name else None


class Source(Protocol):
    """One input of a delivery: a file, or a folder of tables that belong together."""

    @property
    def name(self) -> str:
        """The file that its rounds are said to come from."""

    def pieces(self, seen: Callable[[str, int], None]) -> Iterator[Any]:
        """Cut the input into pieces of a few megabytes, cheaply and in order.

        Args:
            seen: to be called with a file's name and the bytes read of it so far.

        Raises:
            InputError: the input cannot be read at all: a truncated archive, a table without the columns that it must have.
        """

    def read(self, piece: Any, number: int) -> list[BlockBooks]:
        """Read one piece; called from several threads.

        Args:
            piece: one of ``pieces``.
            number: its number in the delivery.

        Returns:
            The books of each file concerned; those of the file ``name`` carry the frames.
        """

    def files(self) -> list[FileFacts]:
        """The files read; asked for when ``pieces`` has come to its end."""


class Reader(Protocol):
    """Opens the inputs of one format."""

    def open(self, files: Sequence[LogFile]) -> Source:
        """One input: one file, or the files of a folder that belong together.

        Raises:
            InputError: it lacks what the format needs, like a feed profile.
        """


class LineReader(Protocol):
    """Reads blocks of lines."""

    limits: ReadLimits

    def read(self, block: Block | LongLine, number: int, source_file: str) -> BlockBooks:
        """The books of one block of the file ``source_file``; ``number`` orders its records among others of the delivery."""


class FileOfLines:
    """A ``Source`` of a format whose files are cut by their lines.

    Args:
        reader: reads the blocks.
        file: the file.
    """

    def __init__(self, reader: LineReader, file: LogFile) -> None:
        self._reader = reader
        self._file = file
        self._blocks: BlockReader | None = None
        self.name = file.name

    def pieces(self, seen: Callable[[str, int], None]) -> Iterator[Block | LongLine]:
        """The blocks of the file."""
        self._blocks = BlockReader(self._file.path, self._reader.limits, lambda size: seen(self.name, size))
        yield from self._blocks.blocks()

    def read(self, piece: Block | LongLine, number: int) -> list[BlockBooks]:
        """The books of one block."""
        return [self._reader.read(piece, number, self.name)]

    def files(self) -> list[FileFacts]:
        """The file itself."""
        if self._blocks is None:
            raise RuntimeError("nothing was read yet")
        return [FileFacts(self.name, self._blocks.sha256, self._blocks.size, self._blocks.lines)]

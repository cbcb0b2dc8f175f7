"""From a file on disk to blocks of whole lines, whatever the compression, in bounded memory.

Nothing here knows the format of a line. The digest and the size are those of the file as delivered; offsets and line numbers are those
of the decompressed stream.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final, Protocol, TypeVar

import pyarrow as pa

from pipeline.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

T = TypeVar("T")

BOM: Final = b"\xef\xbb\xbf"
_MAGIC: Final = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}
_SUFFIX: Final = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How much is held at a time.

    Args:
        block_bytes: size of a block before the line that it ends in is completed.
        line_bytes: longest line that is read as a record; a longer one is quarantined.
        raw_head_bytes: how much of a line that is too long is kept.
        workers: blocks that are worked on at the same time.
        inflation: how many times its size an archive may grow to when it is read; more is refused as a bomb.
        inflation_bytes: up to this size it may grow in any case.
    """

    block_bytes: int = 8 << 20
    line_bytes: int = 64 << 20
    raw_head_bytes: int = 64 << 10
    workers: int = 2
    inflation: int = 200
    inflation_bytes: int = 1 << 30

    @property
    def decisive(self) -> dict[str, str]:
        """Those that decide what is published and are not as by default."""
        names = ("line_bytes", "raw_head_bytes")
        return {name: str(getattr(self, name)) for name in names if getattr(self, name) != getattr(ReadLimits(), name)}


SETTINGS: Final = {
    "line_bytes": "longest line, game or record that is read, in bytes; of a longer one the head is quarantined",
    "raw_head_bytes": "how much of it is kept, in bytes",
    "block_bytes": "how much of a file is taken in at a time, in bytes",
    "inflation": "how many times its size an archive may grow to",
    "inflation_bytes": "the size up to which it may grow in any case, in bytes",
}
"""The limits that a user can set, in words."""


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a file.

    Args:
        data: the lines, each with its line feed except perhaps the last one of the file.
        first_line: number of the first line in the file, from 1.
        offset: offset of the first byte in the decompressed file, from 0.
    """

    data: bytes
    first_line: int
    offset: int

    def lines(self) -> list[bytes]:
        """The lines without their line feeds."""
        lines = self.data.split(b"\n")
        if self.data.endswith(b"\n"):
            lines.pop()
        return lines


@dataclass(frozen=True, slots=True)
class LongLine:
    """A line longer than the limit: never held whole.

    Args:
        head: its first bytes.
        line: its number in the file, from 1.
        offset: offset of its first byte in the decompressed file, from 0.
        size: its size in bytes.
    """

    head: bytes
    line: int
    offset: int
    size: int


class Readable(Protocol):
    """What bytes are read from; fewer than asked for may come, none at the end."""

    def read(self, size: int, /) -> bytes: ...  # noqa: D102


class _Hashing:
    """Passes bytes on and keeps the digest and the number of what has passed."""

    def __init__(self, source: IO[bytes], seen: Callable[[int], None]) -> None:
        self._source = source
        self._seen = seen
        self.digest = hashlib.sha256()
        self.size = 0
        self.closed = False

    def read(self, size: int = -1, /) -> bytes:
        data = self._source.read(size)
        self.digest.update(data)
        self.size += len(data)
        self._seen(self.size)
        return data

    def close(self) -> None:
        self.closed = True


class _Inflating:
    """Passes decompressed bytes on, and stops where there are too many for an honest archive."""

    def __init__(self, stream: Readable, source: _Hashing, limits: ReadLimits, name: str) -> None:
        self._stream = stream
        self._source = source
        self._limits = limits
        self._name = name
        self._passed = 0

    def read(self, size: int, /) -> bytes:
        data = self._stream.read(size)
        self._passed += len(data)
        if self._passed > max(self._limits.inflation_bytes, self._limits.inflation * self._source.size):
            what = f"grows to more than {self._limits.inflation} times its size, like a bomb; nothing of it was published"
            raise InputError(what, self._name, "if it is honest, allow more with --limit inflation=NUMBER")
        return data


class BlockReader:
    """Reads one file once.

    ``sha256``, ``size`` (of the file as delivered, in bytes) and ``lines`` are known when ``blocks`` has come to its end.

    Args:
        path: the file.
        limits: sizes of blocks and lines.
        seen: called with the number of bytes read so far from the file as delivered.
    """

    def __init__(self, path: Path, limits: ReadLimits, seen: Callable[[int], None] = lambda _: None) -> None:
        self._path = path
        self._limits = limits
        self._seen = seen
        self.sha256 = ""
        self.size = 0
        self.lines = 0

    def blocks(self) -> Iterator[Block | LongLine]:
        """The file's lines, in order.

        Raises:
            InputError: the file cannot be opened, or its archive is truncated or corrupt.
        """
        yield from self.through(self._cut)

    def through(self, cut: Callable[[Readable], Iterator[T]]) -> Iterator[T]:
        """What ``cut`` makes of the decompressed file; ``lines`` is left to it.

        Raises:
            InputError: the file cannot be opened, or its archive is truncated or corrupt.
        """
        source = yield from self._opened(self._seen, cut)
        self.sha256 = source.digest.hexdigest()
        self.size = source.size

    def head(self, size: int) -> bytes:
        """The first ``size`` bytes, decompressed.

        Raises:
            InputError: the file cannot be opened, or its archive is truncated or corrupt.
        """

        def start(stream: Readable) -> Iterator[bytes]:
            yield _full(stream, size)

        (data,) = self._opened(lambda _: None, start)
        return data.removeprefix(BOM)

    def _opened(self, seen: Callable[[int], None], cut: Callable[[Readable], Iterator[T]]) -> Generator[T, None, _Hashing]:
        try:
            with self._path.open("rb") as file:
                codec = self._codec(file)
                source = _Hashing(file, seen)
                if codec is None:
                    yield from cut(source)
                else:
                    with pa.CompressedInputStream(pa.PythonFile(source, mode="r"), codec) as stream:
                        yield from cut(_Inflating(stream, source, self._limits, self._path.name))
                return source
        except pa.ArrowException as error:  # pragma: no cover - which class Arrow raises is its own affair
            raise self._broken(str(error)) from error
        except OSError as error:
            if error.errno is None:
                raise self._broken(str(error)) from error
            raise InputError(f"cannot be read: {error.strerror}", self._path.name, "check the path and its permissions") from error

    def _broken(self, cause: str) -> InputError:
        kind = "truncated archive" if "truncated" in cause.lower() else f"corrupt archive, {cause}"
        return InputError(f"{kind}; nothing of it was published", self._path.name, "fetch the file again")

    def _codec(self, file: IO[bytes]) -> str | None:
        head = file.read(4)
        file.seek(0)
        # A skippable frame may stand before the first one of a zstd file (RFC 8878, section 3.1.2).
        if head[1:] == b"\x2a\x4d\x18" and head[:1] >= b"\x50" and head[:1] <= b"\x5f":
            return "zstd"
        for codec, magic in _MAGIC.items():
            if head.startswith(magic):
                return codec
        named = _SUFFIX.get(self._path.suffix.lower())
        if named is not None:
            what = "truncated archive" if _MAGIC[named].startswith(head) else f"no {named} archive, in spite of its name"
            raise InputError(f"{what}; nothing of it was published", self._path.name, "fetch the file again")
        return None

    def _cut(self, stream: Readable) -> Iterator[Block | LongLine]:
        size, limit = max(self._limits.block_bytes, len(BOM)), self._limits.line_bytes
        piece = _full(stream, size)
        offset = len(BOM) if piece.startswith(BOM) else 0
        piece = piece[offset:] or stream.read(size)
        line = 1
        held: list[bytes] = []
        length = 0
        while piece:
            end = piece.find(b"\n")
            if length + (end if end >= 0 else len(piece)) > limit:
                head = b"".join(held) + piece[: end if end >= 0 else None]
                piece, dropped = yield from self._long(head, piece, stream, line, offset)
                held, length = [], 0
                line, offset = line + 1, offset + dropped
                if piece:
                    continue
            elif end < 0:
                held.append(piece)
                length += len(piece)
            else:
                last = piece.rfind(b"\n") + 1
                data = b"".join([*held, piece[:last]])
                yield Block(data, line, offset)
                line, offset = line + data.count(b"\n"), offset + len(data)
                held, length = [piece[last:]], len(piece) - last
            piece = stream.read(size)
        if length:
            yield Block(b"".join(held), line, offset)
            line += 1
        self.lines = line - 1

    def _long(
        self, start: bytes, piece: bytes, stream: Readable, line: int, offset: int
    ) -> Generator[Block | LongLine, None, tuple[bytes, int]]:
        """Skips to the end of the line that ``start`` begins; returns what follows it and how many bytes it took with its line feed."""
        head, size = start[: self._limits.raw_head_bytes], len(start)
        end = piece.find(b"\n")
        while end < 0:
            piece = stream.read(max(self._limits.block_bytes, len(BOM)))
            if not piece:
                yield LongLine(head, line, offset, size)
                return b"", size
            end = piece.find(b"\n")
            size += end if end >= 0 else len(piece)
        yield LongLine(head, line, offset, size)
        return piece[end + 1 :], size + 1


def _full(stream: Readable, size: int) -> bytes:
    """The first ``size`` bytes, so that a byte order mark is never cut in two."""
    data = b""
    while len(data) < size and (more := stream.read(size - len(data))):
        data += more
    return data

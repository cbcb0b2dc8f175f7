"""From a block of lines to records of the right JSON types, each on a line of its own, and the lines that are none.

The text that comes out has one record a line, only keys that the format knows, each once, in one order and without spaces, so that a
decoder that is fast and lenient can be let loose on it. What it looks like does not depend on how the input was cut.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from pipeline.feeds.balance import Balance
from pipeline.feeds.shape import places
from pipeline.feeds.suspect import why_undecoded

if TYPE_CHECKING:
    from pipeline.feeds.blocks import Block, ReadLimits

_SPACE: Final = b" \t\r"
_BATCH_BYTES: Final = 256 << 10
"""Records that are alive at a time: few enough to stay in the processor's cache, which halves the time."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that cannot be read.

    Args:
        line: its line in the file, from 1.
        offset: offset of its first byte in the decompressed file, from 0.
        reason: why it cannot be read.
        raw: its bytes.
    """

    line: int
    offset: int
    reason: str
    raw: bytes


@dataclass(slots=True)
class StrictLines:
    """What a block holds.

    Args:
        text: the records written out again, one a line.
        at: for each record of ``text`` its place among the lines of the block, from 0.
        lines: the lines of the block.
        refused: the lines that are no records.
        blank: number of blank lines.
        numeric: amounts may stand in ``text`` as other JSON values than strings.
        unknown: fields that the format does not know.
    """

    text: bytes = b""
    at: list[int] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    blank: int = 0
    numeric: bool = False
    unknown: Counter[str] = field(default_factory=Counter)


class StrictDecoder:
    """Decodes blocks of one format. May be used from several threads.

    Args:
        of_text: the struct whose amounts are strings.
        of_raw: the same with amounts of any type.
        limits: the longest line.
    """

    def __init__(self, of_text: Any, of_raw: Any, limits: ReadLimits) -> None:
        self._text = msgspec.json.Decoder(of_text)
        self._raw = msgspec.json.Decoder(of_raw)
        self._encoder = msgspec.json.Encoder()
        self._limits = limits
        self._raw_first = False
        self._balance = Balance(places(msgspec.inspect.type_info(of_text)) or {})

    def read(self, block: Block) -> StrictLines:
        """The records of ``block``; those that are none are refused with their reason."""
        lines = block.lines()
        out = StrictLines(lines=lines)
        if not self._read_whole(block, lines, out):
            self._read_each(block, lines, out)
        return out

    def _read_whole(self, block: Block, lines: list[bytes], out: StrictLines) -> bool:
        numeric = self._raw_first
        if max(map(len, lines), default=0) > self._limits.line_bytes:
            return False
        try:
            if not block.data.isascii():
                block.data.decode()
            text = self._rewritten(lines, len(block.data), numeric=numeric)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return False
        unknown = self._balance.unknown(block.data, text)
        if unknown is None:
            return False
        out.text, out.at, out.numeric = text, list(range(len(lines))), numeric
        out.unknown.update(dict(unknown))
        return True

    def _rewritten(self, lines: list[bytes], size: int, *, numeric: bool) -> bytes:
        decode = (self._raw if numeric else self._text).decode
        step = max(1, len(lines) * _BATCH_BYTES // max(size, 1))
        return b"".join(self._encoder.encode_lines(list(map(decode, lines[at : at + step]))) for at in range(0, len(lines), step))

    def _read_each(self, block: Block, lines: list[bytes], out: StrictLines) -> None:
        texts: list[bytes] = []
        offset = block.offset
        for number, raw in enumerate(lines):
            if not raw.strip(_SPACE):
                out.blank += 1
            else:
                try:
                    texts.append(self._one(raw, out))
                    out.at.append(number)
                except _RefusedError as error:
                    out.refused.append(Refused(block.first_line + number, offset, str(error), error.kept(raw)))
            offset += len(raw) + 1
        out.text = b"\n".join(texts)
        self._raw_first = out.numeric

    def _one(self, raw: bytes, out: StrictLines) -> bytes:
        if len(raw) > self._limits.line_bytes:
            raise _RefusedError(too_long(len(raw), self._limits), self._limits.raw_head_bytes)
        numeric = False
        try:
            raw.decode()
            try:
                record = self._text.decode(raw)
            except msgspec.ValidationError:
                record = self._raw.decode(raw)
                numeric = True
            text = self._encoder.encode(record)
            unknown = self._balance.unknown(raw, text)
            found = Counter(dict(unknown)) if unknown is not None else self._balance.examine(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise _RefusedError(why_undecoded(raw, error)) from error
        except ValueError as error:
            raise _RefusedError(str(error)) from error
        out.unknown.update(found)
        out.numeric |= numeric
        return text


CUT: Final = r"^line of \d+ bytes, longer than "
"""What the reason begins with where only the head of a line is kept."""


def too_long(size: int, limits: ReadLimits) -> str:
    """The reason given for a line of ``size`` bytes."""
    return f"line of {size} bytes, longer than {limits.line_bytes}; its first {min(size, limits.raw_head_bytes)} bytes are kept"


class _RefusedError(Exception):
    """The record cannot be read; the message says why."""

    def __init__(self, reason: str, keep: int | None = None) -> None:
        super().__init__(reason)
        self._keep = keep

    def kept(self, raw: bytes) -> bytes:
        return raw[: self._keep]

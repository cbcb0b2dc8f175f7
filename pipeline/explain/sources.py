"""The raw records behind rows of the lake: found by file, line and digest, wherever the files lie now.

The lake keeps a file's name, SHA-256 and the line of each row; not the file. It is looked for in the folders that are named, else where
the audit's own command line says, and is only believed where its SHA-256 is the one on record.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from pipeline.core.errors import InputError
from pipeline.feeds import game_history
from pipeline.feeds.blocks import BlockReader, LongLine, ReadLimits
from pipeline.feeds.game_cutter import GameCutter
from pipeline.feeds.head import head_of
from pipeline.feeds.inputs import TABLE_SUFFIXES
from pipeline.feeds.log_files import sha256_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import duckdb

Place = tuple[str, int]
"""A row's ``source_file`` and ``source_line``."""

_NAME_IT: Final = "name the folder that it lies in now with --source DIR"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was delivered.

    Attributes:
        name: what it is called in ``source_file``.
        sha256: its digest.
        size: its bytes.
        command: the command that read it.
    """

    name: str
    sha256: str
    size: int
    command: str


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record byte for byte.

    Attributes:
        source_file: the file.
        source_line: its line in it; the game of a history.
        byte_offset: where it begins in the decompressed file.
        raw: its bytes, without the line feed that ends it.
        file_sha256: digest of the file as delivered.
    """

    source_file: str
    source_line: int
    byte_offset: int
    raw: bytes
    file_sha256: str

    @property
    def sha256(self) -> str:
        """Digest of the bytes."""
        return sha256(self.raw).hexdigest()


@dataclass(slots=True)
class Found:
    """What was found of the sources.

    Attributes:
        records: by place.
        whole: path and digest of each file whose rows are no lines (a flat table): it can only be shown whole.
        missing: name of a file to why its records are not here, in words.
    """

    records: dict[Place, RawRecord] = field(default_factory=dict)
    whole: dict[str, tuple[Path, SourceFile]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def known_files(con: duckdb.DuckDBPyConnection, names: Iterable[str]) -> dict[str, list[SourceFile]]:
    """Every file of these names that the lake has read, the latest first."""
    found: dict[str, list[SourceFile]] = defaultdict(list)
    asked = """
        SELECT f.source_file, f.sha256, f.bytes, r.command
        FROM source_files AS f LEFT JOIN runs AS r USING (run_id)
        WHERE f.source_file IN (SELECT unnest(?)) ORDER BY r.number DESC
    """
    for name, digest, size, command in con.execute(asked, [sorted(names)]).fetchall():
        found[name].append(SourceFile(name, digest, size, command or ""))
    return found


def raw_records(
    wanted: Mapping[Place, str | None], known: Mapping[str, Sequence[SourceFile]], folders: Sequence[Path], *, withheld: bool = False
) -> Found:
    """The records at these places.

    Args:
        wanted: each place and the round that the record must be of; null: of none. It tells two files of one name apart.
        known: what is on record of each file, the latest first.
        folders: where to look; none: where the commands that read the files say.
        withheld: show none of them, since the lake holds pseudonyms and they name the players.
    """
    found = Found()
    of_file: dict[str, dict[int, str | None]] = defaultdict(dict)
    for (name, line), round_id in wanted.items():
        of_file[name][line] = round_id
    if withheld:
        found.missing = dict.fromkeys(of_file, "withheld: this lake holds pseudonyms, and the record as delivered names the players")
        return found
    for name, lines in sorted(of_file.items()):
        held = known.get(name, ())
        located = [(path, one) for one in held if (path := _locate(one, folders)) is not None]
        if not located:
            found.missing[name] = _why_missing(name, held, folders)
        elif name.lower().endswith(TABLE_SUFFIXES):
            found.whole[name] = located[0]
        else:
            for path, one in located:
                left = {line: told for line, told in lines.items() if (name, line) not in found.records}
                found.records |= {
                    (name, record.source_line): record
                    for record in _read(path, one, frozenset(left))
                    if len(held) == 1 or _is_of(record.raw, left[record.source_line])
                }
            if short := [line for line in lines if (name, line) not in found.records]:
                found.missing[name] = f"{name} was delivered more than once, and line {short[0]} of none that was found is of this round"
    return found


def _locate(one: SourceFile, folders: Sequence[Path]) -> Path | None:
    """Where a file lies that has the digest on record."""
    candidates = [path for folder in folders or _in_command(one.command) for path in _under(folder, one.name)]
    return next((path for path in candidates if path.stat().st_size == one.size and sha256_of(path) == one.sha256), None)


def _in_command(command: str) -> list[Path]:
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return [path for word in words if not word.startswith("-") and (path := Path(word)).exists()]


def _under(place: Path, name: str) -> Iterator[Path]:
    """A file as it was named when it was read, or by the end of that name; never one outside a folder that was named."""
    parts = [part for part in name.split("/") if part not in {"", ".", ".."}]
    paths = [place] if place.is_file() else [place.joinpath(*parts[start:]) for start in range(len(parts))]
    yield from (path for path in paths if path.is_file())


def _why_missing(name: str, held: Sequence[SourceFile], folders: Sequence[Path]) -> str:
    if not held:
        return f"the lake has no record of a file {name}"
    where = f"in {', '.join(map(str, folders))}" if folders else "where the audit read it"
    there = any(True for folder in (folders or _in_command(held[0].command)) for _ in _under(folder, name))
    if there:
        return f"{name} is {where}, but is not the file that was audited (SHA-256 {held[0].sha256}): {_NAME_IT}"
    return f"{name} (SHA-256 {held[0].sha256}) is not {where}: {_NAME_IT}"


def _read(path: Path, one: SourceFile, lines: frozenset[int]) -> Iterator[RawRecord]:
    """The lines, or games, of a file, as far as the last one that is wanted; in bounded memory."""
    if not lines:
        return
    reader, limits = BlockReader(path, ReadLimits()), ReadLimits()
    if game_history.recognises(head_of(path)):
        for games in reader.through(GameCutter(limits).games):
            for number, offset, text in zip(games.numbers, games.offsets, games.texts, strict=True):
                if number in lines:
                    yield RawRecord(one.name, number, offset, text, one.sha256)
        return
    left = sorted(lines, reverse=True)
    for block in reader.blocks():
        if isinstance(block, LongLine):
            continue
        texts = block.lines()
        offsets = list(accumulate((len(text) + 1 for text in texts), initial=block.offset))
        while left and left[-1] < block.first_line + len(texts):
            at = left.pop() - block.first_line
            yield RawRecord(one.name, block.first_line + at, offsets[at], texts[at], one.sha256)
        if not left:
            return


def _is_of(raw: bytes, round_id: str | None) -> bool:
    try:
        return round_id is None or msgspec.json.decode(raw).get("round_id") == round_id
    except (msgspec.DecodeError, UnicodeDecodeError, AttributeError):
        return False


def check_folders(folders: Sequence[Path]) -> None:
    """Refuse a ``--source`` that does not exist.

    Raises:
        InputError: names the first that does not.
    """
    for folder in folders:
        if not folder.exists():
            raise InputError("no such file or folder", str(folder), "check the path given with --source")

"""Records that cannot be read, kept on disk while a delivery is read: byte for byte, where nothing must be withheld."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import QUARANTINE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pipeline.feeds.pseudonyms import Pseudonyms
    from pipeline.feeds.strict import Refused

_HELD_BYTES: Final = 16 << 20


class QuarantineSpool:
    """Takes records in the order of the delivery and writes them out a few megabytes at a time.

    Args:
        folder: an empty folder for its files; made when it is not there.
        pseudonyms: withhold the bytes of the records, in which a player may be named; None: keep them.
    """

    def __init__(self, folder: Path, pseudonyms: Pseudonyms | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._pseudonyms = pseudonyms
        self._files: list[Path] = []
        self._held: list[tuple[str, int, int, str, bytes]] = []
        self._bytes = 0
        self.count = 0

    def add(self, source_file: str, refused: Iterable[Refused]) -> None:
        """Adds records of one file."""
        for one in refused if self._pseudonyms is None else map(self._pseudonyms.withheld, refused):
            self._held.append((source_file, one.line, one.offset, one.reason, one.raw))
            self._bytes += len(one.raw)
            self.count += 1
            if self._bytes > _HELD_BYTES or len(self._held) > _HELD_BYTES >> 8:
                self.close()

    def close(self) -> None:
        """Writes out what is still held."""
        if self._held:
            path = self._folder / f"{len(self._files):08d}.arrow"
            pl.DataFrame(self._held, schema=QUARANTINE.schema, orient="row").write_ipc(path, compression="uncompressed")
            self._files.append(path)
            self._held, self._bytes = [], 0

    def rows(self) -> pl.LazyFrame:
        """All of them (``schema.QUARANTINE``), in the order in which they came."""
        if not self._files:
            return QUARANTINE.empty().lazy()
        return pl.concat([pl.scan_ipc(path, glob=False) for path in self._files])

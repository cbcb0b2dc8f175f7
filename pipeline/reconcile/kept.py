"""What the chunks of a night leave for its end, on disk, since a night may have millions of rounds."""

from __future__ import annotations

import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

if TYPE_CHECKING:
    import pyarrow as pa


class Kept:
    """Rows by name, chunk by chunk, in a folder that is removed when nobody has them any more.

    Args:
        within: where that folder is made; None: where the system puts temporary files.
    """

    def __init__(self, within: Path | None = None) -> None:
        self._folder = Path(mkdtemp(prefix="kept-", dir=within))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._writers: dict[str, pq.ParquetWriter] = {}

    def add(self, name: str, rows: pa.Table) -> None:
        """Add a chunk's rows; they have the columns of those before them."""
        if name not in self._writers:
            self._writers[name] = pq.ParquetWriter(self._file(name), rows.schema, compression="zstd", compression_level=1)
        self._writers[name].write_table(rows)

    def files(self) -> dict[str, Path]:
        """The Parquet files with the rows of all chunks, by name; nothing can be added to them afterwards."""
        for writer in self._writers.values():
            writer.close()
        return {name: self._file(name) for name in self._writers}

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.parquet"

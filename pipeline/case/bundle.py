"""A case on disk: page, data, evidence, and the digests of all of it.

::

    OUT/case.html                      the page
    OUT/case.json                      what was asked for, the rounds, their stories, and what is missing
    OUT/README.txt                     what this is and how to check it
    OUT/data/<table>.parquet, .csv     the rows behind it
    OUT/evidence/lines/<n>-<name>      the raw records of one source file, in the order of its lines, byte for byte, a line feed after each
    OUT/evidence/lines.csv             each record: its file, line and offset there, its place in the file above, its SHA-256
    OUT/evidence/files/<n>-<name>      a source file whose rows are no lines (a flat table), whole
    OUT/evidence/files.csv             the files as delivered: size, SHA-256, where they are kept here, and why not
    OUT/evidence/filings/<fp>.json     what a filing means, in the form whose SHA-256 is its fingerprint; beside it the same in words
    OUT/evidence/versions.json         the runs and versions
    OUT/SHA256SUMS                     digests of all of it, as ``sha256sum -c`` reads them
"""

from __future__ import annotations

import io
import re
import shutil
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import msgspec
import polars as pl

from pipeline.ask.query import as_text
from pipeline.ask.spreadsheet import harmless
from pipeline.case.page import render
from pipeline.core.errors import ResettleError
from pipeline.filings.load import assemble
from pipeline.filings.words import describe
from pipeline.lake import disk
from pipeline.lake.scan import connect
from pipeline.report.wording import visible
from pipeline.version import code_version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.case.gathered import Gathered
    from pipeline.explain.sources import RawRecord, SourceFile

SUMS: Final = "SHA256SUMS"
SCHEMA: Final = "resettle-case/1"
LINES: Final = {
    "source_file": pl.String, "source_line": pl.Int64, "byte_offset": pl.Int64, "bytes": pl.Int64, "sha256": pl.String,
    "kept_in": pl.String, "kept_at": pl.Int64, "file_sha256": pl.String,
}  # fmt: skip
"""Columns of ``evidence/lines.csv``: ``byte_offset`` in the decompressed source file, ``kept_at`` in the file ``kept_in`` of the case."""

FILES: Final = {"source_file": pl.String, "sha256": pl.String, "bytes": pl.Int64, "kept_in": pl.String, "missing": pl.String}
"""Columns of ``evidence/files.csv``."""

MOST_WHOLE: Final = 256 << 20
"""A source file whose rows are no lines is copied up to this many bytes."""

_README: Final = """\
This folder is a case file made by Resettle {version}: {told}.

case.html        open it in any browser; it needs no network
case.json        the same for programs
data/            the rows behind it, as Parquet and CSV
evidence/        raw records byte for byte, source files with their digests, filings, versions
SHA256SUMS       digests of all files here

To check that nothing was changed since it was made, in this folder:

    sha256sum -c SHA256SUMS         every file has its digest
    resettle verify .               that, no file too many, each raw record and each filing
    sha256sum SHA256SUMS            one digest for the whole case: keep it elsewhere

{masked}
"""


def write_case(case: Gathered, out: Path, *, reveal: bool = False) -> str:
    """Write a case into a new folder, in one step.

    Args:
        case: what was gathered.
        out: the folder; it must be new or empty.
        reveal: show player ids on the page.

    Returns:
        SHA-256 of ``SHA256SUMS``: the digest of the whole case.

    Raises:
        ResettleError: the folder holds something, or cannot be written to.
    """
    target = out.resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise ResettleError("is there already and not empty", str(out), "name a new folder with --out")
    try:
        with disk.beside(target) as staging:
            for name, content in _files(case, reveal=reveal):
                disk.write(staging / name, content)
            for name, path in _copies(case):
                disk.make_folder((staging / name).parent)
                shutil.copyfile(path, staging / name)
            names = sorted(path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file())
            sums = "".join(f"{disk.sha256(staging / name)}  {name}\n" for name in names)
            disk.write(staging / SUMS, sums.encode())
            if target.exists():
                target.rmdir()
    except OSError as error:
        raise ResettleError(f"the case cannot be written: {error.strerror}", str(out), "name another folder with --out") from error
    return disk.sha256(target / SUMS)


def _files(case: Gathered, *, reveal: bool) -> Iterator[tuple[str, bytes]]:
    yield "case.html", render(case, reveal=reveal).encode()
    yield "case.json", _json(_case(case))
    masked = "Player ids are masked in case.html only." if not reveal else "Player ids are shown in case.html."
    yield "README.txt", _README.format(version=code_version(), told=visible(", ".join(case.scope.told)), masked=masked).encode()
    for name, rows in case.tables.items():
        yield f"data/{name}.parquet", _parquet(rows)
        yield f"data/{name}.csv", _csv(rows)
    index = []
    for number, (source, records) in enumerate(_by_file(case), 1):
        kept_in, at, kept = f"evidence/lines/{number:03d}-{_safe(source)}", 0, []
        for one in records:
            index.append((source, one.source_line, one.byte_offset, len(one.raw), one.sha256, kept_in, at, one.file_sha256))
            kept.append(one.raw + b"\n")
            at += len(kept[-1])
        yield kept_in, b"".join(kept)
    yield "evidence/lines.csv", pl.DataFrame(index, schema=LINES, orient="row").write_csv().encode()
    yield "evidence/files.csv", pl.DataFrame(list(_books(case)), schema=FILES, orient="row").write_csv().encode()
    for filing in [*case.filings, *([case.other] if case.other else [])]:
        yield f"evidence/filings/{filing.fingerprint}.json", filing.meaning
        yield f"evidence/filings/{filing.fingerprint}.txt", describe(assemble([filing])).text.encode()
    yield "evidence/versions.json", _json({"made_by": code_version(), "runs": case.runs})


def _case(case: Gathered) -> dict[str, Any]:
    names = ("studio_id", "gaming_day", "round_id")
    return {
        "schema": SCHEMA,
        "asked": case.scope.told,
        "rounds": [dict(zip(names, one, strict=True)) for one in case.rounds],
        "filings": [{"filing_id": one.filing_id, "revision": one.revision, "fingerprint": one.fingerprint} for one in case.filings],
        "other_filing": case.other.fingerprint if case.other else None,
        "missing": dict(sorted(case.found.missing.items())),
        "stories": case.stories,
    }


def _by_file(case: Gathered) -> list[tuple[str, list[RawRecord]]]:
    found: dict[str, list[RawRecord]] = defaultdict(list)
    for (name, _), record in sorted(case.found.records.items()):
        found[name].append(record)
    return sorted(found.items())


def _whole(case: Gathered) -> Iterator[tuple[str, Path, SourceFile]]:
    """The source files that are kept whole, each with its name in the case."""
    for number, (name, (path, one)) in enumerate(sorted(case.found.whole.items()), 1):
        if one.size <= MOST_WHOLE:
            yield f"evidence/files/{number:03d}-{_safe(name)}", path, one


def _copies(case: Gathered) -> Iterator[tuple[str, Path]]:
    yield from ((name, path) for name, path, _ in _whole(case))


def _books(case: Gathered) -> Iterator[tuple[str, str, int, str | None, str | None]]:
    kept = {(one.name, one.sha256): name for name, _, one in _whole(case)}
    for name, held in sorted(case.known.items()):
        missing = case.found.missing.get(name)
        if name in case.found.whole and case.found.whole[name][1].size > MOST_WHOLE:
            missing = f"larger than {MOST_WHOLE:,} bytes: keep the file itself"
        for one in held:
            yield name, one.sha256, one.size, kept.get((name, one.sha256)), missing
    yield from ((name, "", 0, None, why) for name, why in sorted(case.found.missing.items()) if name not in case.known)


def _parquet(rows: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    rows.write_parquet(buffer, row_group_size=100_000)
    return buffer.getvalue()


def _csv(rows: pl.DataFrame) -> bytes:
    with connect() as con:
        return harmless(as_text(con.from_arrow(rows.to_arrow())).pl()).write_csv().encode()


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _safe(name: str) -> str:
    """The end of a source file's name with nothing in it that a file system or a shell minds."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name.rpartition("/")[2])[-80:].lstrip(".") or "file"

"""Checking a case file: that nothing in it was changed, lost or added since it was made, and that its parts fit each other."""

from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import msgspec
import polars as pl

from pipeline.case.bundle import FILES, LINES, SCHEMA, SUMS
from pipeline.core.errors import CaseError
from pipeline.lake import disk

if TYPE_CHECKING:
    from pathlib import Path

_LINE: Final = re.compile(r"([0-9a-f]{64})  ([^\n]+)")
_RESTORE: Final = "use a copy of the case that was not touched, or make it again from the lake"


@dataclass(frozen=True, slots=True)
class VerifiedCase:
    """A case in which everything fits.

    Attributes:
        rounds: what it is about.
        files: files in it.
        bytes: their size.
        records: raw records in its evidence.
        missing: why records are not in it, in words.
        sha256: of its ``SHA256SUMS``: the digest of the whole case.
    """

    rounds: int
    files: int
    bytes: int
    records: int
    missing: tuple[str, ...]
    sha256: str


def verify_case(case: Path, head: str | None = None) -> VerifiedCase:
    """Read everything in a case and compare it with its digests, and its records, files and filings with each other.

    Args:
        case: the folder.
        head: the digest of the whole case, where it was kept elsewhere. Without it, a case that was forged as a whole looks right.

    Raises:
        CaseError: names the first thing that does not fit.
    """
    root = case.resolve()
    if not (root / SUMS).is_file():
        raise CaseError(f"holds no {SUMS}: it is no case file", str(case), "name the folder that resettle case wrote")
    content = (root / SUMS).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if head is not None and head != digest:
        raise CaseError(f"is another case, or was made anew: its digest is {digest}", str(case), _RESTORE)
    sums = _sums(root, content)
    size = 0
    for name, expected in sums.items():
        path = root / name
        if path.is_symlink() or not path.is_file():
            raise CaseError("is missing, or is no file", str(path), _RESTORE)
        if disk.sha256(path) != expected:
            raise CaseError("was changed after the case was made", str(path), _RESTORE)
        size += path.stat().st_size
    strays = sorted({path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir()} - {*sums, SUMS})
    if strays:
        raise CaseError(f"is not of this case: {SUMS} does not name it", str(root / strays[0]), "take it out")
    told = _told(root)
    records = _records_fit(root)
    _filings_fit(root, told)
    _evidence_is_whole(root, told, records)
    missing = tuple(map(str, told["missing"].values()))
    return VerifiedCase(len(told["rounds"]), len(sums), size, records.height, missing, digest)


def _sums(root: Path, content: bytes) -> dict[str, str]:
    found = {}
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        match = _LINE.fullmatch(line)
        name = PurePosixPath(match[2]) if match else None
        if match is None or name is None or name.is_absolute() or ".." in name.parts:
            raise CaseError("is no line of digests", f"{root / SUMS}:{number}", _RESTORE)
        found[match[2]] = match[1]
    return found


def _told(root: Path) -> dict[str, Any]:
    path = root / "case.json"
    try:
        told: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise CaseError(f"cannot be read: {error}", str(path), _RESTORE) from error
    if told.get("schema") != SCHEMA:
        raise CaseError(f"is no {SCHEMA}", str(path), "check it with the version of this program that made it")
    return told


def _csv(root: Path, name: str, schema: dict[str, Any]) -> pl.DataFrame:
    path = root / "evidence" / name
    try:
        return pl.read_csv(io.BytesIO(path.read_bytes()), schema=schema)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise CaseError(f"cannot be read: {error}", str(path), _RESTORE) from error


def _records_fit(root: Path) -> pl.DataFrame:
    """Each record lies where the index says, byte for byte, and the files hold nothing else."""
    index = _csv(root, "lines.csv", LINES)
    files = {row["source_file"]: row["sha256"] for row in _csv(root, "files.csv", FILES).iter_rows(named=True)}
    for kept_in in index["kept_in"].unique(maintain_order=True):
        content, end = (root / kept_in).read_bytes(), 0
        for row in index.filter(kept_in=kept_in).iter_rows(named=True):
            raw = content[row["kept_at"] : row["kept_at"] + row["bytes"]]
            where = f"{root / kept_in} ({row['source_file']}:{row['source_line']})"
            if row["kept_at"] != end or hashlib.sha256(raw).hexdigest() != row["sha256"]:
                raise CaseError("is not the record that evidence/lines.csv names", where, _RESTORE)
            if row["source_file"] not in files:
                raise CaseError("is of a file that evidence/files.csv does not name", where, _RESTORE)
            end = row["kept_at"] + row["bytes"] + 1
        if end != len(content):
            raise CaseError("holds more than the records that evidence/lines.csv names", str(root / kept_in), _RESTORE)
    return index


def _filings_fit(root: Path, told: dict[str, Any]) -> None:
    """A filing's file means what its fingerprint says, and each that was in force is there."""
    held = set()
    for path in sorted((root / "evidence" / "filings").glob("*.json")):
        if hashlib.sha256(path.read_bytes()).hexdigest() != path.stem:
            raise CaseError("does not mean what its fingerprint says", str(path), _RESTORE)
        held.add(path.stem)
    for filing in told["filings"]:
        if filing["fingerprint"] not in held:
            raise CaseError(f"the filing {filing['filing_id']} is missing", str(root / "evidence" / "filings"), _RESTORE)


def _evidence_is_whole(root: Path, told: dict[str, Any], records: pl.DataFrame) -> None:
    """Each round was read from a record that is here, or whose absence is said."""
    kept = set(records.select("source_file", "source_line").rows())
    files = _csv(root, "files.csv", FILES)
    for row in files.filter(pl.col("kept_in").is_not_null()).iter_rows(named=True):
        if disk.sha256(root / row["kept_in"]) != row["sha256"]:
            raise CaseError(f"is not the file {row['source_file']} as it was delivered", str(root / row["kept_in"]), _RESTORE)
    whole = set(files.filter(pl.col("kept_in").is_not_null() | pl.col("missing").is_not_null())["source_file"])
    for row in pl.read_parquet(root / "data" / "rounds.parquet").iter_rows(named=True):
        place = (row["source_file"], row["source_line"])
        if place not in kept and place[0] not in whole and place[0] not in told["missing"]:
            raise CaseError(f"the record of round {row['round_id']} is missing", str(root / "evidence" / "lines.csv"), _RESTORE)

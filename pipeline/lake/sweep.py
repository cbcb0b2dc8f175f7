"""Clearing away what a killed run left, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from pipeline.core.errors import LakeError
from pipeline.lake import disk
from pipeline.lake.layout import CURRENT, MANIFESTS, MOVES, ORIGIN, RUNS, SIGNATURES, STAGING

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet
    from pathlib import Path


def sweep(root: Path, last: int, known: AbstractSet[str], kept: Callable[[Path], bool]) -> None:
    """Removes a killed run's records, the files that it moved to their places and never published, and at the end its staging.

    A sweep that is killed itself leaves enough for the next one.

    Args:
        root: the lake.
        last: the number of the publish that is current; 0 where nothing is.
        known: the runs that were published.
        kept: whether a run's staging stays; what was moved from it to its place goes back there.

    Raises:
        LakeError: there are publishes that ``current.json`` does not know; nothing is removed then.
    """
    refuse_cut_back(root, last)
    for path in _after(root, last):
        path.unlink()
    for left in sorted((root / STAGING).glob("*")):
        moves, stays = left / MOVES, left.name not in known and kept(left)
        if left.name not in known and moves.exists():
            for file in msgspec.json.decode(moves.read_bytes(), type=list[str]):
                if _is_of(left.name, PurePosixPath(file)) and (root / file).exists():
                    if stays:
                        disk.move(root / file, left / file)
                    else:
                        (root / file).unlink()
        if stays:
            moves.unlink(missing_ok=True)
        elif left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()


def refuse_cut_back(root: Path, last: int) -> None:
    """Sees that no publish is recorded after the current one, save by a killed run, whose staging lies there still.

    Of a working copy nothing is said: what its lake in the store shows is held against it when it is made current.

    Raises:
        LakeError: one is: ``current.json`` was lost, or put back to an earlier state.
    """
    if (root / ORIGIN).exists():
        return
    for path in _after(root, last):
        if not (root / STAGING / path.stem.partition("-")[2]).is_dir():
            what = "does not know" if last else "is missing, which knew"
            way_out = "restore current.json from a copy, or audit the deliveries again into a new folder"
            raise LakeError(f"{what} the publish {path.relative_to(root)}", str(root / CURRENT), way_out)


def _after(root: Path, last: int) -> list[Path]:
    found = []
    for path in (path for folder in (MANIFESTS, RUNS, SIGNATURES) for path in (root / folder).glob("*.json")):
        number = path.name.partition("-")[0]
        if number.isdecimal() and int(number) > last:
            found.append(path)
    return sorted(found)


def _is_of(run_id: str, file: PurePosixPath) -> bool:
    """A list of moves may have been tampered with: only this run's own files are removed by it."""
    return file.stem == run_id and file.suffix == ".parquet" and ".." not in file.parts and not file.is_absolute()

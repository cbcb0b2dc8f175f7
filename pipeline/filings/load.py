"""Loading a filing or a folder of filings: the one way in for both engines, the checks and the commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.core.errors import FilingError
from pipeline.filings.frames import frames_of
from pipeline.filings.read import UnreadableFilingError, read_filing
from pipeline.filings.submission import fingerprint_of
from pipeline.filings.validity import contradictions, latest_revisions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pipeline.core.filed import Filed
    from pipeline.core.times import GamingDay
    from pipeline.filings.submission import Filing


@dataclass(frozen=True, slots=True)
class Filings:
    """All filings of a run.

    Attributes:
        submissions: the filings in force, by studio, id and revision; a filing's place is its ``filing_no``.
        replaced: lower revisions, which govern no day.
        filed: the same filings as frames.
        gaming_days: studio to the start of its gaming day.
        fingerprint: SHA-256 (hexadecimal) of the set, whatever its order and file names.
    """

    submissions: tuple[Filing, ...]
    replaced: tuple[Filing, ...]
    filed: Filed
    gaming_days: Mapping[str, GamingDay]
    fingerprint: str


def load_filings(path: Path) -> Filings:
    """Load a filing, or every ``*.toml`` in a folder and below.

    Args:
        path: the file or folder.

    Raises:
        UnreadableFilingError: filings are missing keys, hold unknown or wrong ones, or contradict each other; all problems at once.
        FilingError: there is no such path, or no filing in it.
    """
    read: list[Filing] = []
    problems: list[str] = []
    for file, name in _files_of(path):
        try:
            read.append(read_filing(file, name))
        except UnreadableFilingError as error:
            problems.extend(error.problems)
    latest, replaced, disputes = latest_revisions(read)
    problems.extend([*disputes, *contradictions(latest)])
    if problems:
        raise UnreadableFilingError(problems)
    return assemble(latest, replaced)


def assemble(filings: list[Filing], replaced: list[Filing] | None = None) -> Filings:
    """Number filings that do not contradict each other and make their frames."""
    submissions = tuple(sorted(filings, key=lambda each: (each.studio_id, each.filing_id, each.revision)))
    return Filings(
        submissions=submissions,
        replaced=tuple(sorted(replaced or (), key=lambda each: (each.studio_id, each.filing_id, each.revision))),
        filed=frames_of(submissions),
        gaming_days={each.studio_id: each.gaming_day for each in submissions},
        fingerprint=fingerprint_of(submissions),
    )


def _files_of(path: Path) -> list[tuple[Path, str]]:
    try:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*.toml") if file.is_file())
            if not files:
                raise FilingError("holds no filing", str(path), "put one Rules Submission a file there, named *.toml")
            return [(file, file.relative_to(path).as_posix()) for file in files]
        if path.is_file():
            return [(path, path.name)]
    except OSError as error:
        raise FilingError(
            f"cannot be read ({error.strerror or error})", str(path), "give the path of a filing or a folder of filings"
        ) from error
    raise FilingError("does not exist", str(path), "give the path of a filing or a folder of filings")

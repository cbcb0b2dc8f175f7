"""Where things lie in a lake folder. Paths in manifests are relative to it, so that a lake can be moved."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pipeline.core.errors import LakeError

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

CURRENT: Final = "current.json"
AUDIT_DB: Final = "audit.duckdb"
LOCK: Final = "lock"
TABLES: Final = "tables"
DELIVERIES: Final = "deliveries"
MANIFESTS: Final = "manifests"
RUNS: Final = "runs"
STAGING: Final = "staging"
SIGNATURES: Final = "signatures"
REMEDIES: Final = "remedies/remedies.ndjson"
FOLLOW_UPS: Final = "follow_ups/follow_ups.ndjson"
NOTICES: Final = "notices/notices.ndjson"
ORIGIN: Final = "origin.json"
FETCHING: Final = "fetching"
MOVES: Final = "moves.json"
PLAN: Final = "plan.json"

_LONGEST_NAME: Final = 200
"""Bytes of a folder name that every file system takes, with room for the key before it."""


def folder_name(studio_id: str) -> str:
    """A studio's folder: its id with everything but letters, digits and ``_.-~`` percent-encoded, so that no id leaves the folder.

    An id that would be too long for a file system becomes ``%sha256-<digest>``, which no encoded id can spell.
    """
    quoted = quote(studio_id, safe="")
    return quoted if len(quoted) <= _LONGEST_NAME else "%sha256-" + hashlib.sha256(studio_id.encode()).hexdigest()


def partition_file(table: str, studio_id: str, gaming_day: date, run_id: str) -> str:
    """Path of a partition's table, relative to the lake."""
    return f"{TABLES}/{table}/studio_id={folder_name(studio_id)}/gaming_day={gaming_day.isoformat()}/{run_id}.parquet"


def delivery_file(table: str, run_id: str) -> str:
    """Path of a delivery's table, relative to the lake."""
    return f"{DELIVERIES}/{table}/{run_id}.parquet"


def manifest_file(number: int, run_id: str) -> str:
    """Path of a publish's manifest, relative to the lake."""
    return f"{MANIFESTS}/{number:06d}-{run_id}.json"


def run_file(number: int, run_id: str) -> str:
    """Path of a publish's record of clock, host and command, relative to the lake."""
    return f"{RUNS}/{number:06d}-{run_id}.json"


def signature_file(number: int, run_id: str) -> str:
    """Path of the signature of a publish, relative to the lake."""
    return f"{SIGNATURES}/{number:06d}-{run_id}.json"


def checked_root(lake: Path) -> Path:
    """The lake's absolute path.

    Raises:
        LakeError: DuckDB would read the path as a pattern, or it is a file.
    """
    root = lake.resolve()
    if any(character in str(root) for character in "*?["):
        raise LakeError("the path of a lake may not hold *, ? or [: DuckDB reads them as a pattern", str(root), "choose another folder")
    if root.exists() and not root.is_dir():
        raise LakeError("is a file, not a folder", str(root), "name a folder, new or empty, or one that holds a lake")
    return root

"""A record that lacks a field is audited all the same: each field is left out of one round of the sample day."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pipeline.audit import Request, audit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Row = dict[str, Any]
NEEDED: Final = {
    ("schema",),
    ("game",),
    ("studio_id",),
    ("round_id",),
    ("status",),
    ("participants", "wagers", "kind"),
    ("participants", "wagers", "stake"),
}


def fields(told: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of each field of a record."""
    for one in told if isinstance(told, list) else [told]:
        for name, value in one.items() if isinstance(one, dict) else ():
            yield (*path, name)
            yield from fields(value, (*path, name))


def without(told: Any, path: tuple[str, ...]) -> Any:
    """The record without that field, wherever it stands."""
    if isinstance(told, list):
        return [without(one, path) for one in told]
    if not isinstance(told, dict):
        return told
    name, *deeper = path
    if not deeper:
        return {key: value for key, value in told.items() if key != name}
    return {key: without(value, tuple(deeper)) if key == name else value for key, value in told.items()}


def test_each_field_may_be_missing(sample: Path, tmp_path: Path) -> None:
    rounds = [json.loads(line) for line in (sample / "rounds.ndjson").read_bytes().splitlines()]
    wanted = sorted({path for told in rounds for path in fields(told)} - NEEDED)
    lacking = [without(next(one for one in rounds if path in fields(one)), path) for path in wanted]
    log = tmp_path / "rounds.ndjson"
    lines = [json.dumps({**told, "round_id": f"r{number}"}) + "\n" for number, told in enumerate(lacking)]
    log.write_text("".join(lines), encoding="utf-8")
    report = audit(Request((log,), sample / "filings", tmp_path / "lake")).report
    assert (report.untrusted, report.quarantined) == ((), ())
    assert ("table_id",) in wanted

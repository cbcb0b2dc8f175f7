"""The reader in ``docs/writing-a-reader.md`` reads."""

from __future__ import annotations

import json
import re
import sys
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pipeline.feeds import formats

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-reader.md"
SLIP = {"slip": "A-1", "table": "T1", "time": "2026-11-03T15:00:00Z", "player": "p1", "bet": "ante", "amount": "10.00", "returned": "0.00"}


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The example, among the formats."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    module = ModuleType("kiosk_slips")
    monkeypatch.setitem(sys.modules, "kiosk_slips", module)
    exec(compile(code, str(PAGE), "exec"), module.__dict__)  # noqa: S102
    monkeypatch.setattr(formats, "FORMATS", [*formats.FORMATS, formats.Format(module.NAME, module.recognises, module.SlipReader)])


@pytest.mark.usefixtures("known")
def test_the_example_reads(read: Any, tables: Any, books: Any) -> None:
    lines = [SLIP, SLIP, SLIP | {"slip": "A-2", "shop": 7}, SLIP | {"slip": "A-3", "amount": "1e3"}, SLIP | {"slip": "A-4", "time": "noon"},
        SLIP | {"slip": "A-5", "bet": None}, b'{"slip": "A-6"', b"", SLIP | {"slip": 8}]  # fmt: skip
    delivery = read(lines)
    row = books(delivery)
    assert (row["accepted"], row["repeats"], row["quarantined"], row["blank"]) == (2, 1, 5, 1)
    assert list(row["unknown_fields"]) == [{"field": "shop", "count": 1}]
    got = tables(delivery)
    assert got["wagers"].select("round_id", "wager_id", "kind", "stake", "paid").rows() == [
        (slip, slip, "ante", Decimal(10), Decimal(0)) for slip in ("A-1", "A-2")
    ]
    assert got["rounds"]["feed_lacks"].to_list() == [["cards", "decision", "void_reason"]] * 2
    told = delivery.quarantine().collect()
    data = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    for one in told.to_dicts():
        assert data[one["byte_offset"] :].startswith(one["raw"])
    assert told.select("source_line", "reason").rows() == [
        (4, "participants[0].wagers[0].stake: impossible amount '1e3'"),
        (5, "opened_at: no RFC 3339 time 'noon'"),
        (6, "participants[0].wagers[0]: kind is missing"),
        (7, "no JSON: cut off"),
        (9, "slip: a whole number where text should be"),
    ]

"""The SQL engine for tests: one connection, rounds in, what it says of each wager out."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pipeline.reconcile.session import open_session
from pipeline.settle.twin import Twin
from tests.support.chunks import Row, make_chunk
from tests.support.filings import filing, make_filed

if TYPE_CHECKING:
    from pipeline.core.filed import Filed


@cache
def twin() -> Twin:
    """The engine on a connection of its own, its ranking tables made once."""
    return Twin(open_session())


def settled(*rounds: Row, filed: Filed | None = None, **keys: Any) -> dict[str, Row]:
    """The twin's row of each wager by ``wager_id``; without ``filed``, under the usual filing with these keys changed."""
    chunk = make_chunk(*rounds)
    said = twin().settle(chunk, filed or make_filed(filing(**keys)))
    ids = dict(chunk.wagers.select("wager_key", "wager_id").iter_rows())
    return {ids[row["wager_key"]]: row for row in said.iter_rows(named=True)}


def in_brief(rows: dict[str, Row]) -> dict[str, str]:
    """What becomes of each kind of p1's wagers in round r1: ``settlement`` or its amount, ``+`` the bonus where there is one."""
    return {wager_id.removeprefix("r1-p1-"): _brief(row) for wager_id, row in rows.items()}


def _brief(row: Row) -> str:
    if row["settlement"] not in {"settled", "voided"}:
        return f"{row['settlement']}: {row['settlement_reason']}"
    bonus = row["expected_bonus"]
    told = f"{row['expected']:f}".rstrip("0").rstrip(".")
    extra = f" + {bonus:f}".rstrip("0").rstrip(".") if bonus else ""
    return f"{row['outcome']} {told}{extra}"

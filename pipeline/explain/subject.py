"""Which round, wager or finding an id names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import LakeError
from pipeline.lake.ids import FINDING, beginning_with
from pipeline.report.wording import visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import duckdb


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """What is to be explained.

    Attributes:
        what: finding, wager or round.
        studio_id: the studio.
        gaming_day: the gaming day.
        round_id: the round; None where a finding is about none.
        wager_id: the wager; None where it is about a whole round.
        finding_id: the finding; None where the id is none of one.
    """

    what: str
    studio_id: str
    gaming_day: date
    round_id: str | None
    wager_id: str | None = None
    finding_id: str | None = None


_ASKED: Final = {
    "finding": "SELECT studio_id, gaming_day, round_id, wager_id, finding_id FROM findings WHERE finding_id = $id",
    "wager": "SELECT studio_id, gaming_day, round_id, wager_id, NULL FROM settlements WHERE wager_id = $id",
    "round": "SELECT DISTINCT studio_id, gaming_day, round_id, NULL, NULL FROM rounds WHERE round_id = $id AND is_current",
}


def find(
    con: duckdb.DuckDBPyConnection,
    named: str,
    studio_id: str | None = None,
    round_id: str | None = None,
    what: Sequence[str] = ("finding", "round", "wager"),
) -> Subject:
    """The finding, else the round, else the wager that is called so, else the finding whose id begins so.

    Args:
        con: the lake.
        named: the id.
        studio_id: only of this studio.
        round_id: only in this round; a wager's id is unique in its round alone.
        what: what it may be, in order.

    Raises:
        LakeError: nothing is called so, or several are.
    """
    for kind in what:
        asked = (
            f"{_ASKED[kind]} AND ($studio IS NULL OR studio_id = $studio) AND ($round IS NULL OR round_id = $round) ORDER BY ALL LIMIT 3"
        )
        rows = con.execute(asked, {"id": named, "studio": studio_id, "round": round_id}).fetchall()
        if len(rows) == 1:
            return Subject(kind, *rows[0])
        if rows:
            first = f"round {visible(rows[0][2])} of studio {visible(rows[0][0])} on {rows[0][1]}"
            raise LakeError(
                f"{visible(named)} names more than one {kind}, the first in {first}", "explain", "say which with --studio and --round"
            )
    if FINDING in what and (begun := beginning_with(con, FINDING, named)):
        if len(begun) > 1:
            raise LakeError(f"several findings begin with {visible(named)}", "explain", "give more of the id")
        if begun != [named]:
            return find(con, begun[0], studio_id, round_id, (FINDING,))
    raise LakeError(
        f"{visible(named)} names no {' or '.join(reversed(what))} in the lake",
        "explain",
        "the views rounds, wagers and findings list the ids",
    )

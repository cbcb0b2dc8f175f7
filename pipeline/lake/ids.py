"""Ids of findings and incidents, which may be given by an unmistakable beginning: one way for every command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.core.errors import LakeError

if TYPE_CHECKING:
    import duckdb

FINDING, INCIDENT, RECORDED = "finding", "incident", "recorded finding"
_BEGINNING: Final = {
    FINDING: "SELECT finding_id AS id FROM findings WHERE starts_with(finding_id, $named)",
    INCIDENT: "SELECT DISTINCT incident_id AS id FROM findings WHERE starts_with(incident_id, $named)",
    RECORDED: "SELECT finding_id AS id FROM finding_status WHERE starts_with(finding_id, $named)",
}


def beginning_with(con: duckdb.DuckDBPyConnection, what: str, named: str) -> list[str]:
    """The ids that begin so, at most two: one where it is the whole of an id, and none for no text.

    Args:
        con: the lake.
        what: ``FINDING`` or ``INCIDENT`` for what stands in the lake; ``RECORDED`` for findings that are gone, too, where something
            was recorded about them.
        named: the beginning.
    """
    rows = con.execute(f"FROM ({_BEGINNING[what]}) ORDER BY length(id), id LIMIT 2", {"named": named}).fetchall() if named else []
    found = [str(row[0]) for row in rows]
    return found[:1] if named in found else found


def whole_id(con: duckdb.DuckDBPyConnection, named: str, *what: str) -> tuple[str, str]:
    """What an id, or the beginning of one, names: which of these, and the whole id.

    Args:
        con: the lake.
        named: the id or its beginning.
        *what: what it may name, see ``beginning_with``.

    Raises:
        LakeError: nothing begins so, or several do.
    """
    found = [(kind, whole) for kind in what for whole in beginning_with(con, kind, named)]
    nouns = " or ".join(dict.fromkeys("finding" if kind == RECORDED else kind for kind in what))
    if not found:
        raise LakeError(f"no {nouns} {named or '(empty)'} stands in the lake", nouns, "list them with: resettle findings list")
    if len(found) > 1:
        kinds = " and ".join(dict.fromkeys(f"{kind}s" for kind, _ in found))
        raise LakeError(f"several {kinds.replace('recorded ', '')} begin with {named}", nouns, "give more of the id")
    return found[0]

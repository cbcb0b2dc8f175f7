"""Which checks can find anything at all: told by a glance at what little they look among, so that the others need not be run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from pipeline.reconcile.checks import FailedCheck
from pipeline.reconcile.header import first_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.reconcile.checks import Check


def unsuspecting(con: duckdb.DuckDBPyConnection, checks: Iterable[Check]) -> tuple[set[str], list[FailedCheck]]:
    """The checks none of whose ``suspects`` has a row.

    Args:
        con: the connection in which the suspects stand.
        checks: checks; those that name no suspects can always find something.

    Returns:
        Their ids, and the checks whose suspects cannot be asked for.
    """
    asked: dict[str, list[tuple[Check, str]]] = {}
    named: set[str] = set()
    for check in checks:
        for told in check.suspects:
            named.add(check.check_id)
            asked.setdefault(told.relation, []).append((check, told.condition))
    suspecting: set[str] = set()
    failed: list[FailedCheck] = []
    groups = list(asked.items())
    while groups:
        relation, group = groups.pop()
        conditions = ", ".join(f"coalesce(bool_or({condition}\n), false)" for _, condition in group)
        try:
            answers = con.execute(f"SELECT {conditions} FROM {relation}").fetchall()[0]
        except duckdb.Error as error:
            if len(group) > 1:
                groups += [(relation, [one]) for one in group]
            else:
                failed.append(FailedCheck(group[0][0].check_id, group[0][0].line_of("suspects"), first_line(error)))
            continue
        suspecting |= {check.check_id for (check, _), answer in zip(group, answers, strict=True) if answer}
    return named - suspecting, failed

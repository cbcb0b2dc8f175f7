"""An incident in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pipeline.core.money import amount
from pipeline.reconcile.causes import HYPOTHESES, UNEXPLAINED
from pipeline.reconcile.causes.separated import told_apart

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

CAUSE_WORDS: Final = {hypothesis.name: hypothesis.words for hypothesis in HYPOTHESES}
"""Each root cause in a few words."""

_STRUCK: Final = {
    "operator": "for operator {}", "filing": "under filing {}", "dealer": "while {} dealt", "deck": "with deck {}",
    "software": "under software {}", "reader": "with reader {}",
}  # fmt: skip


def sentence(row: Mapping[str, Any]) -> str:
    """What an incident says: how many of how many, where, when, what was broken, and what that cost.

    Args:
        row: a row of ``results.INCIDENTS``; its ``message`` is not looked at.
    """
    where = f"on {row['table_id'] or 'no table'}" + (f" {_STRUCK[row['struck']].format(row['struck_id'])}" if row["struck"] else "")
    if row["first_at"] is not None:
        where += f" {_when(row['first_at'], row['last_at'])}"
    detail = f" ({row['root_cause_detail']})" if row["root_cause_detail"] else ""
    kind = {"main": "Ante and Play", None: ""}.get(row["kind"], (row["kind"] or "").replace("_", " ").title())
    if row["root_cause"] == UNEXPLAINED:
        cause = row["root_cause_detail"] or "no known fault reproduces what was paid"
        told_as = "not diagnosed" if row["root_cause_detail"] else UNEXPLAINED
        many = f"{told_as}: {row['hits']:,} {'finding' if row['hits'] == 1 else 'findings'}"
    else:
        cause = f"{CAUSE_WORDS[row['root_cause']]}{detail}"
        noun = "opportunity" if row["opportunities"] == 1 else "opportunities"
        many = f"{row['extent']}: {row['hits']:,} of {row['opportunities']:,} {noun}"
    told = [f"{many} {where}", f"{kind}: {cause}" if kind else cause, *_money(row["money"] or [])]
    others = row["also_explained_by"] or []
    also = []
    if others:
        apart = told_apart(row["root_cause"], others, row["kind"])
        also = [f"The wagers at hand do not tell it from {', '.join(others)}. {apart}"]
    began = [f"It began with {row['began_with']}."] if row["began_with"] else []
    ended = [f"It ended with {row['ended_with']}."] if row["ended_with"] else []
    return " ".join([f"{', '.join(told)}.", *began, *ended, *also])


def _when(first: datetime, last: datetime) -> str:
    if first == last:
        return f"at {first:%Y-%m-%d %H:%M:%S} UTC"
    until = "%H:%M:%S" if first.date() == last.date() else "%Y-%m-%d %H:%M:%S"
    return f"from {first:%Y-%m-%d %H:%M:%S} to {last:{until}} UTC"


def _money(money: list[dict[str, Any]]) -> list[str]:
    told = []
    for each in money:
        players = f"{each['players']:,} {'player' if each['players'] == 1 else 'players'}"
        parts = [f"{amount(each[name], each['currency'])} {name}" for name in ("overpaid", "underpaid") if each[name]]
        if parts:
            told.append(f"{' and '.join(parts)} to {players}")
    return told

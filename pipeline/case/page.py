"""The case as one HTML page that needs nothing but itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import polars as pl
from msgspec import structs

from pipeline.case.mask import Mask
from pipeline.case.timeline import draw
from pipeline.core.money import amount
from pipeline.explain.steps import cause_in_words
from pipeline.explain.story import Found, from_row
from pipeline.explain.words import card_in_words
from pipeline.filings.load import assemble
from pipeline.filings.words import describe, line_in_words, wager_in_words
from pipeline.reconcile.catalogue import SEVERITIES
from pipeline.report.html import template
from pipeline.report.wording import Answer, count, visible
from pipeline.version import code_version

if TYPE_CHECKING:
    from decimal import Decimal

    from pipeline.case.gathered import Gathered
    from pipeline.explain.story import RoundStory, WagerStory
    from pipeline.filings.submission import Filing

MOST_ROWS: Final = 300
"""Rows of a table on the page; the data hold all."""

MOST_WAGERS: Final = 60
"""Wagers of a round that the page tells, those with findings first; thousands may play on one shared hand."""


def render(case: Gathered, *, reveal: bool = False) -> str:
    """The page. Whatever stands in the log is escaped, and the page loads nothing from anywhere.

    Args:
        case: what was gathered.
        reveal: show player ids; otherwise each player is a number of this case.
    """
    mask = Mask([] if reveal else _players(case))
    severity = pl.col("severity").replace_strict(list(SEVERITIES), range(len(SEVERITIES)), return_dtype=pl.Int8)
    tables = dict(case.tables, findings=case.tables["findings"].sort(severity, "gaming_day", "round_id", "finding_id", nulls_last=True))
    shown = {name: tables[name].head(MOST_ROWS).to_dicts() for name in ("findings", "accounts", "around_table", "around_player")}
    for row in shown["findings"]:
        row["cause"] = cause_in_words(from_row(Found, row, incident=None))
    told = {
        "title": ", ".join(case.scope.told),
        "answers": [{"text": one.text, "good": one.good} for one in answers(case)],
        "missing": sorted(case.found.missing.values()),
        "runs": case.runs,
        **shown,
    }
    stories = [mask.value(story) for story in case.stories]
    return template("pipeline.case", "case.html.j2").render(
        **mask.value(told),
        words={"card": card_in_words, "kind": wager_in_words, "line": line_in_words, "due": _due, "paid": _paid, "lines": _visible_lines},
        **{f"more_{name}": tables[name].height - len(rows) for name, rows in shown.items()},
        stories=[(_shortened(story), draw(story.timeline), len(story.wagers)) for story in stories],
        most_events=MOST_ROWS,
        asked_finding=case.scope.finding,
        rounds=len(case.rounds),
        records=len(case.found.records),
        filings=[_in_words(filing) for filing in case.filings],
        other=None if case.other is None else _in_words(case.other),
        files=[{"source_file": one.name, "bytes": one.size, "sha256": one.sha256} for held in case.known.values() for one in held],
        reveal=reveal,
        code_version=code_version(),
    )


def answers(case: Gathered) -> list[Answer]:
    """The case in a few sentences."""
    told = [Answer(f"These results are not to be trusted: {reason}.", good=False) for run in case.runs for reason in run["untrusted"]]
    settled, findings, engines = (case.tables[name] for name in ("settlements", "findings", "engines"))
    people = settled.select("operator_id", "player_id").unique().height
    told.append(Answer(f"{count(len(case.rounds), 'round')}, {count(settled.height, 'wager')}, {count(people, 'player')}.", good=True))
    if case.scope.incident is not None:
        asked = case.tables["incidents"].filter(pl.col("incident_id") == case.scope.incident)
        told += [Answer(str(text), good=False) for text in asked["message"]]
    real = settled.filter((pl.col("play_mode") == "real") & pl.col("delta").is_not_null())
    for currency, wagers, more, less in (
        real.filter(pl.col("delta") != 0)
        .group_by("currency")
        .agg(pl.len(), more=pl.col("delta").clip(lower_bound=0).sum(), less=pl.col("delta").clip(upper_bound=0).sum())
        .sort("currency")
        .iter_rows()
    ):
        wrong = f"{count(wagers, 'wager')} in {currency} {'was' if wagers == 1 else 'were'} paid wrongly"
        told.append(Answer(f"{wrong}: {amount(more, currency)} too much, {amount(-less, currency)} too little.", good=False))
    grave = findings.filter(pl.col("severity") != "info").height
    told.append(Answer(f"{count(grave, 'finding')}, and {count(findings.height - grave, 'remark')} for information.", good=not grave))
    if unlike := engines.filter(~pl.col("agree")).height:
        told.append(Answer(f"The two engines disagree on {count(unlike, 'wager')}.", good=False))
    if changed := engines.filter(~pl.col("as_published")).height:
        told.append(
            Answer(f"Settled again now, {count(changed, 'wager')} would not come out as published: the version is another.", good=False)
        )
    told += [Answer(text, good=True) for text in _instead(case)]
    told += [Answer(f"Evidence is missing: {why}.", good=False) for why in sorted(case.found.missing.values())]
    return told


def _instead(case: Gathered) -> list[str]:
    """What another filing would have made due, in each currency; wagers that it cannot settle are left out on both sides."""
    if case.other is None or "what_if" not in case.tables:
        return []
    due = pl.col("expected") + pl.col("expected_bonus").fill_null(0)
    key = ["studio_id", "gaming_day", "wager_key"]
    before = case.tables["settlements"].filter(pl.col("play_mode") == "real").select(*key, "currency", due=due)
    both = before.join(case.tables["what_if"].select(*key, instead=due), on=key).drop_nulls(["due", "instead"])
    differ = (pl.col("due") != pl.col("instead")).sum()
    sums = both.group_by("currency").agg(pl.col("due").sum(), pl.col("instead").sum(), differ=differ, wagers=pl.len()).sort("currency")
    under = f"Under {case.other.filing_id} revision {case.other.revision}"
    return [
        f"{under}, {amount(instead, currency)} would have been due in place of {amount(right, currency)} "
        f"({amount(instead - right, currency, signed=True)}); {differing:,} of {count(wagers, 'wager')} would differ."
        for currency, right, instead, differing, wagers in sums.iter_rows()
    ]


def _shortened(story: RoundStory) -> RoundStory:
    """The story with no more wagers than a page bears, in their order."""
    first = sorted(range(len(story.wagers)), key=lambda number: not story.wagers[number].findings)[:MOST_WAGERS]
    return structs.replace(story, wagers=[story.wagers[number] for number in sorted(first)])


def _players(case: Gathered) -> list[str]:
    """Every player id that the case may show, those of its own rounds first."""
    frames = [case.tables[name] for name in ("participants", "settlements", "accounts", "around_player", "findings", "wallet")]
    return [one for frame in frames for one in frame["player_id"].drop_nulls().unique(maintain_order=True) if one]


def _in_words(filing: Filing) -> dict[str, Any]:
    words = describe(assemble([replace(filing)])).text
    return {"filing_id": filing.filing_id, "revision": filing.revision, "fingerprint": filing.fingerprint, "words": words}


def _visible_lines(text: str) -> str:
    return "\n".join(map(visible, text.splitlines()))


def _due(wager: WagerStory) -> Decimal | None:
    return None if wager.expected is None else wager.expected + (wager.expected_bonus or 0)


def _paid(wager: WagerStory) -> Decimal | None:
    return None if wager.paid is None and wager.bonus_paid is None else (wager.paid or 0) + (wager.bonus_paid or 0)  # type: ignore[return-value]

"""What a Pennsylvania filing may and may not file: each of its lines and rules held against the licensed catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.schema import Column, Table
from pipeline.filings.catalogue import licensed
from pipeline.filings.licence_bonus import judge_ante_bonus
from pipeline.filings.verdicts import LICENSED, OPEN, Verdict, listed, over_time, reaches, same_price

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.filings.catalogue import LicensedLine, LicensedWager
    from pipeline.filings.load import Filings
    from pipeline.filings.submission import Filing, Line, Wager

JURISDICTION: Final = "US-PA"
"""The one jurisdiction whose catalogue this is; every other is free."""

FILED_LICENCE: Final = Table(
    "filed_licence",
    "a line or rule of a Pennsylvania filing held against the licensed catalogue",
    (
        Column("filing_no", pl.Int32, "number of the filing in this run, from 0"),
        Column("kind", pl.String, "the wager kind"),
        Column("key", pl.String, "the filing's key that it is about"),
        Column("line", pl.String, "the paytable line; null where it is about the whole wager or a rule"),
        Column("status", pl.String, "licensed, open (the sources give no price) or the check that it fails"),
        Column("check_id", pl.String, "the check that it fails; null where it fails none"),
        Column("message", pl.String, "what is filed and what is licensed"),
        Column("citation", pl.String, "the section of 58 Pa. Code"),
        Column("valid_from", pl.Date, "first calendar day on which this holds; null: from ever"),
        Column("valid_to", pl.Date, "last calendar day on which this holds; null: for ever"),
        Column("timezone", pl.String, "IANA zone of those days; null where there are none"),
    ),
)


def licence_verdicts(filings: Filings) -> pl.DataFrame:
    """The verdicts on all filings as ``FILED_LICENCE``, in the order of ``filing_no``; other jurisdictions have no row."""
    rows = [
        (
            number, verdict.kind, verdict.key, verdict.line, verdict.status, verdict.check_id, verdict.message, verdict.citation,
            verdict.valid_from, verdict.valid_to, verdict.timezone,
        )
        for number, filing in enumerate(filings.submissions)
        for verdict in judge(filing)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=FILED_LICENCE.schema, orient="row")


def judge(filing: Filing) -> list[Verdict]:
    """Every verdict on a filing, in the order of its wagers; none outside Pennsylvania."""
    if filing.jurisdiction != JURISDICTION:
        return []
    verdicts = list(_judge_main_game(filing))
    for wager in filing.wagers:
        if wager.kind == "ante_bonus":
            verdicts.extend(judge_ante_bonus(wager, linked=filing.linked_equal))
        elif wager.kind not in {"ante", "play"}:
            verdicts.extend(_judge_side_wager(wager, filing))
    return verdicts


def _judge_main_game(filing: Filing) -> Iterator[Verdict]:
    catalogue = licensed()
    right = filing.qualifier == catalogue.qualifier
    message = f"the dealer qualifies with {filing.qualifier} high" + ("" if right else f"; licensed is {catalogue.qualifier} high")
    yield Verdict("ante", "qualifier", None, LICENSED if right else "rule_not_licensed", message, catalogue.qualifier_section)
    for kind in ("ante", "play"):
        price = next(wager for wager in filing.wagers if wager.kind == kind).lines[0].price
        right = same_price(price, catalogue.win)
        message = f"a winning {kind} pays {price.text}" + ("" if right else f"; licensed is {catalogue.win.text}")
        yield Verdict(kind, f"{kind}.odds.win", "win", LICENSED if right else "rule_not_licensed", message, catalogue.win_section)


def _judge_side_wager(wager: Wager, filing: Filing) -> Iterator[Verdict]:
    kind = wager.kind
    known = licensed().wagers.get(kind)
    if known is None:
        message = f"{kind} is no wager that the chapters license"
        yield Verdict(kind, f"wagers.{kind}", None, "paytable_not_licensed", message, "58 Pa. Code Chapters 649a, 649b")
        return
    if known.term is not None:
        yield from over_time(Verdict(kind, f"wagers.{kind}", None, LICENSED, f"{kind} is licensed", known.section), known.term)
    yield from _judge_rules(wager, known, filing)
    for line in wager.lines:
        yield from _judge_line(wager, line, known)


def _judge_rules(wager: Wager, known: LicensedWager, filing: Filing) -> Iterator[Verdict]:
    kind = wager.kind
    filed = "forfeited" if wager.forfeited_by_fold else "stands"
    words = {"forfeited": "is forfeited by a fold", "stands": "stands after a fold"}
    if known.fold != "open":
        right = known.fold == filed
        message = f"{kind} {words[filed]}" + ("" if right else f"; licensed is that it {words[known.fold]}")
        yield Verdict(kind, f"{kind}.forfeited_by_fold", None, LICENSED if right else "rule_not_licensed", message, known.fold_section)
    else:
        yield Verdict(
            kind, f"{kind}.forfeited_by_fold", None, OPEN, f"{kind} {words[filed]}; the sources leave it to the filing", known.section
        )
    if known.judged_on not in {"open", wager.judged_on}:
        message = f"{kind} is judged on {wager.judged_on}; licensed is {known.judged_on}"
        yield Verdict(kind, f"{kind}.judged_on", None, "rule_not_licensed", message, known.section)
    if known.in_place_of and any(each.kind == known.in_place_of for each in filing.wagers):
        message = f"{kind} is offered beside {known.in_place_of}; it is licensed only in its place"
        yield Verdict(kind, f"wagers.{kind}", None, "rule_not_licensed", message, known.section)


def _judge_line(wager: Wager, line: Line, known: LicensedWager) -> Iterator[Verdict]:
    kind, price = wager.kind, line.price.text
    key = f"{kind}.odds.{line.name}"
    entry = known.lines.get(line.name)
    if entry is None:
        if known.open_lines is None or line.name in known.open_lines:
            message = f"{kind} pays {line.name} {price}; the sources give no price"
            yield Verdict(kind, key, line.name, OPEN, message, known.section)
        else:
            message = f"{kind} pays {line.name} {price}; no such line is licensed"
            yield Verdict(kind, key, line.name, "paytable_not_licensed", message, known.section)
        return
    fails, wanted = _measure(line, entry)
    message = f"{kind} pays {line.name} {price}" + (f"; {wanted}" if fails else "")
    verdict = Verdict(kind, key, line.name, fails or LICENSED, message, entry.section)
    # A wager whose every line rests on one chapter has said so once for all of them.
    yield from (verdict,) if fails or entry.term == known.term else over_time(verdict, entry.term)


def _measure(line: Line, entry: LicensedLine) -> tuple[str, str]:
    """The check that a price fails and what is licensed instead; an empty check where it is licensed."""
    if entry.floor is not None:
        right = reaches(line.price, entry.floor)
        return ("" if right else "rule_not_licensed", f"no less than {entry.floor.text} is licensed")
    right = any(same_price(line.price, price) for price in entry.prices)
    return ("" if right else "paytable_not_licensed", f"licensed: {listed(price.text for price in entry.prices)}")

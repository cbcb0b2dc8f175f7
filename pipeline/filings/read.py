"""Reading one filing: bytes of TOML to a :class:`Filing`, or every problem with it at once."""

from __future__ import annotations

import re
import tomllib
import zoneinfo
from datetime import date
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Final

from pipeline.core.cards import RANKS
from pipeline.core.errors import FilingError
from pipeline.core.times import GamingDay
from pipeline.filings.fields import Problem, Section, TooManyProblemsError, nearest, shown
from pipeline.filings.offered import ROUNDINGS, read_cap, read_licence, read_limits, read_meters, read_wagers
from pipeline.filings.position import nearest_position, positions_in
from pipeline.filings.submission import Filing

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_FILE: Final = 1 << 20
"""Bytes; a Rules Submission is a few kilobytes."""

OPTIONS: Final = (
    "effective_to", "revision", "operators", "submitted_on", "approved_on", "approval_ref", "simulcast_approval_ref",
    "location_approval_ref", "studio_licence",
    "qualifier", "tie", "rounding", "on_timeout", "dealer_cards_read", "stakes_may_be_added", "linked_ante_pair_plus",
    "void_returns_folded", "late_credit_grace", "open_round_limit", "supervisors", "aggregate_payout_limit",
)  # fmt: skip
"""Optional keys of ``[filing]``; they may also stand at the top of the file or as tables of their own."""

_START = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
_SYNTAX_POSITION = re.compile(r"\(at line (\d+), column (\d+)\)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_MOST_DOTS = 50
_PLAY_IF = re.compile(r"play_if_at_least:([2-9TJQKA]{3})")
_NO_DAY = date(1, 1, 1)
_WAY_OUT = "mend the filing; docs/writing-a-filing.md lists every key"


class UnreadableFilingError(FilingError):
    """One or more filings cannot be read; ``problems`` holds one line for each thing that is wrong."""

    def __init__(self, problems: list[str]) -> None:
        """Join the problems into the one sentence that a command prints."""
        self.problems = tuple(problems)
        count = len(problems)
        super().__init__(("" if count == 1 else f"{count} problems: ") + "; ".join(problems), way_out=_WAY_OUT)


def read_filing(path: Path, name: str) -> Filing:
    """Read one filing.

    Args:
        path: the file.
        name: how messages and ``source_file`` call it.

    Raises:
        UnreadableFilingError: it cannot be read, or anything in it is missing, unknown or wrong; all problems at once, each with file,
            line, column and key.
    """
    text = _text_of(path, name)
    document = _parse(text, name)
    problems: list[Problem] = []
    try:
        filing = _read_document(document, problems, name)
    except TooManyProblemsError as error:
        raise UnreadableFilingError([*_sentences(problems, text, name), f"{name}: and more, which are not listed"]) from error
    if problems:
        raise UnreadableFilingError(_sentences(problems, text, name))
    return filing


def _text_of(path: Path, name: str) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UnreadableFilingError([f"{name}: cannot be read ({error.strerror or error})"]) from error
    if len(raw) > LARGEST_FILE:
        raise UnreadableFilingError([f"{name}: is larger than {LARGEST_FILE:,} bytes, which no filing is"])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        raise UnreadableFilingError([f"{name}:{line}:{column}: is not UTF-8 text"]) from error


def _parse(text: str, name: str) -> dict[str, object]:
    # The parser's time grows with the square of a dotted key's length.
    if any(_QUOTED.sub("", line).count(".") > _MOST_DOTS for line in text.split("\n")):
        raise UnreadableFilingError([f"{name}: is nested too deep for a filing"])
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError as error:
        raise UnreadableFilingError([f"{name}: is nested too deep for a filing"]) from error
    except (ValueError, ArithmeticError) as error:
        said = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a number or date that cannot be read"
        place = _SYNTAX_POSITION.search(said)
        at = f"{name}:{place[1]}:{place[2]}" if place else name
        if place is None and "(at end of document)" in said:
            at = f"{name}:{text.count(chr(10)) + 1}"
        reason = said.split(" (at ")[0]
        raise UnreadableFilingError([f"{at}: TOML: {reason[:200]}"]) from error


def _sentences(problems: list[Problem], text: str, name: str) -> list[str]:
    positions = positions_in(text)
    sentences = []
    for problem in problems:
        position = nearest_position(positions, problem.path)
        at = f"{name}:{position[0]}:{position[1]}" if position else name
        sentences.append(f"{at}: {'.'.join(problem.path)} {problem.what}")
    return sentences


def _read_document(document: dict[str, object], problems: list[Problem], name: str) -> Filing:
    top = Section(document, (), problems)
    head = _head(top, problems)
    rounding = head.choice("rounding", ROUNDINGS, "exact")
    currencies = head.names("currencies", required=True, currencies=True) or ()
    wagers = read_wagers(top.section("wagers"), rounding, currencies)
    kinds = [each.kind for each in wagers]
    filing = Filing(
        filing_id=head.text("id", required=True),
        revision=head.whole("revision", lowest=1, highest=10**9, default=1),
        operator=head.text("operator", required=True),
        studio_id=head.text("studio", required=True),
        jurisdiction=head.text("jurisdiction", required=True, example='"US-PA"'),
        effective_from=head.day("effective_from", required=True) or _NO_DAY,
        effective_to=head.day("effective_to"),
        tables=head.names("tables", required=True) or (),
        operators=head.names("operators"),
        currencies=currencies,
        decks=head.whole("decks", lowest=1, highest=100),
        deck_alternation=head.flag("deck_alternation"),
        gaming_day=_read_gaming_day(head.section("gaming_day", required=True)),
        qualifier=head.choice("qualifier", tuple(RANKS), "Q"),
        tie=head.choice("tie", ("push", "player_wins"), "push"),
        on_timeout=_read_on_timeout(head),
        dealer_cards_read=head.choice("dealer_cards_read", ("at_reveal", "at_draw"), "at_reveal"),
        stakes_may_be_added=head.flag("stakes_may_be_added", default=False),
        linked_equal=_read_linked(head, kinds),
        void_returns_folded=head.flag("void_returns_folded", default=True),
        late_credit_grace_s=head.seconds("late_credit_grace", "4h"),
        open_round_limit_s=head.seconds("open_round_limit", "24h"),
        supervisors=head.names("supervisors", may_be_empty=True) or (),
        submitted_on=head.day("submitted_on"),
        approved_on=head.day("approved_on"),
        approval_ref=head.text("approval_ref") or None,
        simulcast_approval_ref=head.text("simulcast_approval_ref") or None,
        location_approval_ref=head.text("location_approval_ref") or None,
        licence=read_licence(head.section("studio_licence")),
        cap=read_cap(head.section("aggregate_payout_limit"), kinds),
        wagers=wagers,
        limits=read_limits(top.section("limits"), kinds, currencies),
        meters=read_meters(top.section("meters"), kinds),
        source_file=name,
    )
    head.choice("game", ("three_card_poker",))
    if filing.effective_to and filing.effective_to < filing.effective_from:
        head.note("effective_to", f"is {filing.effective_to}, before effective_from {filing.effective_from}")
    head.close()
    top.close(OPTIONS)
    return filing


def _head(top: Section, problems: list[Problem]) -> Section:
    """The table ``[filing]`` with the options that stand outside it."""
    head = top.section("filing", required=True)
    table = dict(head.table) if head else {}
    for key in OPTIONS:
        outside = top.take(key)
        if outside is not None and key in table:
            top.note(key, "stands in [filing] as well; file it once")
        elif outside is not None:
            table[key] = outside
    if head is None:
        # One problem says that [filing] is missing; its keys would each say it again.
        return Section(table, ("filing",), [])
    return Section(table, ("filing",), problems)


def _read_gaming_day(section: Section | None) -> GamingDay:
    if section is None:
        return GamingDay("UTC", 0)
    zone = section.text("timezone", required=True, example='"America/New_York"')
    if zone and zone not in _zones():
        section.note("timezone", f"is {shown(zone)}, which is no IANA time zone{nearest(zone, _zones())}")
    start = section.take("starts_at", required=True)
    match = _START.fullmatch(start) if isinstance(start, str) else None
    if start is not None and match is None:
        section.note("starts_at", f'is {shown(start)} and must be a local time of day like "06:00"')
    section.close()
    return GamingDay(zone, int(match[1]) * 60 + int(match[2]) if match else 0)


@cache
def _zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones() - {"Factory", "localtime", "posixrules"})


def _read_on_timeout(head: Section) -> str:
    value = head.take("on_timeout")
    if value is None:
        return "fold"
    if value in ("fold", "play"):
        return str(value)
    match = _PLAY_IF.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        head.note("on_timeout", f'is {shown(value)}; allowed: "fold", "play", "play_if_at_least:Q64" (three ranks of {RANKS})')
        return "fold"
    return f"play_if_at_least:{''.join(sorted(match[1], key=RANKS.index, reverse=True))}"


def _read_linked(head: Section, kinds: list[str]) -> bool:
    section = head.section("linked_ante_pair_plus")
    if section is None:
        return False
    section.choice("relation", ("equal",))
    section.close()
    if "pair_plus" not in kinds:
        head.note("linked_ante_pair_plus", "links the ante to Pair Plus, which this filing does not offer")
    return True

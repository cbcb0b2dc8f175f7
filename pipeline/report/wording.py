"""The words of a report: the answers that stand first, amounts, and text from the log made safe to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.core.money import amount
from pipeline.reconcile.catalogue import SEVERITIES
from pipeline.report.behaviour_parts import ODD, LineTest, QualifyingTest
from pipeline.report.parts import ENOUGH_NIGHTS, title_of

if TYPE_CHECKING:
    from decimal import Decimal

    from pipeline.report.behaviour_parts import Test
    from pipeline.report.model import Report
    from pipeline.report.parts import Figure

STATE_WORDS: Final = {
    "settled": "settled",
    "voided": "voided: the stake was due back",
    "unsettleable": "cannot be settled",
    "pending": "waiting: the round is not over",
    "not_accepted": "not accepted: nothing due",
}

_BESIDE: Final = {
    "voided": "on voided ones",
    "unsettleable": "on ones that cannot be settled",
    "pending": "on ones that wait",
    "not_accepted": "on ones not accepted",
}
"""The states of wagers that are in no hold."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A sentence that answers one of an officer's questions, and whether it is good news."""

    text: str
    good: bool


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: ``1 wager``, ``1,200 wagers``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def visible(text: str | bytes | None) -> str:
    r"""Text from a log with everything that is not printed as itself, line feeds too, written out, like ``\u202e``."""
    told = text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else text or ""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in told)


_TOTALS: Final = "control_total_mismatch"
_GAPS: Final = "sequence_gap"


def answers(report: Report) -> list[Answer]:
    """The report in a few sentences: is it to be trusted, complete, is the money right, what else was found and changed."""
    told = [Answer(f"These results are not to be trusted: {visible(reason)}.", good=False) for reason in report.untrusted]
    told += [_complete(report), *_money_only(report), *_money(report), *_wallet(report)]
    told += [*_incidents(report), *_findings(report), *_followed_up(report)]
    return [*told, *_changes(report), *_game(report), _coverage(report)]


def _complete(report: Report) -> Answer:
    lost = [books for books in report.files if not books.balances]
    if lost:
        return Answer(f"Records are missing: the books of {visible(lost[0].source_file)} do not balance.", good=False)
    records = sum(books.records for books in report.files)
    read = f"{count(records, 'record')} in {count(len(report.files), 'file')}"
    if unread := sum(books.quarantined for books in report.files):
        reason = f": {count(unread, 'record')} of {records:,} cannot be read and {'lies' if unread == 1 else 'lie'} in quarantine"
        return Answer(f"The night is not complete{reason}.", good=False)
    if not report.nights:
        return Answer(f"No activity: there is no round in {read}.", good=True)
    if totals := next((row for row in report.not_checked if row.check_id == _TOTALS), None):
        lacking = f"for {count(totals.tables, 'table')} no control totals were given" if totals.examined else "no control totals were given"
        return Answer(f"Completeness not proven: every one of {read} was read, but {lacking}.", good=False)
    if contradicted := _contradicted(report):
        return Answer(f"The night is not complete: every one of {read} was read, but {contradicted}.", good=False)
    return Answer(f"The night is complete: every one of {read} was read.", good=True)


def _contradicted(report: Report) -> str:
    """What says that records are missing although every record was read; '' where nothing does."""
    found = {one.check_id: one.findings for one in report.findings}
    if _TOTALS in found:
        return "the control totals say otherwise"
    gaps = found.get(_GAPS, 0)
    return f"round numbers are missing in {count(gaps, 'place')}" if gaps else ""


def _money_only(report: Report) -> list[Answer]:
    if not report.money_only:
        return []
    rounds, wagers = sum(one.rounds for one in report.money_only), sum(one.wagers for one in report.money_only)
    unseen = f"{count(wagers, 'wager')} that {'hangs' if wagers == 1 else 'hang'} on cards cannot be settled, and no hand was checked"
    return [Answer(f"Money only: the feed of {count(rounds, 'round')} carries no cards, so {unseen}.", good=False)]


def _money(report: Report) -> list[Answer]:
    wrong = sum(money.overpaid_wagers + money.underpaid_wagers for money in report.money)
    broken = [row for row in report.conservation if row.difference]
    told = []
    if broken:
        first = broken[0]
        where = f"{visible(first.operator_id)} on {first.gaming_day}"
        told.append(
            Answer(f"Money is not conserved: {amount(first.difference, first.currency)} of {where} is named by no finding.", good=False)
        )
    if wrong:
        parts = []
        for money in report.money:
            if money.overpaid_wagers:
                parts.append(f"{amount(money.overpaid, money.currency)} too much on {money.overpaid_wagers:,}")
            if money.underpaid_wagers:
                parts.append(f"{amount(money.underpaid, money.currency)} too little on {money.underpaid_wagers:,}")
        told.append(Answer(f"{count(wrong, 'wager')} {'was' if wrong == 1 else 'were'} paid wrongly: {', '.join(parts)}.", good=False))
    elif any(money.settled for money in report.money):
        settled = sum(money.settled for money in report.money)
        told.append(Answer(f"Every one of {count(settled, 'settled wager')} was paid what was due.", good=True))
    if stuck := [state for state in report.states if state.settlement == "unsettleable"]:
        staked = ", ".join(amount(state.staked, state.currency) for state in stuck)
        number = sum(state.wagers for state in stuck)
        told.append(Answer(f"{count(number, 'wager')} cannot be settled ({staked} staked).", good=False))
    if waiting := [state for state in report.states if state.settlement == "pending"]:
        staked = ", ".join(amount(state.staked, state.currency) for state in waiting)
        number = sum(state.wagers for state in waiting)
        told.append(
            Answer(f"{count(number, 'wager')} {'waits' if number == 1 else 'wait'} for the end of a round ({staked} staked).", good=False)
        )
    return told


def how_hold_comes_about(report: Report) -> list[str]:
    """For each currency whose hold is not simply all that was staked less all that was handed back: how the one leads to the other."""
    told = []
    for money in report.money:
        beside = [state for state in report.states if state.currency == money.currency and state.settlement != "settled"]
        if not beside and not money.free_handle:
            continue
        staked = sum((one.staked for one in beside), money.handle)
        returned = sum((one.returned for one in beside), money.returned)
        left_out = [f"less {amount(one.staked, None)} and {amount(one.returned, None)} {_BESIDE[one.settlement]}" for one in beside]
        free = f" less {amount(money.free_handle, None)} of free stakes" if money.free_handle else ""
        told.append(
            f"{visible(money.currency)}: {amount(staked, None)} staked and {amount(returned, None)} handed back in all, "
            f"{', '.join([*left_out, f'are {amount(money.handle, None)} and {amount(money.returned, None)} on settled wagers'])}; "
            f"{amount(money.handle, None)}{free} less {amount(money.returned, None)} is the hold, {amount(money.hold, None)}."
        )
    return told


def _wallet(report: Report) -> list[Answer]:
    compared, differing = report.wallet_sum.compared, report.wallet_sum.differing
    if not compared:
        return []
    stakes = count(compared, "player's round", "players' rounds")
    if not differing:
        return [Answer(f"The wallet moved what the studio reported, in every one of {stakes}.", good=True)]
    sums: dict[str | None, Decimal] = {}
    for row in report.wallet:
        sums[row.currency] = sums.get(row.currency, row.wallet_less_reported * 0) + row.wallet_less_reported
    told = ", ".join(amount(total, visible(currency), signed=True) for currency, total in sums.items() if total)
    net = f": {told} in all" if told else ""
    return [Answer(f"The wallet and the studio's report differ in {differing:,} of {stakes}{net}.", good=False)]


def incidents_in_all(report: Report) -> str:
    """How many incidents of each extent there are, and the findings in them."""
    told = (f"{row.incidents:,} {row.extent} ({count(row.findings, 'finding')})" for row in report.incident_counts)
    return f"In all: {', '.join(told)}."


def _incidents(report: Report) -> list[Answer]:
    grave = [row for row in report.incident_counts if row.extent == "systematic"]
    if not grave:
        return []
    number, wrong = count(grave[0].incidents, "systematic incident"), count(grave[0].findings, "wrong payment")
    return [Answer(f"{number}: {wrong} in runs of rounds in which one rule was broken throughout.", good=False)]


def _findings(report: Report) -> list[Answer]:
    by_severity = {name: sum(found.findings for found in report.findings if found.severity == name) for name in SEVERITIES}
    grave = {name: number for name, number in by_severity.items() if number and name != "info"}
    info = f" {count(by_severity['info'], 'remark')} for information." if by_severity["info"] else ""
    if not grave:
        return [Answer(f"No finding.{info}", good=True)]
    parts = ", ".join(f"{number:,} {name}" for name, number in grave.items())
    return [Answer(f"{count(sum(grave.values()), 'finding')}: {parts}.{info}", good=False)]


def _followed_up(report: Report) -> list[Answer]:
    """What was done about the findings; nothing where nobody did anything."""
    if all(row.status == "open" for row in report.followed_up):
        return []
    told = ", ".join(f"{row.findings:,} {row.status}" for row in report.followed_up)
    waiting = any(row.status in {"open", "reopened", "disputed"} for row in report.followed_up)
    return [Answer(f"What was done about them: {told}.", good=not waiting)]


def subject_of(figure: Figure) -> str:
    """What a figure is of, in words; a check by its title."""
    of = {"hold": "hold in percent", "findings": "findings", "severity": "findings"}.get(figure.subject, figure.subject)
    about = visible(figure.currency) if figure.currency else visible(figure.name)
    if figure.subject == "findings":
        return title_of(figure.name or "")
    return f"{of}, {about}" if about else of


def number_of(figure: Figure, value: Decimal | None) -> str:
    """A figure's value: an amount, a share to two places, or a number."""
    if value is None or figure.subject == "handle":
        return amount(value, None)
    return f"{value:,.2f}" if figure.subject == "hold" else f"{value.normalize():,f}"


def _changes(report: Report) -> list[Answer]:
    compared = [figure for figure in report.figures if len(figure.before) >= ENOUGH_NIGHTS]
    if not compared:
        return []
    nights = count(max(len(figure.before) for figure in compared), "night")
    findings = [figure for figure in compared if figure.subject == "findings" and figure.beyond == "more"]
    others = [figure for figure in compared if figure.subject not in {"findings", "severity"} and figure.beyond]
    told = [f"{count(len(findings), 'check')} found more than on any of them"] if findings else []
    told += [f"{subject_of(figure)}: {figure.beyond} than on any of them" for figure in others[:4]]
    if not told:
        return [Answer(f"Beside the {nights} before, nothing is out of their range.", good=True)]
    return [Answer(f"Beside the {nights} before: {'; '.join(told)}.", good=not findings)]


def test_of(test: Test) -> str:
    """What a test of the game looked at, in words."""
    if isinstance(test, LineTest):
        return f"{in_words(test.kind)}, {in_words(test.line).lower()}"
    if isinstance(test, QualifyingTest):
        return f"Dealer qualifies with {visible(test.qualifier)} or better"
    whose = "Dealer's cards" if test.is_dealer else "Players' cards"
    return f"{whose}, place {test.place} of the hand" if test.place else f"{whose} at {visible(test.table_id)}"


def in_words(name: str) -> str:
    """A wager kind or line as a heading writes it: ``Pair plus``."""
    return visible(name).replace("_", " ").capitalize()


def probability_of(value: float) -> str:
    """A probability to three places, or that it lies below the least that they can show."""
    return "below 0.001" if value < ODD else f"{value:.3f}"


def _game(report: Report) -> list[Answer]:
    tests, odd = len(report.game.tests), report.game.odd
    if not tests:
        return []
    if not odd:
        return [Answer(f"The game behaves: none of {count(tests, 'test')} of lines, dealer and cards stands out.", good=True)]
    named = "; ".join(test_of(test) for test in odd[:3]) + (f"; and {len(odd) - 3} more" if len(odd) > 3 else "")
    stands = "stands" if len(odd) == 1 else "stand"
    return [Answer(f"{len(odd)} of {count(tests, 'test')} of the game {stands} out beyond chance: {named}.", good=False)]


def _coverage(report: Report) -> Answer:
    unmade = report.checks_known - report.checked
    if not unmade:
        return Answer(f"All {report.checks_known} checks examined something.", good=True)
    return Answer(
        f"{report.checked} of {report.checks_known} checks examined something; what was not checked, and why, stands below.", good=True
    )

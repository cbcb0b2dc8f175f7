"""A filing in words: what it means, whether each line is licensed and by which section, and what expires when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.filings.licence import JURISDICTION, judge
from pipeline.filings.verdicts import LICENSED, OPEN, Verdict, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.filings.load import Filings
    from pipeline.filings.submission import Filing, Wager

_LINES: Final = {
    "win": "a win",
    "mini_royal_spades": "A-K-Q of spades",
    "mini_royal": "suited A-K-Q",
    "super_royal_diamonds": "Super Royal of diamonds",
    "super_royal_other": "Super Royal of another suit",
    "six_card_royal": "six-card royal, nine to ace",
}
_JUDGED: Final = {"player_three": "the player's three cards", "best_five_of_six": "the best five of the player's and the dealer's cards"}
_ROUNDED: Final = {"down": "rounded down to the minor unit", "half_up": "rounded half up to the minor unit"}
_CARDS: Final = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


@dataclass(frozen=True, slots=True)
class FilingReport:
    """Filings in words, and whether anything in them is unlicensed on a day that they govern."""

    text: str
    unlicensed: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0, or 1 where anything is unlicensed; what cannot be read has already raised an error that carries 2."""
        return 1 if self.unlicensed else 0


def describe(filings: Filings) -> FilingReport:
    """All filings in words, one after the other, as plain text.

    A verdict counts as unlicensed when it holds on a day that the filing governs; the end of a chapter only where the filing itself says
    that it runs on (``effective_to``), since an open end is not a wish to outlast the law.
    """
    blocks: list[str] = []
    unlicensed: list[str] = []
    for filing in filings.submissions:
        verdicts = judge(filing)
        failed = [verdict for verdict in verdicts if _counts(verdict, filing)]
        unlicensed.extend(f"{filing.filing_id}: {verdict.message} ({verdict.citation})" for verdict in failed)
        blocks.append("\n".join(_filing_lines(filing, verdicts, failed)))
    blocks.extend(
        f"Filing {old.filing_id} revision {old.revision} ({old.source_file}) is replaced by a higher revision and governs no day."
        for old in filings.replaced
    )
    return FilingReport("\n\n".join(blocks) + "\n", tuple(unlicensed))


def wager_in_words(kind: str) -> str:
    """A kind as a sentence names it: ``pair_plus`` is Pair Plus."""
    return " ".join(word.capitalize() for word in kind.split("_"))


def line_in_words(line: str) -> str:
    """A paytable line as a sentence names it: ``three_of_a_kind`` is three of a kind."""
    return _LINES.get(line, line.replace("_", " "))


def _counts(verdict: Verdict, filing: Filing) -> bool:
    if verdict.check_id is None or verdict.check_id == "paytable_expiring":
        return False
    begins = verdict.valid_from is None or filing.effective_from >= verdict.valid_from
    runs_into = verdict.valid_from is not None and filing.effective_to is not None and filing.effective_to >= verdict.valid_from
    over = verdict.valid_to is not None and filing.effective_from > verdict.valid_to
    return (begins or runs_into) and not over


def _filing_lines(filing: Filing, verdicts: list[Verdict], failed: list[Verdict]) -> Iterator[str]:
    until = f" to {filing.effective_to}" if filing.effective_to else " on"
    tables = f"table{'s' if len(filing.tables) > 1 else ''} {listed(filing.tables)}"
    who = f"players of operator {listed(filing.operators)}" if filing.operators else "players of every operator"
    minutes = filing.gaming_day.starts_at_minutes
    yield f"Filing {filing.filing_id}, revision {filing.revision}, of {filing.operator} in {filing.jurisdiction} ({filing.source_file})"
    yield f"  fingerprint {filing.fingerprint}"
    yield f"  governs {tables} of studio {filing.studio_id} for {who}, gaming days from {filing.effective_from}{until}."
    yield f"  The gaming day starts at {minutes // 60:02}:{minutes % 60:02}, {filing.gaming_day.timezone}."
    yield f"  Stakes in {listed(filing.currencies)}."
    yield f"  {_decks(filing)}"
    yield f"  {_approvals(filing)}"
    yield ""
    yield from _game_lines(filing)
    for wager in filing.wagers:
        yield from _wager_lines(filing, wager, [verdict for verdict in verdicts if verdict.kind == wager.kind])
    yield from _money_lines(filing)
    yield from _closing_lines(filing, verdicts, failed)


def _decks(filing: Filing) -> str:
    decks = "One deck" if filing.decks == 1 else f"{filing.decks} decks"
    return f"{decks}{', which alternate round by round' if filing.deck_alternation else ''}."


def _approvals(filing: Filing) -> str:
    told = [
        f"approved on {filing.approved_on}" if filing.approved_on else "the day of approval is not evidenced",
        f"approval {filing.approval_ref}" if filing.approval_ref else "no approval reference",
        f"studio licence {filing.licence.ref}" if filing.licence.ref else "no studio licence reference",
    ]
    if filing.licence.valid_from or filing.licence.valid_to:
        told.append(f"valid {filing.licence.valid_from or '?'} to {filing.licence.valid_to or '?'}")
    return f"Approval: {', '.join(told)}."


def _game_lines(filing: Filing) -> Iterator[str]:
    tie = "pushes" if filing.tie == "push" else "goes to the player"
    timeout = {"fold": "folds", "play": "plays"}.get(
        filing.on_timeout
    ) or f"plays {filing.on_timeout.partition(':')[2]} or better, else folds"
    yield f"  The dealer qualifies with {_CARDS.get(filing.qualifier, filing.qualifier)} high or better; a tie {tie}."
    yield f"  A player who runs out of time {timeout}. Dealer cards are read {filing.dealer_cards_read.replace('_', ' ')}."
    if filing.linked_equal:
        yield "  Ante and Pair Plus are linked: whoever stakes one stakes the same on the other."
    if filing.stakes_may_be_added:
        yield "  A participant may stake on one wager more than once."
    if not filing.void_returns_folded:
        yield "  A void does not return what a fold had forfeited."


def _wager_lines(filing: Filing, wager: Wager, verdicts: list[Verdict]) -> Iterator[str]:
    told = [f"judged on {_JUDGED[wager.judged_on]}"] if wager.judged_on in _JUDGED else []
    if wager.kind not in {"ante", "play", "ante_bonus"}:
        told.append("forfeited by a fold" if wager.forfeited_by_fold else "stands after a fold")
        if not wager.alone:
            told.append("only beside an ante")
    if wager.paytable:
        told.append(wager.paytable)
    if wager.rounding in _ROUNDED:
        told.append(_ROUNDED[wager.rounding])
    if any(line.price.basis in {"flat", "meter"} for line in wager.lines) and wager.kind != "ante_bonus":
        told.append("flat and meter awards also return the stake" if wager.stake_returned else "flat and meter awards keep the stake")
    yield ""
    yield f"  {wager_in_words(wager.kind)}{': ' if told else ''}{', '.join(told)}"
    whole = [verdict for verdict in verdicts if verdict.line is None and (verdict.check_id is None or _counts(verdict, filing))]
    width = max(len(line_in_words(line.name)) for line in wager.lines)
    for line in wager.lines:
        # The ante bonus is licensed as a table: what is said of the table is said of its lines.
        about = [v for v in verdicts if v.line == line.name] or [v for v in whole if v.key == f"{wager.kind}.odds"]
        yield f"    {line_in_words(line.name):<{width}}  {line.price.text:<18}  {_status(about, filing)}".rstrip()
    for verdict in whole:
        yield f"    {_status([verdict], filing)}: {verdict.message}"


def _status(about: list[Verdict], filing: Filing) -> str:
    now = [verdict for verdict in about if _counts(verdict, filing)] or [verdict for verdict in about if verdict.check_id is None]
    if not now:
        return ""
    verdict = now[0]
    if verdict.status == LICENSED:
        ends = f", until {verdict.valid_to}" if verdict.valid_to else ""
        return f"licensed, {verdict.citation}{ends}"
    if verdict.status == OPEN:
        return f"left open by {verdict.citation}"
    detail = f" ({verdict.message.partition('; ')[2]})" if verdict.line and "; " in verdict.message else ""
    return f"NOT LICENSED, {verdict.citation}{detail}"


def _money_lines(filing: Filing) -> Iterator[str]:
    if filing.limits:
        yield ""
        yield "  Limits"
        for limit in filing.limits:
            yield f"    {wager_in_words(limit.kind)}: {limit.lowest or 'no least'} to {limit.highest or 'no most'} {limit.currency}"
    if cap := filing.cap:
        kinds = listed(wager_in_words(kind) for kind in cap.kinds) if cap.kinds else "all wagers"
        spread = "each gives way in proportion" if cap.cut == "pro_rata" else "the last wagers give way first"
        per = {"player_round": "player and round", "hand": "hand", "round": "round"}[cap.per]
        yield ""
        yield f"  Winnings of {kinds} are limited to {cap.amount} {cap.currency} per {per}; {spread}."
    for meter in filing.meters:
        of = f" of {wager_in_words(meter.share_of)}" if meter.share_of else ""
        share = f", fed by {meter.contribution} of each stake" if meter.contribution is not None else ""
        several = "share it equally" if meter.several_winners == "share_equally" else "each win it in full"
        yield ""
        yield f"  Meter {meter.meter_id}{of}{share}; several winners {several}."


def _closing_lines(filing: Filing, verdicts: list[Verdict], failed: list[Verdict]) -> Iterator[str]:
    yield ""
    if filing.jurisdiction != JURISDICTION:
        yield f"  Filed in {filing.jurisdiction}: the catalogue of Pennsylvania does not bind it."
        return
    for verdict in verdicts:
        if verdict.check_id == "paytable_expired":
            yield f"  Expires on {verdict.valid_from}: {verdict.message.partition(', which')[0]}."
    if failed:
        yield f"  {len(failed)} not licensed:"
        for verdict in failed:
            yield f"    {verdict.message} ({verdict.citation})"
    else:
        yield "  Everything that the sources price is licensed."

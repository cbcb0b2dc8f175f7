"""The words of a story: hands, times, reasons and the arithmetic of a price."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from pipeline.core.cards import RANKS
from pipeline.core.money import amount

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from decimal import Decimal

_RANK_NAMES: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_TIMES: Final = "\N{MULTIPLICATION SIGN}"
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}

REASONS: Final = {
    "conflicting_round": "two contents of the round stand in one delivery",
    "rejected": "it was never taken",
    "cancelled": "it was reversed outside any void",
    "open": "the round is still open",
    "interrupted": "the round was interrupted",
    "no_filing_in_force": "no filing was in force",
    "wager_not_offered": "the filing does not offer this wager",
    "play_without_ante": "there is no ante to play on",
    "play_after_fold": "the log claims a fold and holds a play wager",
    "correction_chain_broken": "a correction of a card cannot be followed",
    "conflicting_reading": "one card was read as two",
    "unreadable_card": "a card cannot be read",
    "wrong_card_count": "the hand is not three cards",
    "reading_hand_mismatch": "the cards read are not the cards posted",
    "duplicate_card": "a card stands twice in the round",
    "flat_currency": "the flat award is in another currency",
    "meter_missing": "the round does not show the meter",
    "engine_disagreement": "the two engines disagree",
    "no_cards_in_feed": "the feed carries no cards",
}


def stamp(at: datetime | None, digits: int | None) -> str | None:
    """A time in UTC with the digits that the log wrote after the seconds, like ``2026-10-31T10:00:40.284Z``."""
    if at is None:
        return None
    text = at.strftime("%Y-%m-%dT%H:%M:%S.%f")
    kept = 6 if digits is None else min(digits, 6)
    return (text[: 20 + kept] if kept else text[:19]) + "Z"


def reason_in_words(reason: str | None) -> str:
    """Why a wager is not simply settled; an unknown reason as it stands."""
    if reason is None:
        return "no reason is given"
    whose, _, what = reason.rpartition(": ")
    told = REASONS.get(what, what.replace("_", " "))
    return f"of the dealer's hand, {told}" if whose == "dealer" else told


def card_in_words(card: str | None) -> str:
    """``Q♠`` for ``Qs``, and the text itself for what is none of the 52."""
    if card is None:
        return "no card"
    if len(card) == 2 and card[0] in RANKS and card[1] in _SUITS:
        return f"{'10' if card[0] == 'T' else card[0]}{_SUITS[card[1]]}"
    return card


def cards_in_words(cards: Sequence[str | None] | None) -> str:
    """The cards one after the other."""
    return " ".join(map(card_in_words, cards)) if cards else "no cards"


def hand_in_words(cards: Sequence[str | None] | None, category: str | None) -> str:
    """Three cards as players name them: ``a pair of sixes``, ``queen high``; the category's name for more cards."""
    if category is None:
        return "no hand that can be ranked"
    ranks = sorted((RANKS.index(card[0]) for card in cards or () if card and card[0] in RANKS), reverse=True)
    if len(ranks) != 3:
        return category.replace("_", " ")
    top = _RANK_NAMES[1 if ranks == [12, 1, 0] and category.startswith("straight") else ranks[0]]
    middle = _RANK_NAMES[ranks[1]]
    plural = "sixes" if middle == "six" else f"{middle}s"
    return {
        "high_card": f"{top} high",
        "pair": f"a pair of {plural}",
        "flush": f"a flush, {top} high",
        "straight": f"a straight, {top} high",
        "three_of_a_kind": f"three {plural}",
        "straight_flush": f"a straight flush, {top} high",
    }.get(category, category.replace("_", " "))


def bonus_arithmetic(wager: dict[str, Any], price: dict[str, Any] | None) -> str:
    """The ante bonus in figures; nothing where no line was hit."""
    if price is None:
        return ""
    stake, currency, bonus = wager["stake"], wager["currency"], wager["expected_bonus"]
    won, told = _won(price, stake, currency, None)
    return f"Bonus: {told}{_ending(won, won, bonus, wager)}"


def arithmetic(wager: dict[str, Any], price: dict[str, Any] | None, pool: dict[str, Any] | None) -> str:
    """How a wager comes to what is due, the ante bonus apart.

    Args:
        wager: its row of ``results.SETTLEMENTS``, with ``rounding`` and ``stake_returned`` as filed.
        price: the row of ``filed.FILED_LINES`` that paid; None where none did.
        pool: of a price that is a share of a meter: ``meter_id, before, contribution`` and ``winners``; else None.
    """
    stake, currency, expected, is_free = wager["stake"], wager["currency"], wager["expected"], wager["funding"] == "free"
    if expected is None:
        return "Nothing can be said to be due."
    if wager["settlement"] == "voided":
        return f"A void hands the stake back: {amount(expected, currency)}." if expected else "Nothing is due back."
    if wager["outcome"] == "push":
        return "A push of a free wager hands back nothing." if is_free else f"A push hands the stake back: {amount(expected, currency)}."
    if wager["outcome"] != "win" or price is None:
        return f"It hands back nothing: {amount(expected, currency)}."
    won, told = _won(price, stake, currency, pool)
    shown = won
    back = price["basis"] == "to" or (price["basis"] in {"flat", "meter"} and wager["stake_returned"])
    if back and not is_free:
        told += f", and the stake of {amount(stake, currency)} comes back"
        won = None if won is None else won + Fraction(stake)
    elif back:
        told += "; the stake was free and does not come back"
    elif is_free:
        told += f", less the stake of {amount(stake, currency)}, which was free"
        won = None if won is None else max(won - Fraction(stake), Fraction(0))
    return told + _ending(won, shown, expected, wager)


def _won(price: dict[str, Any], stake: Decimal, currency: str | None, pool: dict[str, Any] | None) -> tuple[Fraction | None, str]:
    """What a price wins, and how; None where the meter's share is not at hand."""
    basis, num, den = price["basis"], price["num"], price["den"]
    if basis in {"to", "for"}:
        times = f"{num}" if den == 1 else f"{num} ÷ {den}"
        won = Fraction(stake) * num / den
        return won, f"{amount(stake, currency)} {_TIMES} {times} ({price['odds']}) = {_figure(won, currency)}"
    if basis == "flat":
        return Fraction(price["flat"]), f"The line pays a flat {amount(price['flat'], price['currency'])}"
    if pool is None:
        return None, f"The line pays a share of the meter ({price['odds']})"
    held = pool["before"] + (pool["contribution"] or 0)
    share = Fraction(held) * num / den / pool["winners"]
    among = f", shared by {pool['winners']} winners" if pool["winners"] > 1 else ""
    told = f"The meter {pool['meter_id']} held {amount(held, currency)}; {price['odds']} of it{among} = {_figure(share, currency)}"
    return share, told


def _ending(computed: Fraction | None, shown: Fraction | None, due: Decimal | None, wager: dict[str, Any]) -> str:
    """What the figures come to, where they do not already end in it (``shown``)."""
    currency = wager["currency"]
    if due is None or computed == shown == Fraction(due):
        return "."
    if computed == Fraction(due):
        return f": {amount(due, currency)}."
    if wager["rule"] == "aggregate_payout_limit":
        return f"; the filed limit on winnings leaves {amount(due, currency)}."
    how = {"down": "rounded down to the coin", "half_up": "rounded half up to the coin"}.get(
        wager["rounding"] or "exact", "to six decimals"
    )
    return f", {how}: {amount(due, currency)}."


def _figure(value: Fraction, currency: str | None) -> str:
    """An amount that need not end: at most six decimals, and then an ellipsis."""
    micros = value * 1_000_000
    whole = micros.numerator // micros.denominator
    text = f"{whole // 1_000_000:,}.{whole % 1_000_000:06d}".rstrip("0")
    head, _, decimals = text.partition(".")
    more = "…" if micros.denominator != 1 else ""
    return " ".join(filter(None, (f"{head}.{decimals.ljust(2, '0')}{more}", currency)))

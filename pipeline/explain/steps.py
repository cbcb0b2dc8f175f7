"""A story's sentences: a round's and a wager's, in the order in which an investigator asks."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pipeline.core.money import amount
from pipeline.explain.story import Step
from pipeline.explain.words import card_in_words, cards_in_words, hand_in_words, reason_in_words
from pipeline.filings.words import line_in_words, wager_in_words
from pipeline.reconcile.causes import UNEXPLAINED
from pipeline.reconcile.causes.separated import told_apart
from pipeline.reconcile.incident_words import CAUSE_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.explain.story import Account, Found, Hand, Instead, RoundStory, Said, WagerStory

_SHOWDOWN = ("ante", "play")


def round_steps(story: RoundStory) -> list[Step]:
    """What is to be said of a round beside its wagers."""
    return list(_round(story))


def wager_steps(story: WagerStory, hands: list[Hand], row: dict[str, Any]) -> list[Step]:
    """A wager from its stake to what was paid.

    Args:
        story: the wager.
        hands: the round's hands.
        row: the wager's row, for what the filing says of its kind (``judged_on``).
    """
    return list(_wager(story, hands, row))


def _round(story: RoundStory) -> Iterator[Step]:
    at = "a table that the log does not name" if story.table_id is None else f"table {story.table_id}"
    told = f"Round {story.round_id} at {at} of studio {story.studio_id}, gaming day {story.gaming_day}: {story.status}."
    by = [f"dealt by {story.dealer_id}" if story.dealer_id else "", f"deck {story.deck_id}" if story.deck_id else ""]
    by += [f"number {story.sequence} of its table" if story.sequence is not None else ""]
    by += [f"software {story.software_version}" if story.software_version else "", f"video {story.video_ref}" if story.video_ref else ""]
    yield Step("Round", f"{told} {_listed(by)}".strip())
    if story.tellings > 1:
        which = f"revision {story.revision}" if story.revision is not None else "the one that stands"
        yield Step("Tellings", f"The round was told {story.tellings} times; this is {which}.")
    if story.conflicting:
        yield Step("Tellings", "Two contents of it stand in one delivery, so nothing in it can be settled.")
    if story.void is not None:
        reason = f"“{story.void.reason}”" if story.void.reason else "for no reason given"
        what = "The round" if story.status == "voided" else "A part of the round"
        yield Step("Void", f"{what} was voided by {story.void.authorised_by or 'nobody named'}, {reason}{_at(story.void.at)}.")
    for hand in story.hands:
        whose = "Dealer" if hand.is_dealer else f"Hand {hand.hand_id}"
        yield Step("Cards", f"{whose}: {hand.told}.{_corrections(hand)}{_posted(hand)}")
    for found in story.findings:
        yield from _finding(found)


def _corrections(hand: Hand) -> str:
    was = {reading.seq: reading.card for reading in hand.readings}
    told = [
        f"card {one.position} was first read as {card_in_words(was.get(one.replaces))} and corrected to {card_in_words(one.card)}"
        f"{f' by {one.by}' if one.by else ''}{_at(one.read_at)}"
        for one in hand.readings
        if one.replaces is not None
    ]
    text = "; ".join(told)
    return f" {text[0].upper()}{text[1:]}." if told else ""


def _posted(hand: Hand) -> str:
    if not hand.readings:
        return " There are no readings; the cards are those posted." if hand.posted else ""
    if hand.posted is None:
        return " The hand was not posted."
    return "" if sorted(hand.posted) == sorted(map(str, hand.cards or ())) else f" Posted were {cards_in_words(hand.posted)}."


def _wager(story: WagerStory, hands: list[Hand], row: dict[str, Any]) -> Iterator[Step]:
    mine = next((hand for hand in hands if hand.hand_id == story.hand_id and not hand.is_dealer), None)
    dealer = next((hand for hand in hands if hand.is_dealer), None)
    where = f" on hand {story.hand_id}" if story.hand_id else ""
    free = ", a free one" if story.funding == "free" else ""
    test = ", test play" if story.play_mode == "test" else ""
    what = f"{wager_in_words(story.kind)} of {amount(story.stake, story.currency)}{free}{test}"
    staked = f"{what}, {story.status}{_at(story.placed_at, 'placed')}."
    yield Step("Wager", f"{staked} Player {story.player_id} of operator {story.operator_id}{where}.")
    if story.decision or story.decided_by:
        by = f" by {story.decided_by}" if story.decided_by else ""
        yield Step("Decision", f"The log says: {story.decision or 'no decision'}{by}{_at(story.decided_at)}.")
    if story.filing_id:
        yield Step("Filing", f"{story.filing_id} was in force ({story.filing_fingerprint}).")
    yield from _judged(story, mine, dealer, row["judged_on"])
    yield Step("Due", _due(story))
    yield Step("Arithmetic", story.arithmetic)
    yield Step("Engines", _engines(story))
    yield Step("Paid", _paid(story))
    if story.account is not None:
        yield Step("Wallet", wallet_in_words(story.account))
    for found in story.findings:
        yield from _finding(found, story.kind)
    if story.instead is not None:
        yield Step("Otherwise", _instead(story.instead, story.currency))


def _judged(story: WagerStory, mine: Hand | None, dealer: Hand | None, judged_on: str | None) -> Iterator[Step]:
    if story.outcome in {"forfeit", "void"} or story.settlement in {"not_accepted", "pending"}:
        return
    if judged_on == "best_five_of_six" and mine and dealer:
        cards = cards_in_words([*(mine.cards or []), *(dealer.cards or [])])
        made = story.hand_category.replace("_", " ") if story.hand_category else "nothing that can be ranked"
        yield Step("Hand", f"The best five of {cards}: {made}.")
    elif mine:
        yield Step("Hand", f"The player has {hand_in_words(mine.cards, mine.category)} ({cards_in_words(mine.cards)}).")
    if story.kind not in _SHOWDOWN or story.dealer_qualifies is None or dealer is None:
        return
    has = f"The dealer has {hand_in_words(dealer.cards, dealer.category)} ({cards_in_words(dealer.cards)})"
    yield Step("Qualification", f"{has} and {'qualifies' if story.dealer_qualifies else 'does not qualify'}.")
    if mine and story.dealer_qualifies and mine.strength is not None and dealer.strength is not None:
        better = {1: "The player's hand is the better one", -1: "The dealer's hand is the better one", 0: "The hands are equal"}
        yield Step("Comparison", f"{better[(mine.strength > dealer.strength) - (mine.strength < dealer.strength)]}.")


def _due(story: WagerStory) -> str:
    if story.settlement == "not_accepted":
        return f"Nothing is due: {reason_in_words(story.reason)}."
    if story.settlement == "pending":
        return f"Nothing can be said to be due yet: {reason_in_words(story.reason)}."
    if story.settlement == "unsettleable":
        return f"It cannot be settled: {reason_in_words(story.reason)}."
    cited = f" ({story.citation})" if story.citation else ""
    if story.outcome in {"forfeit", "void"}:
        told = "The fold forfeits it" if story.outcome == "forfeit" else "The void returns the stake"
        return f"{told}{cited}: {_in_all(story.expected, story.expected_bonus, story.currency)} is due."
    told = f"It is {_outcome(story.outcome)}"
    if story.line and story.odds:
        bonus = "its bonus for " if story.kind == "ante" else ""
        told += f"; {bonus}{line_in_words(story.line)} pays {story.odds}"
    return f"{told}{cited}: {_in_all(story.expected, story.expected_bonus, story.currency)} is due."


def _outcome(outcome: str | None) -> str:
    """``a loss`` for ``lose``."""
    return {"lose": "a loss", "forfeit": "forfeited by the fold"}.get(outcome or "", f"a {outcome}")


def _in_all(expected: Decimal | None, bonus: Decimal | None, currency: str | None) -> str:
    """An amount due or paid, and how much of it is the ante bonus."""
    if expected is None and bonus is None:
        return "nothing"
    told = amount((expected or Decimal(0)) + (bonus or Decimal(0)), currency)
    return f"{told} ({amount(bonus, currency)} of it as bonus)" if bonus else told


def _engines(story: WagerStory) -> str:
    if story.agree:
        stands = "" if story.as_published else " That is not what stands in the lake: it was published by another version of this program."
        return f"Both say {said_in_words(story.polars, story.currency)}.{stands}"
    return f"They disagree. Polars: {said_in_words(story.polars, story.currency)}. SQL: {said_in_words(story.sql, story.currency)}."


def said_in_words(said: Said, currency: str | None) -> str:
    """What an engine says, in a few words."""
    if said.expected is None:
        return said.settlement.replace("_", " ")
    return f"{said.outcome}, {_in_all(said.expected, said.expected_bonus, currency)} due"


def _paid(story: WagerStory) -> str:
    if story.paid is None and story.bonus_paid is None:
        told = "Nothing is recorded as paid."
    else:
        told = f"{_in_all(story.paid, story.bonus_paid, story.currency)} was handed back{_at(story.paid_at)}."
    if story.delta is None:
        return told
    if story.delta == 0:
        return f"{told} That is what was due."
    return f"{told} That is {amount(abs(story.delta), story.currency)} too {'much' if story.delta > 0 else 'little'}."


def wallet_in_words(account: Account) -> str:
    """What the wallet moved for a player in the round, in one currency."""
    money = account.currency
    told = (
        f"For the player's whole round the wallet debited {amount(account.debited, money)} and credited {amount(account.credited, money)}"
    )
    told += f", took back {amount(account.cancelled, money)}" if account.cancelled else ""
    told += f", adjusted {amount(account.adjusted, money)}" if account.adjusted else ""
    told += f"; the studio reported {amount(account.staked, money)} staked and {amount(account.reported, money)} handed back"
    return f"{told}: {account.status}."


def _finding(found: Found, kind: str | None = None) -> Iterator[Step]:
    yield Step("Finding", f"{found.severity}, {found.check_id}: {found.message}")
    if cause := cause_in_words(found, kind):
        yield Step("Cause", cause)
    if found.incident:
        yield Step("Incident", f"{found.incident} (incident {found.incident_id})")


def cause_in_words(found: Found, kind: str | None = None) -> str:
    """The likeliest cause, what else would fit and which hand would tell, or why none was looked for.

    Args:
        found: the finding; of one that is not of the money family nothing is said.
        kind: the wager's kind, where it is known: hands that show on it are named first.
    """
    if found.root_cause is None:
        return ""
    if found.root_cause == UNEXPLAINED:
        if found.root_cause_detail:
            return f"Not diagnosed: {found.root_cause_detail}."
        return "No known fault reproduces what was paid."
    detail = f" ({found.root_cause_detail})" if found.root_cause_detail else ""
    others = [cause for cause in found.root_causes or () if cause != found.root_cause]
    words = f", {told}" if (told := CAUSE_WORDS.get(found.root_cause)) else ""
    apart = told_apart(found.root_cause, (other for other in others if other in CAUSE_WORDS), kind)
    fitting = f" What was paid would also fit: {', '.join(others)}. {apart}" if others else ""
    return f"Likeliest {found.root_cause}{words}{detail}.{fitting}"


def _instead(instead: Instead, currency: str | None) -> str:
    under = f"Under {instead.filing_id} revision {instead.revision}"
    if instead.due is None:
        return f"{under} nothing could be said to be due: {reason_in_words(instead.reason)}."
    price = f" ({line_in_words(instead.line)} pays {instead.odds})" if instead.line and instead.odds else ""
    told = f"{under} it would be {_outcome(instead.outcome)}{price}: {amount(instead.due, currency)} due"
    if instead.difference is None:
        return f"{told}."
    return f"{told}, {amount(instead.difference, currency, signed=True)}." if instead.difference else f"{told}, the same."


def _at(when: str | None, verb: str = "") -> str:
    return f"{f', {verb}' if verb else ''} at {when}" if when else ""


def _listed(parts: list[str]) -> str:
    told = ", ".join(filter(None, parts))
    return f"{told[0].upper()}{told[1:]}." if told else ""

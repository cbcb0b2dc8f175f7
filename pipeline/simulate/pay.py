"""What a round hands back, by plain rules: the simulator's own, apart from both engines that it is to test.

A ``Book`` is the rules as a studio's software keeps them. ``HONEST`` keeps them right (58 Pa. Code §§ 649a.7, 649a.11, 649a.12 and the
filing); a fault is a book with one rule replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pipeline.simulate.ranking import Cards, Strength, best_five, filed_line, strength, three

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.simulate.deal import Deal, Part, Wager
    from pipeline.simulate.offers import Offer

RIGHT_PAYS: Final = {"unqualified": (2, 1), "higher": (2, 2), "equal": (1, 1), "lower": (0, 0)}
"""How many times the stake ante and play hand back, state by state (58 Pa. Code § 649a.11)."""
QUEEN_HIGH: Final = strength("high_card", [12, 3, 2])


def queen_or_better(dealer: Strength) -> bool:
    """The dealer's qualification."""
    return dealer >= QUEEN_HIGH


def compared(player: Strength, dealer: Strength) -> str:
    """``higher``, ``equal`` or ``lower``: the player's hand beside the dealer's."""
    mine, theirs = player[:2], dealer[:2]
    if mine == theirs:
        return "equal"
    return "higher" if mine > theirs else "lower"


@dataclass(frozen=True, slots=True)
class Win:
    """What a side wager hands back: times the stake, plus a flat amount, plus a share of the meter in per cent."""

    times: int = 0
    flat: int = 0
    meter_percent: int = 0


LOST: Final = Win()


def priced(price: str, side_returns_stake: bool) -> Win:
    """A price as what is handed back: ``40 to 1`` is 41 times the stake, ``500 for 1`` is 500 times."""
    number, _, rest = price.partition(" ")
    if rest == "to 1":
        return Win(times=int(number) + 1)
    if rest == "for 1":
        return Win(times=int(number))
    stake = int(side_returns_stake)
    if number == "flat":
        return Win(times=stake, flat=round(float(rest.split()[0])) * 100)
    return Win(times=stake, meter_percent=int(rest.split()[0]))


@dataclass(frozen=True, slots=True)
class Book:
    """The rules as kept; every field can be broken on its own."""

    three: Callable[[Cards], Strength] = three
    best_five: Callable[[Cards, Cards], str] = best_five
    qualifies: Callable[[Strength], bool] = queen_or_better
    compared: Callable[[Strength, Strength], str] = compared
    qualifier_first: bool = True
    pays: Mapping[str, tuple[int, int]] = field(default_factory=lambda: RIGHT_PAYS)
    tie_pays: tuple[int, int] | None = None
    bonus_states: frozenset[str] = frozenset(RIGHT_PAYS)
    bonus_stakes: int = 1
    bonus_after_fold: bool = False
    priced: Callable[[str, bool], Win] = priced
    odds: Callable[[Offer, str], Mapping[str, str]] | None = None
    keeps_fold: bool = True
    forfeits_all: bool = False
    keeps_void: bool = True
    sides_need_win: bool = False
    stake_on_miss: bool = False


HONEST: Final = Book()


@dataclass(frozen=True, slots=True)
class Quote:
    """What each wager on a hand hands back under one offer."""

    state: str | None
    ante: int
    play: int
    bonus: int
    sides: Mapping[str, Win]


def quote(player: Cards, dealer: Cards, offer: Offer, book: Book = HONEST) -> Quote:
    """Read a hand once for all who stand on it; ``dealer`` is empty where the dealer turned nothing."""
    mine = book.three(player)
    state: str | None = None
    ante = play = 0
    if len(dealer) == 3:
        theirs = book.three(dealer)
        state = book.compared(mine, theirs)
        if not book.qualifies(theirs) and (book.qualifier_first or state != "equal"):
            state = "unqualified"
        ante, play = book.pays[state]
        if state == "equal" and book.tie_pays is not None:
            ante, play = book.tie_pays
        elif state == "equal" and offer.tie == "player_wins":
            ante, play = book.pays["higher"]
    bonus = 0
    bonus_line = filed_line(mine.line, dict(offer.bonus))
    if bonus_line and (state is None or state in book.bonus_states):
        bonus = int(offer.bonus[bonus_line].split()[0]) * book.bonus_stakes
    sides = {}
    for kind, side in offer.sides.items():
        odds = dict(book.odds(offer, kind) if book.odds else side.odds)
        if side.judged_on == "player_three":
            line = filed_line(mine.line, odds)
        else:
            line = filed_line(book.best_five(player, dealer), odds) if len(dealer) == 3 else None
        win = book.priced(odds[line], bool(side.stake_returned)) if line else Win(times=int(book.stake_on_miss))
        sides[kind] = LOST if book.sides_need_win and state != "higher" else win
    return Quote(state, ante, play, bonus, sides)


def due(deal: Deal, part: Part, wager: Wager, quoted: Quote, book: Book = HONEST) -> tuple[int, int]:
    """What is handed back on a wager and beside it as ante bonus."""
    if wager.status == "rejected":
        return 0, 0
    voided = deal.in_void(part, wager)
    if wager.status == "cancelled" and (book.keeps_void or not voided):
        return 0, 0
    if voided and book.keeps_void:
        return (0 if wager.free else wager.stake), 0
    folded = deal.folded(part)
    back, bonus = 0, 0
    if wager.kind == "ante":
        back = 0 if folded and book.keeps_fold else wager.stake * quoted.ante
        bonus = wager.stake * quoted.bonus if not folded or book.bonus_after_fold else 0
    elif wager.kind == "play":
        back = wager.stake * quoted.play
    else:
        back = _side_back(deal, part, wager, quoted, book)
    return (max(0, back - wager.stake) if wager.free else back), bonus


def _side_back(deal: Deal, part: Part, wager: Wager, quoted: Quote, book: Book) -> int:
    side = part.offer.sides.get(wager.kind)
    folded = deal.folded(part)
    if side is None or (folded and (book.forfeits_all or (side.forfeited_by_fold and book.keeps_fold))):
        return 0
    win = quoted.sides[wager.kind]
    pot = deal.meter.before + deal.meter.contribution if deal.meter else 0
    return wager.stake * win.times + win.flat + pot * win.meter_percent // 100


def quote_for(deal: Deal, part: Part, book: Book = HONEST) -> Quote:
    """The quote of a participant's hand, from what truly lay on the table."""
    return quote(deal.player_cards[part.hand_id], deal.dealer_cards, part.offer, book)


def pay(deal: Deal, part: Part, quoted: Quote) -> None:
    """Pay a participant rightly."""
    for wager in part.wagers:
        if wager.status == "rejected" or deal.status in {"open", "interrupted"}:
            continue
        if wager.status == "cancelled":
            wager.paid = wager.bonus = wager.paid_at = None
            continue
        wager.paid, bonus = due(deal, part, wager, quoted)
        wager.bonus = bonus if wager.kind == "ante" else None
        wager.paid_at = deal.pays_at


def pay_all(deal: Deal) -> None:
    """Pay everybody rightly; hands are read once an offer, however many stand on them."""
    known: dict[tuple[str, str], Quote] = {}
    full = all(len(cards) == 3 for cards in deal.player_cards.values())
    for part in deal.parts:
        key = (part.hand_id, part.offer.filing_id)
        if key not in known:
            known[key] = quote_for(deal, part) if full else Quote(None, 0, 0, 0, {})
        pay(deal, part, known[key])

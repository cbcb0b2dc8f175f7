"""The ante bonus against the seven licensed paytables of 58 Pa. Code §§ 649a.12(b), 649a.12(c) and 649b.4(b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.filings.catalogue import licensed
from pipeline.filings.verdicts import LICENSED, Verdict, over_time, reaches, same_price

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.filings.catalogue import AnteBonusPaytable
    from pipeline.filings.submission import Wager

_ADDED = "mini_royal"


def matching_paytable(wager: Wager) -> AnteBonusPaytable | None:
    """The licensed paytable whose lines an ante bonus files, a mini royal line apart; None where it is none of the seven."""
    filed = {line.name: line.price for line in wager.lines if line.name != _ADDED}
    for paytable in licensed().ante_bonus:
        lines = {name: price for name, price in paytable.odds.items() if name != _ADDED}
        if filed.keys() == lines.keys() and all(same_price(filed[name], lines[name], holds_stake=False) for name in lines):
            return paytable
    return None


def judge_ante_bonus(wager: Wager, *, linked: bool) -> Iterator[Verdict]:
    """Verdicts on an ante bonus: its paytable as a whole, an added mini royal line, and whether it needs the linked version."""
    catalogue = licensed()
    paytable = matching_paytable(wager)
    mini_royal = wager.price(_ADDED)
    if paytable is None or (_ADDED in paytable.odds and mini_royal is None):
        filed = ", ".join(f"{line.name} {line.price.text}" for line in wager.lines)
        message = f"ante_bonus pays {filed}, which is none of the seven licensed paytables"
        yield Verdict(
            "ante_bonus", "ante_bonus.odds", None, "paytable_not_licensed", message, "58 Pa. Code §§ 649a.12(b), 649a.12(c), 649b.4(b)"
        )
        return
    name = paytable.name
    licence = Verdict("ante_bonus", "ante_bonus.odds", None, LICENSED, f"ante_bonus is {name}", paytable.section)
    yield from over_time(licence, paytable.term)
    if paytable.linked and not linked:
        message = f"ante_bonus is {name}, which is licensed only where ante and Pair Plus are linked and equal"
        yield Verdict("ante_bonus", "linked_ante_pair_plus", None, "rule_not_licensed", message, catalogue.linked_section)
    if mini_royal is not None:
        yield _judge_mini_royal(wager, paytable)


def _judge_mini_royal(wager: Wager, paytable: AnteBonusPaytable) -> Verdict:
    price = wager.price(_ADDED)
    section = licensed().mini_royal_section
    key = f"ante_bonus.odds.{_ADDED}"
    if price is None:
        raise ValueError("the wager files no mini royal line")
    if own := paytable.odds.get(_ADDED):
        if same_price(price, own, holds_stake=False):
            return Verdict("ante_bonus", key, _ADDED, LICENSED, f"ante_bonus pays a mini royal {price.text}", paytable.section)
        message = f"ante_bonus pays a mini royal {price.text} on {paytable.name}, which pays it {own.text}"
    elif paytable.mini_royal_floor is None:
        message = f"ante_bonus adds a mini royal to {paytable.name}; one may be added only to a subsection (b) paytable"
    elif not reaches(price, paytable.mini_royal_floor, holds_stake=False):
        message = f"ante_bonus pays a mini royal {price.text}; no less than {paytable.mini_royal_floor.text} is licensed"
    else:
        return Verdict("ante_bonus", key, _ADDED, LICENSED, f"ante_bonus pays a mini royal {price.text}, added to {paytable.name}", section)
    return Verdict("ante_bonus", key, _ADDED, "rule_not_licensed", message, section)

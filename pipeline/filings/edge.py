"""The exact house edge of what is filed, by enumeration: fractions over every deal, never a simulation.

Known values that it meets: 3.3730 % of the ante at 5-4-1 with play on Q-6-4 or better; Pair Plus 2.3167 % at 40-30-6-4-1 and 7.2760 %
at 40-30-6-3-1; the dealer qualifies with 15,380 of 22,100 hands.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import lcm
from typing import TYPE_CHECKING

from pipeline.filings.deals import DEALERS, HANDS, SIX_CARD_COUNTS, PlayerHand, player_hands, qualifying_hands, three_card_counts
from pipeline.filings.figures import Award, FilingEdge, LineEdge, Strategy, WagerEdge
from pipeline.filings.verdicts import winnings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.filings.load import Filings
    from pipeline.filings.submission import Filing, Wager

FALLS_TO = {
    "mini_royal_spades": "mini_royal",
    "mini_royal": "straight_flush",
    "super_royal_diamonds": "six_card_royal",
    "super_royal_other": "six_card_royal",
    "six_card_royal": "royal_flush",
    "royal_flush": "straight_flush",
}
"""The line that pays where the more specific one is not filed."""


def edge(filings: Filings) -> tuple[FilingEdge, ...]:
    """The exact figures of every filing, in the order of ``filing_no``.

    Rounding to a minor unit and aggregate limits depend on stakes and are left out. A side wager is judged by itself, without a fold:
    at optimal play no forfeited Pair Plus wins.
    """
    return tuple(edge_of(filing) for filing in filings.submissions)


@cache
def edge_of(filing: Filing) -> FilingEdge:
    """The exact figures of one filing."""
    strategy, main = _main_game(filing)
    sides = tuple(_side_wager(wager, strategy.folded_classes) for wager in filing.side_wagers)
    qualifies = Fraction(qualifying_hands(filing.qualifier), HANDS)
    return FilingEdge(filing.filing_id, filing.revision, qualifies, strategy, (main, *sides))


def _main_game(filing: Filing) -> tuple[Strategy, WagerEdge]:
    bonus = filing.wager("ante_bonus")
    paid = _paid_lines(bonus, three_card_counts()) if bonus else {}
    worth = {name: _net(bonus, line) for name, line in paid.items()} if bonus else {}
    prices = [_win_of(filing, kind) for kind in ("ante", "play")]
    # Whole numbers of this part of a unit: the sums run over every hand, and fractions would take thirty times as long.
    part = lcm(*(price.denominator for price in (*prices, *worth.values())))
    ante, play = (int(price * part) for price in prices)
    extras = {name: int(price * part) for name, price in worth.items()}
    total = second = staked = won = playing = 0
    played: list[tuple[PlayerHand, Fraction, bool]] = []
    shares: dict[str, int] = {}
    for hand in player_hands(filing.qualifier):
        extra = extras.get(hand.three_class, 0)
        ties = hand.equal if filing.tie == "push" else 0
        outcomes: tuple[tuple[int, int], ...] = (
            (hand.unqualified, ante + extra),
            (hand.better + hand.equal - ties, ante + play + extra),
            (ties, extra),
            (hand.worse, extra - 2 * part),
        )
        value = sum(count * result for count, result in outcomes)
        plays = value >= -DEALERS * part
        played.append((hand, Fraction(value, DEALERS * part), plays))
        if not plays:
            outcomes = ((DEALERS, -part),)
        total += hand.ways * sum(count * result for count, result in outcomes)
        second += hand.ways * sum(count * result**2 for count, result in outcomes)
        won += hand.ways * sum(count for count, result in outcomes if result > 0)
        staked += hand.ways * (2 if plays else 1)
        playing += hand.ways * ((hand.better + hand.equal - ties) * play - hand.worse * part) if plays else 0
        if plays and hand.three_class in paid:
            shares[paid[hand.three_class]] = shares.get(paid[hand.three_class], 0) + hand.ways
    deals = HANDS * DEALERS
    mean = Fraction(total, deals * part)
    edge = WagerEdge(
        kind="ante",
        house_edge=-mean,
        element_of_risk=-mean * HANDS / staked,
        hit_frequency=Fraction(won, deals),
        variance=Fraction(second, deals * part**2) - mean**2,
        lines=_line_edges(bonus, shares, HANDS) if bonus else (),
        awards=_awards(bonus, shares, HANDS) if bonus else (),
    )
    return _strategy(played, Fraction(playing, deals * part)), edge


def _strategy(played: list[tuple[PlayerHand, Fraction, bool]], play_result: Fraction) -> Strategy:
    folded_strengths = {hand.strength for hand, _, plays in played if not plays}
    floor = max(folded_strengths, default=-1)
    run = [(hand, value) for hand, value, _ in played if hand.strength > floor]
    below = [value for hand, value, _ in played if hand.strength == floor]
    return Strategy(
        threshold=run[0][0].ranks if run else None,
        played=Fraction(sum(hand.ways for hand, _, plays in played if plays), HANDS),
        exceptions=sum(hand.ways for hand, _, plays in played if plays and hand.strength <= floor),
        value_at_threshold=min(value for hand, value in run if hand.strength == run[0][0].strength) if run else None,
        value_below=max(below) if below else None,
        play_result=play_result,
        folded_classes=frozenset(hand.three_class for hand, _, plays in played if not plays),
    )


def hands_by_line(wager: Wager) -> dict[str, int]:
    """How many of all dealt hands each filed line of a wager pays; of 22,100 hands of three cards, or of 20,358,520 of six."""
    counts = three_card_counts() if wager.judged_on == "player_three" else SIX_CARD_COUNTS
    ways = {line.name: 0 for line in wager.lines}
    for name, line in _paid_lines(wager, counts).items():
        ways[line] += counts[name]
    return ways


def _side_wager(wager: Wager, folded_classes: frozenset[str]) -> WagerEdge:
    counts = three_card_counts() if wager.judged_on == "player_three" else SIX_CARD_COUNTS
    all_hands = sum(counts.values())
    paid = _paid_lines(wager, counts)
    shares: dict[str, int] = {}
    mean = second = Fraction(0)
    for name, count in counts.items():
        line = paid.get(name)
        result = _net(wager, line) if line else Fraction(-1)
        mean += Fraction(count, all_hands) * result
        second += Fraction(count, all_hands) * result**2
        if line:
            shares[line] = shares.get(line, 0) + count
    awards = _awards(wager, shares, all_hands)
    of_meter = sum((award.share * award.of_meter for award in awards if award.of_meter is not None), Fraction(0))
    folds_cost: bool | None = wager.forfeited_by_fold and not folded_classes.isdisjoint(paid)
    return WagerEdge(
        kind=wager.kind,
        house_edge=-mean,
        element_of_risk=-mean,
        hit_frequency=Fraction(sum(shares.values()), all_hands),
        variance=second - mean**2,
        lines=_line_edges(wager, shares, all_hands),
        awards=awards,
        break_even_meter=-mean / of_meter if of_meter else None,
        folds_cost=None if wager.forfeited_by_fold and wager.judged_on != "player_three" else folds_cost,
    )


def _paid_lines(wager: Wager, counts: Mapping[str, int]) -> dict[str, str]:
    """Class of hand to the line that pays it, the most specific filed one."""
    filed = {line.name for line in wager.lines}
    paid = {}
    for name in counts:
        line: str | None = name
        while line is not None and line not in filed:
            line = FALLS_TO.get(line)
        if line is not None:
            paid[name] = line
    return paid


def _net(wager: Wager, line: str) -> Fraction:
    """What a line wins for one unit staked, the stake apart; an award itself counts nothing."""
    price = wager.price(line)
    bonus = wager.kind == "ante_bonus"
    won = winnings(price, holds_stake=not bonus) if price else None
    if won is not None:
        return won
    return Fraction(0) if bonus or wager.stake_returned else Fraction(-1)


def _win_of(filing: Filing, kind: str) -> Fraction:
    wager = filing.wager(kind)
    won = winnings(wager.lines[0].price) if wager else None
    if won is None:
        raise ValueError(f"{kind} has no price")
    return won


def _line_edges(wager: Wager, shares: Mapping[str, int], of: int) -> tuple[LineEdge, ...]:
    return tuple(
        LineEdge(line.name, line.price.text, Fraction(shares.get(line.name, 0), of))
        for line in wager.lines
        if line.price.basis in {"to", "for"}
    )


def _awards(wager: Wager, shares: Mapping[str, int], of: int) -> tuple[Award, ...]:
    return tuple(
        Award(
            line=line.name,
            odds=line.price.text,
            share=Fraction(shares.get(line.name, 0), of),
            flat=line.price.flat,
            currency=line.price.currency,
            of_meter=Fraction(line.price.num or 0, line.price.den or 1) if line.price.basis == "meter" else None,
        )
        for line in wager.lines
        if line.price.basis in {"flat", "meter"}
    )

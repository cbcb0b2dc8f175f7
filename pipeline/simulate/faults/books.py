"""Money faults that are one broken rule: the names are the contract's root causes (§ 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pipeline.simulate.faults.registry import by_book, money_fault
from pipeline.simulate.faults.rigs import rigged
from pipeline.simulate.pay import HONEST, RIGHT_PAYS, Book, Win, priced
from pipeline.simulate.ranking import Cards, Strength, best_five, ranks_of, strength, three

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.simulate.offers import Offer

SIDES: Final = frozenset({"pair_plus", "six_card_bonus", "five_card_hand_bonus", "trio_bonus", "progressive"})
SIX: Final = frozenset({"six_card_bonus", "five_card_hand_bonus"})
MAIN: Final = frozenset({"ante", "play"})
ANTE: Final = frozenset({"ante"})
PAIR_PLUS: Final = frozenset({"pair_plus"})


def _hand(change: Callable[[Cards, Strength], Strength]) -> Book:
    return replace(HONEST, three=lambda cards: change(cards, three(cards)))


def _read_ranks(ranks: Sequence[int], read: Callable[[Cards, Strength], Strength]) -> Book:
    return _hand(lambda cards, right: read(cards, right) if ranks_of(cards) == list(ranks) else right)


def _as_no_run(cards: Cards, right: Strength) -> Strength:
    flush = right.category == strength("straight_flush", ()).category
    return strength("flush" if flush else "high_card", ranks_of(cards))


def _as_run(_: Cards, right: Strength) -> Strength:
    flush = right.category == strength("flush", ()).category
    return strength("straight_flush" if flush else "straight", [2])


def _missed_straights(cards: Cards, right: Strength) -> Strength:
    return _as_no_run(cards, right) if right.line == "straight" else right


def _of_category(name: str, change: Callable[[list[int]], Sequence[int]]) -> Book:
    """Break the order of one category's hands only."""
    category = strength(name, ()).category

    def read(cards: Cards, right: Strength) -> Strength:
        return Strength(category, tuple(change(ranks_of(cards))), right.line) if right.category == category else right

    return _hand(read)


def _trips_as_pair(cards: Cards, right: Strength) -> Strength:
    return strength("pair", ranks_of(cards)[:2]) if right.line == "three_of_a_kind" else right


def _without_mini(_: Cards, right: Strength) -> Strength:
    return Strength(right.category, right.ranks, "straight_flush") if right.line.startswith("mini") else right


def _pays(state: str, ante: int, play: int) -> Book:
    return replace(HONEST, pays={**RIGHT_PAYS, state: (ante, play)})


def _to_as_for(price: str, side_returns_stake: bool) -> Win:
    return priced(price.replace("to 1", "for 1"), side_returns_stake)


def _for_as_to(price: str, side_returns_stake: bool) -> Win:
    return priced(price.replace("for 1", "to 1"), side_returns_stake)


def _other_odds(offer: Offer, kind: str) -> dict[str, str]:
    others = {"straight": "5 to 1", "flush": "3 to 1"} if kind == "pair_plus" else {"three_of_a_kind": "7 to 1", "straight": "9 to 1"}
    filed = offer.sides[kind].odds
    return {line: others.get(line, price) if price.endswith("to 1") else price for line, price in filed.items()}


def _three_card_order(player: Cards, dealer: Cards) -> str:
    """Prefer a straight where the six cards hold a flush too."""
    right = best_five(player, dealer)
    ranks = {*ranks_of([*player, *dealer])}
    ranks |= {1} if 14 in ranks else set()
    run = any({*range(low, low + 5)} <= ranks for low in range(1, 11))
    return "straight" if right == "flush" and run else right


def _from_three(player: Cards, _: Cards) -> str:
    return three(player).line.replace("mini_royal_spades", "straight_flush").replace("mini_royal", "straight_flush")


def _no_full_house(player: Cards, dealer: Cards) -> str:
    right = best_five(player, dealer)
    return "three_of_a_kind" if right == "full_house" else right


def _trips_in_one_hand(player: Cards, dealer: Cards) -> str:
    right = best_five(player, dealer)
    whole = "three_of_a_kind" in {three(player).line, three(dealer).line}
    return "pair" if right == "three_of_a_kind" and not whole else right


def _ranking() -> None:
    false_straight = _read_ranks((14, 13, 2), _as_run)
    money_fault("false_straight", "K-A-2 paid as a straight", by_book(false_straight, PAIR_PLUS), rig=rigged("Ks Ad 2c", decision="play"))
    missed = by_book(_read_ranks((14, 3, 2), _as_no_run), PAIR_PLUS)
    money_fault("ace_low_straight_missed", "A-2-3 not seen as a straight", missed, rig=rigged("As 3d 2c", decision="play"))
    high = by_book(_read_ranks((14, 3, 2), lambda _, right: Strength(right.category, (14,), right.line)), MAIN)
    money_fault("ace_low_straight_too_high", "A-2-3 ranked as the highest straight", high, rig=rigged("As 3d 2c", "6s 5d 4c", "play"))
    missed = by_book(_read_ranks((14, 13, 12), _as_no_run), PAIR_PLUS)
    money_fault("ace_high_straight_missed", "A-K-Q not seen as a straight", missed, rig=rigged("As Kd Qc", decision="play"))
    missed = by_book(_hand(_missed_straights), PAIR_PLUS)
    money_fault("straight_missed", "a straight not seen", missed, rig=rigged("9s 8d 7c", decision="play"))
    money_fault(
        "trips_read_as_pair",
        "three of a kind paid as a pair",
        by_book(_hand(_trips_as_pair), PAIR_PLUS),
        rig=rigged("7s 7d 7c", decision="play"),
    )
    money_fault(
        "pair_rank_ignored",
        "pairs compared by the top card",
        by_book(_of_category("pair", lambda r: r), MAIN),
        rig=rigged("5s 5d Ac", "9s 9d 2c", "play"),
    )
    kicker = by_book(_of_category("pair", lambda r: r[1:2]), MAIN)
    money_fault("pair_kicker_ignored", "equal pairs pushed whatever the odd card", kicker, rig=rigged("9s 9d Ac", "9c 9h 4c", "play"))
    kickers = by_book(_of_category("high_card", lambda r: r[:1]), MAIN)
    money_fault("kickers_ignored", "high cards compared by the highest alone", kickers, rig=rigged("Ks 9d 4c", "Kd 8s 3c", "play"))
    lowest = by_book(_of_category("high_card", lambda r: r[::-1]), MAIN)
    money_fault("lowest_card_first", "high cards compared from the lowest", lowest, rig=rigged("Ks 9d 2c", "Qd 8s 3c", "play"))
    summed = by_book(_of_category("high_card", lambda r: [sum(r)]), MAIN)
    money_fault("ranks_summed", "high cards compared by their sum", summed, rig=rigged("Ks 8d 2c", "Qd Js 9c", "play"))
    mini = by_book(_hand(_without_mini), PAIR_PLUS | ANTE)
    money_fault("mini_royal_missed", "a mini royal paid as a straight flush", mini, rig=rigged("Ah Kh Qh", decision="play"))


def _dealer_and_tie() -> None:
    money_fault(
        "qualifier_ignored",
        "a dealer below queen high compared as if qualified",
        by_book(replace(HONEST, qualifies=lambda _: True), MAIN),
        rig=rigged("Ts 7d 2c", "Jd 8s 3c", "play"),
    )
    pairs = replace(HONEST, qualifies=lambda dealer: dealer.category != 1 and dealer >= strength("high_card", [12, 3, 2]))
    money_fault(
        "qualifier_top_card_only", "a dealer's pair held not to qualify", by_book(pairs, MAIN), rig=rigged("Qs 9d 5c", "8s 8d Jc", "play")
    )
    kings = replace(HONEST, qualifies=lambda dealer: dealer >= strength("high_card", [13, 3, 2]))
    money_fault("qualifier_threshold", "queen high held not to qualify", by_book(kings, MAIN), rig=rigged("Ks 7d 2c", "Qs 9d 3c", "play"))
    for name, about, ante, play in (
        ("play_paid_unqualified", "play paid against a dealer that did not qualify", 2, 2),
        ("ante_pushed_unqualified", "ante pushed against a dealer that did not qualify", 1, 1),
        ("ante_lost_unqualified", "ante taken against a dealer that did not qualify", 0, 1),
        ("play_lost_unqualified", "play taken against a dealer that did not qualify", 2, 0),
        ("ante_play_swapped", "ante pushed and play paid against a dealer that did not qualify", 1, 2),
    ):
        money_fault(name, about, by_book(_pays("unqualified", ante, play), MAIN), rig=rigged("Qs 9d 5c", "Jd 8s 3c", "play"))
    tie = rigged("Qs 9d 5c", "Qd 9c 5s", "play")
    for name, about, pays in (
        ("tie_lost", "a tie taken", (0, 0)),
        ("tie_won", "a tie paid", (2, 2)),
        ("tie_one_stake", "of a tie only the ante returned", (1, 0)),
    ):
        money_fault(name, about, by_book(replace(HONEST, tie_pays=pays), MAIN), rig=tie)
    first = by_book(replace(HONEST, qualifier_first=False), MAIN)
    money_fault("tie_before_qualifier", "a tie pushed though the dealer did not qualify", first, rig=rigged("Js 8d 3c", "Jd 8s 3h", "play"))


def _bonus_fold_and_void() -> None:
    beaten = rigged("6s 5d 4c", "9s 8d 7c", "play")
    money_fault("ante_bonus_missing", "no ante bonus paid", by_book(replace(HONEST, bonus_states=frozenset()), ANTE), rig=beaten)
    on_win = by_book(replace(HONEST, bonus_states=frozenset({"higher", "unqualified"})), ANTE)
    money_fault("ante_bonus_only_on_win", "no ante bonus paid since the dealer won", on_win, rig=beaten)
    base = by_book(replace(HONEST, bonus_stakes=2), ANTE)
    money_fault("ante_bonus_wrong_base", "ante bonus paid on ante and play together", base, rig=beaten)
    after = by_book(replace(HONEST, bonus_after_fold=True), ANTE)
    money_fault("ante_bonus_after_fold", "ante bonus paid after a fold", after, rig=rigged("6s 5d 4c", decision="fold"))
    fold = by_book(replace(HONEST, keeps_fold=False), SIDES)
    money_fault("fold_ignored", "a forfeited side wager paid after a fold", fold, rig=rigged("5s 5d 2c", decision="fold"))
    ante = by_book(replace(HONEST, keeps_fold=False), ANTE)
    money_fault("ante_paid_after_fold", "a folded ante paid", ante, rig=rigged("Ts 9d 5c", decision="fold"), cause="fold_ignored")
    error = by_book(replace(HONEST, forfeits_all=True), SIDES)
    money_fault("forfeited_in_error", "a side wager that stands taken after a fold", error, rig=rigged("4s 4d 2c", "4h Kd 9c", "fold"))
    tied = by_book(replace(HONEST, sides_need_win=True), PAIR_PLUS)
    money_fault("pair_plus_tied_to_main", "Pair Plus taken since the dealer won", tied, rig=rigged("4s 4d 2c", "Ks Kd 9c", "play"))
    void = by_book(replace(HONEST, keeps_void=False))
    money_fault("void_ignored", "a voided round paid as if settled", void, void="round")


def _six_cards() -> None:
    order = by_book(replace(HONEST, best_five=_three_card_order), SIX)
    money_fault("five_card_order", "a straight put above a flush of the same six cards", order, rig=rigged("4h 5h 6h", "7h Kh 8c", "play"))
    from_three = by_book(replace(HONEST, best_five=_from_three), SIX)
    money_fault(
        "six_card_from_three", "a six-card bet paid on the player's three cards", from_three, rig=rigged("6s 5d 4c", "Kd Qs 9h", "play")
    )
    house = by_book(replace(HONEST, best_five=_no_full_house), SIX)
    money_fault("six_card_full_house_missed", "a full house paid as three of a kind", house, rig=rigged("7s 7d 7c", "Kd Ks 2h", "play"))
    split = by_book(replace(HONEST, best_five=_trips_in_one_hand), SIX)
    money_fault("six_card_trips_in_one_hand", "three of a kind over both hands not seen", split, rig=rigged("7s 7d 2c", "7h Ks 9d", "play"))


def _amounts() -> None:
    straight = rigged("9s 8d 7c", decision="play")
    money_fault("stake_not_returned", "x to 1 paid as x for 1", by_book(replace(HONEST, priced=_to_as_for), SIDES), rig=straight)
    money_fault("for_paid_as_to", "x for 1 paid as x to 1", by_book(replace(HONEST, priced=_for_as_to), SIDES), rig=straight)
    money_fault("stake_kept_on_miss", "the stake of a lost side wager returned", by_book(replace(HONEST, stake_on_miss=True), SIDES))
    money_fault("other_paytable", "paid by another paytable", by_book(replace(HONEST, odds=_other_odds), PAIR_PLUS | SIX), rig=straight)


_ranking()
_dealer_and_tie()
_bonus_fold_and_void()
_six_cards()
_amounts()

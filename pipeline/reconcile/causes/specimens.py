"""Specimens: one wager of every kind of hand on which some rule may show, from the plainest to the rarest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from pipeline.core.schema import CHUNK_TABLES, Chunk

if TYPE_CHECKING:
    from pipeline.core.schema import Table

MAIN, SIDE = "main", "side"
_DAY, _AT = date(2026, 1, 2), datetime(2026, 1, 2, 12, tzinfo=UTC)
_STAKE: Final = "5.00"
_HIGH, _LOW, _STRAIGHT = "Kd 9c 4h", "8d 6c 3h", "6c 7d 8h"


@dataclass(frozen=True, slots=True)
class Specimen:
    """A kind of hand, and a wager that shows it.

    Attributes:
        words: the kind of hand, after "a hand where".
        player: the player's cards in dealt order.
        dealer: the dealer's.
        kind: the wager looked at; ``main`` for ante and play.
        stake: its stake; ante and play stake 5.00 each.
        funding: cash or free.
        folded: the player did not play.
        alone: there is no ante.
        status: of the round.
        voided: the wager kind that a part void names.
    """

    words: str
    player: str
    dealer: str
    kind: str = MAIN
    stake: str = _STAKE
    funding: str = "cash"
    folded: bool = False
    alone: bool = False
    status: str = "settled"
    voided: str | None = None

    @property
    def part(self) -> str:
        """``main`` for ante and play, else ``side``."""
        return MAIN if self.kind == MAIN else SIDE


def _three(words: str, player: str, dealer: str = _HIGH, kind: str = "pair_plus", **more: Any) -> Specimen:
    return Specimen(f"a side wager on the player's three cards stands on {words}", player, dealer, kind, **more)


def _six(words: str, player: str, dealer: str) -> Specimen:
    return Specimen(f"a wager on six cards stands on {words}", player, dealer, "six_card_bonus")


def _unqualified(words: str, player: str, dealer: str = _LOW) -> Specimen:
    return Specimen(f"the dealer does not qualify and {words}", player, dealer)


SPECIMENS: Final = (
    Specimen("the dealer qualifies and the player wins by every card", "As Jd 7c", _HIGH),
    Specimen("the dealer qualifies and the player loses by every card", "Qs 8d 3c", _HIGH),
    _unqualified("has eight high or less, the player the better hand", "Ts 7d 4c"),
    _unqualified("has the better hand", "7s 5d 2c"),
    _unqualified("has jack high, the better hand", "Ts 8d 2c", "Jd 9c 4h"),
    _unqualified("the two hands tie", "8s 6h 3d"),
    Specimen("the dealer qualifies with queen high, the player's is the worse hand", "Js 9d 4c", "Qd Tc 6h"),
    Specimen("the dealer qualifies with a pair lower than the qualifier and no card that reaches it", "Qs 9d 5c", "8s 8d Jc"),
    Specimen("the dealer qualifies and the hands tie", "Ks 9d 4c", "Kd 9c 4h"),
    Specimen("a pair of threes faces the dealer's high card", "3s 3d 2c", _HIGH),
    Specimen("the player's ace high beats the dealer's king high with a lower lowest card", "As Jd 2c", "Kd 8c 3h"),
    Specimen("the player's ace high beats the dealer's king high with the lower sum and the higher lowest card", "As 5d 3c", "Kd Qc 2h"),
    Specimen("the highest cards are equal and the player's second is the better", "Ks Td 5c", _HIGH),
    Specimen("the player's ten high loses to the dealer's ace high", "Ts 9d 7c", "Ad 8c 3h"),
    Specimen("the player's first card dealt is lower than the dealer's, the highest higher", "4s Ad 9c", "Kd 8c 3h"),
    Specimen("the player's lower pair with the higher odd card loses to a pair", "5s 5d Ac", "9s 9d 2c"),
    Specimen("the player's higher pair with the lower odd card beats a pair", "9s 9d 3c", "5h 5c 4d"),
    Specimen("the pairs are equal and the odd cards are not", "9s 9d Ac", "9c 9h 4c"),
    Specimen("a straight beats the dealer's qualified hand", _STRAIGHT, _HIGH),
    Specimen("A-2-3 faces a straight", "As 2d 3c", "6s 5d 4c"),
    Specimen("A-2-3 faces 2-3-4", "As 2d 3c", "4s 3d 2h"),
    Specimen("A-2-3 faces A-K-Q", "As 2d 3c", "Ad Kh Qs"),
    Specimen("a flush faces a straight", "2h 7h 9h", "4s 5d 6c"),
    Specimen("three of a kind faces a straight", "4s 4d 4c", "5s 6d 7h"),
    Specimen("a straight loses to a higher one", "4s 5d 6c", "7s 8d 9c"),
    Specimen("a straight faces a dealer that does not qualify", _STRAIGHT, "Jd 9c 4h"),
    Specimen("a straight is folded", _STRAIGHT, _HIGH, folded=True),
    Specimen("the player wins with free wagers", "As Jd 7c", _HIGH, funding="free"),
    _three("a pair, which also beats the dealer", "Qs Qd 5h"),
    _three("nothing that pays", "As Jd 7c"),
    _three("a flush", "9h 7h 2h"),
    _three("a straight other than A-2-3 and A-K-Q, dealt in order", _STRAIGHT),
    _three("a straight dealt out of order", "8s 6d 7h"),
    _three("a pair dealt apart", "Qs 5h Qd"),
    _three("A-2-3", "As 2d 3c"),
    _three("A-K-Q", "Qc Ks As"),
    _three("K-A-2, A-3-4, 10-J-A or A-A-2", "Ks Ad 2c"),
    _three("three of a kind", "6c 6d 6h"),
    _three("a straight flush", "6h 7h 8h"),
    _three("A-K-Q of one suit, which has no price of its own", "Qh Kh Ah"),
    _three("A-K-Q of one suit, which has a price of its own", "Qh Kh Ah", kind="royal"),
    _three("a winning hand that the dealer beats", "4s 4d 2c", "Ks Kd 9c"),
    _three("a winning hand while the dealer does not qualify", "Qs Qd 5h", _LOW),
    _three("a winning hand that a fold forfeits", "Qs Qd 5h", folded=True),
    _three("a winning hand after a fold that does not forfeit it", "6h 7h 8h", kind="royal", folded=True),
    _three("a winning hand without an ante", "Qs Qd 5h", alone=True),
    _three("a winning hand in a voided round", "Qs Qd 5h", status="voided"),
    _three("a winning hand within a part void", "Qs Qd 5h", voided="pair_plus"),
    _three("a winning hand beside a part void", "Qs Qd 5h", voided="play"),
    _three("a win at a price for 1", "6c 6d 6h", kind="for_one"),
    _three("a win whose price leaves a fraction of a coin", "Qs Qd 5h", kind="halves", stake="0.55"),
    _three("a win above the filed limit on winnings", "6h 7h 8h", kind="limited"),
    _three("a win of a meter's share", "Qs Ks As", kind="progressive"),
    _three("a winning hand, and is free", "Qs Qd 5h", funding="free"),
    _six("nothing that pays", "Ks 9d 4c", "Jd 7c 2h"),
    _six("a straight through both hands, no rank of which repeats", "5s 6d 7c", "8h 9d Kc"),
    _six("a straight of which a rank repeats", "5s 6d 8c", "7h 9d 9c"),
    _six("three pairs", "9h 9d 2s", "2c Kh Ks"),
    _six("four cards in a row and no better", "5s 6d Jc", "8h 7d 2c"),
    _six("a full house", "7s 7d 2c", "Kd Ks 7h"),
    _six("a straight and a flush of different cards", "4h 5h 6h", "7h Kh 8c"),
    _six("three of a kind through both hands", "7s 7d 2c", "7h Ks 9d"),
    _six("three of a kind within one hand", "7s 7d 7c", "Kd Ts 2h"),
    _six("a straight of the player's three cards alone", "4c 5d 6s", "9h Qs Kd"),
    _six("a flat amount", "9d Td Jd", "Qd Kd Ad"),
)  # fmt: skip
"""The plainest first: of several kinds of hand that tell two causes apart, the first are named."""


def specimen_chunk() -> Chunk:
    """The specimens as rounds, ``round_key`` their place: nothing is recorded as paid, but what was paid plays no part."""
    rows: dict[str, list[dict[str, Any]]] = {table.name: [] for table in CHUNK_TABLES}
    for number, specimen in enumerate(SPECIMENS):
        _add(rows, number, specimen)
    return Chunk(**{table.name: _frame(table, rows[table.name]) for table in CHUNK_TABLES})


def _add(rows: dict[str, list[dict[str, Any]]], number: int, specimen: Specimen) -> None:
    base = {
        "studio_id": "specimens", "gaming_day": _DAY, "table_id": "specimens", "round_id": str(number), "round_key": number,
        "is_current": True, "operator_id": "op", "player_id": "p", "hand_id": "H", "participant_key": number, "hand_key": 2 * number,
        "currency": "USD", "play_mode": "real", "conflicting": False, "dated_at": _AT, "placed_at": _AT,
    }  # fmt: skip
    is_void = specimen.status == "voided" or specimen.voided is not None
    named = None if specimen.voided is None else [specimen.voided]
    rows["rounds"].append({**base, "status": specimen.status, "has_void": is_void, "void_wager_ids": named})
    for place, cards in enumerate((specimen.player, specimen.dealer)):
        shown = {"hand_key": 2 * number + place, "is_dealer": place == 1, "cards": cards.split()}
        rows["hands"].append({**base, **shown})
    rows["participants"].append({**base, "decision": None if specimen.alone else "fold" if specimen.folded else "play"})
    stakes = {} if specimen.alone else {"ante": _STAKE} if specimen.folded else {"ante": _STAKE, "play": _STAKE}
    stakes |= {} if specimen.kind == MAIN else {specimen.kind: specimen.stake}
    for kind, stake in stakes.items():
        told = {"wager_key": len(rows["wagers"]), "wager_id": kind, "kind": kind, "stake": Decimal(stake), "id_repeated": False}
        rows["wagers"].append({**base, **told, "status": "accepted", "funding": specimen.funding})
    if specimen.kind == "progressive":
        meter = {"meter_id": "M", "kind": "progressive", "before": Decimal(1000), "contribution": Decimal("0.50")}
        rows["meters"].append({**base, **meter})


def _frame(table: Table, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame([{column.name: row.get(column.name) for column in table.columns} for row in rows], schema=table.schema)

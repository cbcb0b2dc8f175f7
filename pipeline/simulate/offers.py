"""What the two invented operators offer, table kind by table kind, and the filings that say so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.simulate.settings import Settings

TIME_ZONE: Final = "America/New_York"
DAY_STARTS_AT: Final = 6
SUPERVISORS: Final = ("PIT-1", "PIT-2")

_PAIR_PLUS: Final = {"straight_flush": "40 to 1", "three_of_a_kind": "30 to 1", "straight": "6 to 1", "flush": "4 to 1", "pair": "1 to 1"}
_SIX_CARDS: Final = {
    "royal_flush": "1000 to 1",
    "straight_flush": "200 to 1",
    "four_of_a_kind": "50 to 1",
    "full_house": "25 to 1",
    "flush": "20 to 1",
    "straight": "10 to 1",
    "three_of_a_kind": "5 to 1",
}


@dataclass(frozen=True, slots=True)
class Side:
    """A side wager as filed. A price is ``x to 1``, ``x for 1``, ``flat AMOUNT CURRENCY`` or ``meter P %``."""

    odds: Mapping[str, str]
    forfeited_by_fold: bool
    judged_on: str = "player_three"
    alone: bool = True
    stake_returned: bool | None = None
    super_royal: str | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A filing as the simulator knows it; amounts in minor units (cents)."""

    filing_id: str
    operator: str
    operator_id: str
    jurisdiction: str
    table_kinds: tuple[str, ...]
    currencies: tuple[str, ...]
    limits: Mapping[str, tuple[int, int]]
    bonus: Mapping[str, str]
    sides: Mapping[str, Side]
    bonus_paytable: str | None = None
    tie: str = "push"
    on_timeout: str = "fold"
    dealer_cards_read: str = "at_reveal"
    linked: bool = False
    metered: str | None = None
    keys: Mapping[str, str | None] = field(default_factory=dict)


METER_SEED: Final = 1_000_00
METER_SHARE: Final = 10
"""Per cent of each progressive stake that feeds the meter."""

OFFERS: Final = (
    Offer(
        "keystone-main-2026",
        "Keystone Sample",
        "op-keystone",
        "US-PA",
        ("shared", "seated"),
        ("USD",),
        {"ante": (1_00, 500_00), "pair_plus": (1_00, 100_00), "six_card_bonus": (1_00, 50_00)},
        {"straight_flush": "5 to 1", "three_of_a_kind": "4 to 1", "straight": "1 to 1"},
        {"pair_plus": Side(_PAIR_PLUS, forfeited_by_fold=True), "six_card_bonus": Side(_SIX_CARDS, False, "best_five_of_six")},
        bonus_paytable="58 Pa. Code § 649a.12(b) A",
    ),
    Offer(
        "keystone-draw-2026",
        "Keystone Sample",
        "op-keystone",
        "US-PA",
        ("draw",),
        ("USD",),
        {"ante": (1_00, 250_00), "pair_plus": (1_00, 250_00)},
        {
            "mini_royal_spades": "50 to 1",
            "mini_royal": "5 to 1",
            "straight_flush": "4 to 1",
            "three_of_a_kind": "3 to 1",
            "straight": "1 to 1",
        },
        {"pair_plus": Side({**_PAIR_PLUS, "flush": "3 to 1"}, forfeited_by_fold=True)},
        bonus_paytable="58 Pa. Code § 649a.12(c) A",
        dealer_cards_read="at_draw",
        linked=True,
    ),
    Offer(
        "harbour-shared-2026",
        "Harbour Sample",
        "op-harbour",
        "EX-1",
        ("shared",),
        ("EUR", "USD"),
        {"ante": (2_00, 300_00), "pair_plus": (1_00, 50_00), "six_card_bonus": (1_00, 25_00)},
        {"straight_flush": "4 to 1", "three_of_a_kind": "3 to 1", "straight": "1 to 1"},
        {
            "pair_plus": Side(
                {"mini_royal": "50 to 1", **_PAIR_PLUS, "straight_flush": "35 to 1", "three_of_a_kind": "25 to 1"}, forfeited_by_fold=False
            ),
            "six_card_bonus": Side(
                {**_SIX_CARDS, "four_of_a_kind": "100 to 1", "full_house": "20 to 1", "flush": "15 to 1", "straight": "9 to 1"},
                True,
                "best_five_of_six",
                alone=False,
            ),
        },
        tie="player_wins",
        on_timeout="play_if_at_least:Q64",
    ),
    Offer(
        "harbour-seated-2026",
        "Harbour Sample",
        "op-harbour",
        "EX-1",
        ("seated",),
        ("EUR",),
        {"ante": (2_00, 300_00), "pair_plus": (1_00, 50_00), "progressive": (1_00, 5_00)},
        {"straight_flush": "5 to 1", "three_of_a_kind": "4 to 1", "straight": "1 to 1"},
        {
            "pair_plus": Side(_PAIR_PLUS, forfeited_by_fold=True),
            "progressive": Side(
                {
                    "mini_royal_spades": "meter 100 %",
                    "mini_royal": "500 for 1",
                    "straight_flush": "70 for 1",
                    "three_of_a_kind": "60 for 1",
                    "straight": "6 for 1",
                },
                True,
                alone=False,
                stake_returned=False,
            ),
        },
        metered="progressive",
    ),
    Offer(
        "harbour-draw-2026",
        "Harbour Sample",
        "op-harbour",
        "EX-1",
        ("draw",),
        ("EUR",),
        {"ante": (2_00, 300_00), "pair_plus": (1_00, 50_00), "five_card_hand_bonus": (1_00, 25_00), "trio_bonus": (1_00, 25_00)},
        {"straight_flush": "5 to 1", "three_of_a_kind": "4 to 1", "straight": "1 to 1"},
        {
            "pair_plus": Side(_PAIR_PLUS, forfeited_by_fold=False),
            "five_card_hand_bonus": Side(
                {"super_royal_diamonds": "flat 100000.00 EUR", "super_royal_other": "flat 10000.00 EUR", **_SIX_CARDS},
                False,
                "best_five_of_six",
                stake_returned=True,
                super_royal="six_suited_nine_to_ace",
            ),
            "trio_bonus": Side(
                {"straight_flush": "100 for 1", "three_of_a_kind": "60 for 1", "straight": "8 for 1"}, forfeited_by_fold=False
            ),
        },
        dealer_cards_read="at_draw",
    ),
)


def money(minor: int) -> str:
    """Minor units as the wire writes them: ``2500`` as ``25.00``."""
    return f"{minor // 100}.{minor % 100:02d}"


def _odds(odds: Mapping[str, str]) -> str:
    def price(text: str) -> str:
        word, _, rest = text.partition(" ")
        if word == "flat":
            amount, currency = rest.split()
            return f'{{ flat = "{amount}", currency = "{currency}" }}'
        return f'{{ meter = "{rest}" }}' if word == "meter" else f'"{text}"'

    return "{ " + ", ".join(f"{line} = {price(text)}" for line, text in odds.items()) + " }"


def _side(kind: str, side: Side, odds: Mapping[str, str]) -> list[str]:
    lines = [f"[wagers.{kind}]", f"odds = {_odds(odds)}", f"forfeited_by_fold = {str(side.forfeited_by_fold).lower()}"]
    if kind not in {"pair_plus", "six_card_bonus"}:
        lines.append(f'judged_on = "{side.judged_on}"')
    if side.stake_returned is not None:
        lines.append(f"stake_returned = {str(side.stake_returned).lower()}")
    if side.super_royal is not None:
        lines.append(f'super_royal = "{side.super_royal}"')
    if not side.alone:
        lines.append("alone = false")
    return [*lines, ""]


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def filing_text(offer: Offer, settings: Settings, extra_tables: tuple[str, ...] = ()) -> str:
    """The filing of an offer, in TOML as the contract's § 3 has it; ``extra_tables`` are filed beside those that deal."""
    tables = [table.table_id for table in settings.tables if table.kind in offer.table_kinds]
    keys: dict[str, str | None] = {
        "id": f'"{offer.filing_id}"',
        "operator": f'"{offer.operator}"',
        "studio": f'"{settings.studio_id}"',
        "game": '"three_card_poker"',
        "jurisdiction": f'"{offer.jurisdiction}"',
        "effective_from": "2026-01-01",
        "tables": _listed([*tables, *extra_tables]),
        "operators": _listed((offer.operator_id,)),
        "currencies": _listed(offer.currencies),
        "decks": "2",
        "deck_alternation": "true",
        "gaming_day": f'{{ timezone = "{TIME_ZONE}", starts_at = "{DAY_STARTS_AT:02d}:00" }}',
        "submitted_on": "2025-09-01",
        "approved_on": "2025-11-15",
        "approval_ref": f'"APP-{offer.filing_id}"',
        "simulcast_approval_ref": '"SIM-0001"',
        "location_approval_ref": '"LOC-0001"',
        "studio_licence": '{ ref = "LIC-0001", valid_from = 2025-01-01, valid_to = 2027-12-31 }',
        "supervisors": _listed(SUPERVISORS),
        "tie": f'"{offer.tie}"',
        "on_timeout": f'"{offer.on_timeout}"',
        "dealer_cards_read": f'"{offer.dealer_cards_read}"',
        **offer.keys,
    }
    lines = ["[filing]", *(f"{key} = {value}" for key, value in keys.items() if value is not None)]
    if offer.linked:
        lines.append('linked_ante_pair_plus = { relation = "equal" }')
    for currency in offer.currencies:
        lines += ["", f"[limits.{currency}]"]
        lines += [f'{kind} = {{ min = "{money(low)}", max = "{money(high)}" }}' for kind, (low, high) in offer.limits.items()]
    bonus = f'paytable = "{offer.bonus_paytable}"' if offer.bonus_paytable else f"odds = {_odds(offer.bonus)}"
    lines += ["", "[wagers.ante_bonus]", bonus, ""]
    for kind, side in offer.sides.items():
        lines += _side(kind, side, side.odds)
    if offer.metered:
        for table in tables:
            lines += [f"[meters.{meter_id(table)}]", f'currency = "{offer.currencies[0]}"', f'seed = "{money(METER_SEED)}"']
            lines += [f'contribution = "{METER_SHARE} %"', f'share_of = "{offer.metered}"', 'several_winners = "share_equally"', ""]
    return "\n".join(lines).rstrip() + "\n"


def meter_id(table_id: str) -> str:
    """The id of a table's own meter."""
    return f"MEP-{table_id}"

"""Reading what a filing offers: its wagers with their paytables, its limits, meters and aggregate payout limit."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from pipeline.filings.catalogue import licensed
from pipeline.filings.fields import CURRENCY, Section, nearest, shown
from pipeline.filings.price import AMOUNT_PATTERN, PRICE_FORMS, Price, read_price
from pipeline.filings.submission import LINES, SUPER_ROYAL_LINES, Cap, Licence, Limit, Line, Meter, Wager

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

ROUNDINGS: Final = ("exact", "down", "half_up")
FIXED_JUDGED_ON: Final = {
    "ante": "showdown",
    "play": "showdown",
    "ante_bonus": "player_three",
    "pair_plus": "player_three",
    "six_card_bonus": "best_five_of_six",
}
"""What the known kinds are judged on; every other kind must file it."""

_KIND = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}", re.ASCII)
_SHARE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,6})?)\s*%\s*", re.ASCII)
_RATIO = re.compile(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", re.ASCII)
_EVEN = Line("win", Price(basis="to", num=1, den=1))


def read_wagers(section: Section | None, rounding: str, currencies: Collection[str]) -> tuple[Wager, ...]:
    """Every kind of ``[wagers]``, ante and play first, then by name; ante and play are always offered.

    Args:
        section: the table ``[wagers]``; None where the filing has none.
        rounding: the filing's own rounding, where a wager files none.
        currencies: the filed currencies, which a flat price must be one of.
    """
    found: dict[str, Wager] = {
        kind: Wager(kind, "showdown", forfeited_by_fold=kind == "ante", lines=(_EVEN,), rounding=rounding) for kind in ("ante", "play")
    }
    if section is None:
        return tuple(found.values())
    for kind in section.table:
        if not _KIND.fullmatch(kind):
            section.take(kind)
            section.note(kind[:64], "is not a wager's name: letters, digits, '_' and '-' from a letter on, at most 64")
            continue
        entry = section.section(kind)
        if entry is not None:
            found[kind] = _read_main(kind, entry, rounding) if kind in {"ante", "play"} else _read_wager(kind, entry, rounding, currencies)
    return tuple(sorted(found.values(), key=lambda each: (each.kind not in {"ante", "play"}, each.kind)))


def _read_main(kind: str, entry: Section, rounding: str) -> Wager:
    lines = _read_odds(entry, "showdown", (), known={}) if "odds" in entry.table else (_EVEN,)
    for line in lines:
        if line.price.basis not in {"to", "for"}:
            entry.note("odds", f'pays "{line.price.text}"; {kind} is paid "x to y" or "x for y"')
    wager = Wager(kind, "showdown", forfeited_by_fold=kind == "ante", lines=lines, rounding=entry.choice("rounding", ROUNDINGS, rounding))
    entry.close(("odds",))
    return wager


def _read_wager(kind: str, entry: Section, rounding: str, currencies: Collection[str]) -> Wager:
    judged_on = _read_judged_on(kind, entry)
    paytable, lines = _read_paytable(kind, entry, judged_on, currencies)
    bonus = kind == "ante_bonus"
    needs_return = not bonus and any(line.price.basis in {"flat", "meter"} for line in lines)
    forfeited = entry.flag("forfeited_by_fold", default=True if bonus else None)
    if bonus and not forfeited:
        entry.note("forfeited_by_fold", "is false; an ante bonus is paid only with a play wager, so leave the key out")
    super_royal = entry.choice("super_royal", ("six_suited_nine_to_ace",), "-")
    if super_royal == "-" and "super_royal" not in entry.table and any(line.name in SUPER_ROYAL_LINES for line in lines):
        entry.note("super_royal", 'is missing and must be filed with a Super Royal line; allowed: "six_suited_nine_to_ace"')
    stake_returned = entry.flag("stake_returned", default=None if needs_return else False)
    wager = Wager(
        kind=kind,
        judged_on=judged_on,
        forfeited_by_fold=forfeited,
        lines=lines,
        rounding=entry.choice("rounding", ROUNDINGS, rounding),
        stake_returned=stake_returned,
        alone=entry.flag("alone", default=True),
        super_royal=None if super_royal == "-" else super_royal,
        paytable=paytable,
    )
    entry.close()
    return wager


def _read_judged_on(kind: str, entry: Section) -> str:
    fixed = FIXED_JUDGED_ON.get(kind)
    allowed = (fixed,) if fixed else ("player_three", "best_five_of_six")
    return entry.choice("judged_on", allowed, fixed or "")


def _read_paytable(kind: str, entry: Section, judged_on: str, currencies: Collection[str]) -> tuple[str | None, tuple[Line, ...]]:
    name = entry.text("paytable")
    if "paytable" not in entry.table:
        if "odds" not in entry.table:
            entry.note("odds", "is missing: file odds or a paytable")
            entry.take("odds")
            return None, ()
        return None, _read_odds(entry, judged_on, currencies, known={})
    names = ", ".join(f'"{each.name}"' for each in licensed().ante_bonus)
    if kind != "ante_bonus":
        entry.note("paytable", f"names a table, and the catalogue names only ante bonus tables ({names}); write the odds out")
        entry.take("odds")
        return None, ()
    paytable = licensed().named(name)
    if paytable is None:
        if name:
            entry.note("paytable", f"is {shown(name)}, which the licensed catalogue does not name; allowed: {names}")
        entry.take("odds")
        return None, ()
    added = _read_odds(entry, judged_on, currencies, known=paytable.odds) if "odds" in entry.table else ()
    lines = (*added, *(Line(line, price) for line, price in paytable.odds.items()))
    return paytable.name, _best_first(lines, judged_on)


def _read_odds(entry: Section, judged_on: str, currencies: Collection[str], known: dict[str, Price]) -> tuple[Line, ...]:
    odds = entry.section("odds")
    if odds is None:
        return ()
    allowed = LINES.get(judged_on) or tuple(dict.fromkeys((*LINES["player_three"], *LINES["best_five_of_six"])))
    lines = []
    for name in odds.table:
        price = read_price(odds.take(name))
        if name not in allowed:
            odds.note(name[:64], f"is not a line that can be paid here{nearest(name, allowed)}; allowed: {', '.join(allowed)}")
        elif price is None:
            odds.note(name, f"is {shown(odds.table[name])}, which is no price; allowed: {PRICE_FORMS}")
        elif name in known:
            odds.note(name, "stands in the named paytable already; beside a name, odds can only add a line")
        elif price.currency and price.currency not in currencies:
            odds.note(name, f'is paid in "{price.currency}", which is not one of the filed currencies ({", ".join(currencies)})')
        else:
            lines.append(Line(name, price))
    if not odds.table and not known:
        odds.note("", "holds no line")
    return _best_first(lines, judged_on)


def _best_first(lines: Sequence[Line], judged_on: str) -> tuple[Line, ...]:
    order = LINES.get(judged_on)
    return tuple(sorted(lines, key=lambda line: order.index(line.name))) if order else tuple(lines)


def read_limits(section: Section | None, kinds: Collection[str], currencies: Collection[str]) -> tuple[Limit, ...]:
    """Every limit of ``[limits]`` and ``[limits.USD]``, a row a kind and currency; one filed for a currency replaces the general one."""
    if section is None:
        return ()
    general: dict[tuple[str, str], Limit] = {}
    special: dict[tuple[str, str], Limit] = {}
    stakeable = [kind for kind in kinds if kind != "ante_bonus"]
    for key in section.table:
        entry = section.section(key)
        if entry is None:
            continue
        if CURRENCY.fullmatch(key):
            if key not in currencies:
                section.note(key, f"is not one of the filed currencies ({', '.join(currencies)})")
            for kind in entry.table:
                special.update(_read_limit(entry, kind, entry.section(kind), stakeable, (key,)))
        else:
            general.update(_read_limit(section, key, entry, stakeable, currencies))
    return tuple(limit for _, limit in sorted({**general, **special}.items()))


def _read_limit(
    parent: Section, kind: str, entry: Section | None, stakeable: Sequence[str], currencies: Collection[str]
) -> dict[tuple[str, str], Limit]:
    if entry is None:
        return {}
    if kind not in stakeable:
        parent.note(
            kind[:64], f"is neither a wager of this filing{nearest(kind, stakeable)} nor a currency; offered: {', '.join(stakeable)}"
        )
        return {}
    lowest, highest = entry.amount("min"), entry.amount("max")
    entry.close()
    if "min" not in entry.table and "max" not in entry.table:
        entry.note("", "needs min, max or both")
    if lowest is not None and highest is not None and lowest > highest:
        entry.note("min", f"is {lowest}, above max {highest}")
    return {(kind, currency): Limit(kind, currency, lowest, highest) for currency in currencies}


def read_meters(section: Section | None, kinds: Collection[str]) -> tuple[Meter, ...]:
    """Every meter of ``[meters.ID]``, by id."""
    if section is None:
        return ()
    meters = []
    for meter_id in section.table:
        entry = section.section(meter_id)
        if entry is None:
            continue
        if not 0 < len(meter_id) <= 200 or not meter_id.isprintable():
            section.note(meter_id[:64], "is no meter's id: 1 to 200 printable characters")
        share_of = entry.choice("share_of", tuple(kinds), "-")
        meters.append(
            Meter(
                meter_id=meter_id,
                currency=entry.currency("currency") or None,
                seed=entry.amount("seed"),
                contribution=_read_share(entry, "contribution"),
                share_of=None if share_of == "-" else share_of,
                fixed_awards_from_meter=entry.flag("fixed_awards_from_meter", default=False)
                if "fixed_awards_from_meter" in entry.table
                else None,
                several_winners=entry.choice("several_winners", ("share_equally", "each_in_full"), "share_equally"),
            )
        )
        entry.close(("fixed_awards_from_meter",))
    return tuple(sorted(meters, key=lambda meter: meter.meter_id))


def _read_share(entry: Section, key: str) -> Fraction | None:
    value = entry.take(key)
    if value is None:
        return None
    text = str(value) if isinstance(value, str | int | Decimal) and not isinstance(value, bool) else ""
    share: Fraction | None = None
    if percent := _SHARE.fullmatch(text):
        share = Fraction(percent[1]) / 100
    elif (ratio := _RATIO.fullmatch(text)) and int(ratio[2]):
        share = Fraction(int(ratio[1]), int(ratio[2]))
    elif AMOUNT_PATTERN.fullmatch(text):
        share = Fraction(text)
    if share is None or share > 1:
        entry.note(key, f'is {shown(value)} and must be a share of each stake of at most all of it, like "5 %", "1/20" or "0.05"')
        return None
    return share


def read_cap(section: Section | None, kinds: Collection[str]) -> Cap | None:
    """The ``aggregate_payout_limit``; None where none is filed."""
    if section is None:
        return None
    amount = section.amount("amount", required=True)
    currency = section.currency("currency", required=True)
    per = section.choice("per", ("player_round", "hand", "round"), "player_round")
    section.choice("counts", ("winnings",), "winnings")
    cut = section.choice("cut", ("pro_rata", "last_first"), "pro_rata")
    counted = section.names("kinds")
    for kind in counted or ():
        if kind not in kinds:
            section.note(
                "kinds", f"holds {shown(kind)}, which this filing does not offer{nearest(kind, kinds)}; offered: {', '.join(kinds)}"
            )
    section.close()
    return Cap(amount or Decimal(0), currency, per, counted, cut)


def read_licence(section: Section | None) -> Licence:
    """The ``studio_licence``; its parts may be absent and are then not evidenced."""
    if section is None:
        return Licence()
    licence = Licence(section.text("ref") or None, section.day("valid_from"), section.day("valid_to"))
    if licence.valid_from and licence.valid_to and licence.valid_to < licence.valid_from:
        section.note("valid_to", f"is {licence.valid_to}, before valid_from {licence.valid_from}")
    section.close()
    return licence

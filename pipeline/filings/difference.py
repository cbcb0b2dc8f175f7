"""What changed between two filings, key by key."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.filings.submission import Filing

_APART: Final = frozenset({"wagers", "limits", "meters", "licence", "cap", "gaming_day", "source_file"})


def difference(one: Filing, other: Filing) -> list[tuple[str, str, str]]:
    """Every key that means something else in the other filing.

    Args:
        one: a filing.
        other: the filing to hold beside it.

    Returns:
        Key, what it is in the first and in the other ("not filed" where it is absent), in the order of the first's keys.
    """
    before, after = dict(_told(one)), dict(_told(other))
    keys = [*before, *(key for key in after if key not in before)]
    pairs = ((key, before.get(key, "not filed"), after.get(key, "not filed")) for key in keys)
    return [told for told in pairs if told[1] != told[2]]


def _told(filing: Filing) -> Iterator[tuple[str, str]]:
    for one in fields(filing):
        if one.name not in _APART:
            yield from _value(one.name, getattr(filing, one.name))
    for group in ("gaming_day", "licence", "cap"):
        held = getattr(filing, group)
        for key, value in (asdict(held) if held is not None else {}).items():
            yield from _value(f"{group}.{key}", value)
    yield from _wagers(filing)
    for limit in filing.limits:
        yield from _value(f"limits.{limit.currency}.{limit.kind}.min", limit.lowest)
        yield from _value(f"limits.{limit.currency}.{limit.kind}.max", limit.highest)
    for meter in filing.meters:
        for key, value in asdict(meter).items():
            yield from _value(f"meters.{meter.meter_id}.{key}", value)


def _wagers(filing: Filing) -> Iterator[tuple[str, str]]:
    for wager in filing.wagers:
        for key in ("judged_on", "forfeited_by_fold", "rounding", "stake_returned", "alone", "super_royal", "paytable"):
            yield from _value(f"{wager.kind}.{key}", getattr(wager, key))
        for line in wager.lines:
            yield f"{wager.kind}.odds.{line.name}", line.price.text


def _value(key: str, value: object) -> Iterator[tuple[str, str]]:
    """A key and its value in words; a key that is not filed is left out."""
    if isinstance(value, bool):
        yield key, "yes" if value else "no"
    elif isinstance(value, tuple):
        yield key, ", ".join(map(str, value))
    elif value is not None:
        yield key, str(value)

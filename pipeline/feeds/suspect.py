"""Why a record cannot be read, in words: the slow path, for the few lines that come here."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

AMOUNT: Final = r"^[0-9]{1,12}(?:\.[0-9]{1,6})?$"
"""An amount as text (round-log/1)."""

NUMBER: Final = (
    r"(?:(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?|[1-9][0-9]{9}(?:\.[0-9]{1,5})?"
    r"|[1-9][0-9]{10}(?:\.[0-9]{1,4})?|[1-9][0-9]{11}(?:\.[0-9]{1,3})?)"
)
"""An amount as a JSON number: the same, of at most 15 digits."""

TIME: Final = (
    r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-5][0-9](?:\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$"
)
"""A time with its offset (RFC 3339), years from 1000 on, no leap second."""
LAST_YEAR: Final = 9998
"""Python's dates end with the year 9999, and an offset or a zone may not lead out of them."""

_NAIVE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)?")
_AT: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?$", re.DOTALL)
_EXPECTED: Final = re.compile(r"^Expected `(?P<type>[^`]*)`(?:, got `(?P<got>[^`]*)`)?(?P<bound>.*)$", re.DOTALL)
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_LONGEST: Final = 60
_WORDS: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}


def shown(value: object) -> str:
    """``value`` as it stood in the record, cut short."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    text = text.encode("utf-8", "backslashreplace").decode()
    return repr(text) if len(text) <= _LONGEST else repr(text[:_LONGEST]) + "…"


def why_undecoded(raw: bytes, error: Exception) -> str:
    """Why the strict decoder, which raised ``error``, refused ``raw``."""
    try:
        raw.decode()
    except UnicodeDecodeError as fault:
        return f"not UTF-8 (byte {fault.start})"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, msgspec.ValidationError):
        return _why_invalid(str(error))
    if _has_lone_surrogate(raw):
        return "lone surrogate in a text"
    what = str(error).removeprefix("JSON is malformed: ")
    return "no JSON: cut off" if "truncated" in what else f"no JSON: {what}"


def _has_lone_surrogate(raw: bytes) -> bool:
    try:
        return rb"\u" in raw and bool(_SURROGATE.search(json.dumps(json.loads(raw), ensure_ascii=False)))
    except (ValueError, RecursionError):
        return False


def _why_invalid(message: str) -> str:
    match = _AT.match(message)
    what, where = (match["what"], match["where"] or "") if match else (message, "")
    before = f"{where}: " if where else ""
    if what.startswith("Object missing required field"):
        return f"{before}{what.split('`')[1]} is missing"
    if what.startswith("Invalid enum value"):
        return f"{before}unknown value {what.removeprefix('Invalid enum value ')}"
    expected = _EXPECTED.match(what)
    if expected is None:
        return f"{before}{what}"
    if expected["got"] is None:
        return f"{before}{'empty' if 'length' in expected['bound'] else 'whole number out of range'}"
    wanted = " or ".join(_WORDS.get(one, one) for one in expected["type"].split(" | ") if one != "null")
    return f"{before}{_WORDS.get(expected['got'], expected['got'])} where {wanted} should be"


class _Number(str):
    """A JSON number, as its own text."""

    __slots__ = ()


def why_unread(raw: bytes, amounts: frozenset[str], times: frozenset[str]) -> str | None:
    """What first stands in the way in a record of the right types: an amount or a time; None where neither does.

    Args:
        raw: the record.
        amounts: the places that hold amounts, like ``participants.wagers.stake``.
        times: the places that hold times.
    """
    for place, where, value in _leaves(json.loads(raw, parse_int=_Number, parse_float=_Number), "", ""):
        if place in amounts:
            reason = _why_no_amount(value, required=place.endswith(".stake"))
        elif place in times and isinstance(value, str):
            reason = _why_no_time(value)
        else:
            continue
        if reason:
            return f"{where}: {reason}"
    return None


def _leaves(value: object, place: str, where: str) -> Iterator[tuple[str, str, object]]:
    if isinstance(value, dict):
        for name, below in value.items():
            at, there = (f"{place}.{name}", f"{where}.{name}") if place else (name, name)
            yield at, there, below
            yield from _leaves(below, at, there)
    elif isinstance(value, list):
        for number, below in enumerate(value):
            yield from _leaves(below, place, f"{where}[{number}]")


def _why_no_amount(value: object, *, required: bool) -> str | None:
    if value is None:
        return "amount is missing" if required else None
    if isinstance(value, _Number):
        return None if re.fullmatch(NUMBER, value) else f"impossible amount {value[:_LONGEST]} as a number"
    if isinstance(value, str) and re.fullmatch(AMOUNT, value):
        return None
    return f"impossible amount {shown(value)}"


def _why_no_time(value: str) -> str | None:
    if not re.fullmatch(TIME, value):
        return f"time without offset {shown(value)}" if _NAIVE.fullmatch(value) else f"no RFC 3339 time {shown(value)}"
    date, clock = value[:10], value[11:19]
    zone = "+00:00" if value[-1] in "Zz" else value[-6:]
    try:
        year = datetime.fromisoformat(f"{date}T{clock}{zone}").year
    except ValueError:
        return f"impossible time {shown(value)}"
    return None if year <= LAST_YEAR else f"impossible time {shown(value)}"

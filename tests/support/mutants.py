"""Small faults that a hand may leave in SQL, one at a time: an operator flipped, a constant off by one, a NULL forgotten, another join."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_HIDDEN: Final = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\"[^\"]*\"|DECIMAL\([^)]*\)")
_SWAPS: Final = (
    (r"(?<![:<>=!|-])=(?!=|>)", "<>"), (r"<>", "="), (r"(?<![<-])<(?![=<>])", "<="), (r"(?<![-=<>])>(?![=>])", ">="),
    (r"<=", "<"), (r">=", ">"), (r" << ", " >> "), (r" >> ", " << "), (r" & ", " | "), (r" \| ", " & "),
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " + "), (r" // ", " * "), (r" % ", " // "),
    (r"(?<!\w)AND(?!\w)", "OR"), (r"(?<!\w)OR(?!\w)(?! REPLACE)", "AND"), (r"\bIS NULL\b", "IS NOT NULL"), (r"\bIS NOT NULL\b", "IS NULL"),
    (r"\bIS DISTINCT FROM\b", "<>"), (r"\bIS NOT DISTINCT FROM\b", "="), (r"(?<!IS )\bNOT (?!NULL|DISTINCT|EXISTS\()", ""),
    (r"\bLEFT JOIN\b", "JOIN"), (r"(?<!LEFT )(?<!SEMI )(?<!ANTI )(?<!CROSS )(?<!ASOF )\bJOIN\b", "LEFT JOIN"),
    (r"\bSEMI JOIN\b", "ANTI JOIN"), (r"\bANTI JOIN\b", "SEMI JOIN"), (r" DESC\b", ""),
    (r"\bDISTINCT (?!FROM|ON)", ""), (r"\bUNION ALL\b", "UNION"),
    (r"\bmin\(", "max("), (r"\bmax\(", "min("), (r"\bleast\(", "greatest("), (r"\bgreatest\(", "least("), (r"\bbool_or\(", "bool_and("),
    (r"\bbool_and\(", "bool_or("), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
)  # fmt: skip
_NUMBER: Final = re.compile(r"(?<![\w.$:])\d+(?![\w.])")
_BETWEEN: Final = re.compile(r"\bBETWEEN\s+\S+(?:\s+\w+)?\s+$")


@dataclass(frozen=True)
class Mutant:
    """One change of a text: where, what stood there, what stands there now, and the whole text with it."""

    line: int
    before: str
    after: str
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """Every mutant of an SQL text, in the order of their places; comments, texts and types are left alone."""
    shown = _HIDDEN.sub(lambda found: " " * len(found[0]), text)
    changes = [(found.start(), found[0], after) for pattern, after in _SWAPS for found in re.finditer(pattern, shown)]
    changes = [one for one in changes if one[1] != "AND" or not _BETWEEN.search(shown[max(0, one[0] - 80) : one[0]])]
    changes += [(found.start(), found[0], str(int(found[0]) + 1)) for found in _NUMBER.finditer(shown)]
    changes += [(at, text[at:end], first) for at, end, first in _coalesced(text, shown)]
    for at, before, after in sorted(changes):
        yield Mutant(text.count("\n", 0, at) + 1, before, after, text[:at] + after + text[at + len(before) :])


def _coalesced(text: str, shown: str) -> Iterator[tuple[int, int, str]]:
    """Each ``coalesce`` with its first argument alone."""
    for found in re.finditer(r"\bcoalesce\(", shown):
        depth, comma = 1, 0
        for at in range(found.end(), len(shown)):
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(shown[at], 0)
            comma = comma or (at if shown[at] == "," and depth == 1 else 0)
            if depth == 0:
                yield found.start(), at + 1, f"({text[found.end() : comma or at]})"
                break

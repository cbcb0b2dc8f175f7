"""How likely what was seen is, where the game is as it should be: exact binomial sums, the chi-square distribution, and Holm's correction.

Written out on ``math.lgamma`` and ``math.erfc``: the four figures needed here do not warrant a library of statistics that is larger than
all the rest.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NOTHING: Final = 1e-17
"""Terms below this share of the largest change no digit."""
_AS_LIKELY: Final = 1 + 1e-7
"""Two outcomes count as equally likely within rounding."""


def binomial(seen: int, of: int, chance: float) -> float:
    """The probability of an outcome that is no likelier than the seen one (two-sided, exact).

    Args:
        seen: how often it came.
        of: in so many independent trials.
        chance: of each, between 0 and 1, both excluded.
    """
    mode = min(of, int((of + 1) * chance))
    limit = _log_chance(seen, of, chance) + math.log(_AS_LIKELY)
    if seen == mode or _log_chance(mode, of, chance) <= limit:
        return 1.0
    if seen < mode:
        other = _first(lambda number: _log_chance(number, of, chance) <= limit, mode, of + 1)
        return min(1.0, _tail(seen, of, chance, -1) + _tail(other, of, chance, 1))
    other = mode - _first(lambda back: _log_chance(mode - back, of, chance) <= limit, 0, mode + 1)
    return min(1.0, _tail(seen, of, chance, 1) + _tail(other, of, chance, -1))


def chi_square(statistic: float, freedom: int) -> float:
    """The probability of a chi-square at least as large, of an odd number of degrees of freedom (a closed form)."""
    half = statistic / 2
    terms = (math.exp((place + 0.5) * math.log(half) - half - math.lgamma(place + 1.5)) for place in range((freedom - 1) // 2))
    return min(1.0, math.erfc(math.sqrt(half)) + math.fsum(terms)) if half > 0 else 1.0


def normal(deviation: float) -> float:
    """The probability of a standard normal value at least as far from 0."""
    return math.erfc(abs(deviation) / math.sqrt(2))


def holm(chances: Sequence[float]) -> list[float]:
    """The probabilities corrected for their number: below a level, no false alarm is likelier than it, however the tests hang together."""
    adjusted = [1.0] * len(chances)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        least = max(least, min(1.0, (len(chances) - rank) * chances[place]))
        adjusted[place] = least
    return adjusted


def _log_chance(seen: int, of: int, chance: float) -> float:
    ways = math.lgamma(of + 1) - math.lgamma(seen + 1) - math.lgamma(of - seen + 1)
    return ways + seen * math.log(chance) + (of - seen) * math.log1p(-chance)


def _tail(start: int, of: int, chance: float, step: int) -> float:
    """The probability of an outcome from ``start`` on, away from the mode: each term from the one before."""
    if not 0 <= start <= of:
        return 0.0
    first = math.exp(_log_chance(start, of, chance))
    total = term = 1.0
    ratio, number = chance / (1 - chance), start
    while 0 <= number + step <= of and term > _NOTHING * total:
        term *= (of - number) / (number + 1) * ratio if step > 0 else number / (of - number + 1) / ratio
        total += term
        number += step
    return first * total


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The first number in a range from which on something holds; ``high`` where it never does."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.report.chance import binomial, chi_square, holm, normal


@given(
    st.integers(1, 60).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))), st.fractions(Fraction(1, 500), Fraction(499, 500))
)
def test_the_binomial_sum_is_the_sum_over_all_outcomes_no_likelier(seen_of: tuple[int, int], chance: Fraction) -> None:
    seen, of = seen_of
    each = [comb(of, number) * chance**number * (1 - chance) ** (of - number) for number in range(of + 1)]
    assert binomial(seen, of, float(chance)) == pytest.approx(
        float(sum(one for one in each if one <= each[seen] * (1 + Fraction(1, 10**7))))
    )


@pytest.mark.parametrize(
    ("seen", "of", "chance", "told"),
    [(52, 22_100, 52 / 22_100, 1.0), (0, 10, 0.5, 2 / 1024), (10, 10, 0.5, 2 / 1024), (0, 5, 0.1, 1.0), (2, 2, 1e-5, 1e-10)],
)
def test_binomial_at_the_edges(seen: int, of: int, chance: float, told: float) -> None:
    assert binomial(seen, of, chance) == pytest.approx(told)


def test_a_night_of_ten_million_hands_is_told_at_once() -> None:
    middle = 10_000_000 * 0.169
    assert binomial(int(middle), 10_000_000, 0.169) == pytest.approx(1, abs=0.01)
    assert binomial(int(middle) + 4_000, 10_000_000, 0.169) == pytest.approx(normal(4_000.5 / (middle * 0.831) ** 0.5), rel=0.02)


@pytest.mark.parametrize(
    ("statistic", "freedom", "told"), [(0, 51, 1), (3.841459, 1, 0.05), (7.814728, 3, 0.05), (68.66929, 51, 0.05), (87.9680, 51, 0.001)]
)
def test_chi_square_meets_the_tables(statistic: float, freedom: int, told: float) -> None:
    assert chi_square(statistic, freedom) == pytest.approx(told, rel=1e-3)


def test_normal_meets_the_tables() -> None:
    assert normal(0) == 1
    assert normal(-1.959964) == pytest.approx(0.05)


def test_holm_multiplies_the_least_by_the_number_of_tests_and_never_turns_the_order() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []

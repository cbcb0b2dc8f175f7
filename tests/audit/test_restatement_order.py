"""Any cut, order or repeat of the same deliveries ends in the same content."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.lake import verify
from tests.support.restated import Content, Lake, Log, cut

if TYPE_CHECKING:
    from collections.abc import Callable


def differing(one: Content, other: Content) -> list[tuple[str, str, str]]:
    return sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
def test_any_cut_and_order_ends_in_the_same_content(log: Log, whole: Content, lake_of: Callable[..., Lake], seed: int) -> None:
    lake = lake_of(log.filings)
    for part in cut(log, seed):
        lake.deliver(*part)
    assert differing(lake.content(), whole) == []
    assert verify(lake.root).strays == ()

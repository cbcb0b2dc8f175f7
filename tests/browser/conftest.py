from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.browser import Browser

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started

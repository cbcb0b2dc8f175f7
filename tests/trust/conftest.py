from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.crash import Ground

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def ground(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return Ground.laid(sample, tmp_path_factory.mktemp("ground"))

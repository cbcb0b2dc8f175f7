"""What tests hold against a file that lies beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def kept(request: pytest.FixtureRequest, file: Path, told: str) -> str:
    """What the file holds; with ``--write-golden`` that is what is told now."""
    if request.config.getoption("--write-golden", default=False):
        file.write_text(told, encoding="utf-8")
    return file.read_text(encoding="utf-8")

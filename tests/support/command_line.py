"""The ``resettle`` command, run in the test's own process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from pipeline.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


def resettle(*words: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, words)))

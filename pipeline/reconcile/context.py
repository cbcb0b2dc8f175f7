"""What a run of the checks is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date


@dataclass(frozen=True, slots=True)
class RunContext:
    """A run over one studio and gaming day.

    Args:
        run_id: the run's digest, as it stands in the lake.
        studio_id: the studio.
        gaming_day: the gaming day.
        inputs: which of ``checks.INPUTS`` were given.
    """

    run_id: str
    studio_id: str
    gaming_day: date
    inputs: frozenset[str] = frozenset()

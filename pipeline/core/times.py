"""The gaming day: a studio's business day, which starts at a local hour."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GamingDay:
    """When a studio's gaming day starts.

    Attributes:
        timezone: IANA zone of the studio's wall clock, like ``America/New_York``.
        starts_at_minutes: minutes after local midnight at which the gaming day starts, 0 to 1439.
    """

    timezone: str
    starts_at_minutes: int

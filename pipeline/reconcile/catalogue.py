"""The checks that round-log/1 names, built or not: their family, severity and title."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

SEVERITIES: Final = ("critical", "high", "medium", "info")
"""Gravest first."""

FAMILIES: Final = ("money", "cards", "control", "wager rules", "filing", "log", "wallet", "meter")


@dataclass(frozen=True, slots=True)
class Named:
    """A check of the contract: what it is called, whatever SQL stands behind it."""

    check_id: str
    family: str
    severity: str
    title: str


@cache
def contract_checks() -> dict[str, Named]:
    """Every check of round-log/1 by its id, in the contract's order (which is the order of precedence within the money family)."""
    told = tomllib.loads(files("pipeline.reconcile").joinpath("catalogue.toml").read_text(encoding="utf-8"))
    return {check_id: Named(check_id, entry["family"], entry["severity"], entry["title"]) for check_id, entry in told.items()}

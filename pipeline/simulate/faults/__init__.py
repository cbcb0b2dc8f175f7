"""What can be planted: importing this package makes every fault known."""

from __future__ import annotations

from pipeline.simulate.faults import amounts, books, cards, control, ledger, log, wager_rules
from pipeline.simulate.faults.registry import FAULTS, Fault, everything_of, known, standing

__all__ = ["FAULTS", "Fault", "amounts", "books", "cards", "control", "everything_of", "known", "ledger", "log", "standing", "wager_rules"]

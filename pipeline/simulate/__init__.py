"""Honest, realistic studio days with a known truth, and every fault that can be planted in them.

The simulator deals, pays by its own plain rules and writes; it never imports the engines that it is there to test.
"""

from __future__ import annotations

from pipeline.simulate.settings import Incident, Settings, TableSpec
from pipeline.simulate.write import Simulated, simulate

__all__ = ["Incident", "Settings", "Simulated", "TableSpec", "simulate"]

"""Prefect flows over the stages of ``pipeline``: thin, and the one place that imports Prefect. They send nothing home."""

from __future__ import annotations

import os

os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")

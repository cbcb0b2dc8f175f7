"""Where copies of what lies in object stores are kept on this machine: nothing lies there that the stores have not."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """``RESETTLE_CACHE``, or ``resettle`` in the user's cache folder (``XDG_CACHE_HOME``, or ``~/.cache``)."""
    if said := os.environ.get("RESETTLE_CACHE"):
        return Path(said).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "resettle"

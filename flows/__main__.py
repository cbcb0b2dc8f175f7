"""``python -m flows``: the nightly audit on this machine, with Prefect's embedded server and storage and no noise of theirs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

QUIET = {
    "PREFECT_HOME": str(Path(".prefect").resolve()),
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    # A slow or busy machine takes longer than Prefect's 20 seconds to make its database for the first time.
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "300",
}

if __name__ == "__main__":
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    # Prefect reads its settings while it is imported, so not before this.
    from flows.command import run

    sys.exit(run())

"""``python -m flows``: the flows on this machine, with Prefect's embedded server and storage and no noise of theirs or of Dask's."""

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
    "DASK_LOGGING__DISTRIBUTED": "critical",
}

if __name__ == "__main__":
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    # Prefect reads its settings while it is imported, so not before this.
    from flows.command import run, run_backfill

    sys.exit(run_backfill(sys.argv[2:]) if sys.argv[1:2] == [run_backfill.name] else run())

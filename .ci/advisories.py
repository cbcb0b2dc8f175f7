"""Asks whether advisories are out against the locked dependencies; fails on one, and says so where it cannot ask."""

from __future__ import annotations

import json
import subprocess
import sys

LOCKS = ("requirements.lock", "requirements-tools.lock")
SECONDS = 60


def main() -> None:
    """Ask of each lock."""
    for lock in LOCKS:
        command = [sys.executable, "-m", "pip_audit", "--requirement", lock, "--disable-pip", "--require-hashes", "--format", "json"]
        try:
            asked = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603
            told = json.loads(asked.stdout)["dependencies"]
        except (subprocess.TimeoutExpired, ValueError, KeyError):
            print(f"{lock}: not audited, since the advisory service cannot be reached from here")
            continue
        known = [one for one in told if "skip_reason" not in one]
        found = [f"{one['name']} {one['version']}: {flaw['id']}" for one in known for flaw in one["vulns"]]
        skipped = f"; the registry here knows no advisories of {len(told) - len(known)}" if len(known) < len(told) else ""
        print(f"{lock}: {len(known)} of {len(told)} dependencies audited, {len(found)} advisories{skipped}")
        if found:
            sys.exit("\n".join(found))


if __name__ == "__main__":
    main()

"""Coverage-guided fuzzing of one reader: ``python -m tests.fuzz.guided FORMAT [libFuzzer's options]``; ``make fuzz`` runs each in turn.

The sound file of the format is the first input, and what opens new ground in our readers is kept and changed further, in ``.fuzz/FORMAT``.
A traceback, unbalanced books, half a minute over one file, or two gigabytes of memory end the run and leave the file in
``.fuzz/FORMAT-crash-…``: its smallest form becomes a test. Needs the dependency group ``fuzz`` (atheris; Linux).
"""

from __future__ import annotations

import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["pipeline.feeds", "pipeline.filings"]):
    from tests.support.poison import Reading, readings


def main() -> None:
    """Fuzz the format named, or list the formats."""
    name, *options = [*sys.argv[1:], ""]
    with tempfile.TemporaryDirectory() as scratch:
        every = readings(Path(str(files("sample_data"))), Path(scratch))
        if name not in every:
            print("\n".join(every))
            return
        folder = _corpus(name, every[name])
        _fuzz(every[name], Path(scratch) / "read", [str(folder), f"-artifact_prefix={folder}-", *filter(None, options)])


def _corpus(name: str, one: Reading) -> Path:
    folder = Path(".fuzz") / name.replace(", ", "-").replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    for place, victim in enumerate(one.victims):
        (folder / f"sound-{place}").write_bytes(bytes([place]) + one.files[victim])
    return folder


def _fuzz(one: Reading, scratch: Path, options: list[str]) -> None:
    """Each input is the number of the file to change, a byte, and its new content."""

    def read(told: bytes) -> None:
        if told:
            one.survives(one.victims[told[0] % len(one.victims)], told[1:], scratch)

    atheris.Setup([sys.argv[0], "-timeout=30", "-rss_limit_mb=2048", "-max_len=65536", *options], read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

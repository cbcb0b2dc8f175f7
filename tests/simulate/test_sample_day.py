"""The committed sample day: what its README says made it does make it, and what it says is planted is."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING

from pipeline.commands.simulate import simulate_command

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = files("sample_data")
README = (SAMPLE / "README.md").read_text(encoding="utf-8")


def test_the_command_in_the_readme_makes_the_committed_files(tmp_path: Path) -> None:
    command = README.split("```sh\n")[1].split("```")[0].replace("\\\n", " ")
    words = shlex.split(command)
    assert words[:4] == ["resettle", "simulate", "--out", "sample_data"]
    simulate_command.main(["--out", str(tmp_path), *words[4:]], standalone_mode=False)
    made = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    assert len(made) == 10
    for path in made:
        committed = SAMPLE.joinpath(*path.relative_to(tmp_path).parts).read_bytes()
        assert path.read_bytes() == committed, path.name


def test_the_readme_tells_what_is_planted() -> None:
    truth = [json.loads(line) for line in (SAMPLE / "truth.ndjson").read_text(encoding="utf-8").splitlines()]
    rows = re.findall(r"^\| `(\w+)` \| (?:`(\w+)`|-) \| (\d+) \|$", README, re.MULTILINE)
    told = {(check, cause or None): int(count) for check, cause, count in rows}
    assert told == Counter((entry["check"], entry["root_cause"]) for entry in truth)
    assert f"{len(truth)} faults in all" in README


def test_what_the_readme_says_of_the_honest_part_is_there() -> None:
    rounds = [json.loads(line) for line in (SAMPLE / "rounds.ndjson").read_text(encoding="utf-8").splitlines()]
    parts = [part for told in rounds for part in told["participants"]]
    assert {"timeout", "disconnect"} <= {part.get("decided_by") for part in parts}
    assert any(part.get("session_id") == "s2" for part in parts)
    assert any([w["kind"] for w in part["wagers"]] == ["pair_plus"] for part in parts)
    assert any(w.get("funding") == "free" for part in parts for w in part["wagers"])
    voided = [part for told in rounds if told["status"] == "voided" for part in told["participants"]]
    assert {"accepted", "cancelled"} <= {w.get("status", "accepted") for part in voided for w in part["wagers"]}
    assert any("replaces" in reading for told in rounds for reading in told["card_readings"])
    assert any(told["status"] == "settled" and not told["dealer_hand"] for told in rounds)
    assert {told["table_id"] for told in rounds if told["status"] == "open"} == {"TCP-01", "TCP-02", "TCP-03"}

"""What the pages work out is what the program does: the quick start, the worked round, the example of a check, the README's summary."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from pipeline.report.terminal import render
from tests.support.command_line import resettle
from tests.support.pages import blocks, text

if TYPE_CHECKING:
    import pytest

    from pipeline.audit import Outcome


def rows(lake: Path, sql: str) -> list[Any]:
    with duckdb.connect(str(lake / "audit.duckdb"), read_only=True) as con:
        return con.execute(sql).fetchall()


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_quick_start_goes_as_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = text("docs/quick-start.md")
    for folder in ("filings", "inbox", "corrections"):
        Path(folder).mkdir()
    Path("filings/example.toml").write_text(blocks("docs/quick-start.md", "toml")[0], encoding="utf-8")
    round_log = blocks("docs/quick-start.md", "json")[0]
    Path("inbox/2026-11-03.ndjson").write_text(round_log, encoding="utf-8")
    assert resettle("filing", "check", "filings").exit_code == 0
    options = ("--filings", "filings", "--lake", "my-lake", "--report", "my-report")
    first = resettle("audit", "inbox", *options)
    assert first.exit_code == 1, first.output
    said = flat(first.output)
    for line in "".join(blocks("docs/quick-start.md", "")).splitlines():
        assert flat(line) in said
    corrected = json.loads(round_log)
    corrected["revision"] = 2
    corrected["participants"][0]["wagers"][2]["paid"] = "10.00"
    Path("corrections/2026-11-04.ndjson").write_text(json.dumps(corrected) + "\n", encoding="utf-8")
    assert resettle("audit", "corrections", *options).exit_code == 0
    found = dict(rows(Path("my-lake"), "SELECT check_id, message FROM findings"))
    assert "payout_mismatch" not in found
    assert f"`{found['round_restated']}`" in flat(told)


def test_the_worked_round_is_worked_right(sample: Path, tmp_path: Path) -> None:
    told = text("docs/concepts.md")
    lines = (sample / "rounds.ndjson").read_bytes().splitlines(keepends=True)
    log = tmp_path / "rounds.ndjson"
    log.write_bytes(lines[282])
    lake = tmp_path / "lake"
    assert resettle("audit", log, "--filings", sample / "filings", "--lake", lake).exit_code == 1
    ((round_id, day),) = rows(lake, "SELECT round_id, strftime(gaming_day, '%-d %B') FROM rounds")
    assert f"Round `{round_id}`" in told
    assert f"**{day}**" in told
    worked = re.findall(r"^\| (px\d+) \| (\w+|its bonus) \| .* \| \**([\d.]+)\** \| \**([\d.]+)\** \|$", told, re.MULTILINE)
    asked = blocks("docs/concepts.md", "sql")[0]
    expected = []
    for player, kind, due, bonus, paid, bonus_paid in rows(
        lake, f"SELECT player_id, kind, expected, expected_bonus, paid, bonus_paid FROM ({asked})"
    ):
        expected.append((player, kind, f"{due:.2f}", f"{paid:.2f}"))
        if bonus:
            expected.append((player, "its bonus", f"{bonus:.2f}", f"{bonus_paid:.2f}"))
    assert worked == expected
    ((message, delta, causes),) = rows(lake, "SELECT message, delta, root_causes FROM findings WHERE delta IS NOT NULL")
    assert message in flat(told.replace("\n> ", " "))
    assert f"a delta of {delta:+.2f} USD" in told
    assert re.findall(r"\(`(\w+)`\)", told.partition("**Cause.**")[2].partition("\n\n")[0]) == causes
    short = json.loads(blocks("docs/concepts.md", "")[0])
    whole = json.loads(lines[282])
    assert short["dealer_hand"] == whole["dealer_hand"]
    assert all(hand in whole["hands"] for hand in short["hands"])


def test_the_example_of_a_check_finds_what_it_says(sample: Path, first_rounds: Path, tmp_path: Path) -> None:
    told = text("docs/writing-a-check.md")
    own = tmp_path / "my-checks"
    own.mkdir()
    check = blocks("docs/writing-a-check.md", "sql")[0]
    (own / "house_big_stake.sql").write_text(check, encoding="utf-8")
    options = (first_rounds, "--filings", sample / "filings", "--checks", own)
    assert resettle("audit", *options, "--lake", tmp_path / "lake").exit_code == 1
    ((examined,),) = rows(tmp_path / "lake", "SELECT sum(examined) FROM coverage WHERE check_id = 'house_big_stake'")
    messages = [row[0] for row in rows(tmp_path / "lake", "SELECT message FROM findings WHERE check_id = 'house_big_stake'")]
    assert f"it examines {examined} wagers and finds {len(messages)}, of which one reads:" in told
    assert any(f"\n    {message}\n" in told for message in messages)
    (own / "house_big_stake.sql").write_text(check.replace("AND stake > 50", "AND stakes > 50"), encoding="utf-8")
    broken = resettle("audit", *options, "--lake", tmp_path / "broken")
    assert broken.exit_code == 3
    (quoted,) = re.findall(r"^    ! (.*?)\.$", told, re.MULTILINE | re.DOTALL)
    assert flat(quoted).removesuffix("!") in flat(broken.output)


def test_the_summary_in_the_readme_is_the_sample_days(audited: tuple[Path, Outcome]) -> None:
    _, outcome = audited
    (quoted,) = (block for block in blocks("README.md", "") if block.startswith("!"))
    assert flat(quoted) in flat(render(outcome.report))


def test_what_the_page_on_filings_says_of_cost_and_change(audited: tuple[Path, Outcome], sample: Path, tmp_path: Path) -> None:
    told = text("docs/writing-a-filing.md")
    filing = tmp_path / "keystone.toml"
    filing.write_text(blocks("docs/writing-a-filing.md", "toml")[0], encoding="utf-8")
    edges = re.findall(r"house edge +([\d.]+ % of the \w+)", resettle("edge", filing).output)
    assert len(edges) == 2
    assert all(edge in flat(told) for edge in edges)
    main_filing, copy = sample / "filings" / "keystone-main-2026.toml", tmp_path / "copy.toml"
    copy.write_text(main_filing.read_text(encoding="utf-8").replace('"6 to 1"', '"5 to 1"'), encoding="utf-8")
    lake, _ = audited
    changed = resettle("filing", "diff", main_filing, copy, "--lake", lake, "--gaming-day", "2026-10-31").output
    quoted = next(block for block in re.findall(r"(?:^    .*\n|^\n)+", told, re.MULTILINE) if "pair_plus.odds.straight: 6" in block)
    assert all(line.strip() in changed for line in quoted.splitlines())

"""The pages that are made from the code and the SQL are the ones that they would make now, and leave nothing out."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from pipeline.reconcile.catalogue import contract_checks
from pipeline.reconcile.causes import HYPOTHESES
from pipeline.reconcile.checks import load_checks
from pipeline.reference.pages import PAGES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", PAGES)
def test_a_made_page_is_current(page: str) -> None:
    assert (DOCS / page).read_text(encoding="utf-8") == PAGES[page](), f"docs/{page} is not what `make docs` makes"


def test_each_check_has_an_entry_that_says_what_it_means_why_it_matters_and_what_to_do() -> None:
    entries = {entry.partition("\n")[0]: entry for entry in (DOCS / "checks.md").read_text(encoding="utf-8").split("\n### ")[1:]}
    assert set(entries) == {check.check_id for check in load_checks().checks}
    for check_id, entry in entries.items():
        for part in ("Severity", "**What it means.** ", "**Why it matters.** ", "**What to do.** "):
            assert part in entry, f"{check_id} lacks {part}"
    for named in contract_checks().values():
        assert f"Severity {named.severity}." in entries[named.check_id]


def test_each_root_cause_is_told_in_words() -> None:
    page = (DOCS / "root-causes.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \| \w.*", page, re.MULTILINE) == [one.name for one in HYPOTHESES]


def test_each_table_view_and_column_of_a_lake_is_explained(audited: tuple[Path, object]) -> None:
    lake, _ = audited
    page = (DOCS / "data-dictionary.md").read_text(encoding="utf-8")
    sections = {section.partition("\n")[0]: section for section in page.split("\n### ")[1:]}
    with duckdb.connect(str(lake / "audit.duckdb"), read_only=True) as con:
        columns = con.execute("SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal").fetchall()
    for relation, column, dtype, meaning in columns:
        assert f"| `{column}` | {dtype} | {meaning.replace('|', chr(92) + '|')} |" in sections[relation], f"{relation}.{column}"

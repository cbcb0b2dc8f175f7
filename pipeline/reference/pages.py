"""The pages of ``docs/`` that are made from the project itself: checks, root causes, data dictionary, cookbook (``make docs``).

Nothing in them is written twice: a check's entry is its file's header, a cause's its definition, a table's its columns, a view's its header
and DuckDB's word on its types. A test holds the pages in ``docs/`` against what is made here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pipeline.core.schema import CHUNK_TABLES
from pipeline.feeds.control_totals import CONTROL_TOTALS
from pipeline.feeds.roster import ROSTER
from pipeline.lake.analyst_views import analyst_views
from pipeline.lake.catalogue import statements
from pipeline.lake.manifest import State
from pipeline.lake.scan import connect
from pipeline.lake.tables import DELIVERY_TABLES, FILING_TABLES, PARTITION_TABLES, STORED_TABLES, duckdb_type
from pipeline.reconcile.catalogue import FAMILIES, contract_checks
from pipeline.reconcile.causes import UNEXPLAINED
from pipeline.reconcile.causes.amount import AMOUNT
from pipeline.reconcile.causes.ante_bonus import ANTE_BONUS
from pipeline.reconcile.causes.dealer_and_tie import DEALER_AND_TIE
from pipeline.reconcile.causes.fold_and_void import FOLD_AND_VOID
from pipeline.reconcile.causes.paytables import PAYTABLES
from pipeline.reconcile.causes.ranking import RANKING
from pipeline.reconcile.causes.separated import shows_on
from pipeline.reconcile.causes.six_cards import SIX_CARDS
from pipeline.reconcile.causes.wrong_input import WRONG_INPUT
from pipeline.reconcile.checks import INPUTS, load_checks
from pipeline.reference.cookbook import cookbook_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pipeline.core.schema import Table
    from pipeline.reconcile.checks import Check

_CHECKS: Final = """<!-- Made by `make docs` from the headers of sql/checks/*.sql. -->

# The checks

{count} checks look at every gaming day. Each is one file in `sql/checks/`: a header, and one SELECT that returns what is wrong. The texts
below are those headers. How often a check found something, and how much it could examine, stands in the report and in the lake's tables
[`findings`](data-dictionary.md#findings) and [`coverage`](data-dictionary.md#coverage). How to add your own:
[Writing a check](writing-a-check.md).

Severities: **critical** (money or the integrity of the game), **high** (a rule was broken, or what was due cannot be told), **medium**
(to be looked at), **info** (good to know). Findings about test players are always info."""
_DICTIONARY: Final = """<!-- Made by `make docs` from the columns in pipeline/ and the headers in sql/. -->

# Data dictionary

What `audit.duckdb` holds. The same texts stand in the file itself as comments: `SELECT * FROM duckdb_columns()` shows them.

Amounts are exact decimals in major units of the row's currency, and two currencies are never added. Times are UTC; `*_digits` says how
many digits the log wrote after the seconds. `*_key` numbers join tables within a studio and gaming day: join on `studio_id`, `gaming_day`
and the key. Rows with `is_current = false` were replaced by a later telling of their round."""
_CAUSES: Final = f"""<!-- Made by `make docs` from the definitions in pipeline/reconcile/causes. -->

# Root causes

What software gets wrong in the field. Each wrong payment is settled again with one of these rules broken at a time, and a cause is named
where that gives what was paid, to the last digit. `root_causes` of a finding lists all that do, at most eight: first what fits the wagers
of the table's day best, those paid rightly included, then the narrower rule. `root_cause` is the first of them, or `{UNEXPLAINED}` where
none fits; `root_cause_detail` says which price, line, stake or reading is meant. Where nothing is recorded as paid, where the wager has no
result, or where only the split between wager and bonus is wrong, nothing is tried: `{UNEXPLAINED}`, and the detail says why.

A cause that fits is not yet proved: on one wager two faults may come to one amount. Where several stand, an incident and
`resettle explain` name the kind of hand on which they would differ; look for such a hand. It is worked out from the causes themselves, each
tried on one wager of every kind of hand.

```sql
SELECT root_cause, table_id, count(*) AS findings, min(source_line) AS first_line, max(source_line) AS last_line
FROM findings WHERE root_cause IS NOT NULL GROUP BY ALL ORDER BY findings DESC
```"""
_UNDER_CHECKS: Final = """These are worked out while the checks run and are not in the lake. A check of your own may read them beside the
tables of what was logged and filed, `settlements`, and the views `current_rounds`, `current_hands`, `current_card_readings`,
`current_participants` and `current_wagers`, which hold what stands now. There, rows name their filing by `filing_no`."""
_RELATIONS: Final = "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal ORDER BY view_name"
_COLUMNS: Final = "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = ? AND NOT internal ORDER BY column_index"
_MACROS: Final = "SELECT DISTINCT comment FROM duckdb_functions() WHERE NOT internal AND comment IS NOT NULL ORDER BY ALL"
_TITLE: Final = re.compile(r"^-- title: (.+)$", re.MULTILINE)
_PLACED: Final = re.compile(r"\{\w+\}")
_FAMILIES: Final = {
    "money": "What was paid against what was due. Of the first eight, a wager has at most one: the first that holds.",
    "cards": "Whether the cards in the log can be the cards of one deck, read and corrected as they should be.",
    "control": "Whether the round ran in the right order: bets, cards, decisions, reveal, verification, posting, payment; and its voids.",
    "wager rules": "Whether each wager was one that the game and the filing allow.",
    "filing": "Whether the game that was offered was filed, approved, licensed, and shown to players as filed.",
    "log": "Whether the log is whole, and whether it tells one story.",
    "wallet": "Whether the operator's wallet moved what the studio says it paid.",
    "meter": "Whether progressive meters add up and pay their share.",
}
_CAUSE_FAMILIES: Final = {
    "Hand ranking": RANKING,
    "Dealer and tie": DEALER_AND_TIE,
    "Ante bonus": ANTE_BONUS,
    "Fold and void": FOLD_AND_VOID,
    "Six cards": SIX_CARDS,
    "Wrong input": WRONG_INPUT,
    "Amount": (*PAYTABLES, *AMOUNT),
}


def checks_page() -> str:
    """``docs/checks.md``: every check of the project, by family, in the order of round-log/1."""
    named = contract_checks()
    built = {check.check_id: check for check in load_checks().checks}
    ordered = [built[check_id] for check_id in (*(i for i in named if i in built), *(i for i in built if i not in named))]
    parts = [_CHECKS.format(count=len(built))]
    for family in FAMILIES:
        members = [check for check in ordered if check.family == family]
        parts.append(f"## {family.capitalize()}\n\n{_FAMILIES[family]}")
        if members:
            rows = ([f"[`{check.check_id}`](#{check.check_id})", check.severity, check.title] for check in members)
            parts.append(_grid(("Check", "Severity", "What it finds"), rows))
        parts += ["\n\n".join(_check(check)) for check in members]
    return "\n\n".join(parts) + "\n"


def _check(check: Check) -> Iterator[str]:
    yield f"### {check.check_id}"
    yield f"*{check.title}.* Severity {check.severity}."
    yield f"**Question.** {check.question}"
    for label, text in (("What it means", check.means), ("Why it matters", check.matters), ("What to do", check.do)):
        yield f"**{label}.** {text}"
    yield "\n".join(_facts(check))


def _facts(check: Check) -> Iterator[str]:
    yield f"- Examines: {check.subject}, {'round by round' if check.reach == 'round' else 'once for the gaming day'}"
    for unless in check.unless:
        yield f"- Cannot examine: {_PLACED.sub('for a reason that coverage names', unless.reason)}"
    for need in check.needs:
        yield f'- Needs: {need.replace("_", " ")} (else coverage says "not checked: {INPUTS[need]}")'
    cited = [f"the filing's `{check.filing_key}`"] if check.filing_key else []
    cited += [f"for Pennsylvania's filings {check.citation}"] if check.citation else []
    if cited:
        yield f"- Cites: {'; '.join(cited)}"
    yield f"- SQL: [`{check.file}`](../{check.file})"


def causes_page() -> str:
    """``docs/root-causes.md``: every root cause in words, by family."""
    parts = [_CAUSES]
    for family, causes in _CAUSE_FAMILIES.items():
        rows = ([f"`{one.name}`", f"{one.words[0].upper()}{one.words[1:]}", f"{shows_on(one.name)[0]}"] for one in causes)
        parts += [f"## {family}", _grid(("Root cause", "What the software does", "It shows, for instance, where"), rows)]
    return "\n\n".join(parts) + "\n"


def dictionary_page() -> str:
    """``docs/data-dictionary.md``: every table, view and macro of a lake as DuckDB tells them, and the files beside the log."""
    with connect() as con:
        for statement in statements(Path("lake"), State(0, "", "", "", [], []), {}):
            con.execute(statement)
        told = dict(con.execute(_RELATIONS).fetchall())
        logged = [table.name for table in CHUNK_TABLES]
        asked = [view.name for view in analyst_views()]
        groups = {
            "What the audit found": [table for table in PARTITION_TABLES if table not in logged],
            "What was logged": logged,
            "What belongs to a delivery": list(DELIVERY_TABLES),
            "What was filed": list(FILING_TABLES),
            "The lake itself": [view for view in told if view not in {*STORED_TABLES, *asked}],
            "Views": asked,
        }
        parts = [_DICTIONARY]
        for group, views in groups.items():
            parts.append(f"## {group}")
            parts += [_section(view, told[view], con.execute(_COLUMNS, [view]).fetchall()) for view in views]
        macros = con.execute(_MACROS).fetchall()
    under_checks = sorted(([f"`{view.name}`", view.reach, _title(view.sql)] for view in load_checks().views), key=str)
    parts += [
        "## Macros\n\nFor use in any query on the lake, with an example where one helps.",
        "\n".join("- `{}`:{}".format(*comment.split(":", 1)) for (comment,) in macros),
        f"## What checks stand on\n\n{_UNDER_CHECKS}",
        _grid(("View", "Worked out for each", "What it holds"), under_checks),
        "## Files beside the log\n\nCSV with a heading line that names these columns. A null is an empty field.",
        *map(_beside, (CONTROL_TOTALS, ROSTER)),
    ]
    return "\n\n".join(parts) + "\n"


def _beside(table: Table) -> str:
    columns = [
        (column.name, duckdb_type(column.dtype), column.meaning) for column in table.columns if not column.name.startswith("source_")
    ]
    return _section(table.name, f"Each row is {table.row}.", columns)


def _section(heading: str, text: str, columns: Iterable[tuple[str, str, str]]) -> str:
    rows = ([f"`{column}`", dtype, meaning or ""] for column, dtype, meaning in columns)
    return f"### {heading}\n\n{text.removesuffix('.')}.\n\n{_grid(('Column', 'Type', 'Meaning'), rows)}"


def _title(sql: str) -> str:
    told = _TITLE.search(sql)
    return told[1] if told else ""


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


PAGES: Final[dict[str, Callable[[], str]]] = {
    "checks.md": checks_page,
    "root-causes.md": causes_page,
    "data-dictionary.md": dictionary_page,
    "cookbook.md": cookbook_page,
}
"""Each page's file in ``docs/``, and what makes it."""


def write_pages(folder: Path) -> None:
    """Write every page of ``PAGES`` into a folder."""
    for file, page in PAGES.items():
        (folder / file).write_text(page(), encoding="utf-8")

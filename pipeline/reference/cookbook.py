"""``docs/cookbook.md``, made from the headers and the SQL of the ready questions (``pipeline.reference``)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from pipeline.ask.questions import questions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.ask.questions import Question

_HEAD: Final = """<!-- Made by `make docs` from sql/queries/*.sql. -->

# Query cookbook

{count} questions that an analyst, an officer or an investigator asks of a lake, ready to run:

```
resettle ask --list
resettle ask wrongly_paid_by_table --lake lake
resettle ask round_story --lake lake --param round=TCP-02-0000050 --format csv
```

`--format` is `table`, `csv`, `json` or `parquet`; `--as-of TIME` asks of what was known then. Each question is one file in `sql/queries/`.
In another DuckDB client the SQL below runs as it stands once each `$name` is replaced by a value, or by `NULL` where it is optional."""


def cookbook_page() -> str:
    """The page."""
    asked = questions()
    parts = [_HEAD.format(count=len(asked))]
    by_subject = [(subject, list(members)) for subject, members in groupby(asked, key=lambda one: one.subject)]
    parts.append("\n".join(f"- {_heading(subject)}: {', '.join(map(_link, members))}" for subject, members in by_subject))
    for subject, members in by_subject:
        parts.append(f"## {_heading(subject)}")
        for one in members:
            parts += _section(one)
    return "\n\n".join(parts) + "\n"


def _section(asked: Question) -> Iterator[str]:
    yield f"### {asked.name}"
    yield asked.text
    if asked.parameters:
        yield "\n".join(f"- `{one.name}` ({one.rule}): {one.meaning}" for one in asked.parameters)
    yield f"```\n{asked.example}\n```"
    yield f"```sql\n{asked.sql}\n```"


def _heading(subject: str) -> str:
    return subject[0].upper() + subject[1:]


def _link(asked: Question) -> str:
    return f"[{asked.name}](#{asked.name})"

"""The views that analysts find in the lake: ``sql/views/*.sql`` without a reach (those with one stand under the checks)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from pipeline.core.errors import CheckError

_LINE: Final = re.compile(r"^-- (view|title|reach|column (?P<column>\w+)): (?P<text>.+)$")


@dataclass(frozen=True, slots=True)
class AnalystView:
    """A view of the lake: its name, what it shows, what its columns mean, and its SELECT."""

    name: str
    title: str
    columns: dict[str, str]
    sql: str


@cache
def analyst_views() -> tuple[AnalystView, ...]:
    """All of them, by name. They stand on the lake's tables and macros, not on each other.

    Raises:
        CheckError: a file's header is malformed.
    """
    folder = files("sql").joinpath("views")
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".sql")}
    read = (read_view(file, text) for file, text in sorted(texts.items()))
    return tuple(view for view in read if view is not None)


def read_view(file: str, text: str) -> AnalystView | None:
    """A view file: header lines ``-- view:``, ``-- title:``, ``-- column NAME:``, then one SELECT. None where it has a reach.

    Raises:
        CheckError: the name is not the file's, or the title is missing.
    """
    told: dict[str, str] = {}
    columns: dict[str, str] = {}
    for line in text.partition("\n\n")[0].splitlines():
        if found := _LINE.match(line):
            if found["column"]:
                columns[found["column"]] = found["text"]
            else:
                told[found[1]] = found["text"]
    if "reach" in told:
        return None
    if told.get("view", "") + ".sql" != file or "title" not in told:
        raise CheckError("the header must give '-- view:' as the file is named, and '-- title:'", f"sql/views/{file}:1")
    return AnalystView(told["view"], told["title"], columns, text.strip())

"""The header of a check or view file: comment lines ``-- key: value`` above one SELECT."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

import duckdb

from pipeline.core.errors import CheckError

_LINE: Final = re.compile(r"--\s?(?P<key>[a-z_]+):\s*(?P<value>.*\S)\s*$")
_MORE: Final = re.compile(r"--\s{2,}(?P<value>.*\S)\s*$")
_RELATION: Final = re.compile(
    r"(?P<relation>[a-z_][a-z0-9_]*)(?:\s+by\s+(?P<number>[a-z_]+))?(?:\s+where\s+(?P<condition>.+))?$", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a header."""

    key: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Population:
    """A table or view, and the condition that its rows fulfil (SQL; ``true`` for all).

    ``number`` is the column that says how many subjects a row stands for; None where each row is one.
    """

    relation: str
    condition: str
    number: str | None = None

    def counted(self, condition: str) -> str:
        """The SQL that counts its subjects that fulfil a condition."""
        rows = f"FILTER (WHERE {condition}\n)"
        return f"count(*) {rows}" if self.number is None else f"coalesce(sum({self.number}) {rows}, 0)"


@dataclass(frozen=True, slots=True)
class Unless:
    """Rows of the population that cannot be examined, and why. ``{column}`` in the reason stands for that column's value."""

    condition: str
    reason: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the reason names."""
        return tuple(re.findall(r"\{([a-z_]+)\}", self.reason))


def read_header(text: str, where: str, single: frozenset[str], repeatable: frozenset[str] = frozenset()) -> list[Entry]:
    """The header's lines; a line indented under another continues it.

    Args:
        text: the whole file.
        where: the file's name, for errors.
        single: keys that may stand once.
        repeatable: keys that may stand more than once.

    Raises:
        CheckError: a line is neither ``-- key: value`` nor a continuation, or its key is unknown or stands twice.
    """
    entries: list[Entry] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("--"):
            break
        if (more := _MORE.match(line)) and entries:
            last = entries.pop()
            entries.append(Entry(last.key, f"{last.value} {more['value']}", last.line))
            continue
        told = _LINE.match(line)
        if told is None:
            raise CheckError(
                "a header line must read '-- key: value'", f"{where}:{number}", "a comment of another kind goes below the header"
            )
        if told["key"] not in single | repeatable:
            known = ", ".join(sorted(single | repeatable))
            raise CheckError(f"unknown header key '{told['key']}'", f"{where}:{number}", f"known: {known}")
        if told["key"] in single and any(entry.key == told["key"] for entry in entries):
            raise CheckError(f"header key '{told['key']}' stands twice", f"{where}:{number}")
        entries.append(Entry(told["key"], told["value"], number))
    return entries


def read_population(entry: Entry, where: str) -> Population:
    """``settlements where kind = 'ante'``, or ``round_sorts by wagers where kind = 'ante'``, as a population.

    Raises:
        CheckError: it is not a name, or a name, ``by`` and a column, ``where`` and a condition.
    """
    told = _RELATION.match(entry.value)
    if told is None:
        raise CheckError(f"'{entry.key}' must read '<table or view>' or '<table or view> where <condition>'", f"{where}:{entry.line}")
    population = Population(told["relation"], told["condition"] or "true", told["number"])
    demand_one_select(f"SELECT {population.counted(population.condition)} FROM {population.relation}", f"{where}:{entry.line}")
    return population


def read_unless(entry: Entry, where: str) -> Unless:
    """``condition — reason`` as a pair.

    Raises:
        CheckError: the dash is missing, or one of its sides is empty.
    """
    condition, dash, reason = (part.strip() for part in entry.value.partition(" — "))
    if not (condition and dash and reason):
        raise CheckError("'unless' must read '<condition> — <reason>'", f"{where}:{entry.line}")
    demand_one_select(f"SELECT {condition}\n", f"{where}:{entry.line}")
    return Unless(condition, reason)


def demand_one_select(sql: str, where: str) -> None:
    """Refuse anything but one SELECT: a check reads, whoever wrote it.

    Raises:
        CheckError: the SQL does not parse, is not a SELECT, or is more than one statement.
    """
    try:
        statements = _parser().extract_statements(sql)
    except duckdb.Error as error:
        line = sql_error_line(error)
        raise CheckError(first_line(error), where if line is None else f"{where.partition(':')[0]}:{line}") from error
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise CheckError("must hold exactly one SELECT", where)


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def sql_error_line(error: duckdb.Error) -> int | None:
    """The line that DuckDB names in an error, where it names one."""
    told = re.search(r"^LINE (\d+):", str(error), re.MULTILINE)
    return None if told is None else int(told[1])


def first_line(error: Exception) -> str:
    """An error's first line: what is wrong, without the picture of it."""
    return str(error).strip().splitlines()[0]

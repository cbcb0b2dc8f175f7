"""The checks: one SQL file each, the project's own from ``sql/checks`` and an operator's from a folder of theirs.

A check file is a header (``-- key: value``) above one SELECT that returns the rows that are wrong:

======== ==========================================================================================================
check    its id, which is the file's name
title    what it is about, in a few words
severity critical, high, medium or info
family   as the contract groups them; an operator's own may name another
reach    ``round``: run on every chunk of whole rounds; ``day``: once a studio and gaming day
question what the SELECT answers
examines the table or view, and the condition, that make up its subjects; must have ``table_id``. ``by COLUMN`` before the
         condition: a row stands for so many of them
suspects a table or view, and a condition, without a row of which it finds nothing and is not run (repeatable, optional)
unless   condition — reason: subjects that cannot be examined (repeatable)
subject  its subjects in words, for "not checked: no accepted play wagers" (optional)
needs    inputs without which it cannot run: wallet, control_totals, roster (optional)
filing_key what of the filing decides; may hold ``{kind}`` (optional)
citation the rule of Pennsylvania to compare with (optional)
means    what a finding of it says, for its page in docs/checks.md (like the next two: optional in an operator's own)
matters  why it matters
do       what to do about it
======== ==========================================================================================================
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import CheckError
from pipeline.reconcile.catalogue import FAMILIES, SEVERITIES, contract_checks
from pipeline.reconcile.header import Entry, Population, Unless, demand_one_select, read_header, read_population, read_unless

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

REACHES: Final = ("round", "day")
KEEPS: Final = ("nothing", "chunk", "day")
INPUTS: Final = {"wallet": "no wallet ledger given", "control_totals": "no control totals given", "roster": "no roster given"}
"""What a check can need beside the log and the filings, and what coverage says where it is not there."""

_REQUIRED: Final = ("check", "title", "severity", "family", "reach", "question", "examines")
_SINGLE: Final = frozenset({*_REQUIRED, "subject", "needs", "filing_key", "citation", "means", "matters", "do"})
_REPEATABLE: Final = frozenset({"unless", "suspects"})
_VIEW_KEYS: Final = frozenset({"view", "title", "reach", "keep"})


@dataclass(frozen=True, slots=True)
class Check:
    """A check as its file tells it. ``sql`` is the whole file, so that lines in errors are the file's lines."""

    check_id: str
    title: str
    severity: str
    family: str
    reach: str
    question: str
    examines: Population
    sql: str
    file: str
    own: bool = False
    unless: tuple[Unless, ...] = ()
    suspects: tuple[Population, ...] = ()
    subject: str | None = None
    needs: tuple[str, ...] = ()
    filing_key: str | None = None
    citation: str | None = None
    means: str | None = None
    matters: str | None = None
    do: str | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the file's text."""
        return _digest(self.sql)

    @property
    def where(self) -> str:
        """File and line where its SELECT begins: what an error names that DuckDB gives no line for."""
        lines = enumerate(self.sql.splitlines(), 1)
        return f"{self.file}:{next((number for number, line in lines if line.strip() and not line.startswith('--')), 1)}"

    def line_of(self, key: str) -> str:
        """File and line of the first header line with this key."""
        lines = enumerate(self.sql.splitlines(), 1)
        return f"{self.file}:{next((number for number, line in lines if line.startswith(f'-- {key}:')), 1)}"

    @property
    def counts(self) -> str:
        """The SQL of all that is counted before it is run."""
        conditions = [unless.condition for unless in self.unless]
        return "\n".join([*conditions, *(f"{told.relation} {told.condition}" for told in (self.examines, *self.suspects))])

    @property
    def select(self) -> str:
        """The SELECT as it is run: inside another, where nothing that writes can stand, each line where it is in the file."""
        return _enclosed(self.sql)


@dataclass(frozen=True, slots=True)
class View:
    """A view that checks stand on: ``sql/views/<name>.sql``, worked out once a chunk or day, before the first that needs it.

    One of reach ``round`` with ``keep: day`` holds, when the day's checks run, its rows of all chunks. One with ``keep: nothing`` is
    not worked out before the checks but within each that reads it: for a wide one that each check reads little of.
    """

    name: str
    reach: str
    sql: str
    keep: str = "chunk"


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that could not be loaded or run: where (file and, where known, line) and why."""

    check_id: str
    where: str
    error: str


@dataclass(frozen=True, slots=True)
class CheckSet:
    """All checks of a run in the order of their ids, the views under them, and the operator's files that could not be read."""

    checks: tuple[Check, ...]
    views: tuple[View, ...] = ()
    broken: tuple[FailedCheck, ...] = field(default=())

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the fingerprints of all checks and views: it changes whenever a finding could."""
        told = [(check.check_id, check.fingerprint) for check in self.checks] + [(view.name, _digest(view.sql)) for view in self.views]
        return _digest("\n".join(f"{name} {digest}" for name, digest in sorted(told)))

    def reaching(self, reach: str) -> tuple[Check, ...]:
        """The checks of one reach."""
        return tuple(check for check in self.checks if check.reach == reach)

    def views_under(self, *texts: str) -> tuple[View, ...]:
        """The views that SQL stands on, each after those that it stands on itself."""
        needed: list[View] = []
        for view in reversed(self.views):
            if any(view.name in words(text) for text in (*texts, *(other.sql for other in needed))):
                needed.append(view)
        return tuple(reversed(needed))


def load_checks(own: Path | None = None) -> CheckSet:
    """The project's checks and, where a folder is given, an operator's own beside them.

    Args:
        own: a folder with the operator's ``*.sql``; one that cannot be read lands in ``broken`` and does not stop the others.

    Raises:
        CheckError: one of the project's files is malformed, or ``own`` is no folder.
    """
    of_the_project, views = _of_the_project()
    checks = list(of_the_project)
    broken: list[FailedCheck] = []
    if own is not None:
        if not own.is_dir():
            raise CheckError("no such folder of checks", str(own), "give --checks a folder that holds *.sql")
        taken = {check.check_id for check in checks} | contract_checks().keys()
        for file in _sql_files(own):
            where = f"{own.name}/{file.name}"
            try:
                checks.append(_own_check(_text(file), where, taken))
            except (CheckError, UnicodeDecodeError, OSError) as error:
                broken.append(_failed(file.name, where, error))
    return CheckSet(tuple(sorted(checks, key=lambda check: check.check_id)), views, tuple(broken))


@cache
def _of_the_project() -> tuple[tuple[Check, ...], tuple[View, ...]]:
    """The project's checks, and the views under them in the order in which they stand on one another."""
    root = files("sql")
    views = [parse_view(_text(file), f"sql/views/{file.name}") for file in _sql_files(root / "views")]
    checks = [parse_check(_text(file), f"sql/checks/{file.name}") for file in _sql_files(root / "checks")]
    return tuple(checks), _in_order([view for view in views if view is not None])


def parse_check(text: str, where: str, *, own: bool = False) -> Check:
    """A check file's text as a check.

    Args:
        text: the whole file.
        where: the file as errors and findings name it.
        own: it is an operator's: its id and family are free.

    Raises:
        CheckError: the header is malformed or contradicts the contract, or what follows is not one SELECT; names file and line.
    """
    entries = read_header(text, where, _SINGLE, _REPEATABLE)
    told = {entry.key: entry for entry in entries if entry.key not in _REPEATABLE}
    for key in _REQUIRED:
        if key not in told:
            raise CheckError(f"the header lacks '{key}'", f"{where}:1", f"it must hold {', '.join(_REQUIRED)}")
    _one_of(told["severity"], SEVERITIES, where)
    _one_of(told["reach"], REACHES, where)
    if not own:
        _one_of(told["family"], FAMILIES, where)
    check_id = told["check"].value
    if not (check_id.isidentifier() and check_id == check_id.lower() and where.endswith(f"/{check_id}.sql")):
        raise CheckError(f"the id '{check_id}' is not the file's name, lower case", f"{where}:{told['check'].line}")
    if not own and (named := contract_checks().get(check_id)):
        _one_of(told["severity"], (named.severity,), where)
        _one_of(told["family"], (named.family,), where)
    needs = tuple(need.strip() for need in told["needs"].value.split(",")) if "needs" in told else ()
    for need in needs:
        _one_of(Entry("needs", need, told["needs"].line), tuple(INPUTS), where)
    demand_one_select(text, where)
    demand_one_select(_enclosed(text), where)
    optional = {key: told[key].value for key in ("subject", "filing_key", "citation", "means", "matters", "do") if key in told}
    required = {key: told[key].value for key in ("title", "severity", "family", "reach", "question")}
    unless = tuple(read_unless(entry, where) for entry in entries if entry.key == "unless")
    suspects = tuple(read_population(entry, where) for entry in entries if entry.key == "suspects")
    examines = read_population(told["examines"], where)
    return Check(
        check_id, **required, examines=examines, sql=text, file=where, own=own, unless=unless, suspects=suspects, needs=needs, **optional
    )


def parse_view(text: str, where: str) -> View | None:
    """A view file's text as a view; None for one without ``reach`` (which stands in the lake, not under the checks).

    Raises:
        CheckError: the header is malformed, or what follows is not one SELECT.
    """
    if "\n-- reach:" not in text.partition("\n\n")[0]:
        return None
    told = {entry.key: entry for entry in read_header(text, where, _VIEW_KEYS)}
    if "view" not in told or not where.endswith(f"/{told['view'].value}.sql"):
        raise CheckError("the view's name is not the file's name", f"{where}:1")
    _one_of(told["reach"], REACHES, where)
    if "keep" in told:
        _one_of(told["keep"], KEEPS, where)
    demand_one_select(text, where)
    return View(told["view"].value, told["reach"].value, text, told["keep"].value if "keep" in told else "chunk")


def _own_check(text: str, where: str, taken: set[str]) -> Check:
    check = parse_check(text, where, own=True)
    if check.check_id in taken:
        raise CheckError(f"the id '{check.check_id}' is taken by a check of the project", f"{where}:1", "name it otherwise")
    return check


def _in_order(views: list[View]) -> tuple[View, ...]:
    placed: list[View] = []
    waiting = sorted(views, key=lambda view: view.name)
    while waiting:
        ready = [view for view in waiting if not any(other.name in words(view.sql) for other in waiting if other is not view)]
        if not ready:
            raise CheckError("views stand on each other in a circle", ", ".join(f"sql/views/{view.name}.sql" for view in waiting))
        placed += ready
        waiting = [view for view in waiting if view not in ready]
    return tuple(placed)


@cache
def words(sql: str) -> frozenset[str]:
    """The words of SQL in small letters, its comment lines apart: among them the tables and views that it may read."""
    return frozenset(word for line in sql.lower().splitlines() if not line.startswith("--") for word in re.findall(r"\w+", line))


def _one_of(entry: Entry, allowed: tuple[str, ...], where: str) -> None:
    if entry.value not in allowed:
        raise CheckError(f"'{entry.key}' is '{entry.value}'", f"{where}:{entry.line}", f"allowed: {', '.join(allowed)}")


def _failed(file_name: str, where: str, error: Exception) -> FailedCheck:
    if isinstance(error, CheckError):
        return FailedCheck(file_name.removesuffix(".sql"), error.where or where, error.what)
    return FailedCheck(file_name.removesuffix(".sql"), where, str(error))


def _sql_files(folder: Traversable | Path) -> list[Traversable]:
    return sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")


def _enclosed(sql: str) -> str:
    return f"SELECT * FROM ({sql.rstrip().removesuffix(';')}\n)"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

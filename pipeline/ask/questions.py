"""The ready questions: ``sql/queries/*.sql``, each a header that says what it asks and one SELECT whose parameters are bound."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import CheckError, ResettleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

SUBJECTS: Final = ("the night", "money", "findings", "rounds", "cards", "players", "dealers", "voids", "wallet", "filings")
"""What a question is about, in the order of the cookbook."""

_TOLD: Final = re.compile(r"-- (query|subject|question|example): (.+)")
_PARAMETER: Final = re.compile(r"-- param (?P<name>\w+) \((?P<kind>\w+)(?:, (?P<unless>[^)]+))?\): (?P<meaning>.+)")
_READERS: Final[dict[str, tuple[Callable[[str], object], str]]] = {
    "text": (str, "text"),
    "number": (int, "a whole number"),
    "date": (date.fromisoformat, "a date like 2026-10-31"),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a question wants to know before it can be asked.

    Attributes:
        name: its name in the SQL, after the dollar sign.
        kind: text, number or date.
        meaning: what it stands for.
        required: it must be given.
        default: what holds where it is not given; None: no restriction.
    """

    name: str
    kind: str
    meaning: str
    required: bool
    default: object = None

    @property
    def rule(self) -> str:
        """Its kind, and what holds where it is left out."""
        if self.required:
            return self.kind
        return f"{self.kind}, optional" if self.default is None else f"{self.kind}; {self.default} where it is left out"

    def read(self, told: str) -> object:
        """The value that a text stands for.

        Raises:
            ResettleError: it stands for none of the parameter's kind.
        """
        reader, wanted = _READERS[self.kind]
        try:
            return reader(told)
        except ValueError:
            raise ResettleError(f"{told!r} is not {wanted}", f"--param {self.name}", self.meaning) from None


@dataclass(frozen=True, slots=True)
class Question:
    """A ready question.

    Attributes:
        name: its name, as the file's.
        subject: one of ``SUBJECTS``.
        text: the question in words.
        parameters: what it takes, in order.
        example: a command that asks it of the lake ``lake``.
        sql: the SELECT, with what its comments say.
    """

    name: str
    subject: str
    text: str
    parameters: tuple[Parameter, ...]
    example: str
    sql: str

    def bound(self, given: Mapping[str, str]) -> dict[str, object]:
        """A value for each parameter, to be bound to the SELECT.

        Args:
            given: parameter name to text.

        Raises:
            ResettleError: one is unknown, unreadable or missing; names those that there are.
        """
        known = {one.name: one for one in self.parameters}
        told = ", ".join(f"{one.name}{'' if one.required else ' (optional)'}" for one in self.parameters)
        if strange := [name for name in given if name not in known]:
            raise ResettleError(
                f"the question has no parameter {strange[0]}", f"ask {self.name}", f"it has: {told}" if told else "it has none"
            )
        if missing := [one for one in self.parameters if one.required and one.name not in given]:
            wanted = missing[0]
            raise ResettleError(f"wants to know {wanted.name}: {wanted.meaning}", f"ask {self.name}", f"like: {self.example}")
        return {name: one.read(given[name]) if name in given else one.default for name, one in known.items()}


@cache
def questions() -> tuple[Question, ...]:
    """All of them, by subject and name.

    Raises:
        CheckError: a file's header is malformed; names the file and the line.
    """
    folder = files("sql").joinpath("queries")
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".sql")}
    read = [read_question(file, text) for file, text in sorted(texts.items())]
    return tuple(sorted(read, key=lambda one: (SUBJECTS.index(one.subject), one.name)))


def question(name: str) -> Question:
    """The question of this name.

    Raises:
        ResettleError: there is none; names the nearest.
    """
    known = {one.name: one for one in questions()}
    if name not in known:
        near = get_close_matches(name, known, n=3)
        way_out = f"nearest: {', '.join(near)}" if near else "resettle ask --list shows them all"
        raise ResettleError(f"there is no ready question {name}", "ask", way_out)
    return known[name]


def read_question(file: str, text: str) -> Question:
    """A question's file: header lines, an empty line, and the SELECT.

    Raises:
        CheckError: the header does not say what it must; names the file and the line.
    """
    header, _, sql = text.partition("\n\n")
    told: dict[str, str] = {}
    parameters: list[Parameter] = []
    for number, line in enumerate(header.splitlines(), 1):
        where = f"sql/queries/{file}:{number}"
        if said := _TOLD.fullmatch(line):
            told[said[1]] = said[2]
        elif said := _PARAMETER.fullmatch(line):
            parameters.append(_parameter(said, where))
        else:
            raise CheckError(f"{line!r} is no line of a question's header", where, "it has query, subject, question, param and example")
    first = f"sql/queries/{file}:1"
    if missing := [key for key in ("query", "subject", "question", "example") if key not in told]:
        raise CheckError(f"the header lacks '-- {missing[0]}:'", first)
    if told["query"] + ".sql" != file:
        raise CheckError(f"the question is called {told['query']}", first, "call it as the file is named")
    if told["subject"] not in SUBJECTS:
        raise CheckError(f"no question is about {told['subject']!r}", first, f"one of: {', '.join(SUBJECTS)}")
    if not told["example"].startswith(f"resettle ask {told['query']} --lake lake"):
        raise CheckError("the example does not ask this question", first, f"begin it with: resettle ask {told['query']} --lake lake")
    return Question(told["query"], told["subject"], told["question"], tuple(parameters), told["example"], sql.strip())


def listed(asked: Sequence[Question]) -> Iterator[str]:
    """The questions in lines of text: name and question, by subject."""
    width = max((len(one.name) for one in asked), default=0)
    subject = ""
    for one in asked:
        if one.subject != subject:
            yield f"{one.subject[0].upper()}{one.subject[1:]}"
            subject = one.subject
        yield f"  {one.name:<{width}}  {one.text}"


def _parameter(said: re.Match[str], where: str) -> Parameter:
    name, kind, unless, meaning = said["name"], said["kind"], said["unless"], said["meaning"]
    if kind not in _READERS:
        raise CheckError(f"{kind!r} is no kind of parameter", where, f"one of: {', '.join(_READERS)}")
    plain = Parameter(name, kind, meaning, required=unless is None)
    return plain if unless in {None, "optional"} else Parameter(name, kind, meaning, required=False, default=plain.read(unless))

"""The formats that a delivery may come in, and which of them an input is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import InputError
from pipeline.feeds import game_history, round_log, tables
from pipeline.feeds.head import Head, head_of
from pipeline.feeds.inputs import DOCUMENTS, find_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from pipeline.feeds.inputs import Input
    from pipeline.feeds.reader import Context, Reader, Source


@dataclass(frozen=True, slots=True)
class Format:
    """A format whose inputs are files.

    Args:
        name: what it is called, in a profile too.
        recognises: whether a file that begins like this is one.
        reader: makes the reader of a delivery.
    """

    name: str
    recognises: Callable[[Head], bool]
    reader: Callable[[Context], Reader]


FORMATS: Final = [
    Format(round_log.NAME, round_log.recognises, round_log.RoundLogReader),
    Format(game_history.NAME, game_history.recognises, game_history.GameHistoryReader),
]
"""The formats that are looked for. A new one is one more entry."""

TABLES: Final = Format(tables.NAME, lambda _: False, tables.TablesReader)
"""Flat tables are known by their names, a folder at a time."""


def open_sources(paths: Sequence[Path], context: Context, only: AbstractSet[str] | None = None) -> list[Source]:
    """The inputs under ``paths``, each opened by the reader of its format.

    Args:
        paths: files and folders.
        context: what the readers are told.
        only: names of the files that are wanted; None: all.

    Raises:
        InputError: a path does not exist, or an input is of no format, or its format needs a feed profile and none was given.
    """
    readers: dict[str, Reader] = {}
    sources: list[Source] = []
    for one in find_inputs(paths):
        if only is not None and not only & {file.name for file in one.files}:
            continue
        form = format_of(one)
        if form.name not in readers:
            readers[form.name] = form.reader(context)
        sources.append(readers[form.name].open(one.files))
    return sources


def format_of(one: Input) -> Format:
    """The format of an input: of a file, by what stands first in it.

    A ``.ndjson`` that begins with nothing known is taken for a round log, whose lines then go into quarantine one by one.

    Raises:
        InputError: a ``.json`` begins with nothing known, or a file with what belongs to two formats.
    """
    if one.is_tables:
        return TABLES
    (file,) = one.files
    head = head_of(file.path)
    found = [form for form in FORMATS if form.recognises(head)]
    if len(found) > 1:
        both = " and like ".join(form.name for form in found)
        raise InputError(f"begins like {both}", file.name, "deliver each format in files of its own")
    if not found and file.path.name.lower().endswith(DOCUMENTS):
        known = ", ".join(form.name for form in FORMATS)
        raise InputError(f"begins like none of the formats {known}", file.name, "check what the file is")
    return found[0] if found else FORMATS[0]

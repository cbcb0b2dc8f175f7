"""Which inputs a delivery consists of: logs and histories, a file each, and folders of flat tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.core.errors import InputError
from pipeline.feeds.log_files import SUFFIXES, LogFile, log_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

TABLE_NAMES: Final = ("rounds", "hands", "card_readings", "participants", "wagers", "voids", "displayed", "meters")
"""The flat tables (contract, other inputs)."""

DOCUMENTS: Final = (".json", ".json.gz", ".json.zst")
TABLE_SUFFIXES: Final = (".csv", ".csv.gz", ".csv.zst", ".parquet")


@dataclass(frozen=True, slots=True)
class Input:
    """One input.

    Args:
        files: its one file, or the flat tables of one folder, ``rounds`` first.
        is_tables: it is a folder of tables.
    """

    files: tuple[LogFile, ...]
    is_tables: bool = False


def find_inputs(paths: Sequence[Path]) -> list[Input]:
    """The inputs under ``paths``, in the order of their names.

    In a folder, a CSV or Parquet that bears no table's name is none of a delivery's files.

    Raises:
        InputError: a path does not exist or is no input, a folder holds none, or a table stands in a folder twice or without its rounds.
    """
    found = log_files(paths, (*SUFFIXES, *DOCUMENTS, *TABLE_SUFFIXES))
    tables: dict[Path, list[LogFile]] = {}
    inputs: list[Input] = []
    for file in found:
        if not file.path.name.lower().endswith(TABLE_SUFFIXES):
            inputs.append(Input((file,)))
        elif table_name(file) in TABLE_NAMES:
            tables.setdefault(file.path.resolve().parent, []).append(file)
        elif file.path in paths:
            raise InputError("no flat table's name", file.name, f"name it after its table: {', '.join(TABLE_NAMES)}")
    inputs += [_folder(files) for files in tables.values()]
    if not inputs:
        raise InputError(
            "no round log in this folder", str(paths[0]), f"names must end in {', '.join((*SUFFIXES, *DOCUMENTS))}, or be a table's"
        )
    return sorted(inputs, key=lambda one: one.files[0].name)


def table_name(file: LogFile) -> str:
    """``wagers`` of ``wagers.csv.gz``."""
    return file.path.name.partition(".")[0].lower()


def delivered_files(paths: Sequence[Path]) -> list[LogFile]:
    """Every file of the delivery, in the order of their names."""
    return sorted((file for one in find_inputs(paths) for file in one.files), key=lambda file: file.name)


def _folder(files: Iterable[LogFile]) -> Input:
    named: dict[str, LogFile] = {}
    for file in files:
        other = named.setdefault(table_name(file), file)
        if other is not file:
            raise InputError(f"the table {table_name(file)} stands here twice, as {other.name} too", file.name, "leave one of them")
    if "rounds" not in named:
        first = next(iter(named.values()))
        raise InputError("a flat table without the table rounds beside it", first.name, "put rounds.csv or rounds.parquet into its folder")
    return Input(tuple(named[name] for name in TABLE_NAMES if name in named), is_tables=True)

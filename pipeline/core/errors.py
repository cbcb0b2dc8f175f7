"""Errors in use (a wrong path, filing or option). Errors in data are rows, never exceptions."""

from __future__ import annotations


class ResettleError(Exception):
    """The run cannot go on: says what is wrong, where, and the way out, and carries the exit code.

    Args:
        what: what is wrong, in a few words.
        where: the file, key or option it is wrong in.
        way_out: what the user can do about it.
    """

    exit_code = 2

    def __init__(self, what: str, where: str = "", way_out: str = "") -> None:
        self.what = what
        self.where = where
        self.way_out = way_out
        super().__init__(": ".join(part for part in (where, what) if part) + (f" ({way_out})" if way_out else ""))


class InputError(ResettleError):
    """A delivery cannot be read at all: no such file, a truncated archive, an unknown format."""


class StoreError(ResettleError):
    """An object store cannot be reached, refuses, or is none that is known here."""


class FilingError(ResettleError):
    """A filing cannot be loaded or contradicts another one."""


class LakeError(ResettleError):
    """The lake folder is not a lake, is in use, or does not fit its manifest."""


class CheckError(ResettleError):
    """A check file is malformed or its SQL does not run."""


class CaseError(ResettleError):
    """A case file is not whole, or was changed after it was made."""


class PublishedError(ResettleError):
    """The night was published, and something that comes after it did not come about."""

    exit_code = 3


class UntrustworthyError(ResettleError):
    """The night was published and is not to be trusted: engines disagree, books do not balance, a check failed."""

    exit_code = 3

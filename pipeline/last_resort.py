"""What is said when something happens that nobody foresaw: one line for the user, the whole story in a file for who mends it."""

from __future__ import annotations

import errno
import os
import tempfile
import traceback
from pathlib import Path
from typing import Final

import duckdb
from polars.exceptions import PanicException

from pipeline.core.errors import ResettleError

UNFORESEEN: Final = (Exception, PanicException)
"""A panic of Polars is no ``Exception``."""

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_SAYS_FULL: Final = tuple(os.strerror(code).lower() for code in sorted(_FULL))
_OURS: Final = (f"{os.sep}pipeline{os.sep}", f"{os.sep}flows{os.sep}")
_WHOLE: Final = "the lake holds its last whole state"


def in_words(error: BaseException) -> ResettleError:
    """An error that no one foresaw as one that says what, where and the way out.

    What it was in full, which may quote the data, goes into a new file that only this user can read.
    """
    if isinstance(error, ResettleError):
        return error
    if _is_full(error):
        return ResettleError(
            "the disk is full, or a file may not grow so large", _file_of(error), f"make room and run this again; {_WHOLE}"
        )
    if isinstance(error, MemoryError | duckdb.OutOfMemoryException):
        return ResettleError("there is not enough memory", _place(error), f"free some and run this again; {_WHOLE}")
    told = _kept(error)
    if isinstance(error, OSError) and error.strerror:
        return ResettleError(error.strerror.lower(), _file_of(error), f"see to it and run this again; {_WHOLE}; {told}")
    what = f"a fault of resettle itself, {type(error).__name__}"
    return ResettleError(what, _place(error), f"{_WHOLE}; report this; {told}")


def _is_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno in _FULL
    # What the engines raise carries the system's words, and no number.
    return any(words in str(error).lower() for words in _SAYS_FULL)


def _file_of(error: BaseException) -> str:
    named = getattr(error, "filename", None)
    return str(named) if named else _place(error)


def _place(error: BaseException) -> str:
    """The innermost line of ours that the error came through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if any(part in frame.filename for part in _OURS)]
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def _kept(error: BaseException) -> str:
    try:
        handle, name = tempfile.mkstemp(prefix="resettle-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(traceback.format_exception(error))
    except OSError as full:
        return f"details could not be kept: {full.strerror}"
    return f"details: {name}"

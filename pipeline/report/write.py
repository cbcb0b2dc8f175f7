"""Putting a report into a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.core.errors import PublishedError, ResettleError
from pipeline.lake import disk
from pipeline.report import html, json

_ANOTHER = "name another folder with --report"

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.report.model import Report


def demand_folder(folder: Path) -> None:
    """Sees that a report can be written into a folder, which is made where there is none.

    Raises:
        ResettleError: it cannot.
    """
    try:
        probe = folder / ".report.part"
        disk.write(probe, b"")
        probe.unlink()
    except OSError as error:
        raise ResettleError(f"a report cannot be written here: {error.strerror}", str(folder), _ANOTHER) from error


def write_report(report: Report, folder: Path) -> Path:
    """Writes ``report.html`` and ``report.json``, each in one step, over older ones.

    Args:
        report: what to say.
        folder: where to; it is made where there is none.

    Returns:
        The path of the page.

    Raises:
        PublishedError: the folder cannot be written to any more.
    """
    page = folder / "report.html"
    try:
        for path, content in ((folder / "report.json", json.render(report)), (page, html.render(report).encode())):
            with disk.beside(path) as part:
                disk.write(part, content)
    except OSError as error:
        what = f"the night was published, and its report cannot be written: {error.strerror}"
        raise PublishedError(what, str(folder), f"{_ANOTHER} and run this again") from error
    return page

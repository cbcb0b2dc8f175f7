"""Putting a report into a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.core.errors import ResettleError
from pipeline.lake import disk
from pipeline.report import html, json

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.report.model import Report


def write_report(report: Report, folder: Path) -> Path:
    """Writes ``report.html`` and ``report.json``, each in one step, over older ones.

    Args:
        report: what to say.
        folder: where to; it is made where there is none.

    Returns:
        The path of the page.

    Raises:
        ResettleError: the folder cannot be written to.
    """
    page = folder / "report.html"
    try:
        for path, content in ((folder / "report.json", json.render(report)), (page, html.render(report).encode())):
            beside = path.with_name(f".{path.name}.part")
            disk.write(beside, content)
            disk.move(beside, path)
    except OSError as error:
        raise ResettleError(f"the report cannot be written: {error.strerror}", str(folder), "name another folder with --report") from error
    return page

"""The report as one HTML file that needs nothing but itself."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, StrictUndefined, Template

from pipeline.report.wording import STATE_WORDS, amount, answers, count, incidents_in_all, visible

if TYPE_CHECKING:
    from pipeline.report.model import Report


def render(report: Report) -> str:
    """The page. Whatever stands in the log is escaped, and the page loads nothing from anywhere."""
    said = {"answers": answers(report), "state_words": STATE_WORDS, "incidents_in_all": incidents_in_all(report)}
    return template("pipeline.report", "report.html.j2").render(report=report, **said)


@cache
def template(package: str, name: str) -> Template:
    """A page's template: it escapes what it shows, refuses what is not there, and knows the words of reports.

    Args:
        package: the package whose folder ``templates`` holds it.
        name: its file.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(amount=amount, count=count, visible=visible)
    return environment.from_string(files(package).joinpath("templates", name).read_text(encoding="utf-8"))

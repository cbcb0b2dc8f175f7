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
    return _template().render(report=report, **said)


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(amount=amount, count=count, visible=visible)
    return environment.from_string(files("pipeline.report").joinpath("templates", "report.html.j2").read_text(encoding="utf-8"))

"""The report as one HTML file that needs nothing but itself."""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from pipeline.core.money import amount
from pipeline.report.behaviour_parts import ODD
from pipeline.report.charts import card_chart, history_charts, line_chart
from pipeline.report.parts import ENOUGH_NIGHTS
from pipeline.report.wording import (
    STATE_WORDS,
    answers,
    count,
    how_hold_comes_about,
    in_words,
    incidents_in_all,
    number_of,
    probability_of,
    subject_of,
    test_of,
    visible,
)

if TYPE_CHECKING:
    from datetime import date

    from pipeline.report.model import Report
    from pipeline.report.parts import Figure

_SECTIONS: Final = (
    ("complete", "Is the night complete?"),
    ("money", "Is the money right?"),
    ("wrong", "What went wrong?"),
    ("changes", "What changed?"),
    ("game", "Is the game behaving?"),
    ("unchecked", "What was not checked?"),
    ("again", "How to get the same again"),
)
"""Template and heading of each section, in the order in which an officer asks."""


def render(report: Report) -> str:
    """The page. Whatever stands in the log is escaped, and the page loads nothing from anywhere."""
    return template("pipeline.report", "report.html.j2").render(
        report=report,
        sections=_SECTIONS,
        answers=answers(report),
        studios=_by_studio(report),
        state_words=STATE_WORDS,
        hold_lines=how_hold_comes_about(report),
        enough_nights=ENOUGH_NIGHTS,
        odd=ODD,
        incidents_in_all=incidents_in_all(report),
        subject_of=subject_of,
        number_of=number_of,
        history_charts=history_charts,
        line_chart=line_chart,
        card_chart=card_chart,
    )


def _by_studio(report: Report) -> list[tuple[str, date, list[Figure]]]:
    return [(*key, list(found)) for key, found in groupby(report.figures, lambda figure: (figure.studio_id, figure.gaming_day))]


@cache
def template(package: str, name: str) -> Template:
    """A page's template: it escapes what it shows, refuses what is not there, and knows the words of reports.

    Args:
        package: the package whose folder ``templates`` holds it and what it includes.
        name: its file.
    """
    environment = Environment(
        loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(amount=amount, count=count, visible=visible)
    environment.filters.update(in_words=in_words, probability=probability_of, test_of=test_of)
    return environment.get_template(name)

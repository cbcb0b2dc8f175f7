"""Charts of the report's figures as inline SVG, each with its alternative text, drawn by Vega-Lite without a browser or a network.

The library is loaded with the first chart, since only the page needs it. A chart draws numbers that stand in the model: amounts become
floats only where they become pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from pipeline.core.cards import RANKS
from pipeline.report.behaviour_parts import ODD
from pipeline.report.wording import count, number_of, subject_of, test_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.report.behaviour_parts import CardCount, LineTest
    from pipeline.report.parts import Figure

VEGA_LITE: Final = "v6.1"

_INK, _SOFT, _LINE, _MUTED, _STRONG, _BAD = "#1b1b1f", "#55555f", "#d5d5dc", "#a3b8d9", "#1d4ed8", "#9b1c1c"
_SUIT_NAMES: Final = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
_SEVERITY_COLOURS: Final = {"critical": "#7f1d1d", "high": "#c2410c", "medium": "#eab308", "info": "#cbd5e1"}
_CONFIG: Final[dict[str, Any]] = {
    "font": "Arial, Helvetica, sans-serif",
    "background": None,
    "view": {"stroke": None},
    "axis": {
        "labelColor": _INK, "titleColor": _INK, "labelFontSize": 12, "titleFontSize": 12, "gridColor": _LINE, "domainColor": _SOFT,
        "tickColor": _SOFT,
    },
    "legend": {"labelColor": _INK, "labelFontSize": 12, "titleFontSize": 12, "orient": "top", "title": None},
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart.

    Attributes:
        caption: what it shows.
        svg: the picture, with its alternative text inside.
    """

    caption: str
    svg: Markup


def history_charts(figures: Sequence[Figure], currencies: int = 3) -> list[Chart]:
    """A studio's nights: rounds, findings by severity, and handle and hold of its first currencies; none where no night stands before.

    Args:
        figures: of one studio.
        currencies: how many currencies to draw.
    """
    drawn = []
    by_subject = {subject: [one for one in figures if one.subject == subject and one.before] for subject in ("rounds", "handle", "hold")}
    drawn += [_bars(one) for one in by_subject["rounds"]]
    severities = [one for one in figures if one.subject == "severity" and one.before]
    if severities:
        drawn.append(_stacked(severities))
    largest = sorted(by_subject["handle"], key=lambda one: (-sum(value > 0 for _, value in one.before), one.currency or ""))[:currencies]
    for handle in largest:
        drawn.append(_bars(handle))
        drawn += [_line(one) for one in by_subject["hold"] if one.currency == handle.currency]
    return drawn


def line_chart(tests: Sequence[LineTest]) -> list[Chart]:
    """How far each line of a studio lies from what was to be expected, in standard deviations; none where nothing was tested."""
    shown = [test for test in tests if test.expected >= 1]
    if not shown:
        return []
    values = [{"line": test_of(test), "deviation": test.deviation, "odd": test.adjusted < ODD} for test in shown]
    far = max(4.0, *(abs(test.deviation) for test in shown))
    colour = {"condition": {"test": "datum.odd", "value": _BAD}, "value": _STRONG}
    across = {
        "field": "deviation",
        "type": "quantitative",
        "title": "standard deviations from the expected number",
        "scale": {"domain": [-far, far]},
    }
    down = {"field": "line", "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 260, "grid": True}}
    layers = [
        {"mark": {"type": "rule", "color": _SOFT}, "encoding": {"x": {"datum": 0, "type": "quantitative"}}},
        {"mark": {"type": "point", "filled": True, "size": 70, "opacity": 1}, "encoding": {"x": across, "y": down, "color": colour}},
    ]
    farthest = max(shown, key=lambda test: abs(test.deviation))
    told = f"{count(len(shown), 'line')} expected at least once; farthest is {test_of(farthest)}, {farthest.deviation:+.1f}"
    spec = {"data": {"values": values}, "layer": layers}
    return [_drawn("Payout lines, seen beside expected; red stands out", told, spec, width=560, height=20 * len(shown))]


def card_chart(counts: Sequence[CardCount]) -> list[Chart]:
    """The 52 cards of players' hands, each coloured by how far it lies from its expected number; none where too few were dealt."""
    if not counts:
        return []
    values = [{"rank": one.card[0].replace("T", "10"), "suit": _SUIT_NAMES[one.card[1]], "deviation": one.deviation} for one in counts]
    scale = {"domain": [-4, 0, 4], "range": ["#1d4ed8", "#f4f4f7", "#9b1c1c"], "clamp": True}
    place = {
        "x": {
            "field": "rank",
            "type": "ordinal",
            "sort": [rank.replace("T", "10") for rank in RANKS],
            "title": None,
            "axis": {"labelAngle": 0},
        },
        "y": {"field": "suit", "type": "ordinal", "sort": list(_SUIT_NAMES.values()), "title": None},
    }
    layers = [
        {
            "mark": {"type": "rect", "stroke": "#fff"},
            "encoding": {**place, "color": {"field": "deviation", "type": "quantitative", "scale": scale, "legend": None}},
        },
        {
            "mark": {"type": "text", "fontSize": 11},
            "encoding": {
                **place,
                "text": {"field": "deviation", "type": "quantitative", "format": "+.1f"},
                "color": {"condition": {"test": "abs(datum.deviation) > 2.2", "value": "#ffffff"}, "value": _INK},
            },
        },
    ]
    most = max(counts, key=lambda one: abs(one.deviation))
    told = (
        f"farthest is {most.card}, {most.seen:,} times where {most.expected:,.1f} were expected ({most.deviation:+.1f} standard deviations)"
    )
    spec = {"data": {"values": values}, "layer": layers}
    return [_drawn("Cards in players' hands, standard deviations from the expected number", told, spec, width=560, height=130)]


def _caption(figure: Figure) -> str:
    told = subject_of(figure)
    return f"{told[0].upper()}{told[1:]}, night by night; this night dark"


def _bars(figure: Figure) -> Chart:
    caption = _caption(figure)
    encoding = {
        "x": _NIGHTS,
        "y": _upwards(),
        "color": {"condition": {"test": "datum.tonight", "value": _STRONG}, "value": _MUTED},
    }
    return _drawn(caption, _told(figure), {"data": {"values": _points(figure)}, "mark": "bar", "encoding": encoding})


def _line(figure: Figure) -> Chart:
    caption = _caption(figure)
    points = {"condition": {"test": "datum.tonight", "value": _STRONG}, "value": _MUTED}
    layers = [
        {"mark": {"type": "line", "color": _MUTED}},
        {"mark": {"type": "point", "filled": True, "size": 45, "opacity": 1}, "encoding": {"color": points}},
    ]
    spec = {"data": {"values": _points(figure)}, "encoding": {"x": _NIGHTS, "y": _upwards(zero=False)}, "layer": layers}
    return _drawn(caption, _told(figure), spec)


def _stacked(severities: Sequence[Figure]) -> Chart:
    order = list(_SEVERITY_COLOURS)
    values = [{**point, "severity": one.name, "rank": order.index(one.name or "info")} for one in severities for point in _points(one)]
    scale = {"domain": order, "range": list(_SEVERITY_COLOURS.values())}
    encoding = {
        "x": _NIGHTS, "y": _upwards(), "color": {"field": "severity", "type": "nominal", "scale": scale},
        "order": {"field": "rank", "type": "quantitative"},
    }  # fmt: skip
    told = "; ".join(f"{one.name} {number_of(one, one.value)}, before {number_of(one, one.lowest)} to {number_of(one, one.highest)}"
                     for one in severities)  # fmt: skip
    return _drawn("Findings by severity, night by night", told, {"data": {"values": values}, "mark": "bar", "encoding": encoding})


_NIGHTS: Final = {
    "field": "night", "type": "ordinal", "sort": "ascending", "title": None,
    "axis": {"labelAngle": 0, "labelOverlap": "greedy", "labelSeparation": 12, "labelExpr": "slice(datum.label, 5)"},
}  # fmt: skip
"""The nights by their whole date, which orders them across a New Year; the axis shows month and day."""


def _upwards(*, zero: bool = True) -> dict[str, Any]:
    return {
        "field": "value", "type": "quantitative", "title": None, "scale": {"zero": zero}, "axis": {"tickCount": 4, "format": "~s"},
    }  # fmt: skip


def _points(figure: Figure) -> list[dict[str, Any]]:
    told = [*figure.before, *([(figure.gaming_day, figure.value)] if figure.value is not None else [])]
    return [{"night": day.isoformat(), "value": float(value), "tonight": day == figure.gaming_day} for day, value in told]


def _told(figure: Figure) -> str:
    before = f"{number_of(figure, figure.lowest)} to {number_of(figure, figure.highest)} on the {count(len(figure.before), 'night')} before"
    return f"{number_of(figure, figure.value)} on {figure.gaming_day}; {before}"


def _drawn(caption: str, told: str, spec: dict[str, Any], width: int = 330, height: int = 130) -> Chart:
    """Draw a specification; the alternative text is its caption and what the picture tells."""
    import vl_convert  # noqa: PLC0415  (a second of its own, and only for the page)

    sized = {"width": width - 60, "height": height, "autosize": {"type": "pad"}, "config": _CONFIG, **spec}
    svg = vl_convert.vegalite_to_svg(sized, vl_version=VEGA_LITE, allowed_base_urls=[])
    named = Markup('<svg role="img" aria-label="{}" ').format(f"{caption}: {told}.")
    return Chart(caption, named + Markup(svg.removeprefix("<svg ")))  # noqa: S704  (the library escapes what it writes)

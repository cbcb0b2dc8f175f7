"""A round's times drawn to scale: where each mark stands in the picture. The template only draws it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.explain.story import Event

WIDTH: Final = 1000
_LEFT, _RIGHT, _TOP, _LANE = 150, 20, 84, 30
_CONTROL: Final = {
    "opened": "opened",
    "bets_closed": "bets closed",
    "dealer_revealed": "revealed",
    "verified": "verified",
    "posted": "posted",
    "voided": "voided",
}
_LABEL: Final = 96
"""Pixels that a control point's label takes, with its clock."""

_STEPS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 86400)
_MOST_TICKS: Final = 12
_MOST_PEOPLE: Final = 12


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark in a lane: what it is (``card_read``, ``wager_placed``, ``decided``, ``paid``), where, and what it says."""

    event: str
    x: float
    y: float
    told: str


@dataclass(frozen=True, slots=True)
class Control:
    """A control point: a line through all lanes with its label on one of three rows."""

    x: float
    row: int
    name: str
    clock: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A line of its own: the table, a hand or a player."""

    y: float
    name: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """The picture.

    Attributes:
        height: in pixels, of ``WIDTH`` in width.
        lanes, controls, marks: what is drawn; of marks that would cover one another, the first.
        ticks: place and label of the scale's ticks, in seconds from the first event.
        outside: what happened so much later that the scale would show nothing else; in words.
    """

    height: float
    lanes: list[Lane]
    controls: list[Control]
    marks: list[Mark]
    ticks: list[tuple[float, str]]
    outside: list[str]

    @property
    def axis(self) -> float:
        """Where the scale is drawn."""
        return self.height - 24


def clock(at: datetime) -> str:
    """A time of day in UTC to the millisecond."""
    return f"{at:%H:%M:%S}.{at.microsecond // 1000:03d}"


def draw(events: Sequence[Event]) -> Timeline | None:
    """The picture of a round's events; None where fewer than two are dated.

    Payments and voids that come later than twice the round's own length are named, not drawn: to scale, they would leave no room for it.
    """
    core = [one.at for one in events if one.event not in {"paid", "voided"}] or [one.at for one in events]
    if len({one.at for one in events}) < 2:
        return None
    first, last = min(core), max(core)
    limit = last + max(last - first, timedelta(seconds=1))
    shown = [one for one in events if first - (limit - last) <= one.at <= limit]
    first, last = min(one.at for one in shown), max(one.at for one in shown)
    span = max((last - first).total_seconds(), 0.001)

    def x(at: datetime) -> float:
        return round(_LEFT + (at - first).total_seconds() / span * (WIDTH - _LEFT - _RIGHT), 1)

    names = _lane_names(shown)
    lanes = [Lane(_TOP + number * _LANE, name) for number, name in enumerate(dict.fromkeys(names.values()))]
    heights = {lane.name: lane.y for lane in lanes}
    placed: dict[tuple[str, int, float], Mark] = {}
    for one in shown:
        if one.event not in _CONTROL:
            mark = Mark(one.event, x(one.at), heights[names[_key(one)]], f"{clock(one.at)} {one.what}")
            placed.setdefault((mark.event, round(mark.x), mark.y), mark)
    ticks = [(x(first + timedelta(seconds=offset)), f"{offset:g} s") for offset in _ticks(span)]
    outside = [f"{one.at:%Y-%m-%d} {clock(one.at)}: {one.what}" for one in events if one not in shown]
    return Timeline(
        _TOP + len(lanes) * _LANE + 34,
        lanes,
        _controls([one for one in shown if one.event in _CONTROL], x),
        [*placed.values()],
        ticks,
        outside,
    )


def _controls(points: Sequence[Event], x: Callable[[datetime], float]) -> list[Control]:
    """The control points, each label on the first row where it covers no other."""
    ends = [float("-inf")] * 3
    found = []
    for one in sorted(points, key=lambda each: each.at):
        at = x(one.at)
        row = next((number for number, end in enumerate(ends) if end <= at), min(range(3), key=lambda number: ends[number]))
        ends[row] = at + _LABEL
        found.append(Control(at, row, _CONTROL[one.event], clock(one.at)))
    return found


def _key(one: Event) -> tuple[str, str | None, str | None]:
    return ("hand", one.hand_id, None) if one.event == "card_read" else ("player", one.operator_id, one.player_id)


def _lane_names(events: Sequence[Event]) -> dict[tuple[str, str | None, str | None], str]:
    """Each hand's and player's lane; of many players, all but the first share one."""
    keys = sorted(
        {_key(one) for one in events if one.event not in _CONTROL}, key=lambda key: (key[0], key[1] != "dealer", key[1] or "", key[2] or "")
    )
    people = [key for key in keys if key[0] == "player"]
    alone = {*people} if len(people) <= _MOST_PEOPLE else {*people[: _MOST_PEOPLE - 1]}
    others = f"{len(people) - len(alone)} other players"
    hands = {key: "dealer's cards" if key[1] == "dealer" else f"cards of {key[1] or 'no hand'}" for key in keys if key[0] == "hand"}
    return hands | {key: f"{key[2] or 'no player named'}" if key in alone else others for key in people}


def _ticks(span: float) -> list[float]:
    step = next((one for one in _STEPS if span / one <= _MOST_TICKS), span / _MOST_TICKS)
    return [round(step * number, 3) for number in range(int(span / step) + 1)]

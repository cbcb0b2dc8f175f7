from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pipeline.case.timeline import WIDTH, draw
from pipeline.explain.story import Event

START = datetime(2026, 11, 3, 15, tzinfo=UTC)


def event(name: str, seconds: float, player: str | None = None, hand: str | None = None) -> Event:
    return Event(
        at=START + timedelta(seconds=seconds), event=name, hand_id=hand, operator_id="op-1", player_id=player, what=f"{name} {seconds}"
    )


ROUND = [
    event("opened", 0), event("wager_placed", 5, "p1"), event("bets_closed", 10), event("card_read", 11, hand="H1"),
    event("card_read", 20, hand="dealer"), event("verified", 20), event("posted", 20.1), event("paid", 25, "p1"),
]  # fmt: skip


def test_places_are_to_scale() -> None:
    drawn = draw(ROUND)
    assert drawn is not None
    at = {mark.told.rpartition(" ")[2]: mark.x for mark in drawn.marks} | {one.name: one.x for one in drawn.controls}
    second = (at["25"] - at["opened"]) / 25
    assert all(abs(at[name] - at["opened"] - second * seconds) < 0.2 for name, seconds in (("5", 5), ("bets closed", 10), ("20", 20)))
    assert [label for _, label in drawn.ticks][:3] == ["0 s", "5 s", "10 s"]
    assert max(mark.x for mark in drawn.marks) < WIDTH


def test_each_hand_and_player_has_a_lane_and_the_dealer_comes_first() -> None:
    drawn = draw(ROUND)
    assert drawn is not None
    assert [lane.name for lane in drawn.lanes] == ["dealer's cards", "cards of H1", "p1"]
    assert len({lane.y for lane in drawn.lanes}) == 3


def test_labels_at_one_time_stand_on_rows_of_their_own() -> None:
    drawn = draw(ROUND)
    assert drawn is not None
    rows = {one.name: one.row for one in drawn.controls}
    assert rows["verified"] != rows["posted"]


def test_what_comes_much_later_is_named_and_does_not_squeeze_the_rest() -> None:
    drawn = draw([*ROUND, event("paid", 7200, "p1")])
    assert drawn is not None
    assert drawn.controls == draw(ROUND).controls  # type: ignore[union-attr]
    assert drawn.outside == ["2026-11-03 17:00:00.000: paid 7200"]


def test_many_players_share_the_last_lane() -> None:
    drawn = draw([*ROUND, *(event("wager_placed", 6, f"q{number:03}") for number in range(200))])
    assert drawn is not None
    assert len(drawn.lanes) == 2 + 12
    assert drawn.lanes[-1].name == "190 other players"
    assert len([mark for mark in drawn.marks if mark.y == drawn.lanes[-1].y]) == 1


def test_a_round_without_times_is_not_drawn() -> None:
    assert draw([]) is None
    assert draw([event("opened", 0)]) is None

"""Work beside other work keeps its order, passes errors on, and holds no more than it may."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from pipeline.core.overlap import Behind, ahead

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_items_made_ahead_come_in_their_order_and_one_at_a_time() -> None:
    made: list[int] = []

    def items() -> Iterator[int]:
        for number in range(5):
            made.append(number)
            yield number

    for place, number in enumerate(ahead(items())):
        assert number == place
        assert len(made) <= place + 2
    assert made == list(range(5))


def test_an_error_while_an_item_is_made_comes_in_its_place() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("no second item")

    given = ahead(items())
    assert next(given) == 1
    with pytest.raises(ValueError, match="no second item"):
        next(given)


def test_calls_run_behind_in_their_order() -> None:
    done: list[int] = []
    behind = Behind(2)
    for number in range(20):
        behind.call(done.append, number)
    behind.finish()
    assert done == list(range(20))


def test_the_caller_waits_when_too_many_calls_are_due() -> None:
    gate, behind, handed = threading.Event(), Behind(1), threading.Event()

    def hand_over() -> None:
        for _ in range(3):
            behind.call(gate.wait)
        handed.set()

    caller = threading.Thread(target=hand_over)
    caller.start()
    assert not handed.wait(0.05)
    gate.set()
    caller.join()
    behind.finish()
    assert handed.is_set()


def test_an_error_behind_is_raised_at_the_end_at_the_latest() -> None:
    behind = Behind(8)
    with pytest.raises(ValueError, match="invalid literal"):  # noqa: PT012 - the call may be over before the next line
        behind.call(int, "nothing")
        behind.finish()


def test_what_is_dropped_is_not_begun() -> None:
    gate, begun, done, behind = threading.Event(), threading.Event(), list[int](), Behind(8)

    def first() -> None:
        begun.set()
        gate.wait()

    behind.call(first)
    behind.call(done.append, 1)
    begun.wait()
    threading.Timer(0.05, gate.set).start()
    behind.drop()
    assert done == []

"""How the stages of an audit are run, and who is told how far they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

A = TypeVar("A")
B = TypeVar("B")


class Steps(Protocol):
    """One after another here and now, or as tasks of an orchestrator."""

    def one(self, stage: Callable[[A], B], argument: A) -> B:
        """Run a stage."""

    def each(self, stage: Callable[[A], B], arguments: Sequence[A]) -> list[B]:
        """Run a stage for each argument; results in the order of the arguments."""


class InOrder:
    """Runs the stages here and now, one after another."""

    def one(self, stage: Callable[[A], B], argument: A) -> B:
        """Run a stage."""
        return stage(argument)

    def each(self, stage: Callable[[A], B], arguments: Sequence[A]) -> list[B]:
        """Run a stage for each argument."""
        return [stage(argument) for argument in arguments]


class Progress(Protocol):
    """Who is told how far the work is."""

    def read(self, file: str, done: int, size: int) -> None:
        """So many bytes of a file are read, of so many."""

    def settled(self, night: str, wagers: int) -> None:
        """So many more wagers of a night are settled and checked."""


class Unwatched:
    """Nobody is told."""

    def read(self, file: str, done: int, size: int) -> None:
        """So many bytes of a file are read, of so many."""

    def settled(self, night: str, wagers: int) -> None:
        """So many more wagers of a night are settled and checked."""

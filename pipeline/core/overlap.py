"""Work done beside other work in one thread of its own, in its order: the next item made ahead, and what is handed over done behind."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_Item = TypeVar("_Item")
_END: Final = object()


def ahead(items: Iterable[_Item]) -> Iterator[_Item]:
    """The same items in the same order, each made while the one before it is worked on; what making one raises is raised in its place."""
    source = iter(items)
    with ThreadPoolExecutor(1, thread_name_prefix="ahead") as pool:
        waiting = pool.submit(next, source, _END)
        while (item := waiting.result()) is not _END:
            waiting = pool.submit(next, source, _END)
            yield cast("_Item", item)


class Behind:
    """Calls run one after another behind the caller, who waits when too many are due.

    Args:
        most: calls that may wait.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="behind")
        self._waiting: deque[Future[Any]] = deque()

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Hands over a call. What an earlier one raised may be raised here, or by ``finish`` at the latest."""
        self._waiting.append(self._pool.submit(function, *arguments))
        while len(self._waiting) > self._most or (self._waiting and self._waiting[0].done()):
            self._waiting.popleft().result()

    def finish(self) -> None:
        """Waits for every call; more may follow."""
        while self._waiting:
            self._waiting.popleft().result()

    def drop(self) -> None:
        """Drops what has not begun, waits for what has, and takes no more."""
        self._pool.shutdown(cancel_futures=True)

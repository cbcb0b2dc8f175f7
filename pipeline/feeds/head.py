"""What stands first in a file, so that its format can be told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.feeds.blocks import BlockReader, ReadLimits

if TYPE_CHECKING:
    from pathlib import Path

_HEAD: Final = 64 << 10
_TOKEN: Final = re.compile(rb'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}\[\]]')


@dataclass(frozen=True, slots=True)
class Head:
    """What stands first in a file.

    Args:
        name: the file's name.
        data: its first bytes, decompressed, at most 64 kB.
        keys: the keys of the JSON object that stands first, or first in a list; none where none does.
    """

    name: str
    data: bytes
    keys: frozenset[str]


def head_of(path: Path) -> Head:
    """The head of a file.

    Raises:
        InputError: it cannot be opened, or is a corrupt archive.
    """
    data = BlockReader(path, ReadLimits()).head(_HEAD)
    return Head(path.name, data, _first_keys(data.lstrip()))


def _first_keys(head: bytes) -> frozenset[str]:
    depth, keys = 0, set()
    if head[:1] not in {b"{", b"["}:
        return frozenset()
    within = 2 if head[:1] == b"[" else 1
    for token in _TOKEN.finditer(head):
        name, is_key = token[1], token[2]
        if name is not None:
            if is_key and depth == within:
                keys.add(name.decode("utf-8", "replace"))
        elif token[0] in {b"{", b"["}:
            depth += 1
        else:
            depth -= 1
            if depth < within:
                break
    return frozenset(keys)

"""The project's pages as tests read them: their text, their blocks of code, and what stands between these."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_FENCED: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def text(page: str) -> str:
    """A page, named by its path from the root."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, *languages: str) -> list[str]:
    """The fenced blocks of these languages, in order; '' for those that name none."""
    return [block for language, block in _FENCED.findall(text(page)) if language in languages]


def prose(page: str) -> str:
    """A page without its fenced blocks."""
    return _FENCED.sub("", text(page))

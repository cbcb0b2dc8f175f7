"""The mutants that no test can notice, with the argument for each: ``survivors.toml`` beside this."""

from __future__ import annotations

import difflib
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

LIST: Final = Path(__file__).with_name("survivors.toml")


def change(sound: str, mutated: str) -> tuple[str, str]:
    """What differs between two texts, line by line, as one line before and one after, whatever their indentation."""
    old, new = sound.splitlines(), mutated.splitlines()
    blocks = [block for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if block[0] != "equal"]
    was = [line.strip() for _, first, last, _, _ in blocks for line in old[first:last]]
    now = [line.strip() for _, _, _, first, last in blocks for line in new[first:last]]
    return " ".join(was), " ".join(now)


def why(file: str, was: str, now: str) -> str | None:
    """The argument why a change of a file is none, where one is listed."""
    return _listed().get((file, was, now))


@cache
def _listed() -> dict[tuple[str, str, str], str]:
    groups = tomllib.loads(LIST.read_text(encoding="utf-8"))["because"]
    return {(file, was, now): group["why"] for group in groups for file, was, now in group["mutants"]}

"""Limits of reading on the command line."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from pipeline.feeds.blocks import SETTINGS, ReadLimits

if TYPE_CHECKING:
    from click import Context, Parameter

_SAID: Final = re.compile(r"([a-z_]+)=([1-9][0-9]{0,17})(KiB|MiB|GiB)?")
_UNITS: Final = {None: 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

HELP: Final = "Read with another limit than by default; may be repeated. " + "; ".join(
    f"{name}: {meaning} (default {getattr(ReadLimits(), name)})" for name, meaning in SETTINGS.items()
)


def limits_from(ctx: Context, param: Parameter, said: tuple[str, ...]) -> ReadLimits:
    """``line_bytes=16MiB`` and the like as limits; what is not said stays as it is by default."""
    limits = ReadLimits()
    for one in said:
        found = _SAID.fullmatch(one)
        if found is None or found[1] not in SETTINGS:
            raise click.BadParameter(f"{one!r} is none; write NAME=NUMBER, with NAME of {', '.join(SETTINGS)}", ctx, param)
        limits = replace(limits, **{found[1]: int(found[2]) * _UNITS[found[3]]})
    return limits

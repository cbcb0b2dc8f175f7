"""A moment on the command line."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click import Context, Parameter


class Instant(click.ParamType[datetime]):
    """RFC 3339 with an offset: without one, nothing says which moment it is."""

    name = "time"

    def convert(self, value: str | datetime, param: Parameter | None, ctx: Context | None) -> datetime:
        """The text as a time with its zone."""
        if isinstance(value, datetime):
            return value
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no time like 2026-11-05T06:00:00Z", param, ctx)
        if moment.tzinfo is None:
            self.fail(f"{value!r} has no offset; write it like 2026-11-05T06:00:00Z", param, ctx)
        return moment

"""Options that several commands take."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from click import Context, Parameter


class Instant(click.ParamType[datetime]):
    """A moment, as RFC 3339 with an offset: without one, nothing says which moment it is."""

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


PATH: Final = click.Path(path_type=Path)
DAY: Final = click.DateTime(["%Y-%m-%d"])

LAKE: Final = click.option("--lake", type=PATH, required=True, help="The folder that the audit publishes into.")
AS_OF: Final = click.option(
    "--as-of", type=Instant(), metavar="TIME", help="Of what was known then: RFC 3339 with its offset, like 2026-11-05T06:00:00Z."
)
BY: Final = click.option("--by", required=True, help="Who records it.")
PARAMS: Final = click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of the question; may be repeated.")
SOURCE: Final = click.option(
    "--source", "folders", type=PATH, multiple=True, help="Where the source files lie now, where they were moved; may be repeated."
)
OTHER_FILING: Final = click.option("--filing", type=PATH, help="A filing (TOML): say what it would have made due instead.")

FILINGS: Final = click.option("--filings", type=PATH, required=True, help="What the operators filed: a folder of TOML files, or one.")
PROFILE: Final = click.option("--profile", type=PATH, help="How the files differ from the project's formats (TOML).")
CHECKS: Final = click.option("--checks", type=PATH, help="A folder of your own checks, run beside the project's.")
CONTROL_TOTALS: Final = click.option("--control-totals", type=PATH, help="The studio's control totals (CSV).")
ROSTER: Final = click.option("--roster", type=PATH, help="The dealers' roster (CSV).")

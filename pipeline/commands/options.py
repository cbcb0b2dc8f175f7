"""Options that several commands take."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pipeline.asked import fetched_for_now
from pipeline.core.errors import StoreError
from pipeline.core.object_store import Address, Place, place
from pipeline.lake.opening import shown_here

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


class LocalPath(click.ParamType[Path]):
    """A file or folder of this machine."""

    name = "path"

    def convert(self, value: str | Path, param: Parameter | None, ctx: Context | None) -> Path:
        """The text as a path; an address in an object store is none."""
        found = PLACE.convert(value, param, ctx)
        if isinstance(found, Address):
            self.fail(f"{found} lies in an object store, and this must be on this machine", param, ctx)
        return found


class AnyPlace(click.ParamType[Place]):
    """A file or folder of this machine, or of an object store."""

    name = "path"

    def convert(self, value: str | Place, param: Parameter | None, ctx: Context | None) -> Place:
        """The text as a path or an address."""
        try:
            return place(value) if isinstance(value, str) else value
        except StoreError as wrong:
            self.fail(str(wrong), param, ctx)


class BroughtHere(click.ParamType[Path]):
    """A file or folder of this machine; what lies in an object store is here for as long as the command runs."""

    name = "path"

    def convert(self, value: str | Path, param: Parameter | None, ctx: Context | None) -> Path:
        """The text as a path."""
        found = PLACE.convert(value, param, ctx)
        return (ctx or click.get_current_context()).with_resource(fetched_for_now(found)) if isinstance(found, Address) else found


class LakeFolder(click.ParamType[Path]):
    """A lake's folder; of a lake in an object store, its working copy, with all that is current there."""

    name = "path"

    def convert(self, value: str | Path, param: Parameter | None, ctx: Context | None) -> Path:
        """The text as a folder of this machine."""
        found = PLACE.convert(value, param, ctx)
        return shown_here(found) if isinstance(found, Address) else found


PATH: Final = LocalPath()
PLACE: Final = AnyPlace()
LAKE_FOLDER: Final = LakeFolder()
DAY: Final = click.DateTime(["%Y-%m-%d"])

LAKE_HELP: Final = "The folder that the audit publishes into, or its address in an object store, like s3://bucket/lake."
INTO_LAKE: Final = click.option("--lake", type=PLACE, required=True, help=LAKE_HELP)
LAKE: Final = click.option("--lake", type=LAKE_FOLDER, required=True, help=LAKE_HELP)
AS_OF: Final = click.option(
    "--as-of", type=Instant(), metavar="TIME", help="Of what was known then: RFC 3339 with its offset, like 2026-11-05T06:00:00Z."
)
BY: Final = click.option("--by", required=True, help="Who records it.")
PARAMS: Final = click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of the question; may be repeated.")
SOURCE: Final = click.option(
    "--source",
    "folders",
    type=BroughtHere(),
    multiple=True,
    help="Where the source files lie now, where they were moved; may be repeated.",
)
OTHER_FILING: Final = click.option("--filing", type=PATH, help="A filing (TOML): say what it would have made due instead.")

FILINGS: Final = click.option("--filings", type=PLACE, required=True, help="What the operators filed: a folder of TOML files, or one.")
PROFILE: Final = click.option("--profile", type=PLACE, help="How the files differ from the project's formats (TOML).")
CHECKS: Final = click.option("--checks", type=PLACE, help="A folder of your own checks, run beside the project's.")
CONTROL_TOTALS: Final = click.option("--control-totals", type=PLACE, help="The studio's control totals (CSV).")
ROSTER: Final = click.option("--roster", type=PLACE, help="The dealers' roster (CSV).")

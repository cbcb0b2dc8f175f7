"""The answer to ``resettle explain``: a finding, wager or round found in the lake, settled again and told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from pipeline.explain.retold import retell
from pipeline.explain.sources import known_files, raw_records
from pipeline.explain.story import Explanation, Found
from pipeline.explain.subject import find
from pipeline.explain.tell import Teller
from pipeline.lake import open_lake
from pipeline.lake.earlier import Published
from pipeline.lake.layout import checked_root
from pipeline.version import code_version

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import duckdb

    from pipeline.explain.story import RoundStory
    from pipeline.explain.subject import Subject
    from pipeline.filings.submission import Filing


def explain(
    lake: Path,
    named: str,
    *,
    studio_id: str | None = None,
    round_id: str | None = None,
    other: Filing | None = None,
    folders: Sequence[Path] = (),
) -> Explanation:
    """Tell the story of what an id names.

    Args:
        lake: the lake.
        named: a finding's, round's or wager's id.
        studio_id: only of this studio.
        round_id: only in this round.
        other: a filing to settle it under as well.
        folders: where the source files lie now; none: where the audit read them.

    Raises:
        LakeError: there is no lake, or the id names nothing in it, or several things.
    """
    shown = Published(checked_root(lake))
    with open_lake(lake) as con:
        subject = find(con, named, studio_id, round_id)
        finding = None if subject.finding_id is None else _finding(con, subject.finding_id)
        number = shown.number(subject.studio_id, subject.gaming_day)
        story = None
        if subject.round_id is not None and number is not None:
            story = _told(con, shown, subject, other, folders)
        one = shown.chain[number or max(shown.chain)]
        return Explanation(
            what=subject.what,
            asked=named,
            run_id=one.run_id,
            code_version=code_version(),
            published_by=one.code_version,
            finding=finding,
            round=story,
        )


def render(explanation: Explanation) -> bytes:
    """The explanation as one JSON object; ids stand exactly as in the log."""
    return msgspec.json.format(msgspec.json.encode(explanation), indent=2) + b"\n"


def _told(con: duckdb.DuckDBPyConnection, shown: Published, subject: Subject, other: Filing | None, folders: Sequence[Path]) -> RoundStory:
    """The round of the subject, with the wager that it is about alone where it is about one."""
    round_id = str(subject.round_id)
    retold = retell(shown, subject.studio_id, subject.gaming_day, [round_id], other)
    current = retold.chunk.rounds.filter("is_current").select("source_file", "source_line")
    places = dict.fromkeys(current.rows(), round_id)
    known = known_files(con, current["source_file"])
    sources = raw_records(places, known, folders, withheld=shown.key_fingerprint is not None)
    story = Teller(con, retold, other, known, sources).tell(round_id)
    if subject.wager_id is None:
        return story
    return structs.replace(story, wagers=[one for one in story.wagers if one.wager_id == subject.wager_id])


def _finding(con: duckdb.DuckDBPyConnection, finding_id: str) -> Found:
    names = Found.__struct_fields__
    columns = ", ".join("i.message" if name == "incident" else f"f.{name}" for name in names)
    asked = f"SELECT {columns} FROM findings AS f LEFT JOIN incidents AS i USING (studio_id, gaming_day, incident_id) WHERE finding_id = ?"
    row = con.execute(asked, [finding_id]).fetchone()
    return Found(**dict(zip(names, row or (), strict=True)))

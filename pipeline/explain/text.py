"""A story as plain text for a terminal: each step under its name, whatever stands in the log made safe to print."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from pipeline.explain.steps import cause_in_words
from pipeline.report.wording import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.explain.story import Explanation, Source, Step

WIDTH: Final = 100
_NAME: Final = 15
_RAW: Final = 400
"""Characters of a raw record that are printed; all of it stands in the JSON."""


def render(explanation: Explanation) -> str:
    """The explanation, a line feed at its end."""
    return "\n".join(_lines(explanation)) + "\n"


def _lines(explanation: Explanation) -> Iterator[str]:
    story, found = explanation.round, explanation.finding
    if found is not None:
        yield from _paragraph("Asked about", f"finding {found.finding_id}: {found.severity}, {found.check_id}")
    if found is not None and story is None:
        yield from _paragraph("Finding", found.message)
        yield from _paragraph("Cause", cause_in_words(found))
        yield from _paragraph("Round", "It is about no single round that the lake holds.")
    if story is not None:
        yield from _steps(story.steps)
        for wager in story.wagers:
            yield ""
            yield f"Wager {visible(wager.wager_id)}"
            yield from _steps(wager.steps)
        yield ""
        yield from _source(story.source)
    yield from _paragraph(
        "Versions", f"published by {explanation.published_by} in run {explanation.run_id}; told by {explanation.code_version}"
    )


def _steps(steps: list[Step]) -> Iterator[str]:
    for step in steps:
        yield from _paragraph(step.about, step.told)


def _source(source: Source) -> Iterator[str]:
    yield from _paragraph(
        "Read from", f"{source.file}:{source.line}, of the file with SHA-256 {' or '.join(source.file_sha256) or 'unknown'}"
    )
    if source.missing is not None:
        yield from _paragraph("Raw record", source.missing)
    if source.sha256 is not None:
        yield from _paragraph("Raw record", f"{source.bytes:,} bytes at offset {source.byte_offset:,}, SHA-256 {source.sha256}")
        raw = source.raw or "It is not UTF-8."
        yield from _paragraph("", raw if len(raw) <= _RAW else f"{raw[:_RAW]}… (all of it with --json)")


def _paragraph(name: str, told: str) -> Iterator[str]:
    if told:
        indent = " " * (_NAME + 2)
        text = textwrap.fill(visible(told), WIDTH, initial_indent=f"  {name:<{_NAME}}", subsequent_indent=indent, break_on_hyphens=False)
        yield text

"""Which filings stand beside each other: revisions, one gaming day a studio, and no overlap in studio, table, operator and time."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pipeline.filings.submission import Filing

    _Names = Callable[[Filing], Iterable[str]]


def latest_revisions(filings: Iterable[Filing]) -> tuple[list[Filing], list[Filing], list[str]]:
    """The highest revision of each id, what it replaces, and what contradicts.

    Lower revisions are not in force on any day. Two files that mean the same under one id and revision are one filing; two that do not are
    a contradiction.

    Returns:
        The filings that count, those replaced, and a sentence for each contradiction.
    """
    by_id: dict[str, dict[int, Filing]] = defaultdict(dict)
    problems: list[str] = []
    for filing in filings:
        same = by_id[filing.filing_id].setdefault(filing.revision, filing)
        if same.fingerprint != filing.fingerprint:
            problems.append(
                f'{filing.source_file}: filing "{filing.filing_id}" revision {filing.revision} says something else than {same.source_file}'
                " does; a changed filing needs a higher revision"
            )
    latest: list[Filing] = []
    replaced: list[Filing] = []
    for revisions in by_id.values():
        *lower, highest = sorted(revisions)
        latest.append(revisions[highest])
        replaced.extend(revisions[each] for each in lower)
    return latest, replaced, problems


def contradictions(filings: Sequence[Filing]) -> list[str]:
    """A sentence for each pair of filings that govern the same hour of a table, and each studio with two gaming days."""
    problems: list[str] = []
    for studio_id, those in _by(filings, lambda filing: [filing.studio_id]).items():
        first = those[0]
        problems.extend(
            f'{each.source_file}: filing "{each.filing_id}" starts the gaming day of studio "{studio_id}" at {_clock(each)}, '
            f'{first.source_file} ("{first.filing_id}") at {_clock(first)}; all filings of a studio share one gaming day'
            for each in those[1:]
            if each.gaming_day != first.gaming_day
        )
        problems.extend(_overlaps(studio_id, those))
    return problems


def _overlaps(studio_id: str, filings: Sequence[Filing]) -> Iterable[str]:
    reported = set()
    for table, on_table in _by(filings, lambda filing: filing.tables).items():
        for one, other in _pairs_in_time(on_table):
            pair = (one.filing_id, other.filing_id)
            if pair not in reported and _share_operator(one, other):
                reported.add(pair)
                yield (
                    f'{other.source_file}: filing "{other.filing_id}" overlaps "{one.filing_id}" ({one.source_file}): both govern '
                    f'studio "{studio_id}", table "{table}", {_shared_operators(one, other)}, {_shared_time(one, other)}; '
                    "end one with effective_to"
                )


def _by(filings: Iterable[Filing], names: _Names) -> dict[str, list[Filing]]:
    groups: dict[str, list[Filing]] = defaultdict(list)
    for filing in filings:
        for name in names(filing):
            groups[name].append(filing)
    return dict(sorted(groups.items()))


def _pairs_in_time(filings: Sequence[Filing]) -> Iterable[tuple[Filing, Filing]]:
    ordered = sorted(filings, key=lambda filing: (filing.effective_from, filing.filing_id))
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if one.effective_to is not None and other.effective_from > one.effective_to:
                break
            yield one, other


def _share_operator(one: Filing, other: Filing) -> bool:
    return one.operators is None or other.operators is None or not set(one.operators).isdisjoint(other.operators)


def _shared_operators(one: Filing, other: Filing) -> str:
    if one.operators is None and other.operators is None:
        return "every operator"
    shared = sorted(set(one.operators or other.operators or ()) & set(other.operators or one.operators or ()))
    return f"operator {', '.join(shared)}"


def _shared_time(one: Filing, other: Filing) -> str:
    ends = [each.effective_to for each in (one, other) if each.effective_to is not None]
    start = max(one.effective_from, other.effective_from)
    return f"gaming days {start} to {min(ends)}" if ends else f"gaming days from {start} on"


def _clock(filing: Filing) -> str:
    minutes = filing.gaming_day.starts_at_minutes
    return f"{minutes // 60:02}:{minutes % 60:02} {filing.gaming_day.timezone}"

"""What a lake has not, or not as it would come out today: the files that a backfill has to read, and the nights that it has to judge again.

- A file is read where no run of this version, with the same profile, limits and start of the gaming day, has read it whole.
- A night that rests on files which were read so is judged again, as it stands in the lake, where it was judged by other checks, another
  version, other control totals or roster, or where the filings of its studio that are in force on that day are others now.

All else is current, and left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from pipeline.lake import versions
from pipeline.lake.filed import filings_with
from pipeline.lake.manifest import inputs_of
from pipeline.version import code_version

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from pipeline.filings.load import Filings
    from pipeline.filings.submission import Filing
    from pipeline.lake.earlier import Published
    from pipeline.lake.manifest import Manifest
    from pipeline.reconcile.checks import CheckSet
    from pipeline.reopened import Night

_JUDGED_WITH: Final = ("control_totals", "roster")
"""The options of a run that decide what is found, and not what is read."""


@dataclass(frozen=True, slots=True)
class Behind:
    """What is to be done.

    Attributes:
        files: names of the files to read.
        nights: the nights to judge again as they stand in the lake, beside those of these files.
    """

    files: frozenset[str]
    nights: tuple[Night, ...] = ()


class Today:
    """What a run would rest on now.

    Args:
        lake: the lake.
        filings: the filings.
        checks: the checks.
        options: the options that decide a run (``audit.deciding``).
        gaming_day: the one day that is asked for.
    """

    def __init__(
        self, lake: Published, filings: Filings, checks: CheckSet, options: Mapping[str, str], gaming_day: date | None = None
    ) -> None:
        self._lake = lake
        self._filings = filings
        self._checks = checks
        self._options = options
        self._gaming_day = gaming_day
        self._filed: dict[str, tuple[Filing, ...]] = {}
        chain = [one for _, one in sorted(lake.chain.items())]
        self._readers = {file: one for one in chain if not one.retried for file in inputs_of(one)}

    def behind(self, given: Mapping[str, str], together: Sequence[Collection[str]]) -> Behind:
        """What is behind in the lake.

        Args:
            given: name to SHA-256 of the files of the deliveries.
            together: the names of those that are read together or not at all.
        """
        rests = {night: self._sources(night) for night in self._partitions}
        studios = {name: {studio for (studio, _), on in rests.items() if name in on} for name in given}
        late = {name for name, sha256 in given.items() if not self._is_read(name, sha256, studios[name])}
        late |= {name for names in together if late & set(names) for name in names}
        read = given.keys() - late
        nights = [night for night, on in rests.items() if on & read and not on & late and not self._is_judged(night)]
        return Behind(frozenset(late), tuple(night for night in nights if self._gaming_day in {None, night[1]}))

    @property
    def _partitions(self) -> Iterable[Night]:
        return [(key.studio_id, key.gaming_day) for key in self._lake.state.partitions] if self._lake.state else []

    def _sources(self, night: Night) -> set[str]:
        """The files that the rounds of a night come from; of a night without a round, which nothing is said of, none."""
        facts = self._lake.facts(*night)
        return set(facts.source_files) if facts and "rounds" in facts.tables and facts.tables["rounds"].rows else set()

    def _is_read(self, name: str, sha256: str, studios: Collection[str]) -> bool:
        last = self._readers.get((name, sha256))
        if last is None or not _is_this(last) or last.gaming_day not in {None, self._gaming_day}:
            return False
        before = {filing.studio_id: filing.gaming_day for filing in self._filings_of(last)}
        same_days = all(before.get(studio) == self._filings.gaming_days.get(studio) for studio in studios)
        return same_days and _options(last.options, read=True) == _options(self._options, read=True)

    def _is_judged(self, night: Night) -> bool:
        one = self._lake.chain[self._lake.number(*night) or 0]
        if not _is_this(one) or one.checks_fingerprint != self._checks.fingerprint:
            return False
        same_filings = _in_force(self._filings_of(one), night) == _in_force(self._filings.submissions, night)
        return same_filings and _options(one.options, read=False) == _options(self._options, read=False)

    def _filings_of(self, one: Manifest) -> tuple[Filing, ...]:
        if one.filings_fingerprint not in self._filed:
            self._filed[one.filings_fingerprint] = tuple(filings_with(self._lake, one.number))
        return self._filed[one.filings_fingerprint]


def _is_this(one: Manifest) -> bool:
    return (one.code_version, one.versions) == (code_version(), versions())


def _options(options: Mapping[str, str], *, read: bool) -> dict[str, str]:
    return {name: said for name, said in options.items() if (name in _JUDGED_WITH) is not read}


def _in_force(filings: Iterable[Filing], night: Night) -> set[str]:
    studio, day = night
    return {
        one.fingerprint
        for one in filings
        if one.studio_id == studio and one.effective_from <= day <= (date.max if one.effective_to is None else one.effective_to)
    }

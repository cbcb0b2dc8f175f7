"""Rounds that were settled again, put into stories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl
from msgspec import structs

from pipeline.explain.steps import round_steps, wager_steps
from pipeline.explain.story import (
    Account,
    Booking,
    Event,
    Found,
    Hand,
    Instead,
    Reading,
    RoundStory,
    Said,
    Source,
    Void,
    WagerStory,
    from_row,
)
from pipeline.explain.words import arithmetic, bonus_arithmetic, cards_in_words, hand_in_words, reason_in_words, stamp
from pipeline.settle.agreement import COMPARED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import duckdb

    from pipeline.explain.retold import Retold
    from pipeline.explain.sources import Found as FoundSources
    from pipeline.explain.sources import SourceFile
    from pipeline.filings.submission import Filing

Row = dict[str, Any]

_CLOCKS = ("opened_at", "bets_closed_at", "dealer_revealed_at", "verified_at", "posted_at")
_TIMES = ("placed_at", "placed_at_digits", "paid_at", "paid_at_digits")
_SAID = tuple(name for name in COMPARED if name != "filing_no")


class Teller:
    """Tells the rounds of one studio and gaming day.

    Args:
        con: the lake.
        retold: the rounds, settled again.
        other: the filing that they were settled under as well.
        known: what is on record of the files that they were read from.
        sources: what was found of those files.
    """

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        retold: Retold,
        other: Filing | None,
        known: Mapping[str, Sequence[SourceFile]],
        sources: FoundSources,
    ) -> None:
        self._retold = retold
        self._other = other
        self._known = known
        self._sources = sources
        chunk = retold.chunk
        self._rounds = {row["round_id"]: row for row in chunk.rounds.filter("is_current").iter_rows(named=True)}
        self._tellings = dict(chunk.rounds.group_by("round_id").len().iter_rows())
        self._lines = {(row["filing_no"], row["kind"], row["line"]): row for row in retold.filed.lines.iter_rows(named=True)}
        self._wagers = _wager_rows(retold)
        self._timeline = _timeline(con, self._rounds)
        self._incidents = _incidents(con, retold.published["findings"])

    def tell(self, round_id: str) -> RoundStory:
        """One round."""
        row = self._rounds[round_id]
        accounts = [self._account(one) for one in _of(self._retold.published["reconciliation"], round_id)]
        findings = [
            from_row(Found, one, incident=self._incidents.get(one["incident_id"]))
            for one in _of(self._retold.published["findings"], round_id)
        ]
        hands = list(self._hands(row["round_key"]))
        rows = self._wagers.filter(round_id=round_id).to_dicts()
        wagers = [self._wager(one, rows, hands, accounts, findings) for one in rows]
        void = None
        if row["has_void"]:
            at = stamp(row["void_at"], None)
            void = Void(reason=row["void_reason"], authorised_by=row["void_authorised_by"], at=at, scope=row["void_scope"])
        story = from_row(
            RoundStory,
            row,
            **_stamps(row, *_CLOCKS),
            tellings=self._tellings[round_id],
            void=void,
            hands=hands,
            wagers=wagers,
            accounts=accounts,
            findings=[one for one in findings if one.wager_id is None],
            timeline=self._timeline.get(round_id, []),
            source=self.source(row["source_file"], row["source_line"]),
            steps=[],
        )
        return structs.replace(story, steps=round_steps(story))

    def source(self, file: str, line: int) -> Source:
        """A record that rows of the lake were read from."""
        record = self._sources.records.get((file, line))
        if record is None:
            digests = [one.sha256 for one in self._known.get(file, ())]
            missing = self._sources.missing.get(file, f"{file} is a table: its rows are no lines, and it is evidence whole")
            return Source(file=file, line=line, file_sha256=digests, missing=missing)
        try:
            text = record.raw.decode()
        except UnicodeDecodeError:
            text = None
        return Source(
            file=file, line=line, file_sha256=[record.file_sha256], byte_offset=record.byte_offset, bytes=len(record.raw),
            sha256=record.sha256, raw=text,
        )  # fmt: skip

    def _hands(self, round_key: int) -> Iterator[Hand]:
        chunk = self._retold.chunk
        replaced = set(self._retold.replaced.filter(round_key=round_key)["reading_no"])
        readings = chunk.card_readings.filter((pl.col("round_key") == round_key) & pl.col("is_current")).to_dicts()
        for row in self._retold.hands.filter(round_key=round_key).iter_rows(named=True):
            told = f"{cards_in_words(row['cards'])}: {hand_in_words(row['cards'], row['category'])}"
            if row["distrust"]:
                told = f"{cards_in_words(row['cards'])}: not to be trusted, {reason_in_words(row['distrust'])}"
            read = [_reading(one, replaced) for one in readings if one["hand_key"] == row["hand_key"]]
            yield from_row(Hand, row, told=told if row["cards"] else "no cards", readings=read)

    def _wager(self, row: Row, everyone: list[Row], hands: list[Hand], accounts: list[Account], findings: list[Found]) -> WagerStory:
        kind = "ante_bonus" if row["kind"] == "ante" else row["kind"]
        line = row["line"] if row["kind"] not in {"ante", "play"} else "win"
        price = self._lines.get((row["filing_no"], row["kind"], line))
        bonus = self._lines.get((row["filing_no"], kind, row["line"])) if row["kind"] == "ante" else None
        told = [arithmetic(row, price, self._pool(row, everyone, price)), bonus_arithmetic(row, bonus)]
        mine = tuple(row[name] or "" for name in ("operator_id", "player_id", "currency"))
        story = from_row(
            WagerStory,
            row,
            **_stamps(row, "placed_at", "decided_at", "paid_at"),
            reason=row["settlement_reason"],
            citation=_citation(row),
            arithmetic=" ".join(filter(None, told)),
            polars=from_row(Said, {name: row[f"ours_{name}"] for name in _SAID}),
            sql=from_row(Said, {name: row[f"twin_{name}"] for name in _SAID}),
            findings=[one for one in findings if one.wager_id == row["wager_id"]],
            account=next((one for one in accounts if (one.operator_id, one.player_id, one.currency) == mine), None),
            instead=self._instead(row),
            steps=[],
        )
        return structs.replace(story, steps=wager_steps(story, hands, row))

    def _pool(self, row: Row, everyone: list[Row], price: Row | None) -> Row | None:
        """What the meter held that a line pays a share of, and how many share it."""
        if price is None or price["basis"] != "meter":
            return None
        filed = {one["meter_id"]: one for one in self._retold.filed.meters.filter(filing_no=row["filing_no"]).iter_rows(named=True)}
        meters = self._retold.chunk.meters.filter((pl.col("round_key") == row["round_key"]) & pl.col("is_current")).to_dicts()
        feeding = [one for one in meters if filed.get(one["meter_id"], {}).get("share_of") == row["kind"]]
        meter = next(iter(feeding or [one for one in meters if one["kind"] == row["kind"]]), None)
        if meter is None or meter["before"] is None:
            return None
        sharing = [one for one in everyone if (one["kind"], one["line"], one["play_mode"]) == (row["kind"], row["line"], "real")]
        in_full = filed.get(meter["meter_id"], {}).get("several_winners") == "each_in_full"
        return {**meter, "winners": 1 if in_full else max(len(sharing), 1)}

    def _instead(self, row: Row) -> Instead | None:
        if self._other is None:
            return None
        due = None if row["instead_expected"] is None else row["instead_expected"] + (row["instead_expected_bonus"] or 0)
        before = None if row["expected"] is None else row["expected"] + (row["expected_bonus"] or 0)
        return from_row(
            Instead,
            {name: row[f"instead_{name}"] for name in ("settlement", "outcome", "line", "odds")},
            filing_id=self._other.filing_id,
            revision=self._other.revision,
            reason=row["instead_settlement_reason"],
            due=due,
            difference=None if due is None or before is None else due - before,
        )

    def _account(self, row: Row) -> Account:
        entries = self._retold.published["wallet"].filter(
            pl.col("round_id").eq_missing(row["round_id"]), pl.col("operator_id") == row["operator_id"],
            pl.col("player_id") == row["player_id"], pl.col("currency") == row["currency"],
        ).sort("at", "type", "txn_id")  # fmt: skip
        bookings = [from_row(Booking, one, **_stamps(one, "at")) for one in entries.iter_rows(named=True)]
        return from_row(Account, row, bookings=bookings)


def _wager_rows(retold: Retold) -> pl.DataFrame:
    """The current wagers, a row each: as published, as logged, what the engines say now, and what the other filing would."""
    logged = retold.chunk.wagers.filter("is_current").select(
        "wager_key", "hand_id", "placed_at", "placed_at_digits", "paid_at", "paid_at_digits"
    )
    people = retold.chunk.participants.select("participant_key", "decision", "decided_at", "decided_at_digits", "decided_by")
    terms = retold.filed.wagers.select("filing_no", "kind", "rounding", "stake_returned", "judged_on")
    frame = (
        retold.published["settlements"]
        .join(logged, on="wager_key", how="left", maintain_order="left")
        .join(people, on="participant_key", how="left", maintain_order="left")
        .join(terms, on=["filing_no", "kind"], how="left", maintain_order="left")
        .join(retold.engines.drop("rule", "odds"), on="wager_key", how="left", maintain_order="left")
        .join(retold.rules, on="wager_key", how="left", maintain_order="left")
    )
    if retold.instead is None:
        return frame
    names = ("settlement", "settlement_reason", "outcome", "line", "odds", "expected", "expected_bonus")
    instead = retold.instead.select("wager_key", pl.col(names).name.prefix("instead_"))
    return frame.join(instead, on="wager_key", how="left", maintain_order="left")


def _timeline(con: duckdb.DuckDBPyConnection, rounds: Mapping[str, Row]) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    if not rounds:
        return found
    some = next(iter(rounds.values()))
    asked = """
        SELECT round_id, happened_at AS at, event, hand_id, operator_id, player_id, what
        FROM round_timeline WHERE studio_id = $studio AND gaming_day = $day AND round_id IN (SELECT unnest($rounds))
        ORDER BY ALL
    """
    rows = con.sql(asked, params={"studio": some["studio_id"], "day": some["gaming_day"], "rounds": sorted(rounds)}).pl()
    for row in rows.iter_rows(named=True):
        found.setdefault(row.pop("round_id"), []).append(Event(**row))
    return found


def _incidents(con: duckdb.DuckDBPyConnection, findings: pl.DataFrame) -> dict[str, str]:
    """The sentence of each incident that findings are part of."""
    named = findings["incident_id"].drop_nulls().unique().to_list()
    return dict(con.execute("SELECT incident_id, message FROM incidents WHERE incident_id IN (SELECT unnest(?))", [named]).fetchall())


def _citation(row: Row) -> str | None:
    """The filing and the key that decided, and the rule of Pennsylvania that it compares with; of the ante bonus beside."""
    if row["rule"] is None:
        return None
    parts = [(row["rule"], row["compared"])]
    if row["kind"] == "ante" and row["line"] is not None and row["settlement"] == "settled":
        parts.append((f"ante_bonus.odds.{row['line']}", row["bonus_compared"]))
    cited = " and ".join(f"{key}{f'; cf. {compared}' if compared else ''}" for key, compared in parts)
    return f"filing {row['filing_id']}, {cited}" if row["filing_id"] else cited


def _reading(row: Row, replaced: set[int]) -> Reading:
    return from_row(Reading, row, **_stamps(row, "read_at"), counts=row["reading_no"] not in replaced)


def _stamps(row: Row, *names: str) -> dict[str, str | None]:
    return {name: stamp(row[name], row[f"{name}_digits"]) for name in names}


def _of(frame: pl.DataFrame, round_id: str) -> list[Row]:
    return frame.filter(round_id=round_id).to_dicts()

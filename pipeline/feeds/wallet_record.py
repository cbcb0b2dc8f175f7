"""Entries from their text: amounts, times and closed words, whole columns at a time, and why a record is no entry.

Whatever the ledger's format, a reader brings its records here as text: ``place`` and the fields of ``wallet-ledger/1``, as they stood.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.money import MINOR_DIGITS, USUAL_MINOR_DIGITS, from_micros
from pipeline.core.schema import MONEY, TIME
from pipeline.core.wallet import ENTRY
from pipeline.feeds.suspect import shown, why_unread
from pipeline.feeds.typed import money, times
from pipeline.feeds.wallet_profile import FIELDS, STATUSES, TYPES

if TYPE_CHECKING:
    from pipeline.feeds.wallet_profile import WalletProfile

PLACE: Final = "place"
"""A record's place among those of its block, from 0."""

TEXTS: Final = pl.Schema({PLACE: pl.Int64, **dict.fromkeys(FIELDS, pl.String)})

_NAIVE: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?$"
_MINOR: Final = r"^[0-9]{1,15}$"
_MOST_MICROS: Final = 10**18
_READ: Final = [name for name in ENTRY.schema if name not in {"source_file", "source_line"}]


@dataclass(frozen=True, slots=True)
class Entries:
    """What some records are.

    Args:
        frame: ``place`` and the columns of ``core.wallet.ENTRY`` but the source.
        refused: place and reason of each record that is no entry.
    """

    frame: pl.DataFrame
    refused: list[tuple[int, str]]


def entries(texts: pl.DataFrame, profile: WalletProfile) -> Entries:
    r"""Reads records.

    Args:
        texts: ``TEXTS``; an absent field is null.
        profile: how the ledger writes its values.

    An amount is ``^\d{1,12}(\.\d{1,6})?$`` and a time RFC 3339 with an offset (wallet-ledger/1, as round-log/1), where the profile
    does not say otherwise. Only an adjustment may do without a round.
    """
    told = texts.with_columns(
        *(pl.lit(value).alias(name) for name, value in profile.constants.items()),
        type=_translated("type", profile.types),
        status=_translated("status", profile.statuses).fill_null("accepted"),
    )
    signed = _unsigned(told, profile)
    amount = _minor_amounts(told, signed, profile) if profile.minor_units else money(signed)[0]
    at, digits = _times(told["at"], profile)
    frame = told.with_columns(amount, at, digits.alias("at_digits")).with_columns(
        reason=pl.coalesce(
            *(_missing(name) for name in ("operator_id", "txn_id", "type", "player_id", "currency")),
            pl.when(told["amount"].is_null()).then(pl.lit("amount is missing")),
            pl.when(told["at"].is_null()).then(pl.lit("at is missing")),
            _unknown("type", TYPES),
            _unknown("status", STATUSES),
            pl.when(pl.col("round_id").is_null() & (pl.col("type") != "adjustment")).then(pl.lit("round_id is missing")),
            pl.when(amount.is_null() | at.is_null()).then(pl.lit("")),
        )
    )
    bad = frame.filter(pl.col("reason").is_not_null())
    refused = _reasons(bad, told, profile) if bad.height else []
    return Entries(frame.filter(pl.col("reason").is_null()).select(PLACE, *_READ), refused)


def _translated(name: str, words: object) -> pl.Expr:
    return pl.col(name).replace(words) if words else pl.col(name)


def _missing(name: str) -> pl.Expr:
    return pl.when(pl.col(name).is_null() | (pl.col(name) == "")).then(pl.lit(f"{name} is missing"))


def _unknown(name: str, words: tuple[str, ...]) -> pl.Expr:
    return pl.when(~pl.col(name).is_in(words)).then(pl.format(f"{name}: unknown value {{}}", pl.col(name).str.slice(0, 60)))


def _unsigned(told: pl.DataFrame, profile: WalletProfile) -> pl.Series:
    """The amounts without the sign that the profile demands; one that bears the wrong sign stays as it is, and is none."""
    if not profile.debits_negative:
        return told["amount"]
    text, debit = pl.col("amount"), pl.col("type") == "debit"
    minus = text.str.starts_with("-")
    bare = text.str.strip_prefix("-")
    wrong = debit & ~minus & text.str.contains("[1-9]")
    return told.select(pl.when(debit & minus).then(bare).when(wrong).then("+" + text).otherwise(text).alias("amount"))["amount"]


def _minor_amounts(told: pl.DataFrame, text: pl.Series, profile: WalletProfile) -> pl.Series:
    digits = {**MINOR_DIGITS, **profile.minor_digits}
    scale = pl.col("currency").replace_strict(
        {code: 10 ** (6 - places) for code, places in digits.items()}, default=10 ** (6 - USUAL_MINOR_DIGITS), return_dtype=pl.Int64
    )
    whole = pl.when(text.str.contains(_MINOR)).then(text).cast(pl.Int128)
    micros = told.select((whole * scale.cast(pl.Int128)).alias("amount"))
    possible = pl.when(pl.col("amount") < _MOST_MICROS).then("amount")
    return micros.select(from_micros(possible).cast(MONEY).alias("amount"))["amount"]


def _times(text: pl.Series, profile: WalletProfile) -> tuple[pl.Series, pl.Series]:
    zone = profile.timezone
    if zone is None:
        return times(text)[:2]
    naive = text.str.contains(_NAIVE).fill_null(value=False)
    whole = pl.select(pl.when(naive).then(text.str.replace(" ", "T") + "Z").otherwise(text).alias("at")).to_series()
    time, digits, _ = times(whole)
    # Of an hour that stands twice, when the clocks go back, the first is meant: the ledger does not say which.
    local = time.dt.replace_time_zone(None).dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
    return pl.select(pl.when(naive).then(local.dt.convert_time_zone("UTC")).otherwise(time).alias("at").cast(TIME)).to_series(), digits


def _reasons(bad: pl.DataFrame, told: pl.DataFrame, profile: WalletProfile) -> list[tuple[int, str]]:
    flags = bad.select(PLACE, "reason", no_time=pl.col("at").is_null())
    joined = flags.join(told.select(PLACE, "type", "amount", "at"), on=PLACE, how="left", maintain_order="left")
    return [
        (place, reason or (_why_no_time(at, profile) if no_time else _why_no_amount(kind, amount, profile)))
        for place, reason, no_time, kind, amount, at in joined.iter_rows()
    ]


def _why_no_amount(kind: str, amount: str, profile: WalletProfile) -> str:
    below = ", below zero" if profile.debits_negative and kind == "debit" else ""
    if profile.minor_units or below:
        return f"amount: {shown(amount)} where {'a whole number of minor units' if profile.minor_units else 'an amount'}{below} should be"
    return why_unread(json.dumps({"amount": amount}).encode(), frozenset({"amount"}), frozenset()) or f"amount: {shown(amount)}"


def _why_no_time(at: str, profile: WalletProfile) -> str:
    zoned = at.replace(" ", "T") + "Z" if profile.timezone and re.fullmatch(_NAIVE, at) else at
    fault = why_unread(json.dumps({"at": zoned}).encode(), frozenset(), frozenset({"at"}))
    return fault or f"at: {shown(at)} is no time of the clock in {profile.timezone}"

"""One bad line among good ones: it alone is refused, byte for byte, and its neighbours keep their own line numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pipeline.feeds.blocks import ReadLimits

if TYPE_CHECKING:
    from collections.abc import Callable

Make = "Callable[..., bytes]"


def broken(text: bytes, old: bytes, new: bytes) -> bytes:
    assert old in text
    return text.replace(old, new, 1)


POISONS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "two objects on one line": (lambda t: t + t, "no JSON: trailing characters"),
    "two objects and a comma": (lambda t: t + b"," + t, "no JSON: trailing characters"),
    "cut off": (lambda t: t[:-40], "no JSON: cut off"),
    "no json": (lambda _: b"hello", "no JSON"),
    "a list": (lambda t: b"[" + t + b"]", "a list where an object should be"),
    "null": (lambda _: b"null", "null where an object should be"),
    "a duplicate key": (
        lambda t: broken(t, b'"stake":"10.00"', b'"stake":"10.00","stake":"1.00"'), "participants[0].wagers[0]: duplicate key 'stake'",
    ),
    "a duplicate key after null": (lambda t: broken(t, b'"paid":"0.00"', b'"paid":null,"paid":"0.00"'), "duplicate key 'paid'"),
    "a duplicate key before null": (lambda t: broken(t, b'"paid":"0.00"', b'"paid":"0.00","paid":null'), "duplicate key 'paid'"),
    "a duplicate key and an unknown null": (
        lambda t: broken(t, b'"paid":"0.00"', b'"region":null,"paid":"0.00","paid":"0.00"'), "duplicate key 'paid'",
    ),
    "a duplicate key in other letters": (lambda t: broken(t, b'"deck_id"', b'"deck\\u005fid":"blue","deck_id"'), "duplicate key 'deck_id'"),
    "a duplicate key behind a spelled colon": (
        lambda t: broken(t, b'"deck_id":"red"', b'"dealer_id":"\\u003a","deck_id":"red"'), "duplicate key 'dealer_id'",
    ),
    "a number for text": (lambda t: broken(t, b'"table_id":"T1"', b'"table_id":5'), "table_id: a whole number where text should be"),
    "a truth for text": (lambda t: broken(t, b'"table_id":"T1"', b'"table_id":true'), "table_id: true or false where text"),
    "text for a list": (lambda t: broken(t, b'["Qs","8c","3h"]', b'"Qs"'), "hands[...].cards: text where a list should be"),
    "text for a number": (lambda t: broken(t, b'"sequence":1', b'"sequence":"1"'), "sequence: text where a whole number should be"),
    "1.7 for a whole number": (lambda t: broken(t, b'"seq":1', b'"seq":1.7'), "card_readings[...].seq: a number where a whole number"),
    "1.0 for a whole number": (lambda t: broken(t, b'"position":1', b'"position":1.0'), "position: a number where a whole number"),
    "1e400 for a whole number": (lambda t: broken(t, b'"sequence":1', b'"sequence":1e400'), "sequence"),
    "a whole number out of range": (
        lambda t: broken(t, b'"sequence":1', b'"sequence":9223372036854775808'), "sequence: whole number out of range",
    ),
    "a number for truth": (lambda t: broken(t, b'"game"', b'"shuffler_in_use":1,"game"'), "shuffler_in_use"),
    "null in a list of rounds' parts": (lambda t: broken(t, b'"card_readings":[', b'"card_readings":[null,'), "null where an object"),
    "a lone surrogate": (lambda t: broken(t, b'"red"', b'"\\ud800"'), "lone surrogate"),
    "a lone surrogate in an unknown field": (lambda t: broken(t, b'"game"', b'"x":"a\\udc00b","game"'), "lone surrogate"),
    "invalid UTF-8": (lambda t: broken(t, b'"red"', b'"r\xff"'), "not UTF-8"),
    "invalid UTF-8 in an unknown field": (lambda t: broken(t, b'"game"', b'"x":"\xc3\x28","game"'), "not UTF-8"),
    "a NUL byte": (lambda t: broken(t, b'"red"', b'"r\x00"'), "no JSON: invalid character"),
    "a byte order mark inside": (lambda t: b"\xef\xbb\xbf" + t, "no JSON: invalid character"),
    "NaN": (lambda t: broken(t, b'"sequence":1', b'"sequence":NaN'), "no JSON"),
    "a trailing comma": (lambda t: t[:-1] + b",}", "no JSON: trailing comma"),
    "nested without end": (lambda t: broken(t, b'"game"', b'"x":' + b"[" * 50_000 + b"]" * 50_000 + b',"game"'), "nested too deeply"),
    "another schema": (lambda t: broken(t, b"round-log/1", b"round-log/2"), "schema: unknown value 'round-log/2'"),
    "another game": (lambda t: broken(t, b"three_card_poker", b"baccarat"), "game: unknown value 'baccarat'"),
    "another status": (lambda t: broken(t, b'"settled"', b'"done"'), "status: unknown value 'done'"),
    "another wager status": (lambda t: broken(t, b'"kind":"play"', b'"status":"lost","kind":"play"'), "status: unknown value 'lost'"),
    "another funding": (lambda t: broken(t, b'"kind":"play"', b'"funding":"loan","kind":"play"'), "funding: unknown value 'loan'"),
    "another play mode": (lambda t: broken(t, b'"player_id"', b'"play_mode":"demo","player_id"'), "play_mode: unknown value 'demo'"),
    "no round id": (lambda t: broken(t, b'"round_id"', b'"roundid"'), "round_id is missing"),
    "an empty studio id": (lambda t: broken(t, b'"studio_id":"s1"', b'"studio_id":""'), "studio_id: empty"),
    "a null studio id": (lambda t: broken(t, b'"studio_id":"s1"', b'"studio_id":null'), "studio_id: null where text should be"),
    "no status": (lambda t: broken(t, b'"status":"settled",', b""), "status is missing"),
    "no kind": (lambda t: broken(t, b'"kind":"play",', b""), "participants[...].wagers[...]: kind is missing"),
    "no stake": (lambda t: broken(t, b'"stake":"10.00",', b""), "participants[...].wagers[...]: stake is missing"),
    "a null stake": (lambda t: broken(t, b'"stake":"10.00"', b'"stake":null'), "participants[0].wagers[0].stake: amount is missing"),
    "a misspelt stake": (lambda t: broken(t, b'"stake"', b'"stkae"'), "stake is missing"),
    "no offset": (lambda t: broken(t, b"15:00:08.394Z", b"15:00:08.394"), "participants[0].wagers[0].placed_at: time without offset"),
    "an impossible date": (lambda t: broken(t, b"2026-11-03T15:00:28.600Z", b"2026-11-31T15:00:28.600Z"), "verified_at: impossible time"),
    "an impossible offset": (lambda t: broken(t, b"28.900Z", b"28.900+25:00"), "posted_at: no RFC 3339 time"),
    "a time that is none": (lambda t: broken(t, b"2026-11-03T15:00:13.700Z", b"soon"), "card_readings[0].read_at: no RFC 3339 time 'soon'"),
}  # fmt: skip


@pytest.mark.parametrize("name", POISONS)
@pytest.mark.parametrize("block_bytes", [2_000, 1 << 20])
def test_a_bad_line_alone_is_refused(
    *, name: str, block_bytes: int, a_line: Callable[..., bytes], read: Any, tables: Any, books: Any
) -> None:
    poison, reason = POISONS[name]
    lines = [a_line(round_id=f"R{number}") for number in range(5)]
    bad = poison(lines[2])
    lines[2] = bad
    delivery = read(lines, limits=ReadLimits(block_bytes=block_bytes))
    (row,) = delivery.quarantine().collect().to_dicts()
    assert row["raw"] == bad
    assert row["source_line"] == 3
    assert row["byte_offset"] == len(lines[0]) + len(lines[1]) + 2
    for part in reason.split("[...]"):
        assert part in row["reason"]
    rounds = tables(delivery)["rounds"]
    assert dict(rounds.select("round_id", "source_line").iter_rows()) == {"R0": 1, "R1": 2, "R3": 4, "R4": 5}
    assert (books(delivery)["accepted"], books(delivery)["quarantined"]) == (4, 1)


def test_two_broken_lines_that_cancel_out(a_line: Callable[..., bytes], read: Any, tables: Any, books: Any) -> None:
    lines = [a_line(round_id=f"R{number}") for number in range(6)]
    joined = lines[1] + lines[2]
    at = lines[3].index(b',"dealer_hand"')
    first, second = lines[3][: at + 1], lines[3][at + 1 :]
    content = b"\n".join([lines[0], joined, first, second, lines[4], lines[5]])
    delivery = read(content, limits=ReadLimits())
    refused = delivery.quarantine().collect()
    assert refused["source_line"].to_list() == [2, 3, 4]
    assert refused["raw"].to_list() == [joined, first, second]
    assert dict(tables(delivery)["rounds"].select("round_id", "source_line").iter_rows()) == {"R0": 1, "R4": 5, "R5": 6}
    assert books(delivery)["records"] == 6


def test_a_comma_between_two_halves_of_a_line_and_a_comma_at_its_end(a_line: Callable[..., bytes], read: Any, tables: Any) -> None:
    good = a_line(round_id="R0")
    content = b"\n".join([good + b",", b'{"a":1', b'"b":2}', a_line(round_id="R1")])
    delivery = read(content, limits=ReadLimits())
    assert delivery.quarantine().collect()["source_line"].to_list() == [1, 2, 3]
    assert tables(delivery)["rounds"]["source_line"].to_list() == [4]


@pytest.mark.parametrize("spaces", [" ", "  ", "\t"])
def test_spaces_where_json_has_them_are_no_fault(spaces: str, a_round: Any, read: Any, tables: Any, books: Any) -> None:
    texts = [json.dumps(a_round(round_id=f"R{n}"), separators=(f"{spaces},{spaces}", f"{spaces}:{spaces}")).encode() for n in range(3)]
    delivery = read([b" " + text + b"\t" for text in texts])
    assert books(delivery)["accepted"] == 3
    assert tables(delivery)["wagers"].height == 6


def test_a_duplicate_key_among_spaced_colons(a_line: Callable[..., bytes], read: Any) -> None:
    text = broken(a_line(), b'"deck_id":"red"', b'"deck_id" :"red","deck_id"\t:"blue"')
    assert read([text]).quarantine().collect()["reason"].to_list() == ["duplicate key 'deck_id'"]


def test_escapes_and_colons_in_texts_are_read(a_round: Any, read: Any, tables: Any, books: Any) -> None:
    odd = [":", ':"', '"stake":', "\\", '\\"x":', "\u00e9\u2028\U0001f0a1", "a\u0000b", "\n", "\u003a:"]
    delivery = read([a_round(round_id=f"R{n}", dealer_id=text) for n, text in enumerate(odd)], limits=ReadLimits())
    assert books(delivery)["accepted"] == len(odd)
    assert tables(delivery)["rounds"].sort("source_line")["dealer_id"].to_list() == odd


def test_unknown_fields_are_ignored_counted_and_shown(a_line: Callable[..., bytes], read: Any, books: Any, tables: Any) -> None:
    text = broken(a_line(), b'"paid":"0.00"', b'"region":"EU","piad":"0.00"')
    text = broken(text, b'"game"', b'"ext":{"kind":"x","nested":[{"deep":null}]},"game"')
    lines = [broken(text, b'"round_id":"R1"', b'"round_id":"R%d"' % n) for n in range(7)]
    for size in (200, 3_000, 1 << 20):
        delivery = read(lines, limits=ReadLimits(block_bytes=size))
        known = {one["field"]: one["count"] for one in books(delivery)["unknown_fields"]}
        assert known == {"region": 7, "piad": 7, "ext": 7, "nested": 7, "deep": 7, "kind": 7}
        assert tables(delivery)["wagers"]["paid"].null_count() == 7


def test_a_learned_name_does_not_hide_a_duplicate(a_line: Callable[..., bytes], read: Any) -> None:
    extra = broken(a_line(), b'"game"', b'"region":"EU","game"')
    twice = broken(broken(extra, b'"R1"', b'"R2"'), b'"red"', b'"red","deck_id":"blue"')
    delivery = read([extra, twice, broken(extra, b'"R1"', b'"R4"')], limits=ReadLimits(block_bytes=64, workers=1))
    assert delivery.quarantine().collect()["reason"].to_list() == ["duplicate key 'deck_id'"]


@pytest.mark.parametrize("block_bytes", [64, 1 << 20])
def test_an_unknown_field_is_ignored_once_or_twice(block_bytes: int, a_line: Callable[..., bytes], read: Any, books: Any) -> None:
    lines = [broken(a_line(round_id=f"R{n}"), b'"game"', b'"region":"EU","region":null,"game"') for n in range(4)]
    row = books(read(lines, limits=ReadLimits(block_bytes=block_bytes)))
    assert (row["accepted"], row["unknown_fields"]) == (4, [{"field": "region", "count": 8}])


def test_a_thousand_and_more_unknown_names_stay_bounded(a_round: Any, read: Any, books: Any) -> None:
    delivery = read([a_round(**{f"x{n}": n for n in range(5_000)})], limits=ReadLimits())
    fields = books(delivery)["unknown_fields"]
    assert len(fields) == 1_001
    assert sum(one["count"] for one in fields) == 5_000


def test_blank_lines_and_carriage_returns(a_line: Callable[..., bytes], read: Any, books: Any, tables: Any) -> None:
    content = b"\xef\xbb\xbf" + b"\r\n".join([a_line(round_id="R1"), b"", b"  \t", a_line(round_id="R2"), b"{", a_line(round_id="R3")])
    delivery = read(content)
    (bad,) = delivery.quarantine().collect().to_dicts()
    assert (bad["source_line"], bad["raw"]) == (5, b"{\r")
    assert content[bad["byte_offset"] :].startswith(b"{\r\n")
    assert tables(delivery)["rounds"]["source_line"].to_list() == [1, 4, 6]
    row = books(delivery)
    assert (row["lines"], row["blank"], row["records"]) == (6, 2, 4)


def test_utf_16_is_refused_line_by_line(a_line: Callable[..., bytes], read: Any, books: Any) -> None:
    delivery = read((a_line() + b"\n").decode().encode("utf-16"))
    assert books(delivery)["accepted"] == 0
    assert books(delivery)["quarantined"] == 2

"""Games are cut out of documents as they stream by, however these lie in the file."""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import Any

import pytest

from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.game_cutter import GameCutter

GAMES: list[Any] = [{"id": "a", "s": '}]{"\\', "in": {"x": [1, {}]}}, {"id": "b"}, {"id": "c", "é": "ß"}]
DOCUMENT = {
    "uuid": "x", "data": [{"date": "d", "x": {"games": [{"no": 1}]}, "games": GAMES[:2]}, {"games": []}, {"games": GAMES[2:]}], "next": 3,
}  # fmt: skip
TEXT = json.dumps(DOCUMENT).encode()


def cut(data: bytes, block: int = 4096, longest: int = 1 << 16) -> tuple[list[Any], list[tuple[int, str, bytes]], Counter[str]]:
    """Games, refused (number, reason, raw), unknown fields."""
    cutter = GameCutter(ReadLimits(block_bytes=block, line_bytes=longest))
    pieces = list(cutter.games(io.BytesIO(data)))
    games = [text for piece in pieces for text in piece.texts]
    refused = [(one.line, one.reason, one.raw) for piece in pieces for one in piece.refused]
    for piece in pieces:
        for text, offset in zip(piece.texts, piece.offsets, strict=True):
            assert data[offset:].startswith(text)
    numbers = [number for piece in pieces for number in piece.numbers] + [number for number, _, _ in refused]
    assert sorted(numbers) == list(range(1, cutter.count + 1))
    return [json.loads(text) for text in games], refused, sum((piece.unknown for piece in pieces), Counter())


LAYOUTS = {
    "one document": (TEXT, 1),
    "with space at its end": (TEXT + b" \n\n", 1),
    "with a byte order mark": (b"\xef\xbb\xbf" + TEXT, 1),
    "written out": (json.dumps(DOCUMENT, indent=2).encode(), 1),
    "written out, CRLF": (json.dumps(DOCUMENT, indent=2).encode().replace(b"\n", b"\r\n"), 1),
    "one after another": (TEXT * 3, 3),
    "a line each": ((TEXT + b"\n") * 3, 3),
    "in a list": (json.dumps([DOCUMENT] * 2).encode(), 2),
    "empty pages between": (b'{"data":[]}' + TEXT + b'{"data": null}', 1),
    "nothing": (b"", 0),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout: str) -> None:
    data, times = LAYOUTS[layout]
    assert cut(data)[:2] == (GAMES * times, [])


def test_pieces_of_any_size() -> None:
    data = b"".join(
        json.dumps({"data": [{"games": [{"id": str(n), "s": "x" * (n % 997)} for n in range(300)]}]}).encode() for _ in range(2)
    )
    games, refused, _ = cut(data)
    assert [game["id"] for game in games] == [str(n) for n in range(300)] * 2
    assert refused == []


def test_fields_around_the_games_are_counted() -> None:
    assert cut(TEXT)[2] == Counter({"uuid": 1, "next": 1, "data.x": 1})


NEXT = b"\n" + TEXT
BROKEN = {
    "cut off within a game": (TEXT[:90], [], "no JSON: cut off", False),
    "cut off between": (b'{"data":[{"games":[{"id":"a"},', [{"id": "a"}], "no JSON: the document is cut off", False),
    "a page that is none": (b"HTTP 500 Internal Server Error" + NEXT, [], "no JSON", True),
    "a page without data": (b'{"error":"rate limit"}' + NEXT, [], "a document without data", True),
    "a text that is not closed": (b'{"data":[{"games":[{"id":"a"},{"id":"b},{"id":"c"}]}]}' + NEXT, [{"id": "a"}], "no JSON", True),
    "a brace too many": (b'{"data":[{"games":[{"id":"a"}}]}]}' + NEXT, [{"id": "a"}], "no object where a game should be|no JSON", True),
    "a list for a game": (b'{"data":[{"games":[[1]]}]}' + NEXT, [], "a list where a game should be", True),
    "nested too deeply": (b'{"data":[{"games":[' + b'{"a":' * 60 + b"1" + b"}" * 60 + b"]}]}" + NEXT, [], "nested too deeply", True),
    "too long": (b'{"data":[{"games":[{"id":"' + b"x" * 70_000 + b'"}]}]}' + NEXT, [], "game longer than 65536 bytes", True),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_breaks_is_one_record_and_the_next_document_is_read(case: str) -> None:
    data, before, reason, follows = BROKEN[case]
    games, refused, _ = cut(data)
    assert games == before + (GAMES if follows else [])
    assert any(part in refused[0][1] for part in reason.split("|")), refused
    assert len(refused) == 1


def test_what_stands_in_a_games_place() -> None:
    games, refused, _ = cut(b'{"data":[{"games":[1,"x",null,{"id":"c"}]}]}')
    assert games == [{"id": "c"}]
    assert [raw for _, _, raw in refused] == [b"1", b'"x"', b"null"]

from __future__ import annotations

import gzip
import hashlib
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.core.errors import InputError
from pipeline.feeds.blocks import Block, BlockReader, LongLine, ReadLimits
from pipeline.feeds.log_files import log_files

if TYPE_CHECKING:
    from pathlib import Path

DATA = b"".join(b'{"number":%d}\n' % number for number in range(5_000))


def packed(codec: str, data: bytes) -> bytes:
    if codec == "gzip":
        return gzip.compress(data)
    return bytes(memoryview(pa.compress(data, codec="zstd"))) if codec == "zstd" else data


def blocks(path: Path, **limits: int) -> tuple[BlockReader, list[Block | LongLine]]:
    reader = BlockReader(path, ReadLimits(**limits))
    return reader, list(reader.blocks())


@pytest.mark.parametrize("codec", ["plain", "gzip", "zstd"])
@pytest.mark.parametrize("block_bytes", [5, 1_000, 1 << 20])
def test_blocks_are_whole_lines_and_give_the_file_back(codec: str, block_bytes: int, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(packed(codec, DATA))
    reader, got = blocks(path, block_bytes=block_bytes)
    offset, line = 0, 1
    for block in got:
        assert isinstance(block, Block)
        assert (block.offset, block.first_line) == (offset, line)
        assert block.data.endswith(b"\n")
        offset, line = offset + len(block.data), line + len(block.lines())
    assert b"".join(block.data for block in got if isinstance(block, Block)) == DATA
    assert (reader.lines, reader.size) == (5_000, path.stat().st_size)
    assert reader.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_archives_of_several_frames_are_read_to_the_end(codec: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(packed(codec, DATA) + packed(codec, b"") + packed(codec, DATA))
    _, got = blocks(path, block_bytes=1_000)
    assert b"".join(block.data for block in got if isinstance(block, Block)) == DATA * 2


def test_a_skippable_zstd_frame_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "log.zst"
    path.write_bytes(b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd" + packed("zstd", DATA))
    assert blocks(path)[0].lines == 5_000


@pytest.mark.parametrize(("codec", "suffix"), [("gzip", ".ndjson.gz"), ("zstd", ".ndjson.zst")])
@pytest.mark.parametrize("cut", [0, 1, 3, 100, -9, -1])
@pytest.mark.parametrize("frames", [0, 1])
def test_a_truncated_archive_is_noticed(codec: str, suffix: str, cut: int, frames: int, tmp_path: Path) -> None:
    if frames and cut == 0:
        return
    whole = packed(codec, DATA)
    path = tmp_path / f"log{suffix}"
    path.write_bytes(whole * frames + whole[:cut])
    with pytest.raises(InputError, match="truncated archive") as error:
        blocks(path)
    assert path.name in str(error.value)
    assert error.value.exit_code == 2


@pytest.mark.parametrize(("codec", "suffix"), [("gzip", ".ndjson.gz"), ("zstd", ".ndjson.zst")])
@pytest.mark.parametrize("fault", ["flip", "trailing", "plain"])
def test_a_corrupt_archive_is_noticed(codec: str, suffix: str, fault: str, tmp_path: Path) -> None:
    whole = bytearray(packed(codec, DATA))
    if fault == "flip":
        whole[20:60] = bytes(40)
    content = {"flip": bytes(whole), "trailing": bytes(whole) + b"garbage", "plain": DATA}[fault]
    path = tmp_path / f"log{suffix}"
    path.write_bytes(content)
    with pytest.raises(InputError, match="archive"):
        blocks(path)


def test_the_content_decides_not_the_name(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_bytes(packed("gzip", DATA))
    assert blocks(path)[0].lines == 5_000


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"a", [b"a"]),
        (b"a\n", [b"a"]),
        (b"a\n\nb", [b"a", b"", b"b"]),
        (b"\xef\xbb\xbf", []),
        (b"a\r\n", [b"a\r"]),
    ],
)
def test_edges_of_a_file(content: bytes, lines: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    for size in (3, 100):
        reader, got = blocks(path, block_bytes=size)
        assert [line for block in got if isinstance(block, Block) for line in block.lines()] == lines
        assert reader.lines == len(lines)


def test_offsets_count_the_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"\xef\xbb\xbfab\ncd")
    _, got = blocks(path, block_bytes=3)
    assert [(block.data, block.offset, block.first_line) for block in got if isinstance(block, Block)] == [(b"ab\n", 3, 1), (b"cd", 6, 2)]


@given(st.lists(st.integers(0, 60), max_size=8), st.integers(1, 50), st.integers(10, 40), st.booleans())
def test_a_line_that_is_too_long_is_passed_over(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], block_bytes: int, limit: int, ends: bool
) -> None:
    lines = [bytes([65 + number]) * size for number, size in enumerate(sizes)]
    content = b"\n".join(lines) + (b"\n" if ends and lines else b"")
    expected = content.split(b"\n")
    if not expected[-1]:
        expected.pop()
    path = tmp_path_factory.mktemp("long") / "log"
    path.write_bytes(content)
    reader, got = blocks(path, block_bytes=block_bytes, line_bytes=limit, raw_head_bytes=4)
    seen: list[bytes] = []
    for one in got:
        line = one.line if isinstance(one, LongLine) else one.first_line
        assert line == len(seen) + 1
        if isinstance(one, LongLine):
            assert one.size > limit
            assert content[one.offset : one.offset + one.size] == expected[len(seen)]
            assert one.head == expected[len(seen)][:4]
            seen.append(expected[len(seen)])
        else:
            assert content[one.offset :].startswith(one.data)
            seen += one.lines()
    assert seen == expected
    assert reader.lines == len(expected)


def test_files_of_a_folder_in_the_order_of_their_names(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    for name in ("b.ndjson", "a.ndjson.gz", "deep/er/c.ndjson.zst", "notes.txt", "d.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.ndjson").write_bytes(b"")
    (folder / "link.ndjson").symlink_to(outside / "x.ndjson")
    (folder / "linked").symlink_to(outside)
    (folder / "same.ndjson").symlink_to(folder / "b.ndjson")
    assert [file.name for file in log_files([folder])] == ["a.ndjson.gz", "b.ndjson", "deep/er/c.ndjson.zst"]


def test_two_files_of_one_name_are_told_apart_and_one_file_is_read_once(tmp_path: Path) -> None:
    for name in ("x/1/log.ndjson", "y/1/log.ndjson"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(b"")
    paths = [tmp_path / "y/1/log.ndjson", tmp_path / "x/1/log.ndjson", tmp_path / "x/1"]
    assert [file.name for file in log_files(paths)] == ["x/1/log.ndjson", "y/1/log.ndjson"]


@pytest.mark.parametrize("name", ["nowhere", "empty", "notes.txt"])
def test_what_is_no_log_is_an_error_in_use(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_bytes(b"")
    with pytest.raises(InputError):
        log_files([tmp_path / name])

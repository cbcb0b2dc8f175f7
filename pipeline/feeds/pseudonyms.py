"""Keyed pseudonyms in place of player ids, before anything of a delivery is written.

A player's pseudonym is BLAKE2b of the id under the key: the same in every file and night, and without the key nobody can tell or try out
whose it is. The key itself is never kept; a lake keeps its fingerprint.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import polars as pl

from pipeline.core.errors import InputError, LakeError

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.feeds.strict import Refused
    from pipeline.lake.earlier import Published

PREFIX: Final = "anon-"
"""What a pseudonym begins with."""

_LEAST: Final = 32
_MOST: Final = 1 << 20
_DIGEST: Final = 16
_MAKE: Final = "make one with: (umask 077; openssl rand -hex 32 > KEYFILE)"
_QUOTED: Final = re.compile(r"""['"`].*|impossible amount (?=\d).*""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """The pseudonyms of one key. May be used from several threads.

    Attributes:
        key: 64 bytes.
    """

    key: bytes

    @classmethod
    def read(cls, path: Path) -> Pseudonyms:
        """The pseudonyms of a key file, whose bytes are the key, to the last line feed.

        Raises:
            InputError: it cannot be read, others may read it, or it is too short or too long for a key.
        """
        try:
            if path.stat().st_mode & 0o007:
                raise InputError("others may read this key", str(path), f"chmod 600 {path}")
            with path.open("rb") as file:
                content = file.read(_MOST + 1)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", str(path), _MAKE) from None
        if not _LEAST <= len(content) <= _MOST:
            raise InputError(f"is no key: it must hold {_LEAST} bytes or more, at most {_MOST:,}", str(path), _MAKE)
        return cls(blake2b(content, person=b"resettle-file").digest())

    @property
    def fingerprint(self) -> str:
        """What tells this key from another and gives nothing of it away."""
        return self._digest(b"", b"resettle-key")

    def of(self, player_ids: pl.Series) -> pl.Series:
        """The pseudonym of each player id; null stays null."""
        ids = player_ids.unique().drop_nulls()
        told = [PREFIX + self._digest(one.encode(), b"resettle-player") for one in ids]
        return player_ids.replace_strict(ids, pl.Series(told, dtype=pl.String), default=None, return_dtype=pl.String)

    def of_lists(self, player_ids: pl.Series) -> pl.Series:
        """The pseudonyms of lists of player ids."""
        if not player_ids.list.len().sum():
            return player_ids
        rows = pl.DataFrame({"ids": player_ids}).with_row_index("row")
        named = rows.explode("ids").with_columns(ids=self.of(rows.explode("ids")["ids"]))
        listed = named.group_by("row", maintain_order=True).agg("ids")
        empty = pl.col("player_ids").is_null() | (pl.col("player_ids").list.len() == 0)
        return pl.DataFrame({"player_ids": player_ids, "ids": listed["ids"]}).select(
            pl.when(empty).then("player_ids").otherwise("ids").alias(player_ids.name)
        ).to_series()  # fmt: skip

    def withheld(self, refused: Refused) -> Refused:
        """A record that cannot be read without its bytes, which may hold an id anywhere: their number and a keyed digest stay."""
        said = f"withheld: {len(refused.raw)} bytes, BLAKE2b {self._digest(refused.raw, b'resettle-raw')} under the lake's key"
        return replace(refused, reason=_QUOTED.sub("(value withheld)", refused.reason), raw=said.encode())

    def _digest(self, content: bytes, purpose: bytes) -> str:
        return blake2b(content, key=self.key, person=purpose, digest_size=_DIGEST).hexdigest()


def refuse_other_key(lake: Published, pseudonyms: Pseudonyms | None) -> None:
    """A lake is continued as it was begun: with the ids as delivered, or with the pseudonyms of one key.

    Raises:
        LakeError: says which of the two it was, and what it would be.
    """
    if lake.state is None:
        return
    held, given = lake.key_fingerprint, pseudonyms and pseudonyms.fingerprint
    if held == given:
        return
    if held is None:
        raise LakeError("holds player ids as they were delivered", str(lake.root), "leave out --pseudonymise, or begin another lake")
    if given is None:
        way_out = f"name its key with --pseudonymise KEYFILE (fingerprint {held})"
        raise LakeError("holds pseudonyms in place of player ids", str(lake.root), way_out)
    raise LakeError(
        f"its pseudonyms are those of the key with the fingerprint {held}; the one given has {given}", str(lake.root), "give that key"
    )

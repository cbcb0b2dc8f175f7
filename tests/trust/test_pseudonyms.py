"""No player id of a delivery is anywhere in a pseudonymised lake, and nothing else is other than it would be with the ids."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.audit import Request, audit
from pipeline.core.errors import InputError, LakeError, ResettleError
from pipeline.feeds.pseudonyms import PREFIX, Pseudonyms
from pipeline.lake import open_lake, verify
from pipeline.quarantine import retry
from tests.support.command_line import resettle
from tests.support.lake import publish
from tests.support.restated import content

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SETTLED = "SELECT round_id, wager_id, player_id, outcome, rule, expected, paid, delta, settlement FROM settlements"
FOUND = "SELECT check_id, round_id, wager_id, player_id, severity, expected, paid, delta, root_cause FROM findings"
STATUS = "SELECT round_id, player_id, currency, status, due, debited FROM reconciliation"
VOIDED = "SELECT DISTINCT unnest(void_player_ids) FROM rounds"


@dataclass(frozen=True)
class Night:
    """A delivery in two files, its players, and a lake in which it has pseudonyms."""

    logs: tuple[Path, ...]
    wallet: Path
    filings: Path
    key: Path
    players: frozenset[str]
    lake: Path

    def request(self, lake: Path, *logs: Path, key: Path | None = None, **more: Any) -> Request:
        command = f"resettle audit {' '.join(map(str, logs))}"
        return Request(logs, self.filings, lake, wallet=(self.wallet,), pseudonymise=key, command=command, **more)


@pytest.fixture(scope="module")
def night(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Night:
    root = tmp_path_factory.mktemp("pseudonyms")
    lines = (sample / "rounds.ndjson").read_bytes().splitlines(keepends=True)
    rounds = [json.loads(line) for line in lines[:16]]
    void = {"reason": "complaint", "authorised_by": "PIT-1", "at": rounds[10]["opened_at"], "scope": "part"}
    rounds[10]["void"] = void | {"hand_ids": [], "player_ids": [rounds[10]["participants"][0]["player_id"]], "wager_ids": []}
    told = [json.dumps(one).encode() + b"\n" for one in rounds]
    players = frozenset(part["player_id"] for one in rounds for part in one["participants"])
    one = min(players)
    # Records that cannot be read, with a player's id in their bytes, and in the words that say why.
    broken = [b'{"player_id":"%s", cut' % one.encode(), json.dumps(rounds[0] | {"status": one}).encode(), told[1][:900]]
    logs = (root / "one.ndjson", root / "two.ndjson")
    logs[0].write_bytes(b"".join(told[:8]) + b"\n".join(broken) + b"\n")
    logs[1].write_bytes(b"".join(told[8:]))
    named = {told["round_id"] for told in rounds}
    booked = (sample / "wallet.ndjson").read_bytes().splitlines(keepends=True)
    wallet = root / "wallet.ndjson"
    bad = json.dumps({"txn_id": "t", "type": one, "player_id": one}).encode() + b"\n"
    wallet.write_bytes(b"".join(line for line in booked if json.loads(line)["round_id"] in named) + bad)
    key = root / "players.key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o600)
    made = Night(logs, wallet, sample / "filings", key, players, root / "lake")
    audit(made.request(made.lake, *logs, key=key, report=root / "report"))
    return made


def asked(lake: Path, sql: str) -> pl.DataFrame:
    with open_lake(lake) as con:
        return con.sql(sql).pl()


def texts(folder: Path) -> Iterator[tuple[Path, str]]:
    """Everything in a folder as text: the columns of Parquet, all rows of a database's views, else the bytes."""
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        if path.suffix == ".parquet":
            frame = pl.read_parquet(path)
            yield path, str(frame.with_columns(pl.col(pl.Binary).cast(pl.String)).to_dicts())
        yield path, path.read_bytes().decode("latin-1")


def test_no_player_id_is_in_any_file_of_the_lake_its_reports_or_a_case(night: Night, tmp_path: Path) -> None:
    (finding,) = asked(night.lake, "SELECT finding_id FROM findings WHERE check_id = 'payout_mismatch' LIMIT 1")["finding_id"]
    case = resettle("case", "--finding", finding, "--lake", night.lake, "--out", tmp_path / "case")
    assert case.exit_code == 0, case.output
    told = resettle("explain", finding, "--lake", night.lake)
    assert "withheld" in told.output
    everything = [
        *texts(night.lake),
        *texts(night.lake.parent / "report"),
        *texts(tmp_path),
        (tmp_path / "explained", told.output),
        (tmp_path / "said", case.output),
    ]
    assert len(everything) > 40
    assert [(path.name, one) for path, text in everything for one in night.players if one in text] == []
    with duckdb.connect(str(night.lake / "audit.duckdb"), read_only=True) as con:
        views = [name for (name,) in con.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()]
        shown = [(name, str(con.sql(f'FROM "{name}"').fetchall())) for name in views]
    assert [(name, one) for name, text in shown for one in night.players if one in text] == []
    assert b"k" * 32 not in b"".join(path.read_bytes() for path in night.lake.rglob("*") if path.is_file())


@pytest.mark.exhaustive
def test_all_but_the_ids_is_as_it_is_with_them_whatever_the_nights(night: Night, tmp_path: Path) -> None:
    plain_lake, by_night = tmp_path / "plain", tmp_path / "lake"
    audit(night.request(plain_lake, *night.logs))
    for log in night.logs:
        audit(night.request(by_night, log, key=night.key))
    assert content(by_night) == content(night.lake)
    names = pl.DataFrame({"player_id": sorted(night.players)})
    names = names.with_columns(new=Pseudonyms.read(night.key).of(names["player_id"]))
    for sql in (SETTLED, FOUND, STATUS):
        plain = asked(plain_lake, sql)
        assert plain.height > 2
        renamed = plain.join(names, on="player_id", how="left").with_columns(player_id="new").drop("new")
        assert_frame_equal(asked(night.lake, sql), renamed, check_row_order=False)
    assert set(asked(night.lake, VOIDED).to_series()) <= set(names["new"])
    assert asked(night.lake, VOIDED).height
    assert verify(by_night).publishes == 2


def test_what_cannot_be_read_is_withheld_and_counted(night: Night) -> None:
    rows = asked(night.lake, "SELECT reason, raw FROM quarantine")
    assert rows.height == 4
    assert all(raw.startswith(b"withheld: ") for raw in rows["raw"])
    assert rows["raw"].n_unique() == 4
    assert "status: unknown value (value withheld)" in rows["reason"].to_list()
    with pytest.raises(LakeError, match="holds pseudonyms, so what lies in its quarantine is withheld"):
        retry(Request((), night.filings, night.lake))


def test_a_lake_is_continued_as_it_was_begun_or_not_at_all(night: Night, tmp_path: Path) -> None:
    other = tmp_path / "other.key"
    other.write_bytes(b"o" * 32)
    other.chmod(0o600)
    plain = tmp_path / "plain"
    publish(plain)
    for lake, key, why in (
        (night.lake, None, "holds pseudonyms in place of player ids"),
        (night.lake, other, "its pseudonyms are those of the key with the fingerprint"),
        (plain, night.key, "holds player ids as they were delivered"),
    ):
        with pytest.raises(LakeError, match=why):
            audit(night.request(lake, night.logs[1], key=key))
    assert audit(night.request(night.lake, *night.logs, key=night.key)).repeated


def test_a_key_that_is_none_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "key"
    with pytest.raises(InputError, match="cannot be read"):
        Pseudonyms.read(key)
    key.write_bytes(b"x" * 31)
    key.chmod(0o600)
    with pytest.raises(InputError, match="is no key: it must hold 32 bytes or more"):
        Pseudonyms.read(key)
    key.write_bytes(b"x" * 32)
    key.chmod(0o604)
    with pytest.raises(ResettleError, match="others may read this key"):
        Pseudonyms.read(key)


def test_who_holds_the_key_can_look_a_player_up(night: Night) -> None:
    player = min(night.players)
    said = resettle("pseudonym", player, "--key", night.key)
    assert said.exit_code == 0, said.output
    assert said.output.startswith(PREFIX)
    assert asked(night.lake, f"FROM wagers WHERE player_id = '{said.output.strip()}'").height

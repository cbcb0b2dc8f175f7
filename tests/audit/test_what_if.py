from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import duckdb
import pytest

from pipeline.core.errors import FilingError, LakeError
from pipeline.filings.difference import difference
from pipeline.filings.load import load_filings
from pipeline.what_if import money_effect, only_filing

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.audit import Outcome
    from pipeline.filings.submission import Filing

DAY = date(2026, 10, 31)


@pytest.fixture
def keystone(sample: Path) -> Filing:
    return only_filing(load_filings(sample / "filings" / "keystone-main-2026.toml"), "keystone")


def without_the_fold(filing: Filing) -> Filing:
    wagers = tuple(replace(each, forfeited_by_fold=False) if each.kind == "pair_plus" else each for each in filing.wagers)
    return replace(filing, wagers=wagers)


def test_only_what_means_something_else_is_told(keystone: Filing) -> None:
    assert difference(keystone, keystone) == []
    assert difference(keystone, without_the_fold(keystone)) == [("pair_plus.forfeited_by_fold", "yes", "no")]
    assert ("tie", "push", "player_wins") in difference(keystone, replace(keystone, tie="player_wins"))
    assert ("effective_to", "not filed", "2026-12-31") in difference(
        replace(keystone, effective_to=None), replace(keystone, effective_to=date(2026, 12, 31))
    )


def test_a_day_settled_under_its_own_filing_is_worth_nothing_more(keystone: Filing, audited: tuple[Path, Outcome]) -> None:
    effect = money_effect(audited[0], keystone, keystone, DAY)
    assert effect["changed"].sum() == 0
    with duckdb.connect(audited[0] / "audit.duckdb", read_only=True) as con:
        due = con.execute(
            "SELECT sum(expected + coalesce(expected_bonus, 0)) FROM settlements WHERE filing_id = $id AND kind = 'pair_plus'"
            " AND play_mode = 'real' AND currency = 'USD'", {"id": keystone.filing_id},
        ).fetchone()  # fmt: skip
    assert due is not None
    assert effect.filter(kind="pair_plus", currency="USD")["due"].to_list() == [due[0]]


def test_a_fold_that_forfeits_nothing_is_worth_the_pair_plus_of_those_who_folded(keystone: Filing, audited: tuple[Path, Outcome]) -> None:
    effect = money_effect(audited[0], keystone, without_the_fold(keystone), DAY)
    with duckdb.connect(audited[0] / "audit.duckdb", read_only=True) as con:
        folded = con.execute(
            "SELECT count(*) FROM settlements WHERE filing_id = $id AND kind = 'pair_plus' AND outcome = 'forfeit' AND play_mode = 'real'"
            " AND hand_category <> 'high_card'", {"id": keystone.filing_id},
        ).fetchone()  # fmt: skip
    assert folded is not None
    assert effect["changed"].sum() == folded[0]
    assert effect["difference"].sum() > Decimal(0)
    assert effect.filter(changed=0)["difference"].unique().to_list() == [Decimal(0)]


def test_a_day_that_was_never_audited_is_said(keystone: Filing, audited: tuple[Path, Outcome]) -> None:
    with pytest.raises(LakeError, match="2026-11-09"):
        money_effect(audited[0], keystone, keystone, date(2026, 11, 9))


def test_a_folder_of_several_filings_is_refused(sample: Path) -> None:
    with pytest.raises(FilingError, match="5 filings"):
        only_filing(load_filings(sample / "filings"), "filings")

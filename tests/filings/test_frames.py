from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.filings.frames import filings_of
from pipeline.filings.load import load_filings
from tests.support.submissions import load_texts, submission

SAMPLE = Path(__file__).parents[2] / "sample_data" / "filings"

EVERYTHING = submission(
    ("forfeited_by_fold = true", 'forfeited_by_fold = true\nrounding = "down"'),
    (
        'starts_at = "06:00" }',
        ('starts_at = "06:30" }\noperators = ["op-2", "op-1"]\neffective_to = 2026-12-31\nrevision = 3\nsubmitted_on = 2025-09-01\n'
        'approved_on = 2025-10-01\napproval_ref = "A-1"\nstudio_licence = { ref = "L", valid_from = 2025-01-01, valid_to = 2027-01-01 }\n'
        'supervisors = ["b", "a"]\nqualifier = "K"\ntie = "player_wins"\non_timeout = "play_if_at_least:Q64"\nlate_credit_grace = "1h"\n'
        'aggregate_payout_limit = { amount = "50000.00", currency = "USD", per = "hand", kinds = ["pair_plus"], counts = "winnings", '
        'cut = "pro_rata" }'),
    ),
    add="""
[wagers.progressive]
odds = { mini_royal_spades = { meter = "99.5 %" }, mini_royal = "500 for 1", straight_flush = { flat = "70.50", currency = "USD" } }
judged_on = "player_three"
forfeited_by_fold = true
stake_returned = true
alone = false
[meters.M1]
currency = "USD"
seed = "1000.00"
contribution = "12.5 %"
share_of = "progressive"
several_winners = "each_in_full"
""",
)  # fmt: skip


@pytest.mark.parametrize("text", [submission(), EVERYTHING], ids=["as little as can be", "everything"])
def test_a_filing_comes_back_from_its_frames_as_it_was_filed(text: str, tmp_path: Path) -> None:
    loaded = load_texts(tmp_path, text)
    (back,) = filings_of(loaded.filed)
    assert back == loaded.submissions[0]
    assert back.fingerprint == loaded.submissions[0].fingerprint


def test_several_filings_come_back_in_their_order_each_with_its_own_wagers() -> None:
    loaded = load_filings(SAMPLE)
    assert tuple(filings_of(loaded.filed)) == loaded.submissions

from __future__ import annotations

import pytest

from pipeline.case.mask import Mask
from pipeline.explain.story import Step


@pytest.mark.parametrize(
    ("ids", "text", "masked"),
    [
        (["px123456"], "Player px123456 of operator op-1", "Player 1 of operator op-1"),
        (["px123456"], "wager r1-px123456-ante, session_px123456_2", "wager r1-player 1-ante, session_player 1_2"),
        (["anna", "annabel"], "annabel and anna, but not annapolis", "player 2 and player 1, but not annapolis"),
        (["7"], "after player 7 folded; 7.00 USD, 17 to 1, player 77", "after player 1 folded; 7.00 USD, 17 to 1, player 77"),
        (["42"], "Player 42 is said to have played on an ante of 42.00 USD", "Player 1 is said to have played on an ante of 42.00 USD"),
        (["p1"], "player p1.", "player 1."),
        (["a.*b"], "axxb a.*b", "axxb player 1"),
        ([], "player p1", "player p1"),
    ],
)
def test_ids_are_taken_out_of_sentences_and_amounts_stay(ids: list[str], text: str, masked: str) -> None:
    assert Mask(ids).text(text) == masked


def test_an_id_is_taken_out_of_its_field_however_short_it_is() -> None:
    rows = [{"player_id": "7", "round_id": "7", "staked": 7, "notes": ["player 7"]}]
    assert Mask(["7"]).value(rows) == [{"player_id": "player 1", "round_id": "7", "staked": 7, "notes": ["player 1"]}]
    assert Mask(["px123456"]).value([Step("Wager", "of px123456")]) == [Step("Wager", "of player 1")]

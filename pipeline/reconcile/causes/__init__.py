"""The root causes: what software gets wrong in the field, each one definition beside the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.reconcile.causes.amount import AMOUNT
from pipeline.reconcile.causes.ante_bonus import ANTE_BONUS
from pipeline.reconcile.causes.dealer_and_tie import DEALER_AND_TIE
from pipeline.reconcile.causes.fold_and_void import FOLD_AND_VOID
from pipeline.reconcile.causes.paytables import PAYTABLES
from pipeline.reconcile.causes.ranking import RANKING
from pipeline.reconcile.causes.six_cards import SIX_CARDS
from pipeline.reconcile.causes.wrong_input import WRONG_INPUT

if TYPE_CHECKING:
    from pipeline.reconcile.causes.hypothesis import Hypothesis

HYPOTHESES: Final[tuple[Hypothesis, ...]] = (
    *RANKING, *DEALER_AND_TIE, *ANTE_BONUS, *FOLD_AND_VOID, *SIX_CARDS, *WRONG_INPUT, *PAYTABLES, *AMOUNT,
)  # fmt: skip
"""Every hypothesis; a new one is one more definition in its family."""

UNEXPLAINED: Final = "unexplained"
"""The root cause of a finding that no hypothesis reproduces."""

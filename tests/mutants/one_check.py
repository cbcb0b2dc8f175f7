"""What one check alone finds in the untidy night: a mutant of it is tried against this first.

No test of the default run, which asks all checks at once.
"""

from __future__ import annotations

import json

import pytest

from tests.golden.test_untidy_night import ANSWERS, found
from tests.support.checks import all_checks


@pytest.mark.parametrize("check_id", [check.check_id for check in all_checks().checks])
def test_a_check_alone_finds_in_an_untidy_night_what_it_did(check_id: str) -> None:
    assert found(check_id).get(check_id) == json.loads(ANSWERS.read_text(encoding="utf-8")).get(check_id)

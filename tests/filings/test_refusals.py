"""A wrong filing says what is wrong, where, and what is allowed; and nothing makes the loader fall over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from pipeline.core.errors import FilingError
from pipeline.filings.load import load_filings
from pipeline.filings.read import UnreadableFilingError
from tests.support.submissions import load_texts, submission

if TYPE_CHECKING:
    from pathlib import Path

_PP = "[wagers.pair_plus]"


def _problems(folder: Path, *texts: str) -> tuple[str, ...]:
    with pytest.raises(UnreadableFilingError) as raised:
        load_texts(folder, *texts)
    assert raised.value.exit_code == 2
    assert "\n" not in str(raised.value)
    return raised.value.problems


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("decks = 2\n", "", r"0\.toml:1:1: filing\.decks is missing"),
        ('jurisdiction = "US-PA"\n', "", r"filing\.jurisdiction is missing"),
        ("decks = 2", 'decks = "2"', r'0\.toml:10:1: filing\.decks is "2"; allowed: a whole number from 1'),
        ("decks = 2", "deks = 2", r'filing\.deks is not a key of a filing, did you mean "decks"\?'),
        ("deck_alternation = true", "deck_alternation = 1", r"allowed: true, false"),
        ("2026-01-01", '"2026-01-01"', r"must be a day without quotes"),
        ("2026-01-01", "2026-01-01T06:00:00Z", r"must be a day without quotes"),
        ("2026-01-01", "2026-01-01\neffective_to = 2025-12-31", r"effective_to is 2025-12-31, before effective_from 2026-01-01"),
        ('"three_card_poker"', '"baccarat"', r'filing\.game is "baccarat"; allowed: "three_card_poker"'),
        ('tables = ["TCP-01", "TCP-02"]', "tables = []", r"filing\.tables is empty"),
        ('tables = ["TCP-01", "TCP-02"]', 'tables = ["TCP-01", 2]', r"filing\.tables holds 2"),
        ('["USD"]', '["usd"]', r'filing\.currencies holds "usd" and must be a list of ISO 4217 codes'),
        ("America/New_York", "America/New_Yrok", r'no IANA time zone, did you mean "America/New_York"\?'),
        ('"06:00"', '"6"', r'starts_at is "6" and must be a local time of day like "06:00"'),
        ("decks = 2", 'decks = 2\nqualifier = "10"', r'qualifier is "10"; allowed: "2", "3"'),
        ("decks = 2", 'decks = 2\ntie = "dealer"', r'tie is "dealer"; allowed: "push", "player_wins"'),
        ("decks = 2", 'decks = 2\non_timeout = "play_if_at_least:Q6"', r"on_timeout is .*allowed: .*play_if_at_least:Q64"),
        ("decks = 2", 'decks = 2\nlate_credit_grace = "soon"', r'late_credit_grace is "soon" and must be a duration'),
        ("decks = 2", "decks = 2\nlinked_ante_pair_plus = {}", r"linked_ante_pair_plus\.relation is missing"),
        ('"40 to 1"', '"40:1"', r'odds\.straight_flush is "40:1", which is no price; allowed: "x to y", "x for y"'),
        ("pair = ", "pairs = ", r'odds\.pairs is not a line that can be paid here, did you mean "pair"\?'),
        ('pair = "1 to 1"', 'two_pair = "1 to 1"', r"two_pair is not a line that can be paid here"),
        ('pair = "1 to 1"', 'pair = { flat = "5", currency = "EUR" }', r'paid in "EUR", which is not one of the filed currencies'),
        ('pair = "1 to 1"', 'pair = { flat = "5", currency = "USD" }', r"pair_plus\.stake_returned is missing"),
        ("forfeited_by_fold = true\n", "", r"pair_plus\.forfeited_by_fold is missing"),
        (_PP, '[wagers.player_bonus]\nodds = { pair = "1 to 1" }\nforfeited_by_fold = true\n' + _PP, r"player_bonus\.judged_on is missing"),
        (_PP, '[wagers.x]\nforfeited_by_fold = true\njudged_on = "player_three"\n' + _PP, r"x\.odds is missing: file odds or a paytable"),
        (_PP, _PP + '\npaytable = "A"', r"names only ante bonus tables .*write the odds out"),
        ("royal_flush =", 'super_royal_other = { flat = "1", currency = "USD" }\nroyal_flush =', r"six_card_bonus\.super_royal is missing"),
        ('ante = { min = "1.00"', 'ante = { min = "501.00"', r"limits\.ante\.min is 501\.00, above max 500\.00"),
        ('ante = { min = "1.00"', 'ante = { min = "1e2"', r'limits\.ante\.min is "1e2" and must be an amount'),
        ("ante = { min", "anti = { min", r'limits\.anti is neither a wager of this filing, did you mean "ante"\?'),
        ("[limits]", "[limits.EUR]", r"limits\.EUR is not one of the filed currencies"),
        (_PP, "[meters.M]\nshare_of = 'pairplus'\n" + _PP, r'meters\.M\.share_of is "pairplus"; allowed: "ante"'),
        (_PP, "[meters.M]\ncontribution = '150 %'\n" + _PP, r"contribution is .* must be a share of each stake"),
        ("decks = 2", 'decks = 2\naggregate_payout_limit = { amount = "5" }', r"aggregate_payout_limit\.currency is missing"),
        ('straight = "1 to 1" }', 'straight = "1 to 1" }\nforfeited_by_fold = false', r"ante_bonus\.forfeited_by_fold is false"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert any(re.search(says, problem) for problem in _problems(tmp_path, submission((old, new)))), says


def test_an_unknown_paytable_lists_the_seven(tmp_path: Path) -> None:
    odds = 'odds = { straight_flush = "5 to 1", three_of_a_kind = "4 to 1", straight = "1 to 1" }'
    (problem,) = _problems(tmp_path, submission((odds, 'paytable = "58 Pa. Code § 649a.12(b) Z"')))
    assert problem.count("58 Pa. Code §") == 8


def test_all_problems_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    wrong = submission(("decks = 2", 'decks = "two"'), ('"6 to 1"', '"six"'))
    problems = _problems(tmp_path, wrong, submission(('studio = "studio-7"\n', "")))
    assert [problem.split(":")[0] for problem in problems] == ["0.toml", "0.toml", "1.toml"]


def test_wrong_syntax_names_line_and_column(tmp_path: Path) -> None:
    (problem,) = _problems(tmp_path, '[filing]\nid = "x"\noperator = Keystone\n')
    assert problem.startswith("0.toml:3:12: TOML: ")


def test_two_contents_of_one_id_and_revision(tmp_path: Path) -> None:
    (problem,) = _problems(tmp_path, submission(), submission(('"6 to 1"', '"5 to 1"')))
    assert "revision 1 says something else than 0.toml" in problem
    assert "higher revision" in problem


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ((), (), True),
        ((), (("2026-01-01", "2027-01-01"),), True),
        ((("2026-01-01", "2026-01-01\neffective_to = 2026-06-30"),), (("2026-01-01", "2026-06-30"),), True),
        ((("2026-01-01", "2026-01-01\neffective_to = 2026-06-30"),), (("2026-01-01", "2026-07-01"),), False),
        ((("decks = 2", 'decks = 2\noperators = ["a", "b"]'),), (("decks = 2", 'decks = 2\noperators = ["b"]'),), True),
        ((("decks = 2", 'decks = 2\noperators = ["a"]'),), (("decks = 2", 'decks = 2\noperators = ["b"]'),), False),
        ((("decks = 2", 'decks = 2\noperators = ["a"]'),), (), True),
        ((('"TCP-01", "TCP-02"', '"TCP-01"'),), (('"TCP-01", "TCP-02"', '"TCP-02"'),), False),
        ((), (("studio-7", "studio-8"),), False),
    ],
)
def test_filings_that_overlap_in_studio_table_operator_and_time(
    tmp_path: Path, one: tuple[tuple[str, str], ...], other: tuple[tuple[str, str], ...], *, overlap: bool
) -> None:
    texts = (submission(*one), submission(('id = "keystone-tcp-2026"', 'id = "second"'), *other))
    if not overlap:
        assert len(load_texts(tmp_path, *texts).submissions) == 2
        return
    (problem,) = _problems(tmp_path, *texts)
    assert '"second" overlaps "keystone-tcp-2026" (0.toml)' in problem or '"keystone-tcp-2026" overlaps "second" (1.toml)' in problem


def test_filings_of_a_studio_share_one_gaming_day(tmp_path: Path) -> None:
    other = submission(('id = "keystone-tcp-2026"', 'id = "second"'), ('"TCP-01", "TCP-02"', '"TCP-09"'), ('"06:00"', '"07:00"'))
    (problem,) = _problems(tmp_path, submission(), other)
    assert "07:00 America/New_York" in problem
    assert "0.toml" in problem


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\xff\xfe\x00", b"\x00" * 1000, b"= 1", b"[filing", b"[filing]\n" * 2, b"a = " + b"[" * 50_000, b"a." * 50_000 + b"a = 1",
        b"x = " + b"9" * 10_000, b"x = 0x" + b"f" * 10_000, b"x = 1e999999999", b"x = nan", b"[filing]\nid = nan\nrevision = inf",
        b"filing = 1", b"filing = []", b"[[filing]]\nid = 1", b"wagers = 1\n[filing]\nid = 'x'", b"[wagers.a]\nodds = 1\n[filing]",
        b"[filing]\n" + b"".join(b"k%d = 1\n" % number for number in range(20_000)), b"x = '" + b" " * 900_000 + b"'", b"y" * 2_000_000,
        b"[filing]\ntables = [[[]]]\noperators = [1979-05-27, 1.5]\ngaming_day = { timezone = 5 }\ncurrencies = 'USD'",
        b"\xef\xbb\xbfx = 1",
        b"[limits]\nante = 5\nUSD = 5\n[wagers]\nante = 5\n'' = {}\n[wagers.pair_plus]\nodds = { pair = [] }\n[meters]\n'' = 1\nM = {}",
        b"x = 9999-99-99", b"x = 1979-02-30",
    ],
)  # fmt: skip
def test_hostile_filings_are_refused_in_words(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "hostile.toml").write_bytes(raw)
    with pytest.raises(UnreadableFilingError) as raised:
        load_filings(tmp_path)
    assert all(problem.startswith("hostile.toml") and len(problem) < 1000 for problem in raised.value.problems)
    assert len(raised.value.problems) <= 51


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FilingError, match="does not exist"):
        load_filings(tmp_path / "none")


def test_a_folder_without_filings(tmp_path: Path) -> None:
    with pytest.raises(FilingError, match="holds no filing"):
        load_filings(tmp_path)

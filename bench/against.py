"""This project beside what people use: a loop over a hand evaluator, pandas with a merge, datacompy's compare.

``python bench/against.py --wagers 300000 --others PYTHON`` simulates an honest day, audits it into a lake, and measures on what lies there,
in one run:

- ``loop``: a plain Python loop that ranks both hands of each ante, play and Pair Plus with PokerKit, works out what is due and compares it
  with what was paid; rows fetched before the clock starts, at most 50,000 of them;
- ``pandas``, ``datacompy``: what is due and what was paid of each wager, worked out by this project before, merged by key and compared,
  and nothing else; run by ``PYTHON``, an environment with pandas and datacompy (which wants an older Polars);
- ``settle twice and compare``: whole rounds read, settled by both engines, compared with each other and with what was paid;
- ``whole audit``: from NDJSON to the published lake, with every check.

Prints a Markdown table with wagers a processor second, and each as a ratio to ``settle twice and compare``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pokerkit import Card, RhodeIslandHoldemLookup

from pipeline.ask.query import connect
from pipeline.audit import Request, audit
from pipeline.filings.load import load_filings
from pipeline.lake.earlier import Published, published_chunks
from pipeline.reconcile.payouts import settlements
from pipeline.reconcile.session import open_session
from pipeline.settle.agreement import compare, settled_result
from pipeline.settle.twin import Twin
from pipeline.settle.wagers import settle
from pipeline.simulate import Settings, simulate

if TYPE_CHECKING:
    from collections.abc import Callable

LOOPED: Final = 50_000
_OF_ANTE_PLAY_AND_PAIR_PLUS: Final = """
    SELECT
        judged.kind, judged.stake, judged.paid, judged.bonus_paid, judged.filing_fingerprint AS filing,
        array_to_string(own.cards, '') AS cards, array_to_string(dealt.cards, '') AS dealer, plays.wager_key IS NOT NULL AS played
    FROM settlements AS judged
    JOIN hands AS own ON own.hand_key = judged.hand_key AND own.gaming_day = judged.gaming_day
    JOIN hands AS dealt ON dealt.round_key = judged.round_key AND dealt.gaming_day = judged.gaming_day AND dealt.is_dealer
    LEFT JOIN settlements AS plays
        ON plays.participant_key = judged.participant_key AND plays.gaming_day = judged.gaming_day AND plays.kind = 'play'
    WHERE judged.settlement = 'settled' AND judged.funding = 'cash' AND len(own.cards) = 3 AND len(dealt.cards) = 3
        AND (judged.kind IN ('ante', 'play') OR (judged.kind = 'pair_plus' AND plays.wager_key IS NOT NULL))
    LIMIT $most
"""
_DUE_AND_PAID: Final = """
    SELECT studio_id, round_id, wager_id, expected + expected_bonus AS due, coalesce(paid, 0) + coalesce(bonus_paid, 0) AS paid
    FROM settlements WHERE settlement IN ('settled', 'voided')
"""


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, and what came of it."""
    begun = time.process_time()
    done = work()
    return time.process_time() - begun, done


def loop(rows: list[tuple[Any, ...]], prices: dict[tuple[str, str, str], Fraction]) -> int:
    """How many rows were paid otherwise than the loop works out."""
    lookup, wrong = RhodeIslandHoldemLookup(), 0
    for kind, stake, paid, bonus_paid, filing, cards, dealer, played in rows:
        own, house = lookup.get_entry(Card.parse(cards)), lookup.get_entry(Card.parse(dealer))
        line = own.label.value.lower().replace(" ", "_").replace("one_pair", "pair")
        qualifies = house.label.value != "High card" or any(rank in dealer for rank in "QKA")
        bonus = Fraction(0)
        if kind == "pair_plus":
            price = prices.get((filing, kind, line))
            due = stake * (1 + price) if price is not None else Fraction(0)
        elif not played:
            due = Fraction(0)
        else:
            won = own.index > house.index
            due = stake * (2 if (won and qualifies) or (not qualifies and kind == "ante") else own.index == house.index or not qualifies)
            if kind == "ante":
                bonus = stake * prices.get((filing, "ante_bonus", line), Fraction(0))
        wrong += due + bonus != (paid or 0) + (bonus_paid or 0)
    return wrong


def settled_twice(lake: Published, filings: Path) -> int:
    """Settle the lake's only night with both engines, compare, and say how many wagers it has."""
    (studio,) = lake.studios
    (day,) = lake.days(studio)
    filed, twin, wagers = load_filings(filings).filed, Twin(open_session()), 0
    for chunk in published_chunks(lake, studio, day):
        ours = settle(chunk, filed)
        wagers += settlements(chunk, settled_result(ours, compare(ours, twin.settle(chunk, filed))), filed).height
    return wagers


def main() -> None:
    """Simulate, audit, measure, print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wagers", type=int, default=300_000)
    options.add_argument("--others", required=True, help="the Python that has pandas and datacompy")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        day, lake = Path(folder) / "day", Path(folder) / "lake"
        simulate(Settings(seed=7, wagers=given.wagers), day)
        seconds, _ = timed(lambda: audit(Request((day / "rounds.ndjson",), day / "filings", lake)))
        with connect(lake) as con:
            rows = con.execute(_OF_ANTE_PLAY_AND_PAIR_PLUS, {"most": LOOPED}).fetchall()
            lines = con.execute("SELECT filing_fingerprint, kind, line, num, den FROM filed_lines WHERE basis = 'to'").fetchall()
            due = con.sql(_DUE_AND_PAID).pl()
        due.select("studio_id", "round_id", "wager_id", amount="due").write_parquet(f"{folder}/due.parquet")
        due.select("studio_id", "round_id", "wager_id", amount="paid").write_parquet(f"{folder}/paid.parquet")
        rows = [(kind, Fraction(stake), *rest) for kind, stake, *rest in rows]
        looped, wrong = timed(lambda: loop(rows, {(filing, kind, line): Fraction(num, den) for filing, kind, line, num, den in lines}))
        settled, wagers = timed(lambda: settled_twice(Published(lake), day / "filings"))
        others = json.loads(subprocess.check_output([given.others, str(Path(__file__).with_name("others.py")), folder]))
    measured = {
        f"loop over PokerKit ({wrong:,} of {len(rows):,} differ)": (len(rows), looped),
        **{way: (due.height, seconds) for way, seconds in others.items()},
        "settle twice and compare": (wagers, settled),
        "whole audit": (wagers, seconds),
    }
    base = wagers / settled
    print("| way | wagers | CPU seconds | wagers a CPU second | times ours |\n|---|---|---|---|---|")
    for way, (count, cpu) in measured.items():
        print(f"| {way} | {count:,} | {cpu:.2f} | {count / cpu:,.0f} | {count / cpu / base:.3f} |")


if __name__ == "__main__":
    main()

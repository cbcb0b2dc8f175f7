"""What an honest delivery must hold, and what must be true of all of it, said in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.simulate.conftest import Delivery, Row

NEW_YORK = ZoneInfo("America/New_York")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def wagers(rounds: list[Row]) -> Iterator[tuple[Row, Row, Row]]:
    return ((told, part, wager) for told in rounds for part in told["participants"] for wager in part["wagers"])


def each_once(rounds: list[Row]) -> list[Row]:
    return list({told["round_id"]: told for told in rounds}.values())


def by_table(rounds: list[Row]) -> dict[str, list[Row]]:
    tables = defaultdict(list)
    for told in each_once(rounds):
        tables[told["table_id"]].append(told)
    return tables


def in_void(told: Row, part: Row, wager: Row) -> bool:
    void = told.get("void")
    if not void:
        return False
    named = part["hand_id"] in void["hand_ids"] or part["player_id"] in void["player_ids"] or wager["wager_id"] in void["wager_ids"]
    return told["status"] == "voided" or named


def read_at_draw(told: Row) -> bool:
    """Whether the dealer's cards were all read before anybody had decided."""
    theirs = [at(read["read_at"]) for read in told["card_readings"] if read["to"] == "dealer" and "replaces" not in read]
    decided = [at(part["decided_at"]) for part in told["participants"] if "decided_at" in part]
    return len(theirs) == 3 and bool(decided) and max(theirs) < min(decided)


def test_nothing_is_wrong_by_its_own_account(honest: Delivery) -> None:
    assert honest.done.truths == ()
    assert honest.truth == []


def test_everything_that_a_studio_month_has_is_there(honest: Delivery) -> None:
    rounds = each_once(honest.rounds)
    parts = [(told, part) for told in rounds for part in told["participants"]]
    assert {part["decided_by"] for _, part in parts if "decided_by" in part} == {"player", "timeout", "disconnect"}
    assert {part["currency"] for _, part in parts} == {"USD", "EUR"}
    assert any(part.get("session_id") == "s2" for _, part in parts)
    assert any([w["kind"] for w in part["wagers"]] == ["pair_plus"] for _, part in parts)
    assert any(part.get("play_mode") == "test" for _, part in parts)
    assert any(part.get("decided_by") == "timeout" and part["decision"] == "play" for _, part in parts)
    assert any(wager.get("funding") == "free" and wager["paid"] not in {None, "0.00"} for _, _, wager in wagers(rounds))
    assert any(wager.get("status") == "rejected" for _, _, wager in wagers(rounds))
    voids = [told for told in rounds if "void" in told]
    assert any(told["status"] == "voided" and len(told["card_readings"]) == 2 for told in voids)
    lists = {name for told in voids for name in ("hand_ids", "player_ids", "wager_ids") if told["void"][name]}
    assert lists == {"hand_ids", "player_ids", "wager_ids"}
    shapes = {(told["void"]["scope"], w.get("status", "accepted")) for told, part, w in wagers(voids) if in_void(told, part, w)}
    assert {("round", "accepted"), ("round", "cancelled"), ("part", "accepted"), ("part", "cancelled")} <= shapes
    assert any(told["status"] == "settled" and not told["dealer_hand"] for told in rounds)
    corrected = {(r["to"] == "dealer") for told in rounds for r in told["card_readings"] if "replaces" in r}
    assert corrected == {True, False}
    assert max(len(told["hands"]) for told in rounds) == 7
    assert any(len(told["hands"]) == 1 and len(told["participants"]) > 2 for told in rounds), "no hand that is shared"
    assert {part["operator_id"] for _, part in parts} == {"op-keystone", "op-harbour"}
    assert all(len({told["dealer_id"] for told in table}) > 2 for table in by_table(rounds).values()), "no change of dealer"
    assert any(read_at_draw(told) for told in rounds)
    assert any(not told["shuffler_in_use"] for told in rounds)
    assert any(told["verified_by"] != told["dealer_id"] for told in rounds if "verified_by" in told)
    assert any("stream_outages" in told for told in rounds)
    assert any(told.get("filing_id") for told in rounds)
    assert any("meters" in told for told in rounds)
    assert len(honest.rounds) > len(rounds), "no exact repeat"


def test_rounds_lie_across_midnight_the_change_of_the_clock_and_the_start_of_the_day(honest: Delivery) -> None:
    settled = [told for told in each_once(honest.rounds) if "posted_at" in told]
    spans = [(at(told["opened_at"]).astimezone(NEW_YORK), at(told["posted_at"]).astimezone(NEW_YORK)) for told in settled]
    assert any(a.utcoffset() != b.utcoffset() for a, b in spans)
    assert any(a.date() != b.date() for a, b in spans)
    cut = [(a - timedelta(hours=6)).replace(tzinfo=None).date() != (b - timedelta(hours=6)).replace(tzinfo=None).date() for a, b in spans]
    assert any(cut)


def test_the_delivery_ends_with_a_round_open_on_each_table(honest: Delivery) -> None:
    for rounds in by_table(honest.rounds).values():
        assert [told["status"] for told in rounds].count("open") == 1
        assert rounds[-1]["status"] == "open"
        assert all(w["paid"] is None for _, _, w in wagers(rounds[-1:]))


def test_control_points_follow_one_another(honest: Delivery) -> None:
    for told in each_once(honest.rounds):
        points = [told[name] for name in ("opened_at", "bets_closed_at", "verified_at", "posted_at") if name in told]
        assert points == sorted(points, key=at)
        first_card = min(at(r["read_at"]) for r in told["card_readings"])
        assert at(told["bets_closed_at"]) < first_card
        reveals = [at(told["dealer_revealed_at"])] if "dealer_revealed_at" in told else []
        if told["table_id"] != "TCP-02":
            reveals += [at(r["read_at"]) for r in told["card_readings"] if r["to"] == "dealer"]
        for part in told["participants"]:
            for wager in part["wagers"]:
                assert at(told["opened_at"]) <= at(wager["placed_at"])
                assert wager["kind"] == "play" or at(wager["placed_at"]) <= at(told["bets_closed_at"])
                assert "paid_at" not in wager or "posted_at" not in told or at(wager["paid_at"]) >= at(told["posted_at"])
            if part.get("decided_at") and reveals:
                assert at(part["decided_at"]) < min(reveals)


def test_sequence_decks_and_rounds_do_not_overlap(honest: Delivery) -> None:
    for rounds in by_table(honest.rounds).values():
        assert len({told["deck_id"] for told in rounds}) == 2
        for before, after in itertools.pairwise(rounds):
            assert after["sequence"] == before["sequence"] + 1
            assert before["deck_id"] != after["deck_id"] or not after["shuffler_in_use"]
            ended = before.get("posted_at") or before["void"]["at"]
            assert at(ended) < min(at(r["read_at"]) for r in after["card_readings"])


def test_one_deck_and_three_cards_a_hand(honest: Delivery) -> None:
    for told in each_once(honest.rounds):
        replaced = {r.get("replaces") for r in told["card_readings"]}
        read = [(r["to"], r["card"]) for r in told["card_readings"] if r["seq"] not in replaced]
        assert len({card for _, card in read}) == len(read)
        assert "??" not in {card for _, card in read}
        if told["status"] == "settled":
            posted = {hand["hand_id"]: hand["cards"] for hand in told["hands"]} | {"dealer": told["dealer_hand"]}
            for hand_id, cards in posted.items():
                assert len(cards) == 3 or (hand_id == "dealer" and not cards)
                assert sorted(cards) == sorted(card for to, card in read if to == hand_id)


def test_corrections_come_in_time_and_name_somebody(honest: Delivery) -> None:
    for told in each_once(honest.rounds):
        for reading in told["card_readings"]:
            if "replaces" in reading:
                decided = [at(p["decided_at"]) for p in told["participants"] if p["hand_id"] == reading["to"] and "decided_at" in p]
                assert reading["by"]
                assert all(at(reading["read_at"]) < moment for moment in decided)
                assert "posted_at" not in told or at(reading["read_at"]) < at(told["posted_at"])


def test_a_play_equals_its_ante_and_a_claim_equals_what_was_done(honest: Delivery) -> None:
    for told in each_once(honest.rounds):
        for part in told["participants"]:
            kinds = Counter(w["kind"] for w in part["wagers"])
            assert max(kinds.values()) == 1
            stakes = {w["kind"]: w["stake"] for w in part["wagers"]}
            if "play" in stakes:
                assert stakes["play"] == stakes["ante"]
            if "ante" in stakes and told["status"] != "voided":
                assert part["decision"] == ("play" if "play" in stakes else "fold")
            assert "ante" in stakes or "decision" not in part


def test_linked_wagers_are_equal(honest: Delivery) -> None:
    at_the_draw = (part for told in honest.rounds if told["table_id"] == "TCP-02" for part in told["participants"])
    linked = [part for part in at_the_draw if part["operator_id"] == "op-keystone"]
    assert linked
    for part in linked:
        stakes = {w["kind"]: w["stake"] for w in part["wagers"]}
        assert stakes["ante"] == stakes["pair_plus"]


def test_pair_plus_hands_back_what_keystone_filed(honest: Delivery) -> None:
    """An independent tiny settlement: the ranks' pattern decides."""
    seen = Counter[str]()
    for told, part, wager in wagers(each_once(honest.rounds)):
        wanted = wager["kind"] == "pair_plus" and part["operator_id"] == "op-keystone" and told["table_id"] != "TCP-02"
        if not wanted or told["status"] != "settled" or wager.get("status") or wager.get("funding") or in_void(told, part, wager):
            continue
        cards = next(hand["cards"] for hand in told["hands"] if hand["hand_id"] == part["hand_id"])
        values = sorted("23456789TJQKA".index(card[0]) for card in cards)
        suited = cards[0][1] == cards[1][1] == cards[2][1]
        steps = (values[1] - values[0], values[2] - values[1])
        straight = steps == (1, 1) or values == [0, 1, 12]
        name, times = (
            ("straight flush", 41) if suited and straight
            else ("trips", 31) if steps == (0, 0)
            else ("straight", 7) if straight
            else ("flush", 5) if suited
            else ("pair", 2) if 0 in steps
            else ("nothing", 0)
        )  # fmt: skip
        folded = {w["kind"] for w in part["wagers"]} & {"ante", "play"} == {"ante"}
        assert Decimal(wager["paid"]) == (0 if folded else times * Decimal(wager["stake"]))
        seen[name] += 1
    assert {"nothing", "pair", "flush", "straight"} <= set(seen)


def test_meters_are_a_chain_fed_by_what_was_staked(honest: Delivery) -> None:
    last: dict[str, Decimal] = {}
    for told in each_once(honest.rounds):
        for meter in told.get("meters", ()):
            before, fed, paid, reseed, after = (Decimal(meter[name]) for name in ("before", "contribution", "paid", "reseed", "after"))
            staked = sum(Decimal(w["stake"]) for _, _, w in wagers([told]) if w["kind"] == "progressive")
            assert before + fed - paid + reseed == after
            assert fed == staked / 10
            assert before == last.get(meter["meter_id"], before)
            last[meter["meter_id"]] = after
    assert last

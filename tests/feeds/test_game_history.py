"""A game history says what the log says, as far as it says it."""

from __future__ import annotations

import gzip
import json
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipeline.core.errors import InputError
from pipeline.feeds.blocks import ReadLimits
from pipeline.feeds.delivery import Delivery, read_delivery
from pipeline.feeds.profile import Profile, read_profile
from pipeline.simulate.settings import Settings
from pipeline.simulate.write import simulate
from tests.support.other_feeds import Row, as_document, as_games, profile_for

if TYPE_CHECKING:
    from collections.abc import Callable

THOUSANDS = frozenset({"EUR"})
UNSEEN = frozenset({
    "card_readings", "displayed", "meters", "dealer_revealed_at", "deck_id", "shuffler_in_use", "software_version", "video_ref",
    "filing_id", "revision", "recorded_at", "stream_outages",
})  # fmt: skip
EXAMPLE = Path(__file__).parents[2] / "docs" / "profiles" / "game-history.toml"


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """A simulated day, each round once, with what a history carries of it."""
    folder = tmp_path_factory.mktemp("simulated")
    simulate(Settings(seed=5, rounds=80, faults={"void_not_refunded": 0.1, "ace_high_straight_missed": 0.02}), folder)
    once: dict[str, Row] = {}
    for line in (folder / "rounds.ndjson").read_text().splitlines():
        one = json.loads(line)
        once.setdefault(one["round_id"], one)
    return [plain(one) for one in once.values()]


def plain(one: Row) -> Row:
    """The round without what a history does not carry."""
    kept = {name: value for name, value in one.items() if name not in UNSEEN}
    who = {person["hand_id"] for person in kept["participants"]}
    kept["hands"] = [hand for hand in kept.get("hands") or [] if hand["hand_id"] in who]
    kept["participants"] = [{**person, "wagers": [dict(wager) for wager in person["wagers"]]} for person in kept["participants"]]
    for person in kept["participants"]:
        for wager in person["wagers"]:
            wager.pop("funding", None)
            wager.pop("status", None)
    kept.pop("void", None)
    if kept["status"] == "voided":
        kept["void"] = {"reason": "seal", "authorised_by": "PIT", "at": kept.get("posted_at"), "scope": "round"}
    return kept


@pytest.fixture
def deliver(tmp_path: Path) -> Callable[..., Delivery]:
    def run(path: Path, profile: str | None = None, **options: Any) -> Delivery:
        told = None
        if profile is not None:
            (tmp_path / "profile.toml").write_text(profile)
            told = read_profile(tmp_path / "profile.toml")
        return read_delivery([path], {}, tmp_path / f"stage-{len(list(tmp_path.iterdir()))}", profile=told, **options)

    return run


def money(frame: pl.DataFrame) -> pl.DataFrame:
    """Each wager with what came back on it in all."""
    back = pl.col("paid").fill_null(0) + pl.col("bonus_paid").fill_null(0)
    return frame.select("round_id", "wager_id", "operator_id", "player_id", "session_id", "hand_id", "kind", "currency", "stake", back)


@pytest.mark.parametrize("payout", ["gross", "net"])
@pytest.mark.parametrize("ante_bonus", ["in_ante", "own_code"])
def test_a_history_says_what_the_log_says(
    payout: str, ante_bonus: str, rounds: list[Row], deliver: Any, tables: Any, tmp_path: Path
) -> None:
    how = {"payout": payout, "ante_bonus": ante_bonus, "thousands": THOUSANDS}
    (tmp_path / "log.ndjson").write_text("".join(json.dumps(one) + "\n" for one in rounds))
    (tmp_path / "history.json").write_text(json.dumps(as_document(as_games(rounds, **how))))
    log = tables(deliver(tmp_path / "log.ndjson"))
    delivery = deliver(tmp_path / "history.json", profile_for("studio-3", **how), limits=ReadLimits(block_bytes=8192))
    assert delivery.quarantine().collect().rows() == []
    history = tables(delivery)
    assert_frame_equal(money(history["wagers"]), money(log["wagers"]))
    same = ["round_id", "table_id", "status", "dealer_id", "sequence", "dated_at", "opened_at", "posted_at", "verified_at", "gaming_day"]
    assert_frame_equal(history["rounds"].select(same), log["rounds"].select(same))
    drop = ["source_file", "source_line"]
    assert_frame_equal(history["participants"].drop(drop, "decision"), log["participants"].drop(drop, "decision"))
    hands = ["round_key", "hand_id", "cards"]
    posted = pl.col("cards").is_not_null()
    assert_frame_equal(history["hands"].filter(posted).select(hands), log["hands"].filter(posted).select(hands), check_row_order=False)


def game(**changes: Any) -> Row:
    bets = [
        {"code": "XQ_MAIN", "stake": 10, "payout": 10.0, "placedOn": "2026-11-03T15:00:01Z", "transactionId": "t1"},
        {"code": "XQ_RAISE", "stake": "10.00", "payout": "10.00", "placedOn": "2026-11-03T15:00:20Z", "transactionId": "t2"},
    ]
    return {
        "id": "g1", "status": "Resolved", "settledAt": "2026-11-03T15:00:28.900Z", "table": {"id": "T1"}, "currency": "USD",
        "result": {"player": {"cards": ["QD", "8C", "10H"]}, "dealer": {"cards": ["9D", "2S", "QH"]}},
        "participants": [{"playerId": "p1", "sessionId": "s", "bets": bets}], **changes,
    }  # fmt: skip


def person(*bets: Row, **fields: Any) -> Row:
    return {"playerId": "p1", "sessionId": "s", "bets": list(bets), **fields}


def bet(code: str, stake: Any = "10", payout: Any = "0", **fields: Any) -> Row:
    return {"code": code, "stake": stake, "payout": payout, "placedOn": "2026-11-03T15:00:01Z", **fields}


@pytest.fixture
def history(tmp_path: Path, deliver: Any) -> Callable[..., Delivery]:
    """Delivers games under the profile of the docs, keys of which may be replaced by text."""

    def run(*games: Any, edit: dict[str, str] | None = None, raw: bytes | None = None, name: str = "h.json") -> Delivery:
        text = EXAMPLE.read_text().replace('payout = "net"', 'payout = "gross"')
        for old, new in (edit or {}).items():
            assert old in text
            text = text.replace(old, new, 1)
        (tmp_path / name).write_bytes(json.dumps({"data": [{"games": list(games)}]}).encode() if raw is None else raw)
        return deliver(tmp_path / name, text)  # type: ignore[no-any-return]

    return run


def reasons(delivery: Delivery) -> list[str]:
    return delivery.quarantine().collect()["reason"].to_list()


def wagers(delivery: Delivery, tables: Any, *names: str) -> list[Any]:
    rows = tables(delivery)["wagers"].select(*names).rows()
    return [row[0] for row in rows] if len(names) == 1 else rows


def test_an_unknown_code_is_a_kind_that_no_filing_offers(history: Any, tables: Any) -> None:
    got = wagers(history(game(participants=[person(bet("XQ_NEW"), bet("ante"))])), tables, "kind")
    assert got == ["code:XQ_NEW", "code:ante"]


def test_net_payouts(history: Any, tables: Any) -> None:
    bets = [bet("XQ_MAIN", 10, -10), bet("XQ_RAISE", "10", "10"), bet("XQ_PAIR", "5", "-0.000000"), bet("XQ_SIX", "1", None)]
    got = history(game(participants=[person(*bets)]), edit={'payout = "gross"': 'payout = "net"'})
    assert wagers(got, tables, "paid") == [Decimal(0), Decimal(20), Decimal(5), None]


def test_a_net_payout_of_less_than_the_stake_lost_is_no_amount(history: Any) -> None:
    got = history(game(participants=[person(bet("XQ_MAIN", "10", "-10.01"))]), edit={'payout = "gross"': 'payout = "net"'})
    assert reasons(got) == ["participants[0].wagers[0].paid: impossible amount '-0.010000'"]


def test_units_of_thousands(history: Any, tables: Any) -> None:
    got = history(game(participants=[person(bet("XQ_MAIN", 1.5, "0.0005"), currency="VND"), person(bet("XQ_MAIN", "1.5"), sessionId="s2")]))
    assert wagers(got, tables, "currency", "stake", "paid") == [
        ("VND", Decimal(1500), Decimal("0.5")), ("USD", Decimal("1.5"), Decimal(0)),
    ]  # fmt: skip


def test_the_bonus_of_an_ante_in_a_bet_of_its_own(history: Any, tables: Any) -> None:
    bets = [bet("XQ_MAIN", payout="20"), bet("XQ_EXTRA", 0, "40"), bet("XQ_EXTRA", None, "1.5"), bet("XQ_RAISE", payout="20")]
    got = wagers(history(game(participants=[person(*bets)])), tables, "kind", "paid", "bonus_paid")
    assert got == [("ante", Decimal(20), Decimal("41.5")), ("play", Decimal(20), None)]


def test_where_no_bonus_bet_stands_the_bonus_paid_is_nothing(history: Any, tables: Any) -> None:
    assert wagers(history(game()), tables, "kind", "bonus_paid") == [("ante", Decimal(0)), ("play", None)]


def test_a_bonus_without_its_ante_or_with_a_stake_is_never_dropped(history: Any, tables: Any) -> None:
    alone = person(bet("XQ_EXTRA", None, "40"), sessionId="a")
    staked = person(bet("XQ_MAIN"), bet("XQ_EXTRA", "1", "40"), sessionId="b")
    got = wagers(history(game(participants=[alone, staked])), tables, "kind", "stake", "paid", "bonus_paid")
    assert got == [
        ("ante_bonus", Decimal(0), Decimal(40), None), ("ante", Decimal(10), Decimal(0), Decimal(0)),
        ("ante_bonus", Decimal(1), Decimal(40), None),
    ]  # fmt: skip


def test_a_bonus_that_is_no_amount(history: Any) -> None:
    got = history(game(participants=[person(bet("XQ_MAIN"), bet("XQ_EXTRA", 0, "40,00"))]))
    assert reasons(got) == ["participants[0].wagers[0].bonus_paid: impossible amount '40,00'"]


@pytest.mark.parametrize(("rule", "claims"), [("fold", ["play", "fold"]), ("unknown", ["play", None])])
def test_what_a_missing_play_bet_means(rule: str, claims: list[Any], history: Any, tables: Any) -> None:
    played, folded = person(bet("XQ_MAIN"), bet("XQ_RAISE"), sessionId="a"), person(bet("XQ_MAIN"), sessionId="b")
    edit = {'missing_play = "fold"': f'missing_play = "{rule}"', 'decision = "choice.what"\n': ""}
    rows = tables(history(game(participants=[played, folded]), edit=edit))
    assert rows["participants"]["decision"].to_list() == claims
    assert rows["rounds"]["feed_lacks"].to_list() == [["decision"] if rule == "unknown" else None]


def test_no_play_bet_in_a_voided_game_is_no_fold(history: Any, tables: Any) -> None:
    rows = tables(history(game(status="Cancelled", participants=[person(bet("XQ_MAIN"))])))
    assert rows["participants"]["decision"].to_list() == [None]
    assert rows["rounds"].select("status", "has_void", "void_scope").row(0) == ("voided", True, "round")


def test_the_status_of_a_participant(history: Any, tables: Any) -> None:
    people = [
        person(bet("XQ_MAIN", transactionId=word), status=word, sessionId=word) for word in ("Ok", "Declined", "Reversed", "Refunded")
    ]
    rows = tables(history(game(participants=people)))
    assert rows["wagers"]["status"].to_list() == ["accepted", "rejected", "cancelled", "accepted"]
    assert rows["rounds"].select("status", "void_scope", "void_wager_ids").row(0) == ("settled", "part", ["Refunded:XQ_MAIN"])


def test_bets_that_share_a_transaction(history: Any, tables: Any) -> None:
    people = [person(bet("XQ_MAIN", transactionId="t"), bet("XQ_PAIR", transactionId="t"), bet("XQ_SIX"))]
    rows = tables(history(game(participants=people)))["wagers"]
    assert rows.select("wager_id", "id_repeated").rows() == [("t:XQ_MAIN", False), ("t:XQ_PAIR", False), ("#3", False)]


def test_cards_in_another_spelling_are_unreadable(history: Any, tables: Any) -> None:
    result = {"player": {"cards": ["QD", "TD", "1H"]}, "dealer": {"cards": ["??", None, "AS"]}}
    hands = tables(history(game(result=result)))["hands"]
    assert hands.select("hand_id", "cards").rows() == [("dealer", ["??", "??", "As"]), ("player", ["Qd", "TD", "1H"])]


def test_a_participant_each_with_a_hand(history: Any, tables: Any) -> None:
    people = [person(bet("XQ_MAIN"), hand=["QD", "8C", "10H"]), person(bet("XQ_MAIN"), playerId="p2", hand=["AD", "8D", "9H"])]
    edit = {"shared_hand = true": "shared_hand = false", 'player_cards = "result.player.cards"': "", '# cards = "cards"': 'cards = "hand"'}
    hands = tables(history(game(participants=people), edit=edit))["hands"]
    assert hands["hand_id"].to_list() == ["dealer", "seat-1", "seat-2"]
    assert hands["cards"].to_list()[1:] == [["Qd", "8c", "Th"], ["Ad", "8d", "9h"]]


def test_a_profile_without_places_of_cards_makes_the_feed_money_only(history: Any, tables: Any) -> None:
    edit = {'player_cards = "result.player.cards"': "", 'dealer_cards = "result.dealer.cards"': ""}
    rows = tables(history(game(), edit=edit))
    assert rows["rounds"]["feed_lacks"].to_list() == [["cards"]]
    assert rows["hands"]["cards"].to_list() == [None, None]


def test_the_zone_of_times_without_offset(history: Any, tables: Any) -> None:
    got = tables(history(game(settledAt="2026-11-03T15:00:28.900")))["rounds"]
    assert got["posted_at"].dt.to_string("iso:strict").to_list() == ["2026-11-03T13:00:28.900000+00:00"]


POISONS: dict[str, tuple[Row, str]] = {
    "no id": (game(id=None), "round_id"),
    "an empty id": (game(id=""), "round_id: empty"),
    "a word that the profile does not know": (game(status="Odd"), "status: unknown value 'Odd'"),
    "a participant's word": (game(participants=[person(bet("XQ_MAIN"), status="Odd")]), "status: unknown value 'Odd'"),
    "no code": (game(participants=[person({"stake": "1"})]), "kind is missing"),
    "no stake": (game(participants=[person({"code": "XQ_MAIN"})]), "stake is missing"),
    "a negative stake": (game(participants=[person(bet("XQ_MAIN", "-1"))]), "stake: impossible amount '-1.000000'"),
    "an exponent": (game(participants=[person(bet("XQ_MAIN", 1e22))]), "impossible amount"),
    "too many digits": (game(participants=[person(bet("XQ_MAIN", 0.12345678))]), "impossible amount"),
    "a bool for an amount": (game(participants=[person(bet("XQ_MAIN", True))]), "impossible amount"),
    "a number for an id": (game(id=5), "id: a whole number where text should be"),
    "a list for an object": (game(table=[]), "table: a list where an object should be"),
    "an object for a list": (game(participants={}), "participants: an object where a list should be"),
    "null for a participant": (game(participants=[None]), "participants[0]"),
    "a time that is none": (game(settledAt="yesterday"), "posted_at: no RFC 3339 time 'yesterday'"),
    "nothing to be dated by": (game(settledAt=None, participants=[]), "no time to date the round by"),
}


@pytest.mark.parametrize("case", POISONS)
def test_a_game_that_cannot_be_read(case: str, history: Any, tables: Any) -> None:
    bad, reason = POISONS[case]
    delivery = history(bad, game(id="good"))
    (told,) = delivery.quarantine().collect().to_dicts()
    assert reason in told["reason"], told
    assert json.loads(told["raw"]) == bad
    assert told["source_line"] == 1
    assert tables(delivery)["rounds"]["round_id"].to_list() == ["good"]


def test_a_key_that_stands_twice(history: Any) -> None:
    raw = json.dumps({"data": [{"games": [game()]}]}).replace('"id": "g1"', '"id": "g1", "id": "g2"').encode()
    assert reasons(history(raw=raw)) == ["duplicate key 'id'"]


def test_unknown_fields_are_counted(history: Any) -> None:
    books = history(game(wager=5, participants=[person(bet("XQ_MAIN", description="x"), channel="web")])).source_files
    told = {row["field"]: row["count"] for row in books["unknown_fields"].item().to_list()}
    assert told == {"wager": 1, "description": 1, "channel": 1}


@pytest.mark.parametrize("name", ["h.json.gz", "h.ndjson", "h.ndjson.gz"])
def test_documents_compressed_and_a_line_each(name: str, history: Any, tables: Any) -> None:
    pages = [json.dumps({"data": [{"games": [game(id=f"g{n}")]}]}) for n in range(3)]
    text = "\n".join(pages).encode()
    delivery = history(raw=gzip.compress(text) if name.endswith(".gz") else text, name=name)
    assert tables(delivery)["rounds"]["round_id"].to_list() == ["g0", "g1", "g2"]
    assert delivery.source_files.select("records", "accepted", "lines", "blank").row(0) == (3, 3, 3, 0)


def test_a_game_that_stands_on_two_pages_is_a_repeat(history: Any) -> None:
    assert history(game(), game()).source_files.select("accepted", "repeats").row(0) == (1, 1)


def test_a_history_needs_a_profile(tmp_path: Path, deliver: Any) -> None:
    (tmp_path / "h.json").write_text(json.dumps({"data": []}))
    with pytest.raises(InputError, match="no feed profile"):
        deliver(tmp_path / "h.json")
    with pytest.raises(InputError, match="no feed profile"):
        read_delivery([tmp_path / "h.json"], {}, tmp_path / "stage", profile=Profile("tables"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"rows":[]}', "begins like none of the formats"),
        ("", "begins like none of"),
        ('{"data":[],"round_id":"x"}', "begins like round-log/1 and like game-history"),
    ],
)
def test_a_file_that_is_of_no_one_format(text: str, says: str, tmp_path: Path, deliver: Any) -> None:
    (tmp_path / "h.json").write_text(text)
    with pytest.raises(InputError, match=says):
        deliver(tmp_path / "h.json")


def test_a_round_log_may_be_called_json(a_round: Any, tmp_path: Path, deliver: Any, tables: Any) -> None:
    (tmp_path / "h.json").write_text(json.dumps(a_round()))
    assert tables(deliver(tmp_path / "h.json"))["rounds"].height == 1

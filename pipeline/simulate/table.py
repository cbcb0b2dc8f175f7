"""A table over the days of a delivery: round after round, dealers and decks changing, now and then a fault."""

from __future__ import annotations

from collections import deque
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Final

from pipeline.simulate.clock import HOUR, MINUTE, openings
from pipeline.simulate.crowd import SEATS, Player, arrive, refresh, stake_all
from pipeline.simulate.deal import Deal, MeterMove, Rig, Scene, Truth
from pipeline.simulate.dealing import play_out, reads_at_draw, set_betting
from pipeline.simulate.faults import Fault, everything_of, known, standing
from pipeline.simulate.offers import METER_SEED, METER_SHARE, meter_id
from pipeline.simulate.pay import due, pay_all, quote_for
from pipeline.simulate.variants import offers_of
from pipeline.simulate.voids import misdeal, void_part, void_round

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.simulate.settings import Settings

DEALERS_A_TABLE: Final = 6
SEATS_CHANGE: Final = 15
WHOLE_HAND: Final = 3
ON_OPEN: Final = "paid_on_open_round"
TRIES: Final = 40
SHIFT: Final = 25 * MINUTE
VOIDS: Final = (("misdeal", 0.004), ("round", 0.008), ("player", 0.012), ("wager", 0.016), ("hand", 0.02))


def dealers_of(table_no: int) -> list[str]:
    """The dealers who take turns at a table; nobody stands at two."""
    return [f"D{table_no:02d}{number}" for number in range(DEALERS_A_TABLE)]


class TableRun:
    """Deals a table's rounds in order of time, each with what is wrong in it."""

    def __init__(self, settings: Settings, table_no: int) -> None:
        self.table = settings.tables[table_no]
        self.offers = offers_of(settings, self.table.kind)
        self._settings = settings
        self._name = f"{settings.seed}/{self.table.table_id}"
        self._rng = self._random("table")
        self._counts, wanted = settings.plan(table_no)
        self._wanted = min(SEATS, wanted) if self.table.kind == "seated" else wanted
        self._dealers = dealers_of(table_no)
        self._players: list[Player] = [arrive(self._rng, self.offers) for _ in range(self._wanted)]
        self._sequence = 0
        self._shuffler_out = 0
        self._meter = METER_SEED
        self._meter_seq = 0
        self._previous: Deal | None = None
        self._owed: deque[Fault] = deque()
        self._rates = [(known(name), rate) for name, rate in settings.faults.items()]
        self._incidents = [(known(i.fault), i) for i in settings.incidents if i.table_id == self.table.table_id]
        self._fault_rng = self._random("faults")
        self._memory: dict[str, int] = {}
        self._rigs: set[Rig] = set()

    def _random(self, what: str) -> Random:
        return Random(f"{self._name}/{what}")  # noqa: S311

    def rounds(self) -> Iterator[tuple[Deal, list[Truth], Random]]:
        """The rounds, what is wrong in each, and the chance that decides about its wallet entries."""
        times: list[int] = []
        for day, count in enumerate(self._counts):
            if count:
                times += openings(self._rng, self._settings.start + timedelta(days=day), count)
        self._memory["ends_at"] = times[-1] if times else 0
        for number, opened_at in enumerate(times):
            later = times[number + 1] if number + 1 < len(times) else None
            rng = self._random(str(number))
            deal, truths = self._round(rng, opened_at, later)
            yield deal, truths, rng
            self._previous = deal

    def _round(self, rng: Random, opened_at: int, next_opened_at: int | None) -> tuple[Deal, list[Truth]]:
        skip = self._memory.pop("skip", 0)
        self._sequence += 1 + skip
        deal = self._new_deal(rng, opened_at, next_opened_at)
        fault = self._next_fault(promised="sequence_gap" if skip else None, last=next_opened_at is None)
        self._deal_out(deal, rng, fault)
        if next_opened_at is None:
            self._leave_open(deal)
        pay_all(deal)
        self._settle_meter(deal)
        scene = Scene(deal, self._fault_rng, self._previous, next_opened_at is None, self._memory)
        truths = self._incident(scene) or self._plant(scene, fault)
        return deal, truths

    def _new_deal(self, rng: Random, opened_at: int, next_opened_at: int | None) -> Deal:
        before = self._previous
        dealer = self._dealers[(opened_at // SHIFT) % len(self._dealers)]
        deck, shuffler = self._deck(rng)
        deal = Deal(
            self.table.table_id, f"{self.table.table_id}-{self._sequence:07d}", self._sequence, dealer, deck, opened_at, next_opened_at
        )
        deal.shuffler_in_use = shuffler
        deal.software_version = "4.2.1"
        deal.video_ref = f"vid/{self.table.table_id}/{opened_at // HOUR}"
        deal.displays = before is None or before.opened_at // HOUR != opened_at // HOUR
        if rng.random() < 0.01:
            deal.outages.append((opened_at + 1_000, opened_at + 3_000 + int(rng.random() * 5_000)))
        near = before is not None and opened_at - before.opened_at < HOUR // 2
        self._memory["rounds_in_a_row"] = self._memory.get("rounds_in_a_row", 0) + 1 if near else 0
        set_betting(deal, rng)
        if self.table.kind == "seated" and self._sequence % SEATS_CHANGE == 0:
            self._wanted = self._rng.randint(2, SEATS)
        refresh(self._rng, self._players, self.offers, self._wanted)
        stake_all(deal, rng, self._players, self.table.kind == "seated")
        filings = {part.offer.filing_id for part in deal.parts}
        deal.filing_id = filings.pop() if len(filings) == 1 else None
        return deal

    def _deck(self, rng: Random) -> tuple[str, bool]:
        """The other deck than last time; while the shuffler is out the same one is shuffled by hand."""
        red, blue = f"{self.table.table_id}-red", f"{self.table.table_id}-blue"
        last = self._previous.deck_id if self._previous else blue
        self._shuffler_out = max(0, self._shuffler_out - 1)
        if self._shuffler_out:
            return last, False
        if rng.random() < 0.004:
            self._shuffler_out = 4
        return blue if last == red else red, True

    def _deal_out(self, deal: Deal, rng: Random, fault: Fault | None) -> None:
        rig = self._rig(fault) if fault else None
        luck, folds = rng.random(), rng.random() < 0.01
        wanted = next((kind for kind, below in VOIDS if luck < below), None)
        if fault or deal.next_opened_at is None:
            # one thing at a time: what is wrong in a round must be plain
            wanted, folds = (fault.void if fault else None), False
        if wanted == "misdeal":
            misdeal(deal, rng)
            return
        self._open_meter(deal, wanted)
        play_out(deal, rng, reads_at_draw(self.offers), folds, rig or (Rig() if fault else None))
        if wanted == "round":
            void_round(deal, rng, deal.reveal_at + 1_500 if fault or rng.random() < 0.5 else deal.decide_by)
        elif wanted:
            void_part(deal, rng, wanted)

    def _rig(self, fault: Fault) -> Rig | None:
        """The cards that give the fault an opening; where they are the whole deal not those of a round before, a fault of its own."""
        for _ in range(TRIES):
            rig = fault.rig(self._fault_rng) if fault.rig else None
            if rig is None or self.table.kind == "seated" or not (rig.player and rig.dealer) or rig not in self._rigs:
                break
        if rig is not None:
            self._rigs.add(rig)
        return rig

    def _leave_open(self, deal: Deal) -> None:
        """The delivery ends before the round does."""
        if deal.void is not None:
            return
        deal.status = "open"
        deal.verified_at = deal.verified_by = deal.posted_at = None
        deal.meter = None

    def _open_meter(self, deal: Deal, wanted: str | None) -> None:
        metered = next((offer for offer in self.offers if offer.metered), None)
        if metered is None or metered.metered is None or wanted == "round" or deal.next_opened_at is None:
            return
        fed = sum(w.stake for part in deal.parts for w in part.wagers if w.kind == metered.metered) * METER_SHARE // 100
        if fed:
            self._meter_seq += 1
            before, name = self._meter, meter_id(self.table.table_id)
            deal.meter = MeterMove(name, metered.metered, self._meter_seq, before, fed, 0, 0, before + fed, metered.currencies[0])

    def _settle_meter(self, deal: Deal) -> None:
        """A win of the whole meter empties it; it starts again from its seed."""
        move = deal.meter
        if move is None:
            return
        for part in deal.parts:
            wager = part.wager(move.kind)
            quoted = quote_for(deal, part)
            if wager and quoted.sides[move.kind].meter_percent and due(deal, part, wager, quoted)[0]:
                move.paid, move.reseed = move.before + move.contribution, METER_SEED
        move.after = move.before + move.contribution - move.paid + move.reseed
        self._meter = move.after

    def _next_fault(self, promised: str | None, last: bool) -> Fault | None:
        """The fault that has waited longest, or the one that the round before has prepared; an open round has a fault of its own."""
        for fault, rate in self._rates:
            if self._fault_rng.random() < rate:
                self._owed.append(fault)
        fitting = (fault for fault in self._owed if fault.name == promised or (not promised and (fault.name == ON_OPEN) == last))
        chosen = next(fitting, None)
        if chosen:
            self._owed.remove(chosen)
        return chosen

    def _plant(self, scene: Scene, fault: Fault | None) -> list[Truth]:
        truths = fault.plant(scene) if fault else []
        if fault and not truths:
            self._owed.append(fault)
        return truths

    def _incident(self, scene: Scene) -> list[Truth]:
        for fault, incident in self._incidents:
            if fault.twist and incident.first <= scene.deal.sequence <= incident.last:
                dealt = [part for part in standing(scene) if len(scene.deal.player_cards[part.hand_id]) == WHOLE_HAND]
                return [t for part in dealt for t in everything_of(scene, part, fault.twist, fault.cause)]
        return []

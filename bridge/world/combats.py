"""Combats of a world: from their pictures to events of the creatures that they concern."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import structs

from bridge.engine import events as e
from bridge.engine.state import Actor
from bridge.protocol import Combat
from bridge.world.memory import Memory
from bridge.world.turns import Fight, Passage, Turn, current, ghosts, passage, reached, remember
from bridge.world.watch import Watch

News = tuple[str, e.Event]
"""A creature, and what concerns it."""


class Combats:
    """Follows every running combat, whatever scene it is on."""

    def __init__(self, memory: Memory, watch: Watch) -> None:
        self.memory = memory
        self.watch = watch
        self._fighting: dict[str, str] = {}
        self._spent: dict[str, tuple[str, int, tuple[str, ...]]] = {}
        """Creature -> combat, round and what it has used in its turn there."""
        self._index()

    def place(self, actor: str) -> tuple[str | None, int | None]:
        """Return the combat in which the creature fights, and its round."""
        combat = self._fighting.get(actor)
        return combat, self.memory.fights[combat].combat.round if combat else None

    def fighters(self, combat: str) -> set[str]:
        """Return who fights in a running combat."""
        fight = self.memory.fights.get(combat)
        return (
            {c.actor for c in fight.combat.order if c.actor} if fight is not None and fight.combat.round > 0 else set()
        )

    def placed(self, actor: Actor) -> Actor:
        """Return the creature with the combat in which it fights, and the point that this combat has come to."""
        combat, round = self.place(actor.id)
        if combat is None and actor.combat is None:
            return actor
        fight = self.memory.fights[combat].combat if combat else None
        now = current(fight) if fight else None
        return structs.replace(
            actor,
            combat=combat,
            round=round,
            turn=fight.turn if fight else None,
            initiative=now.initiative if now else None,
            combatant=now.id if now else None,
        )

    def new_rounds(self, combat: Combat) -> int:
        """Return how many rounds the picture shows that were never begun before (TIM-7)."""
        fight = self.memory.fights.get(combat.id)
        return max(0, combat.round - fight.furthest) if fight else 0

    def see(self, combat: Combat, now: int, *, silent: bool = False) -> Iterator[News]:
        """Take a picture of a running combat.  ``silent``: at first sight nothing begins (CMB-11)."""
        fight = self.memory.fights.get(combat.id)
        turns = Passage() if silent else passage(fight, combat)
        was = {c.actor for c in fight.combat.order if c.actor} if fight else set()
        here = {c.actor for c in combat.order if c.actor}
        self.memory.keep_fight(remember(fight, combat))
        self._index()
        for actor in sorted(was - here):
            yield actor, e.CombatLeft(at=now, combat=combat.id, ended=False, round=combat.round)
        if not silent and fight is not None:
            for actor in sorted(here - was):
                yield actor, e.CombatJoined(at=now, combat=combat.id)
            yield from self._passed(fight, combat, turns, now)
        for turn in turns.begun:
            yield from self._waiting(turn, "turn-start", combat, now)
            if not self._begun_before(turn.actor, combat.id, turn.round):
                yield (
                    turn.actor,
                    e.TurnStarted(at=now, combat=combat.id, round=turn.round, turn=turn.turn, passed=turn.passed),
                )

    def _passed(self, fight: Fight, combat: Combat, turns: Passage, now: int) -> Iterator[News]:
        """Yield what lies between two pictures of a combat, before the turns that begin."""
        if turns.back:
            for bearer in self.watch.for_combat(combat.id):
                back = e.CombatSetBack(at=now, combat=combat.id, round=combat.round, turn=combat.turn)
                whose = current(combat)
                yield (
                    bearer,
                    structs.replace(back, initiative=whose.initiative, combatant=whose.id) if whose else back,
                )
            return
        for turn in turns.ended:
            yield (
                turn.actor,
                e.TurnEnded(at=now, combat=combat.id, round=turn.round, turn=turn.turn, passed=turn.passed),
            )
            yield from self._waiting(turn, "turn-end", combat, now)
        if not (turns.begun or turns.ended or combat.round != fight.combat.round):
            return
        point = structs.replace(reached(combat), at=now)
        for bearer in self.watch.for_rounds(combat.id, fight.combat.round, combat.round):
            yield bearer, point
        start = (fight.combat.round, fight.combat.turn)
        for actor, round in ghosts(fight, combat, self.watch.waited_for(combat.id), start):
            for moment in ("turn-start", "turn-end"):
                yield from self._waiting(Turn("", actor, round, 0), moment, combat, now, gone=True)

    def _waiting(self, turn: Turn, moment: str, combat: Combat, now: int, *, gone: bool = False) -> Iterator[News]:
        """Address a turn of a creature to those whose effects wait for it."""
        event = e.OtherTurn(
            at=now,
            other=turn.actor,
            moment=moment,
            combat=combat.id,
            round=turn.round,
            turn=turn.turn,
            initiative=None if gone else combat.order[turn.turn].initiative,
            combatant=None if gone else turn.combatant,
            gone=gone,
        )
        for bearer in self.watch.for_turn_of(turn.actor):
            yield bearer, event

    def _begun_before(self, actor: str, combat: str, round: int) -> bool:
        """TIM-3: the creature's own stamp says so, even when the bridge's store was lost."""
        known = self.memory.actors.get(actor)
        return known is not None and known.memory.turns.get(combat, (0, 0))[0] >= round

    def end(self, id: str, now: int) -> Iterator[News]:
        """A combat is over, or was deleted with its scene."""
        fight = self.memory.fights.get(id)
        if fight is None:
            return
        self.memory.drop_fight(id)
        self._index()
        concerned = {c.actor for c in fight.combat.order if c.actor} | set(self.watch.for_combat(id))
        for actor in sorted(concerned):
            yield actor, e.CombatLeft(at=now, combat=id, round=fight.combat.round)

    def _index(self) -> None:
        self._fighting = {
            combatant.actor: fight.combat.id
            for fight in self.memory.fights.values()
            for combatant in fight.combat.order
            if combatant.actor and fight.combat.round > 0
        }

    def spend(self, actor: str, what: str) -> None:
        """Note what a creature has used in its present turn."""
        combat, round = self.place(actor)
        if combat is not None and round is not None:
            self._spent[actor] = (combat, round, (*self.spent(actor), what))

    def spent(self, actor: str) -> tuple[str, ...]:
        """Return what a creature has used in its present turn."""
        combat, round, what = self._spent.get(actor, ("", 0, ()))
        fight = self.memory.fights.get(combat)
        return what if fight is not None and fight.combat.round == round else ()

    def forget(self, actor: str) -> None:
        """A creature is gone."""
        self._spent.pop(actor, None)

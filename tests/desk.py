"""A small stand-in Foundry: documents, and a module that carries an Apply out one write at a time.

It follows ``foundry-module/scripts/apply.mjs``: everything is compared first, then written in order with a picture
after each write, and the receipt is written last, with the hit points.  What it leaves out: permissions, hooks, dnd5e's own reactions
(except that Prone is left behind by Unconscious, when ``riders`` is set).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import structs

from bridge import protocol as p
from bridge.engine.apply import static_id
from bridge.engine.conditions import Rulebook
from bridge.engine.state import Actor, Effect, Mark
from bridge.rules import rulebook
from bridge.world import World

GM = p.By("gm", gm=True)
PLAYER = p.By("player")


class Foundry:
    """The documents of one world, and the module of the GM's browser."""

    def __init__(self, actors: Iterable[Actor], clock: int = 1_000_000, *, riders: bool = False) -> None:
        self.actors = {actor.id: actor for actor in actors}
        self.combats: dict[str, p.Combat] = {}
        self.clock = clock
        self.riders = riders
        self.cards: dict[str, p.Card] = {}
        self.used: dict[str, dict[str, int]] = {}
        self.asked: dict[str, p.AskRoll] = {}
        self.rolling: dict[str, p.RollDice] = {}
        self.outbox: list[Any] = []
        self.posts = 0
        self.n = 0
        self.linked = False
        self.out: list[Any] = []
        self._ids = 0
        self._sent: dict[str, int] = {}

    # What the bridge is shown.

    def connect(self, pages: int = 1) -> None:
        """Begin a session: the whole world in pages, then what was never acknowledged."""
        self.n, self.linked, self.out = 0, True, []
        self._sent.clear()
        actors = list(self.actors.values())
        size = max(1, -(-len(actors) // pages))
        for page in range(pages):
            last = page == pages - 1
            self._put(
                p.Picture(
                    0,
                    actors=tuple(actors[page * size : (page + 1) * size]),
                    combats=tuple(self.combats.values()) if last else (),
                    clock=self.clock,
                    page=page + 1,
                    pages=pages,
                )
            )
        for message in self.outbox:
            self._send(message)

    def disconnect(self) -> None:
        """Lose the wire."""
        self.linked, self.out = False, []

    def show(self, **more: Any) -> None:
        """Send a picture."""
        self._put(p.Picture(0, **more))

    def write(self, actor: Actor, **more: Any) -> None:
        """Write a creature's documents and show it."""
        self.actors[actor.id] = actor
        self.show(actors=(actor,), **more)

    def happen(self, message: Any, actor: str, by: p.By = GM, /, **more: Any) -> None:
        """Send a happening, and keep it until it is acknowledged."""
        self._ids += 1
        sent = message(0, f"h{self._ids}", actor=actor, by=by, **more)
        self.outbox.append(sent)
        self._send(sent)

    def undo(self, decision: int | None = None, by: p.By = GM) -> None:
        """Ask for an undo."""
        self._ids += 1
        message = p.Undo(0, f"h{self._ids}", by, decision)
        self.outbox.append(message)
        self._send(message)

    def acknowledged(self, n: int) -> None:
        """Forget what is on the bridge's disk."""
        self.outbox = [m for m in self.outbox if self._sent.get(m.id, n + 1) > n]

    def _send(self, message: Any) -> None:
        if self.linked:
            self._put(message)
            self._sent[message.id] = self.n

    def _put(self, message: Any) -> None:
        if self.linked:
            self.n += 1
            self.out.append(structs.replace(message, n=self.n))

    # What the bridge asks for.

    def carry_out(self, apply: p.Apply) -> Iterator[None]:
        """Carry an Apply out; yield after each write."""
        actor = self.actors.get(apply.actor)
        if actor is None:
            self._put(p.Failed(0, apply.id, apply.actor, "changed", "gone"))
            return
        if actor.memory.receipt == apply.id:
            self.show(actors=(actor,), apply=apply.id)
            return
        for op in apply.operations:
            if code := self._refusal(self.actors[apply.actor], op, apply.id):
                self.fail(apply, code)
                return
        for op in apply.operations:
            yield from self._do(apply, op)
        actor = self.actors[apply.actor]
        hp = next((op for op in apply.operations if isinstance(op, p.SetHitPoints)), None)
        if hp and (code := self._refusal(actor, hp, apply.id)):
            self.fail(apply, code)
            return
        points = structs.replace(actor.hp, value=hp.value, temp=hp.temp) if hp else actor.hp
        self.write(structs.replace(actor, hp=points, memory=apply.memory), apply=apply.id)
        yield

    def fail(self, apply: p.Apply, code: Any) -> None:
        """Say that an Apply was not carried out, after a picture of what is there."""
        self.show(actors=(self.actors[apply.actor],))
        self._put(p.Failed(0, apply.id, apply.actor, code))

    def _refusal(self, actor: Actor, op: p.Operation, id: int) -> str | None:
        match op:
            case p.SetHitPoints():
                there = actor.hp and (actor.hp.value, actor.hp.temp)
                return None if there == (op.was, op.was_temp) else "changed"
            case p.SetHitDice():
                left = {k: actor.hit_dice[k].left for k in op.was}
                return None if left in (op.was, op.left) else "changed"
            case p.SetCondition():
                now = actor.effect(op.effect)
                before = now is not None and mark(now) == (op.was or Mark()) if op.there or op.was else now is None
                return None if before or _is_set(now, op) else "changed"
            case p.UpdateCard():
                stamp = self.used.get(op.card, {}).get(op.button, id)
                return None if stamp == id else "already-done"
        return None

    def _do(self, apply: p.Apply, op: p.Operation) -> Iterator[None]:
        actor = self.actors[apply.actor]
        match op:
            case p.ApplyDamage():
                hurt = structs.replace(actor.hp, value=max(0, actor.hp.value - op.amount))
                self.write(structs.replace(actor, hp=hurt), apply=apply.id)
            case p.SetHitDice():
                dice = {k: structs.replace(d, left=op.left.get(k, d.left)) for k, d in actor.hit_dice.items()}
                self.write(structs.replace(actor, hit_dice=dice), apply=apply.id)
            case p.SetCondition():
                yield from self._set_condition(apply, op)
            case p.SetStatus():
                without = tuple(x for x in actor.effects if x.statuses[0] != op.status)
                on = (*actor.effects, Effect(static_id(op.status), (op.status,)))
                self.write(structs.replace(actor, effects=on if op.on else without), apply=apply.id)
            case p.EndConcentration():
                self.write(structs.replace(actor, concentrating=False), apply=apply.id)
            case p.PostCard(card=card) | p.AskRoll(card=card) | p.RollDice(card=card):
                self._post(card, op)
            case p.UpdateCard():
                self.used.setdefault(op.card, {})[op.button] = apply.id
        yield

    def _set_condition(self, apply: p.Apply, op: p.SetCondition) -> Iterator[None]:
        actor = self.actors[apply.actor]
        effects = {x.id: x for x in actor.effects}
        old = effects.get(op.effect)
        if op.mark is None:
            effects.pop(op.effect, None)
        elif old:
            effects[old.id] = structs.replace(old, mark=op.mark, disabled=op.disabled)
        else:
            effects[op.effect] = Effect(op.effect, op.statuses, disabled=op.disabled, mark=op.mark)
        self.write(structs.replace(actor, effects=tuple(effects.values())), apply=apply.id)
        if self.riders and old is None and "unconscious" in op.statuses:
            yield
            actor = self.actors[apply.actor]
            if not actor.effect(static_id("prone")):
                prone = Effect(static_id("prone"), ("prone",))
                self.write(structs.replace(actor, effects=(*actor.effects, prone)), by=GM)

    def _post(self, card: p.Card, op: p.Operation) -> None:
        if card.id in self.cards:
            return
        self.posts += 1
        self.cards[card.id] = card
        if isinstance(op, p.AskRoll):
            self.asked[card.id] = op
        if isinstance(op, p.RollDice):
            self.rolling[card.id] = op

    # What the table does with cards.

    def press(self, card: str, button: str, by: p.By = GM, *, owner: bool = False) -> None:
        """Press a button of a card."""
        known = self.cards[card]
        state = p.CardState(card, known.actor, known.data, tuple(self.used.get(card, {})))
        self.happen(p.Pressed, known.actor, by, button=button, card=state, owner=owner)

    def roll(self, request: str, total: int) -> None:
        """Answer a save that was asked for."""
        ask = self.asked.pop(request)
        success = total >= ask.dc
        self.happen(
            p.Rolled, ask.card.actor, request=request, reason=ask.reason, dc=ask.dc, total=total, success=success
        )

    def dice(self, request: str, total: int) -> None:
        """Roll the dice that were asked for."""
        op = self.rolling.pop(request)
        self.happen(p.DiceRolled, op.card.actor, request=request, reason=op.reason, total=total)


def mark(effect: Effect) -> Mark:
    """Return the mark as the module compares it: none is like a plain one."""
    return effect.mark or Mark()


def _is_set(now: Effect | None, op: p.SetCondition) -> bool:
    if op.mark is None:
        return now is None
    return now is not None and mark(now) == op.mark and now.disabled == op.disabled


class Desk:
    """A bridge's world and a Foundry beside each other, with nothing that goes wrong between them."""

    def __init__(
        self,
        *actors: Actor,
        settings: dict[str, Any] | None = None,
        book: Rulebook | None = None,
        clock: int = 1_000_000,
    ) -> None:
        self.foundry = Foundry(actors, clock)
        self.book = book or rulebook(settings)
        self.rows: dict[tuple[str, str], Any] = {}
        self.errors: list[p.Error] = []
        self.applies: list[p.Apply] = []
        self.table = p.Table("w")
        self.world = World("w", self.book)
        self.start()

    def start(self, *, rows: bool = True, pages: int = 1) -> None:
        """Start the bridge anew, from its rows or from nothing, and show it the world."""
        self.world = World("w", self.book, list(self.rows.values()) if rows else ())
        self.world.connect(self.table)
        self.foundry.connect(pages)
        self.settle()

    def settle(self) -> None:
        """Let messages go to and fro until all is quiet."""
        for _ in range(200):
            messages, self.foundry.out = self.foundry.out, []
            if not messages:
                return
            for message in messages:
                self._read([message])
        raise AssertionError("it never becomes quiet")

    def _read(self, messages: list[Any]) -> None:
        replies = self.world.receive(messages)
        for row in self.world.take():
            self.rows[row.kind, row.key] = row
        for reply in replies:
            match reply:
                case p.Apply():
                    self.applies.append(reply)
                    for _ in self.foundry.carry_out(reply):
                        pass
                case p.Error():
                    self.errors.append(reply)
                case p.Ack():
                    self.foundry.acknowledged(reply.n)

    def actor(self, id: str = "Actor.a") -> Actor:
        """Return the creature as Foundry has it."""
        return self.foundry.actors[id]

    def write(self, id: str = "Actor.a", *, by: p.By | None = GM, cause: p.Cause | None = None, **parts: Any) -> None:
        """Write parts of a creature, by hand unless said otherwise, and let all settle."""
        self.foundry.write(structs.replace(self.actor(id), **parts), by=by, cause=cause)
        self.settle()

    def hp(self, value: int, cause: str = "unknown", id: str = "Actor.a", by: p.By | None = GM, **more: Any) -> None:
        """Set current hit points with this cause marker."""
        points = structs.replace(
            self.actor(id).hp, value=value, **{k: more.pop(k) for k in ("max", "temp", "tempmax") if k in more}
        )
        self.write(id, by=by, cause=p.Cause(cause, **more), hp=points)

    def happen(self, message: Any, id: str = "Actor.a", by: p.By = GM, /, **more: Any) -> None:
        """Let something happen, and all settle."""
        self.foundry.happen(message, id, by, **more)
        self.settle()

    def time(self, seconds: int) -> None:
        """Move the clock."""
        self.foundry.clock += seconds
        self.foundry.show(clock=self.foundry.clock)
        self.settle()

    def combat(self, round: int, turn: int, *order: str, id: str = "c") -> None:
        """Show a combat."""
        combatants = tuple(p.Combatant(f"k{name}", f"Actor.{name}") for name in order)
        self.foundry.combats[id] = p.Combat(id, round, turn, combatants)
        self.foundry.show(combats=(self.foundry.combats[id],))
        self.settle()

    def end_combat(self, id: str = "c") -> None:
        """Delete a combat."""
        del self.foundry.combats[id]
        self.foundry.show(ended=(id,))
        self.settle()

    def press(self, button: str, card: str | None = None, by: p.By = GM, *, owner: bool = False) -> None:
        """Press a button on the newest card that has it, or on this one."""
        found = card or next(
            c.id for c in reversed(self.foundry.cards.values()) if any(b.id == button for b in c.buttons)
        )
        self.foundry.press(found, button, by, owner=owner)
        self.settle()

    def undo(self, decision: int | None = None, by: p.By = GM) -> None:
        """Ask for an undo, and let all settle."""
        self.foundry.undo(decision, by)
        self.settle()

    def cards(self, kind: str | None = None) -> list[p.Card]:
        """Return the cards that stand in the chat, oldest first."""
        return [card for card in self.foundry.cards.values() if kind in (None, card.kind)]

    def codes(self) -> list[str]:
        """Return the codes of the errors, oldest first."""
        return [error.code for error in self.errors]

    def forget_rows(self) -> None:
        """Lose the bridge's store."""
        self.rows.clear()

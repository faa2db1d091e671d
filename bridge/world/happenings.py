"""From a happening of the module to events of a creature, or an error that says why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from bridge import protocol as p
from bridge.engine import events as e
from bridge.engine.changes import Say
from bridge.engine.conditions import Creature
from bridge.engine.state import Actor, Timer
from bridge.engine.words import name_of
from bridge.world.cards import UNDO
from bridge.world.commands import BadCommand, parse
from bridge.world.memory import Denied

if TYPE_CHECKING:
    from bridge.world import World

OWNER_BUTTONS = frozenset({"extinguish", "let-it-work", "roll", "water"})
SECONDS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}


def has_conditions(actor: Actor) -> bool:
    """CMB-9: not "vehicles without hit points, groups, loot"."""
    return actor.type in ("character", "npc") or (actor.type == "vehicle" and actor.hp is not None)


class Happened(Struct, frozen=True):
    """Events of one creature.  ``group``: what they belong to (UND-1), when they do not stand alone."""

    actor: str
    events: tuple[e.Event, ...]
    group: int = 0


def read_happening(world: World, message: p.Happening) -> Happened | p.Error | None:
    """Return what happened to which creature; an error for the one who asked; none when nothing came of it."""
    at = world.now if message.at is None else min(message.at, world.now)
    if isinstance(message, p.Said):
        return _said(world, message, at)
    if message.actor not in world.memory.actors:
        return _error(message, "unknown-actor", p.Line("unknown-creature", "That creature is not known to the bridge."))
    if not has_conditions(world.memory.actors[message.actor]):
        # CMB-9: "ignored without an error"
        return None
    one: e.Event
    match message:
        case p.Drank(count=count, strength=strength, willing=willing, label=label):
            one = e.Drank(at=at, count=count, strength=strength, willing=willing, label=label)
        case p.Ate(what=what):
            one = e.Ate(at=at, what=what)
        case p.RestBegan(kind=kind):
            one = e.RestBegan(at=at, kind=kind)
        case p.RestFinished(kind=kind, length=length, hit_dice_before=before):
            one = e.RestFinished(at=world.now, kind=kind, length=length, hit_dice_before=before)
            return Happened(message.actor, (one,), world.group_of_rest(length))
        case p.Refused(amount=amount, cause=cause):
            if amount < 1:
                return None
            one = e.HealingRefused(at=at, amount=amount, cause=cause.kind, label=cause.label)
        case p.Rolled():
            return _rolled(world, message, at)
        case p.DiceRolled(request=request, reason=reason, total=total):
            if not _answered(world, request):
                return None
            one = e.DiceRolled(at=at, request=request, reason=reason, total=total)
            return Happened(message.actor, (one,), world.group_of(request))
        case p.Pressed():
            return _pressed(world, message, at)
        case p.Used(what=what, label=label):
            world.spend(message.actor, what)
            one = e.Used(at=at, what=what, label=label)
        case p.Given():
            return _given(world, message)
    return Happened(message.actor, (one,))


def _error(message: p.Happening, code: str, said: p.Line) -> p.Error:
    return p.Error(code, said.text, about=message.n, id=message.id, said=said)


def _answered(world: World, request: str) -> bool:
    """Take the first answer to a request; ignore a second one, and one to a request that was never made."""
    memory = world.memory
    ours = request.startswith(f"{memory.journal}.")
    if (ours and request not in memory.asked) or not memory.first_time(f"answer:{request}"):
        return False
    memory.drop_asked(request)
    return True


def _rolled(world: World, message: p.Rolled, at: int) -> Happened | None:
    if not _answered(world, message.request):
        late = Say("roll-late", "Nobody waits for that roll: it was answered already, or is of no use any more.")
        world.memory.keep_denied(message.actor, Denied(0, at, late))
        return None
    # ROL-5: an automatic failure fails whatever its total: the one who rolled knows.
    event = e.Rolled(
        at=at,
        request=message.request,
        reason=message.reason,
        total=message.total,
        success=message.success,
        dc=message.dc,
    )
    return Happened(message.actor, (event,))


def _pressed(world: World, message: p.Pressed, at: int) -> Happened | p.Error | None:
    """CRD-4: buttons work "once, for those entitled, also after a reload"."""
    card, button = message.card, message.button
    if card is None:
        return _error(message, "invalid", p.Line("no-card", "A press names its card."))
    if not message.by.gm and not (message.owner and button in OWNER_BUTTONS):
        return _error(message, "not-allowed", p.Line("press-gm", "Only a GM may press that button."))
    if button == UNDO:
        journal, _, decision = card.id.partition(".")
        known = journal == world.memory.journal and decision.isdecimal()
        world.undo(p.Undo(message.n, message.id, message.by, int(decision) if known else 0))
        return None
    # Of the two answers to one question the first counts.
    answered = "approve" if button == "refuse" else button
    if answered in card.done or not world.memory.first_time(f"press:{card.id}:{answered}"):
        world.memory.drop_waiting(card.id)
        return _error(message, "already-done", p.Line("done-already", "That was done already."))
    world.memory.drop_waiting(card.id)
    if button == "water":
        return Happened(message.actor, (e.Ate(at=at, what="water"),))
    by = e.GM if message.by.gm else e.PLAYER
    actor = card.actor if card.actor in world.memory.actors else message.actor
    event = e.Pressed(at=at, button=button, card=card.id, data=card.data, by=by, spent=world.spent(actor))
    return Happened(actor, (event,))


def _given(world: World, message: p.Given) -> Happened | p.Error:
    """TIM-1: "Any status can be applied with a duration"; whatever the GM says begins now."""
    if not message.by.gm:
        return _error(message, "not-allowed", p.Line("only-gm", "Only a GM can do that."))
    if message.condition not in world.book.conditions:
        text = f"The rulebook has no condition {message.condition!r}."
        return _error(message, "unknown-condition", p.Line("no-condition", text, {"text": message.condition}))
    event = e.Given(
        at=world.now,
        condition=message.condition,
        level=message.level,
        source=message.source,
        timer=_timer(world, message),
        forced=message.forced,
    )
    return Happened(message.actor, (event,))


def _timer(world: World, message: p.Given) -> Timer | None:
    """Return the timer that begins now, at this point of the creature's combat."""
    if not message.lasts:
        return None
    actor = world.view(message.actor)
    seconds = SECONDS.get(message.lasts)
    save = message.lasts == "save"
    return Timer(
        kind="seconds" if seconds else message.lasts,
        began=world.now,
        amount=message.amount * (seconds or 1),
        creature=actor.id if message.lasts.startswith("turn-") else None,
        ability=message.ability if save else None,
        dc=message.dc if save else 0,
        moment=message.moment if save else None,
        combat=actor.combat,
        round=actor.round or 0,
        turn=actor.turn or 0,
        initiative=actor.initiative,
        combatant=actor.combatant,
    )


def _said(world: World, message: p.Said, at: int) -> Happened | p.Error | None:
    """INT-17: the chat commands, for the speaker's own creature, or for ``@name`` when the GM says it."""
    try:
        command = parse(message.text)
    except BadCommand as error:
        return _error(message, "invalid", error.line)
    actor: str = message.actor
    if command.name is not None:
        if not message.by.gm:
            return _error(message, "not-allowed", p.Line("speak-gm", "Only a GM can speak for another creature."))
        named = [id for id, known in world.memory.actors.items() if known.name.casefold() == command.name.casefold()]
        if len(named) != 1:
            many = f"{len(named)} creatures are called" if named else "No creature is called"
            key = "called-many" if named else "called-none"
            said = p.Line(key, f"{many} {command.name}.", {"count": len(named), "who": command.name})
            return _error(message, "unknown-actor", said)
        actor = named[0]
    if actor not in world.memory.actors:
        text = "You have no creature to speak for: select one, or name it with @."
        return _error(message, "unknown-actor", p.Line("no-creature", text))
    match command.verb:
        case "drink":
            event: e.Event = e.Drank(at=at, count=command.count, strength=command.strength, willing=command.willing)
        case "eat":
            event = e.Ate(at=at, what="food")
        case "water":
            event = e.Ate(at=at, what="water")
        case _:
            creature = Creature(world.memory.actors[actor], world.book, world.now)
            names = [
                f"{name_of(world.book, c)}{f' {level}' if world.book.conditions[c].levels > 1 else ''}"
                for c, level in creature.conditions.items()
                if c in world.book.conditions
            ]
            text = f"{creature.actor.name}: {', '.join(names) or 'no conditions'}."
            return p.Error("info", text, about=message.n, id=message.id)
    return Happened(actor, (event,))

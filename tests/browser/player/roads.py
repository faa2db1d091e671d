"""The steps of a scenario, each by the road that people at a real table take."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import msgspec

from bridge.engine.apply import static_id
from bridge.engine.catalogue import Entry
from bridge.engine.state import Actor, Effect, Mark
from bridge.table import steps as s
from bridge.table.acts_body import _console_mark, _edited_mark, _effect, _hit_dice, _known
from bridge.table.acts_creature import LENGTH
from bridge.table.acts_world import _seat, running
from bridge.table.documents import FEET, SCENE, document_id
from bridge.table.people import reference
from bridge.table.table import NotDone
from bridge.table.words import span
from tests.browser.player import cast
from tests.browser.player.seats import Seats

HP = "system.attributes.hp"
EXHAUSTION = "exhaustion"
KINDS = {"spell": "spell", "item": "consumable", "feature": "feat"}
"""Where healing comes from -> the type of item whose card is pressed."""


@singledispatch
async def go(step: s.Step, play: Seats) -> None:
    """Do a step at the table."""
    raise TypeError(f"nobody knows how to do {step.do}")


@go.register
async def _(step: s.Note, play: Seats) -> None:
    """Nothing; for the reader."""


# Hit points.


@go.register
async def _(step: s.Heal, play: Seats) -> None:
    actor = play.actor(step.actor)
    if actor.hp is None:
        _nothing_to_hurt(play, step.actor)
        return
    hand, hp = play.hand(step.actor), actor.hp
    value = max(hp.value, min(hp.value + step.amount, hp.top))
    match step.by:
        case "spell" | "item" | "feature":
            await play.do(hand, "healByItem", actor.id, step.amount, KINDS[step.by], step.from_)
        case "regeneration":
            await play.do(hand, "regenerate", actor.id, step.amount)
        case "hit-die":
            await play.do(hand, "hitDie", actor.id, step.amount)
        case "death-save":
            await play.do(hand, "deathSave", actor.id)
        case "gm-edit" | "player-edit":
            await play.do(cast.GM if step.by == "gm-edit" else hand, "edit", actor.id, value)
        case "database":
            await play.server.edit(actor.id, {HP: {"value": value}})
        case other:
            await play.do(hand, "update", actor.id, {f"{HP}.value": value}, {"isRest": other == "rest-feature"})


@go.register
async def _(step: s.Damage, play: Seats) -> None:
    actor = play.actor(step.actor)
    if actor.hp is None:
        _nothing_to_hurt(play, step.actor)
        return
    if step.by in {"gm-edit", "player-edit"} and not actor.hp.temp and not step.type:
        hand = cast.GM if step.by == "gm-edit" else play.hand(step.actor)
        await play.do(hand, "edit", actor.id, max(0, actor.hp.value - step.amount))
        return
    await play.do(play.hand(step.actor), "damage", actor.id, step.amount, step.type)


@go.register
async def _(step: s.Hp, play: Seats) -> None:
    actor = play.actor(step.actor)
    told = {"value": step.value, "max": step.max, "temp": step.temp, "tempmax": step.tempmax}
    changes: dict[str, Any] = {f"{HP}.{key}": value for key, value in told.items() if value is not None}
    left = (
        {key: dice.left for key, dice in _hit_dice(actor, step.hit_dice).items()} if step.hit_dice is not None else {}
    )
    if actor.type == "npc" and left:
        changes["system.attributes.hd.spent"] = actor.hit_dice["npc"].all - left["npc"]
    hand = cast.GM if step.by == "gm-edit" else play.hand(step.actor)
    if left and actor.type != "npc":
        # They stand on the classes: a write of its own, the first.
        await play.do(hand, "hitDice", actor.id, left)
    match step.by:
        case "database":
            await play.server.edit(actor.id, changes)
        case "gm-edit" | "player-edit":
            bare = [step.value] if list(changes) == [f"{HP}.value"] else [step.value, changes]
            await play.do(hand, "edit", actor.id, *bare)
        case "spell" | "item" | "feature" if list(changes) == [f"{HP}.value"] and actor.hp and step.value is not None:
            await play.do(hand, "healByItem", actor.id, step.value - actor.hp.value, KINDS[step.by], step.from_)
        case "hit-die" if step.value is not None and actor.hp:
            await play.do(hand, "hitDie", actor.id, step.value - actor.hp.value)
            return
        case other:
            await play.do(hand, "update", actor.id, changes, {"isRest": other == "rest-feature"})


def _nothing_to_hurt(play: Seats, key: str) -> None:
    """A party has no hit points in dnd5e, whatever the story gives it: nobody can do anything about them."""
    if play.table.sheets[key].hp is None:
        raise NotDone("invalid", f"{key} has no hit points")


# Conditions.


@go.register
async def _(step: s.Add, play: Seats) -> None:
    actor = play.actor(step.actor)
    entry = _known(play.table, step.condition)
    mark = _console_mark(play.table, actor, step)
    hand = play.hand(step.actor) if step.by == "player" else cast.GM
    if step.by == "item":
        made = {"mark": _json(mark) if mark else None, "alone": True, "name": step.condition.capitalize()}
        await play.do(cast.GM, "effect", actor.id, step.condition, made)
        return
    if mark is None:
        await _click(play, hand, actor, step.condition, entry, up=True)
        return
    if entry is not None and len(entry.levels) > 1:
        mark = msgspec.structs.replace(mark, level=min(_level(actor, step.condition) + 1, len(entry.levels)))
    await play.do(hand, "effect", actor.id, step.condition, {"mark": _json(mark)})


@go.register
async def _(step: s.Remove, play: Seats) -> None:
    actor = play.actor(step.actor)
    entry = _known(play.table, step.condition)
    source = play.table.keys.get(step.from_) if step.from_ else None
    icon = static_id(step.condition)
    found = [
        effect
        for effect in actor.effects
        if effect.statuses[0] == step.condition
        and not effect.fixed
        and source in {None, effect.mark and effect.mark.source}
    ]
    if step.by == "item":
        found = [effect for effect in found if effect.id != icon] or found
    if not found:
        return
    old = next((e for e in found if step.by != "item" and e.id == icon), found[-1])
    hand = play.hand(step.actor) if step.by == "player" else cast.GM
    if old.id == icon and step.by != "item":
        await _click(play, hand, actor, step.condition, entry, up=False)
    else:
        await play.do(hand, "deleteEffect", actor.id, old.id)


@go.register
async def _(step: s.SetLevel, play: Seats) -> None:
    actor = play.actor(step.actor)
    entry = _known(play.table, step.condition)
    if step.level > (len(entry.levels) if entry is not None else 1):
        raise NotDone("invalid", f"{step.condition} has no level {step.level}")
    if step.condition == EXHAUSTION:
        await play.do(cast.GM, "update", actor.id, {"system.attributes.exhaustion": step.level})
    else:
        await play.do(cast.GM, "setLevel", actor.id, step.condition, step.level)


@go.register
async def _(step: s.DeleteEffect, play: Seats) -> None:
    actor, effect = _document(play, step.actor, step.condition)
    await play.do(cast.GM, "deleteEffect", actor.id, effect.id)


@go.register
async def _(step: s.EditEffect, play: Seats) -> None:
    actor, effect = _document(play, step.actor, step.condition)
    fields = step.fields
    changes: dict[str, Any] = {
        key: value
        for key, value in (("name", fields.name), ("disabled", fields.disabled), ("statuses", fields.statuses))
        if value is not None
    }
    mark = _edited_mark(play.table, actor, effect.mark, fields)
    if mark != effect.mark:
        changes[f"flags.{cast.ID}.mark"] = _json(mark)
    await play.do(cast.GM, "editEffect", actor.id, effect.id, changes)


async def _click(play: Seats, hand: str, actor: Actor, status: str, entry: Entry | None, *, up: bool) -> None:
    """The icon of the token's palette; Exhaustion is a number on the sheet."""
    levelled = entry is not None and len(entry.levels) > 1
    if status == EXHAUSTION and levelled:
        level = _level(actor, status) + (1 if up else -1)
        await play.do(hand, "update", actor.id, {"system.attributes.exhaustion": level})
        return
    await play.do(hand, "icon", actor.id, status, {"levelled": levelled, "up": up})


def _level(actor: Actor, status: str) -> int:
    effect = _effect(actor, status)
    return effect.level if effect is not None else 0


def _document(play: Seats, key: str, status: str) -> tuple[Actor, Effect]:
    actor = play.actor(key)
    effect = _effect(actor, status)
    if effect is None:
        raise NotDone("unknown-condition", f"{key} has no effect {status!r}")
    return actor, effect


def _json(mark: Mark | None) -> str:
    return msgspec.json.encode(mark).decode()


# Food, drink, rest.


@go.register
async def _(step: s.Drink, play: Seats) -> None:
    actor, hand = play.actor(step.actor), play.hand(step.actor)
    if step.count == 1 and not step.willing and _at_leisure(play, actor):
        await play.do(hand, "use", actor.id, "Ale (mug)" if step.strength == 1 else f"Strong {step.strength}")
    elif hand == cast.GM:
        await play.do(
            hand, "drink", actor.id, {"count": step.count, "strength": step.strength, "willing": step.willing}
        )
    else:
        strength = f" strength={step.strength}" if step.strength > 1 else ""
        await play.do(hand, "say", f"/drink {step.count}{strength}{' willing' if step.willing else ''}")


@go.register
async def _(step: s.Eat, play: Seats) -> None:
    await _serve(play, step.actor, "Rations", "eat")


@go.register
async def _(step: s.Water, play: Seats) -> None:
    await _serve(play, step.actor, "Water, Fresh (pint)", "water")


async def _serve(play: Seats, key: str, item: str, macro: str) -> None:
    actor = play.actor(key)
    if _at_leisure(play, actor):
        await play.do(play.hand(key), "use", actor.id, item)
    else:
        await play.do(play.hand(key), macro, actor.id)


def _at_leisure(play: Seats, actor: Actor) -> bool:
    """Whoever cannot act has it poured by others, and in a fight the use of an item would be an action."""
    helpless = any("incapacitated" in effect.statuses and not effect.disabled for effect in actor.effects)
    return not helpless and play.table.documents.combat_of(actor.id) is None


@go.register
async def _(step: s.Rest, play: Seats) -> None:
    actor, length = play.actor(step.actor), LENGTH[step.kind]
    if step.interrupted:
        await play.do(cast.GM, "clock", 0 if step.time == "none" else length)
        return
    # Only a GM moves the clock, so a rest with which it moves is begun by the GM.
    hand = play.hand(step.actor) if step.time == "none" else cast.GM
    await play.do(hand, "rest", actor.id, step.kind, step.time, length)


@go.register
async def _(step: s.Time, play: Seats) -> None:
    await play.do(cast.GM, "clock", span(step.advance))


@go.register
async def _(step: s.Say, play: Seats) -> None:
    await play.do(cast.GM if step.by == "gm" else cast.user_of(step.by), "say", step.text)


# Combat.


@go.register
async def _(step: s.StartCombat, play: Seats) -> None:
    for key in step.order:
        play.actor(key)
    await play.do(cast.GM, "startCombat", [cast.combatant(play.table, key) for key in step.order])


@go.register
async def _(step: s.NextTurn, play: Seats) -> None:
    running(play.table)
    await play.do(cast.GM, "next")


@go.register
async def _(step: s.PreviousTurn, play: Seats) -> None:
    running(play.table)
    await play.do(cast.GM, "previous")


@go.register
async def _(step: s.Turn, play: Seats) -> None:
    combat = running(play.table)
    place = _seat(combat, play.actor(step.to).id, step.to)
    await play.do(cast.GM, "turn", place, step.round or combat.round)


@go.register
async def _(step: s.AddCombatant, play: Seats) -> None:
    combat = running(play.table)
    ref = play.actor(step.actor).id
    last = min((one.initiative for one in combat.order if one.initiative is not None), default=1.0)
    if not any(one.actor == ref for one in combat.order):
        await play.do(cast.GM, "join", {**cast.combatant(play.table, step.actor), "initiative": last - 1})


@go.register
async def _(step: s.RemoveCombatant, play: Seats) -> None:
    combat = running(play.table)
    place = _seat(combat, play.table.keys.get(step.actor, ""), step.actor)
    await play.do(cast.GM, "leave", combat.order[place].id)


@go.register
async def _(step: s.EndCombat, play: Seats) -> None:
    running(play.table)
    await play.do(cast.GM, "endCombat")


# Tokens.


@go.register
async def _(step: s.RemoveToken, play: Seats) -> None:
    actor = play.actor(step.actor)
    await play.do(cast.GM, "removeToken", actor.id)


@go.register
async def _(step: s.AddToken, play: Seats) -> None:
    key, sheet = step.actor, play.table.sheets[step.actor]
    if not sheet.linked:
        play.table.tokens += 1
        play.table.keys[key] = reference(key, linked=False, token=1 + play.table.tokens)
    made = cast.token(play.table, key, sheet, step.to or sheet.at or cast.SHARED)
    await play.do(cast.GM, "addToken", SCENE, made)


@go.register
async def _(step: s.Move, play: Seats) -> None:
    hand = play.by(step.by, step.actor) if step.willingly else cast.GM
    play.denied |= not await play.do(hand, "move", play.actor(step.actor).id, list(step.to))


@go.register
async def _(step: s.ChangeScene, play: Seats) -> None:
    if step.actor is None:
        return
    to = [10, 10] if isinstance(step.to, str) else [int(side) for side in step.to]
    name = f"scene-{step.to}" if isinstance(step.to, str) else "scene-another"
    await play.do(cast.GM, "changeScene", play.actor(step.actor).id, document_id(name), to)


@go.register
async def _(step: s.DeleteScene, play: Seats) -> None:
    place = play.actor(step.actor).place if step.actor else None
    await play.do(cast.GM, "deleteScene", place.scene if place else SCENE)


# What creatures do.


@go.register
async def _(step: s.Use, play: Seats) -> None:
    hand = play.by(step.by, step.actor)
    actor = play.actor(step.actor)
    if step.action == "move":
        place = actor.place
        to = [place.x / FEET + 1, place.y / FEET] if place else [4, 3]
        play.denied |= not await play.do(hand, "move", actor.id, to)
        return
    target = play.actor(step.target).id if step.target else None
    play.denied |= not await play.do(hand, "act", actor.id, step.action, target)


@go.register
async def _(step: s.Concentrate, play: Seats) -> None:
    begins = step.on is not False
    play.denied |= not await play.do(play.by(step.by, step.actor), "concentrate", play.actor(step.actor).id, begins)


@go.register
async def _(step: s.Answer, play: Seats) -> None:
    actor = play.actor(step.actor)
    waiting = await play.do(cast.GM, "waiting", actor.id)
    if waiting is None:
        # It was answered: Foundry offers no second roll for the same request.
        return
    hand = play.hand(step.actor)
    total = step.total
    if total is None and step.success is not None:
        total = waiting["dc"] if step.success else waiting["dc"] - 1
    if total is None:
        await play.do(hand, "press", "roll", None)
        return
    opened = await play.do(hand, "waiting", actor.id)
    if not opened["open"]:
        await play.do(hand, "press", "roll", None)
        await play.stage.settle()
    await play.do(hand, "answer", waiting["card"], total)


@go.register
async def _(step: s.Press, play: Seats) -> None:
    if step.by != "gm":
        play.actor(step.by)
    user = cast.GM if step.by == "gm" else cast.user_of(step.by)
    if user not in play.stage.pages:
        raise NotDone("not-allowed", f"the GM's creature {step.by} has no player")
    before = await play.do(user, "press", step.button, step.card)
    if before == "missing":
        raise NotDone("not-allowed", f"there is no card with a button {step.button!r}")
    if before != "pressed":
        raise NotDone(before, f"{step.button!r}: {before}", fault=False)
    if step.button == "roll":
        await play.stage.settle()
        await play.do(user, "finish")


@go.register
async def _(step: s.Undo, play: Seats) -> None:
    if step.by != "gm":
        raise NotDone("not-allowed", "only the GM has something to undo with", fault=False)
    await play.do(cast.GM, "undo")

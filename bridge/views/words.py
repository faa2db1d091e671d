"""Lines and rows that several views share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bridge import protocol as p
from bridge.engine.conditions import Creature
from bridge.engine.state import Effect, Timer
from bridge.engine.timers import due, last_round
from bridge.engine.words import ABILITIES, name_of
from bridge.world.cards import change_line
from bridge.world.undo import changed

if TYPE_CHECKING:
    from bridge.world import World
    from bridge.world.memory import Chapter

_HAPPENED = re.compile(r"(?P<what>[a-z ]+?)(?: \((?P<details>.*)\))?(?: by (?P<by>\w+))?")


def creature(world: World, actor: str) -> Creature:
    """Return a creature of the world as the rules see it now."""
    return Creature(world.view(actor), world.book, world.now)


def name(world: World, actor: str) -> str:
    """Return what a creature is called; the module shows the name that Foundry has."""
    known = world.memory.actors.get(actor)
    return (known.name if known else "") or "A creature"


def clocks(world: World, effects: list[Effect]) -> tuple[p.Ends | None, list[p.Line]]:
    """Return what can be counted down of the timers of these effects, and what can only be said of the others."""
    found: list[p.Ends] = []
    said: list[p.Line] = []
    for effect in effects:
        timer = effect.mark.timer if effect.mark else None
        if timer is None:
            continue
        if (ends := counted(world, timer)) is not None:
            found.append(ends)
        if ends is None or timer.ability is not None:
            said.append(timer_line(world, timer))
    return (found[0] if found else None), said


def counted(world: World, timer: Timer) -> p.Ends | None:
    """Return the end of a timer that clock or rounds bring; none when something else does."""
    words = p.Line("ends-in", "Ends in {left}")
    end = due(timer)
    if end is not None:
        return p.Ends(words, at=shown(world, end))
    last = last_round(timer)
    return None if last is None else p.Ends(words, combat=timer.combat, round=last)


def shown(world: World, time: int) -> int:
    """Return what Foundry's clock shows at a time of the rules (TIM-7: they may be ahead of it)."""
    clock = world.memory.basics.clock
    return time - (clock.lag if clock else 0)


def timer_line(world: World, timer: Timer) -> p.Line:
    """Say what ends a condition that no clock ends, or may end it sooner."""
    if timer.ability is not None:
        ability = ABILITIES.get(timer.ability, timer.ability)
        text = f"A {ability} save, DC {timer.dc}, at the {timer.moment} of its turn ends it."
        said: dict[str, str | int] = {"end": "save", "ability": timer.ability, "dc": timer.dc}
        return p.Line("ends", text, {**said, "moment": timer.moment or "end"})
    if timer.kind.startswith("turn-"):
        who = name(world, timer.creature or "")
        text = f"Ends at the {timer.kind.removeprefix('turn-')} of {who}'s next turn."
        return p.Line(f"ends-{timer.kind}", text, {"name": who})
    text = "Ends with the combat." if timer.kind == "combat" else f"Ends with a {timer.kind.replace('-', ' ')}."
    return p.Line("ends", text, {"end": timer.kind})


def source_line(effect: Effect) -> p.Line | None:
    """Say who caused it; the module shows the name."""
    source = effect.mark.source if effect.mark else None
    return p.Line("caused", "", source=source) if source else None


def chapter_row(world: World, chapter: Chapter) -> p.Row:
    """Return a decision: what had happened, what followed, and a button that takes it back (UND-1)."""
    it = Creature(chapter.after, world.book, chapter.at)
    said = [why_line(text) for text in chapter.why]
    said += [change_line(it, event) for event in chapter.changed if event.condition in world.book.conditions]
    was, now = chapter.before.hp, chapter.after.hp
    if was is not None and now is not None and was.value != now.value:
        data: dict[str, str | int] = {"was": was.value, "now": now.value}
        said.append(p.Line("hit-points", f"Hit points {was.value} → {now.value}", data))
    if chapter.undone:
        said.append(p.Line("taken-back", "Taken back since."))
    back = p.Control("undo", p.Line("undo", "Undo"), "undo", {"decision": chapter.id}, icon="rotate-left")
    return p.Row(
        id=f"decision-{chapter.id}",
        actor=chapter.actor,
        title=p.Line("name", chapter.after.name or "A creature"),
        lines=tuple(said),
        ends=p.Ends(p.Line("ago", "{left} ago"), at=shown(world, chapter.at)) if chapter.at != world.now else None,
        controls=(back,) if changed(chapter) and not chapter.undone else (),
    )


def why_line(text: str) -> p.Line:
    """Say what had happened, from the words of the history."""
    found = _HAPPENED.fullmatch(text)
    if found is None:
        return p.Line("happened", text, {"text": text})
    key = "-".join(("happened", *found["what"].split(), *filter(None, [found["by"]])))
    return p.Line(key, f"{text[:1].upper()}{text[1:]}.", {"details": (found["details"] or "").split(", ")[-1]})


def implied_line(world: World, by: str) -> p.Line:
    """Say which condition brings it along (CMB-2)."""
    return p.Line("implied-by", f"{name_of(world.book, by)} brings it along.", condition=by)


def choices(world: World) -> tuple[p.Choice, ...]:
    """Return every condition of the rulebook, for a field."""
    known = world.book.conditions.items()
    return tuple(p.Choice(id, p.Line("name", condition.name, condition=id)) for id, condition in known)


def press(card: p.Card, button: str) -> dict[str, Any]:
    """Return the press of a card's button, as the message carries it (CRD-4)."""
    state = {"id": card.id, "actor": card.actor, "data": card.data, "done": []}
    return {"actor": card.actor, "button": button, "card": state}


def back() -> p.Control:
    """Return the button that leads back to the console."""
    return p.Control("back", p.Line("back", "Back"), "ask", {"what": "console"}, icon="arrow-left")

"""Creatures, effects and decisions in few words, for the tests of the rules."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bridge.engine import events as e
from bridge.engine.apply import static_id
from bridge.engine.catalogue import Catalogue
from bridge.engine.changes import AskSave, Change, Post, Tell
from bridge.engine.conditions import Creature, Rulebook
from bridge.engine.decide import Decision, decide
from bridge.engine.publish import publish
from bridge.engine.state import Actor, Effect, HitPoints, Mark, Memory
from bridge.protocol import ERROR_CODES
from bridge.rules import rulebook
from bridge.world.cards import ORDER

BOOK = rulebook()
ALL = publish(BOOK, None)
HOUR = 3600
WORDS = json.loads((Path(__file__).parents[1] / "foundry-module/lang/en.json").read_text(encoding="utf-8"))
LINES = {*WORDS["CONDITION-BRIDGE"]["Line"], "proposal", "turn-line", "summary-line"}
"""What the module has words for, and three whose whole text is the rule's."""
BUTTONS = {*WORDS["CONDITION-BRIDGE"]["Button"]}


def effect(
    status: str, level: int = 1, *more: str, id: str | None = None, disabled: bool = False, **mark: Any
) -> Effect:
    """Return an effect as the bridge would have put it on."""
    return Effect(id or static_id(status), (status, *more), disabled=disabled, mark=Mark(level=level, **mark))


def plain(*statuses: str, id: str | None = None) -> Effect:
    """Return an effect that Foundry, an item or another module put on: it bears no mark of ours."""
    return Effect(id or static_id(statuses[0]), statuses)


def creature(*effects: Effect, hp: int | None = 20, top: int = 20, notes: Any = None, **more: Any) -> Actor:
    """Return a creature; ``notes`` are what Intoxicated remembers of it."""
    points = None if hp is None else HitPoints(hp, top)
    if notes is not None:
        more["memory"] = Memory(notes={"intoxicated": notes})
    return Actor("Actor.a", name="Bors", hp=points, effects=effects, **more)


def drunk(level: int, *effects: Effect, since: int = 0, saves: int = 0, **more: Any) -> Actor:
    """Return a creature at this level whose last drink was at ``since``."""
    notes = {"since": since, **({"saves": saves} if saves else {}), **more.pop("notes", {})}
    return creature(effect("intoxicated", level), *effects, notes=notes, **more)


def passed_out(level: int = 6, **more: Any) -> Actor:
    """Return a drinker who lies unconscious from level 6."""
    return drunk(level, effect("unconscious", 1, "incapacitated", cause="intoxicated"), plain("prone"), **more)


def house(settings: Mapping[str, Any] | None = None) -> Rulebook:
    """Return the shipped rulebook with these settings."""
    return rulebook(settings) if settings else BOOK


def play(actor: Actor, *events: e.Event, now: int | None = None, settings: Mapping[str, Any] | None = None) -> Decision:
    """Let the shipped rules answer; ``now`` is the time of the last event unless it is given."""
    decision = decide(house(settings), actor, events, events[-1].at if now is None and events else now or 0)
    for change in decision.outputs:
        can_be_shown(change)
    return decision


def can_be_shown(change: Change) -> None:
    """What a rule says has words in every language, its condition a name and a picture, and its buttons somebody to press."""
    say = getattr(change, "say", None)
    if say is not None:
        assert say.key in LINES, say
        assert say.condition is None or say.condition in BOOK.conditions, say
    if isinstance(change, Post):
        assert change.kind in ORDER
        assert change.audience in {None, "gm", "owner", "all"}
        assert {button.id for button in change.buttons} <= BUTTONS
        assert {button.who for button in change.buttons} <= {"gm", "owner"}
    if isinstance(change, Tell):
        assert change.code in ERROR_CODES


def conditions(actor: Actor) -> dict[str, int]:
    """Return every condition of the creature with its level."""
    return dict(Creature(actor, BOOK, 0).conditions)


def level(actor: Actor, condition: str = "intoxicated") -> int:
    """Return the level of one condition."""
    return conditions(actor).get(condition, 0)


def has(actor: Actor, condition: str) -> bool:
    """Tell whether it has the condition."""
    return condition in conditions(actor)


def drinks(*minutes: float, **more: Any) -> list[e.Drank]:
    """Return one drink at each of these minutes."""
    return [e.Drank(at=int(minute * 60), **more) for minute in minutes]


def time_passes(to: int, since: int = 0) -> e.TimePassed:
    """Return the event of a clock that moves on."""
    return e.TimePassed(at=to, since=since, jump=to - since)


def by_gm(condition: str, was: int, now: int, at: int = 0) -> e.ConditionChanged:
    """Return the news that the GM has set a condition by hand."""
    return e.ConditionChanged(at=at, condition=condition, was=was, level=now, by=e.GM)


def asked(decision: Decision) -> list[AskSave]:
    """Return the saves that were asked for."""
    return [change for change in decision.outputs if isinstance(change, AskSave)]


def posted(decision: Decision, key: str | None = None) -> list[Post]:
    """Return the lines that were posted, all of them or those with this key."""
    found = [change for change in decision.outputs if isinstance(change, Post)]
    return [post for post in found if key is None or (post.say is not None and post.say.key == key)]


def told(decision: Decision) -> list[Tell]:
    """Return what was told to the GM at once."""
    return [change for change in decision.outputs if isinstance(change, Tell)]


def kinds(decision: Decision) -> list[type[Change]]:
    """Return the kinds of change, in order."""
    return [type(change) for change in decision.outputs]


def catalogue(settings: Mapping[str, Any] | None = None, profile: str | None = None) -> Catalogue:
    """Return the catalogue of the shipped rulebook."""
    return publish(house(settings), profile)

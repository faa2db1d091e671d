"""Why a creature has a condition: its causes, what it does, what ends it, and the decisions that led to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from bridge import protocol as p
from bridge.engine.ledger import Cause, why
from bridge.engine.publish import summary_of
from bridge.engine.words import name_of
from bridge.views.words import back, chapter_row, counted, creature, implied_line, name, timer_line, why_line

if TYPE_CHECKING:
    from bridge.world import World
    from bridge.world.memory import Chapter

LAST = 5
"""Decisions that are shown."""


def view(world: World, about: Mapping[str, p.Asked]) -> p.View:
    """``actor`` and ``condition`` say what is asked about."""
    actor, condition = str(about.get("actor", "")), str(about.get("condition", ""))
    title = p.Line("why-title", f"Why {name_of(world.book, condition)}?", {"name": name_of(world.book, condition)})
    if actor not in world.memory.actors:
        gone = p.Note(p.Line("why-gone", "That creature is gone."), "warning")
        return p.View("why", title, (gone,), (back(),))
    it = creature(world, actor)
    level = it.level(condition)
    summary = summary_of(world.book, condition, level)
    rows = [_row(world, actor, number, cause) for number, cause in enumerate(why(world.book, it.actor, condition))]
    parts: list[p.Piece] = []
    if summary and level:
        data: dict[str, str | int] = {"summary": summary}
        parts.append(p.Note(p.Line("summary", summary, data, condition=condition, level=level)))
    title_of_causes = p.Line("causes", "Causes")
    parts.append(p.Rows("causes", title_of_causes, tuple(rows), p.Line("no-causes", "It does not have it now.")))
    parts.append(_past(world, actor, condition))
    return p.View("why", title, tuple(parts), (back(),))


def _row(world: World, actor: str, number: int, cause: Cause) -> p.Row:
    return p.Row(
        id=f"cause-{number}",
        actor=actor,
        title=p.Line("name", name(world, actor)),
        lines=tuple(_lines(world, actor, cause)),
        ends=counted(world, cause.timer) if cause.timer else None,
    )


def _lines(world: World, actor: str, cause: Cause) -> Iterator[p.Line]:
    if cause.implied_by:
        yield implied_line(world, cause.implied_by)
    elif cause.brought_by:
        by = name_of(world.book, cause.brought_by)
        yield p.Line("brought-by", f"Brought by the rules of {by}.", condition=cause.brought_by)
    elif decided := _decision(world, actor, cause):
        yield from map(why_line, decided.why)
    else:
        yield p.Line("put-on", "Put on by a hand, an item or the system.")
    if cause.source:
        yield p.Line("caused", "", source=cause.source)
    if cause.forced:
        yield p.Line("forced", "Forced by the GM, against an immunity.")
    if cause.timer and (cause.timer.ability or counted(world, cause.timer) is None):
        yield timer_line(world, cause.timer)


def _decision(world: World, actor: str, cause: Cause) -> Chapter | None:
    """Return the decision that wrote the effect last, when it is still known."""
    effect = world.memory.actors[actor].effect(cause.effect or "")
    return world.memory.history.get(effect.mark.stamp) if effect and effect.mark else None


def _past(world: World, actor: str, condition: str) -> p.Rows:
    """Return the last decisions about this condition of this creature."""
    found = [
        chapter
        for chapter in reversed(world.memory.history.values())
        if chapter.actor == actor and any(event.condition == condition for event in chapter.changed)
    ]
    title = p.Line("why-past", "How it came about")
    rows = tuple(chapter_row(world, chapter) for chapter in found[:LAST])
    return p.Rows("past", title, rows, p.Line("no-past", "The bridge has not decided anything about it."))

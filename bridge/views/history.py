"""The history of a world, searched from Foundry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bridge import protocol as p
from bridge.history import Search, find, span
from bridge.views.words import back, chapter_row, choices

if TYPE_CHECKING:
    from bridge.world import World

MOST = 50
"""Decisions that are shown; the rest is counted."""


def view(world: World, about: Mapping[str, p.Asked]) -> p.View:
    """``creature``, ``condition``, ``rule`` and ``since`` say what is looked for."""
    wanted = {key: str(about.get(key, "")).strip() for key in ("creature", "condition", "rule", "since")}
    parts: list[p.Piece] = [_form(world, wanted)]
    try:
        since = span(wanted["since"]) if wanted["since"] else None
    except ValueError as error:
        parts.append(p.Note(p.Line("bad-span", f"{error}.", {"text": wanted["since"]}), "warning"))
        since = None
    search = Search(wanted["creature"], wanted["condition"], wanted["rule"], since)
    found = list(find(list(world.memory.history.values()), search))[::-1]
    title = p.Line("found", f"{len(found)} decisions", {"count": len(found)})
    rows = tuple(chapter_row(world, chapter) for chapter in found[:MOST])
    nothing = p.Line("nothing-found", "Nothing fits.")
    parts.append(p.Rows("found", title, rows, nothing, more=max(0, len(found) - MOST)))
    return p.View("history", p.Line("history", "History"), tuple(parts), (back(),))


def _form(world: World, wanted: dict[str, str]) -> p.Form:
    any_ = p.Choice("", p.Line("any", "any"))
    fields = (
        p.Field("creature", "text", p.Line("find-creature", "Creature"), value=wanted["creature"]),
        p.Field(
            "condition",
            "choice",
            p.Line("find-condition", "Condition"),
            value=wanted["condition"],
            choices=(any_, *choices(world)),
        ),
        p.Field(
            "rule",
            "text",
            p.Line("find-rule", "Rule"),
            p.Line("find-rule-hint", "A condition, or the id of a rule such as BLD-7."),
            value=wanted["rule"],
        ),
        p.Field(
            "since",
            "text",
            p.Line("find-since", "In the last"),
            p.Line("find-since-hint", "Game time before the newest decision, such as 30 min or 2 hours."),
            value=wanted["since"],
        ),
    )
    look = p.Control("find", p.Line("find", "Search"), "ask", {"what": "history"}, icon="magnifying-glass")
    return p.Form("search", p.Line("search", "Search"), fields, (look,))

"""The house rules as forms, a page for each subject: what holds, what answers would change, and what is wrong there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from bridge import __version__
from bridge import protocol as p
from bridge.engine.changes import Say
from bridge.engine.words import ABILITIES
from bridge.rulebook import pages
from bridge.rulebook.book import HOUSE_RULES, MOST_LETTERS, check, shipped_text
from bridge.rulebook.dry_run import changes
from bridge.rulebook.edit import CannotEdit
from bridge.rulebook.problems import Problem
from bridge.world.cards import line

if TYPE_CHECKING:
    from bridge.world import World

About = Mapping[str, Any]
NOT_ANSWERS = {"page", "version", "group", "text", "back", "put"}
MOST_LINES = 200
"""Lines of what would change."""


def view(world: World, about: About) -> p.View:
    """Return a page.  ``about``: ``page``, the ``version`` that answers were given to, and answers by key.

    ``text``: of a whole other rulebook.  ``back``: the one before the last change.  ``put``: the message that was sent
    to put something in force.
    """
    text = world.house.source
    page = pages.page(str(about.get("page", "")), text)
    draft = {key: value for key, value in about.items() if key not in NOT_ANSWERS}
    tried = _try(world, page.id, about, draft)
    forms = [_form(group, page, about, draft, tried, pages.version(text)) for group in page.groups]
    return p.View(
        "configure",
        p.Line("configure", "Configure"),
        (*_outcome(world, page.id, about, tried), *forms, *_more(world, page.id)),
        tuple(_tab(id, page.id) for id in pages.PAGES),
    )


class Try:
    """What an answer would do: the new text, its problems, and the message that puts it in force."""

    def __init__(self, text: str, message: dict[str, Any], problems: tuple[Problem, ...] = ()) -> None:
        self.text = text
        self.message = message
        self.problems = problems or check(text).problems


def _try(world: World, page: str, about: About, draft: Mapping[str, Any]) -> Try | None:
    """Return what the answers would do; none when there are none, or they say what holds already."""
    text = world.house.source
    if page == "file" and about.get("back") is True and world.before is not None:
        return Try(world.before, {"undo": True})
    if page == "file" and isinstance(about.get("text"), str) and about["text"] != text:
        return Try(about["text"], {"text": about["text"]})
    found = pages.edits(text, draft)
    if not found:
        return None
    try:
        return Try(pages.written(text, found), {"changes": found})
    except CannotEdit as error:
        return Try(text, {}, (Problem("", str(error)),))


def _outcome(world: World, page: str, about: About, tried: Try | None) -> Iterator[p.Rows | p.Note]:
    """Say what is wrong with the answers, or what they would change; a button puts that in force."""
    version = pages.version(world.house.source)
    moved = "version" in about and about["version"] != version
    if tried is None:
        if world.put and about.get("put") == world.put:
            yield p.Note(p.Line("in-force", "It is in force."), "good")
        elif "version" in about:
            yield p.Note(p.Line("no-change", "That is what holds already."))
        return
    if moved:
        sentence = "The house rules have changed since this page was opened. Look again at what would change now."
        yield p.Note(p.Line("rules-moved", sentence), "warning")
    whole = "text" in tried.message
    shown = [problem for problem in tried.problems if whole or not _at_a_field(problem, world)]
    for problem in shown[:MOST_LINES]:
        yield p.Note(
            p.Line("problem", problem.told("rulebook") if whole else f"{problem.path}: {problem.message}"), "bad"
        )
    if tried.problems:
        sentence = "Nothing was changed: first mend what is marked."
        yield p.Note(p.Line("not-yet", sentence), "bad")
        return
    book = check(tried.text).book
    lines = changes(world, book) if book is not None else []
    put = p.Control(
        "put", p.Line("put", "Put it in force"), "configured", {"version": version, **tried.message}, "check"
    )
    drop = p.Control("drop", p.Line("drop", "Leave it as it is"), "ask", _ask(page), "xmark")
    yield p.Rows(
        "changes",
        p.Line("would-change", "What would change (in brackets: who has it now)"),
        tuple(p.Row(f"change-{n}", lines=(_told(say),)) for n, say in enumerate(lines[:MOST_LINES])),
        controls=(put, drop),
        more=max(0, len(lines) - MOST_LINES),
    )


def _told(say: Say) -> p.Line:
    """Say what would change; of a setting, in the words in which it is asked for."""
    if "setting" not in say.data:
        return line(say)
    key, was, now = (str(say.data[part]) for part in ("setting", "was", "now"))
    if key not in pages.LABELS:
        return line(say)
    text = f"{pages.LABELS[key][0]}: {_words(now)}, no longer {_words(was)}."
    return p.Line(say.key, text, say.data)


def _words(values: str) -> str:
    return ", ".join(WORDS.get(value, value) for value in values.split(", "))


def _at_a_field(problem: Problem, world: World) -> bool:
    key = pages.question_of(problem.path)
    return any(
        _concerns(question.key, key)
        for id in pages.PAGES
        for group in pages.page(id, world.house.source).groups
        for question in group.questions
    )


def _concerns(question: str, key: str) -> bool:
    return bool(key) and (question == key or question.startswith(f"{key}."))


def _tab(id: str, current: str) -> p.Control:
    title, _ = pages.PAGES[id]
    return p.Control(f"page-{id}", p.Line(f"page-{id}", title), "ask", _ask(id), current=id == current)


def _ask(page: str, **about: Any) -> dict[str, Any]:  # noqa: ANN401  fields of a message
    return {"what": "configure", "about": {"page": page, **about}}


def _form(
    group: pages.Group, page: pages.Page, about: About, draft: Mapping[str, Any], tried: Try | None, version: str
) -> p.Form:
    problems = tried.problems if tried is not None else ()
    fields = tuple(_field(question, draft, problems) for question in group.questions)
    look = p.Control(
        "look", p.Line("look", "What would this change?"), "ask", _ask(page.id, group=group.id, version=version)
    )
    opened = len(page.groups) <= FEW or about.get("group") == group.id
    title = p.Line("name" if group.condition else f"group-{group.id}", group.title, condition=group.condition or None)
    return p.Form(f"group-{group.id}", title, fields, (look,), open=opened)


FEW = 3
"""So many forms of a page stand open at first."""


def _field(question: pages.Question, draft: Mapping[str, Any], problems: tuple[Problem, ...]) -> p.Field:
    key = question.key
    wrong = next((each.message for each in problems if _concerns(key, pages.question_of(each.path))), None)
    named = _named(key)
    level = key.rpartition(".")[2]
    data: dict[str, str | int] = {"level": int(level)} if level.isdecimal() else {}
    return p.Field(
        key,
        question.kind,
        p.Line(named, question.label, data),
        p.Line(f"{named}-hint", question.hint) if question.hint else None,
        _shown(pages.plain(draft[key], question) if key in draft else question.value, question.kind),
        default=_shown(question.default, question.kind),
        choices=tuple(p.Choice(value, _word(value, key)) for value in question.choices),
        least=question.least,
        only=dict(question.only),
        problem=p.Line("wrong", wrong) if wrong else None,
    )


def _named(key: str) -> str:
    """Return the key of ``lang/`` of what a question asks."""
    if not key.startswith(("conditions.", "without.")):
        return f"set-{key.replace('.', '-')}"
    parts = [part for part in key.split(".")[2:] if not part.isdecimal()]
    many = key.rpartition(".")[2].isdecimal()
    return f"set-condition-{'-'.join(parts) or 'without'}{'-level' if many else ''}"


def _shown(value: pages.Value, kind: pages.Kind) -> pages.Value:
    return "\n".join(value) if kind == "lines" and isinstance(value, tuple) else value


def _word(value: str, key: str) -> p.Line:
    if not value and key.endswith(".ability"):
        return p.Line("no-save", "none")
    if value in ABILITIES:
        return p.Line("ability", ABILITIES[value], {"ability": value})
    if value in pages.DAMAGE_TYPES:
        return p.Line("damage-type", value, {"type": value})
    return p.Line(f"word-{value or 'none'}", WORDS.get(value, value))


WORDS = {
    "": "as for all others",
    "off": "off",
    "remind": "a card says what to do",
    "ask": "the GM is asked",
    "auto": "done by itself",
    "suggest": "suggested in the roll dialog",
    "enforce": "enforced",
    "warn": "warned of",
    "refuse": "refused",
    "accept": "accepted, and the GM is told",
    "put-back": "put back",
    "gm": "the GM",
    "owner": "the owner and the GM",
    "all": "everyone",
    "granted": "granted",
    "refused": "refused",
    "stable": "stable at 0 hit points",
    "wakes": "wakes with 1 hit point",
    "long-rest": "a long rest",
    "short-rest": "a short rest",
    "hit-die": "a Hit Die",
    "medicine": "a Medicine check",
    "combat": "the combat",
    "death": "death",
    "save": "a save, or unconscious",
    "at-once": "unconscious at once",
    "2014": "2014",
    "2024": "2024",
    "system": "as the system has them",
    "turn-start": "at the start of its turn",
    "turn-end": "at the end of its turn",
    "start": "the start of its turn",
    "end": "the end of its turn",
    "dead": "dead",
    "unconscious": "unconscious",
    "tavern": "as in a tavern",
    "family": "for the family",
    "house-rules": "the house rules",
    "plain-2024": "plain 2024 rules",
    "true": "yes",
    "false": "no",
    "nothing": "nothing",
}


def _more(world: World, page: str) -> Iterator[p.Form | p.Rows | p.Note]:
    """What a page has besides its questions."""
    if page == "intoxicated":
        yield _drinkers(world)
    if page == "modules":
        sentence = "Where another module does the same as this one, one of the two stands aside."
        yield p.Note(p.Line("modules-hint", sentence))
    if page == "connection":
        yield _facts(world)
    if page == "file":
        yield from _files(world)


def _facts(world: World) -> p.Rows:
    """Who the bridge talks with."""
    table = world.memory.basics.table or p.Table(world.id)
    found: dict[str, tuple[str, str | int]] = {
        "world": ("World: {value}", table.name or table.world),
        "core": ("Foundry {value}", table.core),
        "system": ("dnd5e {value}", table.system),
        "module": ("Module {value}", table.module),
        "bridge": ("Bridge {value}", __version__),
        "creatures": ("Creatures looked after: {value}", len(world.memory.actors)),
    }
    rows = [
        p.Row(f"fact-{id}", lines=(p.Line(f"fact-{id}", text.format(value=value), {"value": value}),))
        for id, (text, value) in found.items()
    ]
    return p.Rows("facts", p.Line("facts", "Who talks with whom"), tuple(rows))


def _drinkers(world: World) -> p.Rows:
    """INT-3, INT-6: what is particular about one creature stands on its actor, and is set there."""
    found = [actor for actor in world.memory.actors.values() if actor.owned and actor.hp is not None]
    rows = []
    for actor in sorted(found, key=lambda each: each.name.casefold()):
        tolerance = p.Line("tolerance", f"Tolerance: {actor.habits.tolerance}", {"count": actor.habits.tolerance})
        control = p.Control(
            "habits", p.Line("habits", "Drink and habits…"), "habits", {"actor": actor.id}, "beer-mug-empty"
        )
        rows.append(
            p.Row(f"drinker-{actor.id}", actor.id, p.Line("name", actor.name), lines=(tolerance,), controls=(control,))
        )
    return p.Rows(
        "drinkers",
        p.Line("drinkers", "Who can take more"),
        tuple(rows),
        p.Line("no-drinkers", "No player has a creature."),
    )


def _files(world: World) -> Iterator[p.Form | p.Note]:
    """Export, import, and the way back."""
    text = world.house.source or shipped_text(HOUSE_RULES)
    version = pages.version(world.house.source)
    name = {"name": f"{world.house.name}.toml", "text": text}
    controls = [p.Control("export", p.Line("export", "Export as a file"), "save", name, "file-export")]
    if world.before is not None:
        back = _ask("file", version=version, back=True)
        controls.append(p.Control("back", p.Line("rules-back", "Undo the last change…"), "ask", back, "rotate-left"))
    yield p.Form("export", p.Line("export-title", "Export and undo"), (), tuple(controls))
    hint = p.Line("import-hint", "You are shown what it would change before it is in force.")
    field = p.Field("text", "file", p.Line("import-file", "A rulebook (TOML)"), hint, most=MOST_LETTERS)
    look = p.Control("look", p.Line("look", "What would this change?"), "ask", _ask("file", version=version))
    yield p.Form("import", p.Line("import-title", "Import"), (field,), (look,))

"""The views of a GM's window: what they say, what their buttons send, and that nothing in them changes anything."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

from bridge import protocol as p
from bridge import views
from bridge.engine.state import Actor, Effect, Mark, Timer
from bridge.world.quarantine import Quarantine
from tests.creatures import creature, drunk, effect, has, level
from tests.desk import GM, PLAYER, Desk

WORDS = Path(__file__).resolve().parents[2] / "foundry-module/lang/en.json"


def being(id: str = "Actor.a", *, name: str = "Bors", effects: tuple[Effect, ...] = (), **more: Any) -> Actor:
    return structs.replace(creature(*effects, **more), id=id, name=name)


def ask(desk: Desk, what: str = "console", **about: Any) -> p.View:
    answer = views.answer(desk.world, p.Ask("q", what, GM, about))
    assert isinstance(answer, p.Answer)
    # What goes over the wire comes back the same.
    assert msgspec.json.decode(msgspec.json.encode(answer), type=p.Answer) == answer
    return answer.view


def rows(view: p.View, id: str) -> tuple[p.Row, ...]:
    return next((part.rows for part in view.parts if isinstance(part, p.Rows) and part.id == id), ())


def form(view: p.View, id: str) -> p.Form:
    return next(part for part in view.parts if isinstance(part, p.Form) and part.id == id)


def said(row: p.Row) -> list[str]:
    return [line.text for line in row.lines]


def send(desk: Desk, control: p.Control, **values: Any) -> None:
    """Press a button of a view, as the module does."""
    kinds = {"given": p.Given, "drank": p.Drank, "ate": p.Ate, "pressed": p.Pressed}
    for data in control.data.get("each", [control.data]):
        fields = {**data, **values}
        actor = fields.pop("actor", "Actor.a")
        if "card" in fields:
            fields["card"] = msgspec.convert(fields["card"], p.CardState)
        desk.happen(kinds[control.type], actor, **fields)


def control(row: p.Row | p.Rows | p.Form, id: str) -> p.Control:
    return next(one for one in row.controls if one.id == id)


def test_only_a_gm_is_answered_and_only_what_there_is():
    desk = Desk(being())
    for asked, code in ((p.Ask("q", "console", PLAYER), "not-allowed"), (p.Ask("q", "x", GM), "unknown-view")):
        error = views.answer(desk.world, asked)
        assert isinstance(error, p.Error)
        assert (error.code, error.id) == (code, "q")


def test_a_view_that_breaks_is_told_and_all_else_goes_on(monkeypatch):
    desk = Desk(being())
    monkeypatch.setitem(views.VIEWS, "console", lambda _world, _about: 1 / 0)
    desk.world.failures = Quarantine()
    error = views.answer(desk.world, p.Ask("q", "console", GM))
    assert isinstance(error, p.Error)
    assert error.code == "invalid"
    assert desk.world.failures.take()


@pytest.mark.parametrize("what", views.VIEWS)
def test_a_question_changes_nothing(what: str):
    desk = Desk(drunk(3))
    desk.happen(p.Drank, count=4)
    desk.world.take()
    before = msgspec.json.encode(list(desk.world.memory.actors.values()))
    ask(desk, what, actor="Actor.a", condition="intoxicated")
    assert desk.world.take() == []
    assert msgspec.json.encode(list(desk.world.memory.actors.values())) == before


def test_who_has_what_in_rows_with_levels_and_what_implies_it():
    desk = Desk(being(effects=(effect("stunned"), effect("intoxicated", 2))), being("Actor.b", name="Mira"))
    found = {row.condition: row for row in rows(ask(desk), "statuses")}
    assert set(found) == {"stunned", "incapacitated", "intoxicated"}
    assert found["intoxicated"].level == 2
    assert said(found["incapacitated"]) == ["Stunned brings it along."]
    assert [one.id for one in found["incapacitated"].controls] == ["why"]
    assert [one.id for one in found["intoxicated"].controls] == ["why", "less", "more", "end"]


def test_nobody_has_anything():
    view = ask(Desk(being()))
    assert rows(view, "statuses") == ()
    assert {"waiting", "denied"} & {part.id for part in view.parts if isinstance(part, p.Rows)} == set()


def test_what_ends_by_the_clock_is_counted_to_a_time_that_foundry_shows():
    desk = Desk(being())
    desk.happen(p.Given, condition="poisoned", lasts="minutes", amount=10)
    (row,) = rows(ask(desk), "statuses")
    assert row.ends == p.Ends(p.Line("ends-in", "Ends in {left}"), at=desk.foundry.clock + 600)


def test_what_ends_by_rounds_is_counted_in_rounds():
    """TIM-2, TIM-7: the clock of the rules may be ahead of the one that Foundry shows."""
    desk = Desk(being(), being("Actor.b"))
    desk.combat(1, 0, "a", "b")
    desk.happen(p.Given, condition="poisoned", lasts="rounds", amount=3)
    desk.happen(p.Given, "Actor.b", condition="prone", lasts="seconds", amount=60)
    desk.combat(2, 0, "a", "b")
    poisoned, prone = rows(ask(desk), "statuses")
    assert (poisoned.ends.combat, poisoned.ends.round) == ("c", 4)
    assert prone.ends.at == desk.foundry.clock + 54


def test_a_sober_hour_is_counted_though_nothing_ends_by_itself():
    """INT-9."""
    desk = Desk(being())
    desk.happen(p.Drank, count=2)
    desk.happen(p.Ate)
    (row,) = rows(ask(desk), "statuses")
    assert row.ends == p.Ends(p.Line("next-in", "Next change in {left}"), at=desk.foundry.clock + 3600)


# https://github.com/thatlonelybugbear/automated-conditions-5e/pull/684
def test_who_is_held_by_nobody_known_stays_held_and_the_gm_is_told():
    """CND-7."""
    desk = Desk(being(), being("Actor.b", name="Mira"), being("Actor.ogre", name="Ogre"))
    desk.happen(p.Given, condition="grappled", source="Actor.ogre")
    desk.happen(p.Given, "Actor.b", condition="grappled")
    held = {row.actor: [line.key for line in row.lines] for row in rows(ask(desk), "statuses")}
    assert held == {"Actor.a": ["caused"], "Actor.b": ["unsourced"]}
    desk.happen(p.Given, "Actor.ogre", condition="stunned")
    held = {
        row.actor: [line.key for line in row.lines]
        for row in rows(ask(desk), "statuses")
        if row.condition == "grappled"
    }
    assert held == {"Actor.b": ["unsourced"]}


def test_what_is_halted_says_so():
    """PET-1."""
    desk = Desk(being(effects=(effect("poisoned"),)))
    desk.write(effects=(*desk.actor().effects, effect("petrified")))
    found = {row.condition: said(row) for row in rows(ask(desk), "statuses")}
    assert found["poisoned"] == ["Halted: it waits until it goes on."]


@pytest.mark.parametrize(
    ("lasts", "more", "text"),
    [
        (
            "save",
            {"ability": "wis", "dc": 15, "moment": "start"},
            "A Wisdom save, DC 15, at the start of its turn ends it.",
        ),
        ("combat", {}, "Ends with the combat."),
        ("short-rest", {}, "Ends with a short rest."),
    ],
)
def test_what_no_clock_ends_is_said(lasts: str, more: dict[str, Any], text: str):
    """TIM-1: "until a save succeeds …, until the combat ends, until a short or long rest"."""
    desk = Desk(being())
    desk.combat(1, 0, "a")
    desk.happen(p.Given, condition="poisoned", lasts=lasts, **more)
    (row,) = rows(ask(desk), "statuses")
    assert (said(row), row.ends) == ([text], None)


def test_until_the_turn_of_a_creature_names_it():
    desk = Desk(being(name="Bors"))
    desk.combat(1, 0, "a")
    desk.happen(p.Given, condition="poisoned", lasts="turn-end")
    (row,) = rows(ask(desk), "statuses")
    assert said(row) == ["Ends at the end of Bors's next turn."]


# What the GM gives.


def test_the_gm_gives_a_condition_with_level_source_and_end():
    """TIM-1, INT-16."""
    desk = Desk(being(), being("Actor.b"))
    desk.happen(p.Given, condition="intoxicated", level=4, source="Actor.b", lasts="hours", amount=2)
    mark = desk.actor().effects[0].mark
    assert (mark.level, mark.source, mark.timer.kind, mark.timer.amount) == (4, "Actor.b", "seconds", 7200)
    assert desk.actor().memory.notes["intoxicated"]["since"] == desk.foundry.clock
    desk.time(7200)
    assert level(desk.actor()) == 0


def test_one_word_for_several_creatures_is_one_group():
    """UND-1: "A time jump, a rest or an area is one group"."""
    desk = Desk(being(), being("Actor.b"), being("Actor.c"))
    desk.happen(p.Given, condition="prone", others=("Actor.b", "Actor.c"))
    assert all(has(desk.actor(id), "prone") for id in ("Actor.a", "Actor.b", "Actor.c"))
    desk.undo()
    assert not any(has(desk.actor(id), "prone") for id in ("Actor.a", "Actor.b", "Actor.c"))


def test_a_round_for_the_table_leaves_out_who_is_no_character_of_a_player():
    desk = Desk(being(owned=True), being("Actor.b", owned=True), being("Actor.c", type="npc"))
    button = control(form(ask(desk), "drinks"), "table")
    send(desk, button, count=2)
    assert [level(desk.actor(id)) for id in ("Actor.a", "Actor.b", "Actor.c")] == [1, 1, 0]


def test_a_table_without_characters_gets_no_round():
    assert [one.id for one in form(ask(Desk(being(type="npc"))), "drinks").controls] == ["selected", "food", "water"]


@pytest.mark.parametrize("message", [p.Given, p.Drank])
def test_only_the_gm_speaks_for_several(message: Any):
    desk = Desk(being(), being("Actor.b"))
    more = {"condition": "prone"} if message is p.Given else {"count": 4}
    desk.happen(message, "Actor.a", PLAYER, others=("Actor.b",), **more)
    assert desk.codes() == ["not-allowed"]
    assert not any(desk.actor(id).effects for id in ("Actor.a", "Actor.b"))


def test_a_player_gives_nothing():
    desk = Desk(being())
    desk.happen(p.Given, "Actor.a", PLAYER, condition="prone")
    assert (desk.codes(), desk.actor().effects) == (["not-allowed"], ())


def test_what_the_rulebook_does_not_know_is_not_given():
    desk = Desk(being())
    desk.happen(p.Given, condition="nonsense")
    assert desk.codes() == ["unknown-condition"]


def test_the_immune_gain_it_only_when_it_is_forced():
    """CMB-4: "the GM is told why and can force it"."""
    desk = Desk(being(condition_immunities=("poisoned",)))
    desk.happen(p.Given, condition="poisoned")
    assert (desk.codes(), has(desk.actor(), "poisoned")) == (["immune"], False)
    assert "immune to Poisoned" in said(rows(ask(desk), "denied")[0])[0]
    desk.happen(p.Given, condition="poisoned", forced=True)
    assert desk.actor().effects[0].mark.forced


def test_the_buttons_of_a_row_move_and_end_it():
    desk = Desk(drunk(3))
    for id, expected in (("more", 4), ("less", 3), ("end", 0)):
        (row,) = rows(ask(desk), "statuses")
        send(desk, control(row, id))
        assert level(desk.actor()) == expected


# Why, and why not.


def test_why_names_the_causes_and_the_decisions():
    desk = Desk(being(), being("Actor.b"))
    desk.happen(p.Given, condition="stunned", source="Actor.b", lasts="minutes")
    view = ask(desk, "why", actor="Actor.a", condition="incapacitated")
    assert [said(row) for row in rows(view, "causes")] == [["Stunned brings it along."]]
    view = ask(desk, "why", actor="Actor.a", condition="stunned")
    (row,) = rows(view, "causes")
    assert [line.source for line in row.lines] == [None, "Actor.b"]
    assert row.ends.at == desk.foundry.clock + 60
    assert [one.id for past in rows(view, "past") for one in past.controls] == ["undo"]


@pytest.mark.parametrize("about", [{}, {"actor": "Actor.gone"}, {"actor": 7, "condition": True}])
def test_why_of_what_is_not_there(about: dict[str, Any]):
    view = ask(Desk(being()), "why", **about)
    assert isinstance(view.parts[0], p.Note)


DENIALS = {
    "drink-counts": (being(), lambda desk: desk.happen(p.Drank)),
    "drink-nothing": (being(immunities=("poison",)), lambda desk: desk.happen(p.Drank, count=4)),
    "drink-top": (drunk(6), lambda desk: desk.happen(p.Drank)),
    "meal-sober": (being(), lambda desk: desk.happen(p.Ate)),
    "meal-counts": (drunk(3), lambda desk: desk.happen(p.Ate, what="water")),
    "refused": (being(effects=(effect("bleeding"),)), lambda desk: desk.happen(p.Refused, amount=5)),
    "roll-late": (being(), lambda desk: desk.happen(p.Rolled, request="j0.9.0", reason="ends:x", dc=10)),
}


@pytest.mark.parametrize("key", DENIALS)
def test_why_what_happened_did_nothing(key: str):
    """INT-4 to INT-6, INT-9, BLD-7, TIM-1."""
    actor, act = DENIALS[key]
    desk = Desk(actor)
    act(desk)
    assert [row.lines[0].key for row in rows(ask(desk), "denied")] == [key]


def test_a_save_that_fails_says_so():
    desk = Desk(being())
    desk.combat(1, 0, "a", "b")
    desk.happen(p.Given, condition="poisoned", lasts="save", dc=15, moment="end")
    desk.combat(1, 1, "a", "b")
    (request,) = desk.foundry.asked
    desk.foundry.roll(request, 9)
    desk.settle()
    assert said(rows(ask(desk), "denied")[0]) == ["Rolled 9 against DC 15: it goes on."]


@pytest.mark.parametrize(("mode", "key"), [("off", "rule-off"), ("remind", "rule-asks"), ("ask", "rule-asks")])
def test_a_rule_that_does_not_act_is_the_reason(mode: str, key: str):
    desk = Desk(being(), settings={"conditions.intoxicated.mode": mode})
    desk.happen(p.Drank, count=2)
    assert rows(ask(desk), "denied")[0].lines[0].key == key


def test_a_drink_that_moves_a_level_is_no_denial():
    desk = Desk(being())
    desk.happen(p.Drank, count=2)
    assert rows(ask(desk), "denied") == ()


def test_few_are_kept_and_they_outlive_a_restart():
    desk = Desk(being(immunities=("poison",)))
    for _ in range(9):
        desk.happen(p.Drank)
    assert len(desk.world.memory.denied["Actor.a"]) == 5
    desk.start()
    assert len(desk.world.memory.denied["Actor.a"]) == 5
    desk.foundry.actors.clear()
    desk.start()
    assert desk.world.memory.denied == {}


def test_a_refused_healing_is_allowed_from_the_console():
    """BLD-7: Allow works once, wherever it is pressed."""
    desk = Desk(being(hp=5, effects=(effect("bleeding"),)))
    desk.happen(p.Refused, amount=5)
    (row,) = rows(ask(desk), "denied")
    send(desk, control(row, "allow"))
    assert desk.actor().hp.value == 10
    assert rows(ask(desk), "denied")[0].controls == ()
    desk.press("allow")
    assert (desk.actor().hp.value, desk.codes()) == (10, ["already-done"])


# What waits for the GM's word.


def asking() -> Desk:
    desk = Desk(being(), being("Actor.b"), settings={"conditions.intoxicated.mode": "ask"})
    for id in ("Actor.a", "Actor.b"):
        desk.happen(p.Drank, id, count=2)
    return desk


@pytest.mark.parametrize(("button", "levels"), [("approve", [1, 0]), ("refuse", [0, 0])])
def test_what_waits_is_approved_or_refused(button: str, levels: list[int]):
    desk = asking()
    first, _ = rows(ask(desk), "waiting")
    send(desk, control(first, button))
    assert [level(desk.actor(id)) for id in ("Actor.a", "Actor.b")] == levels
    assert len(rows(ask(desk), "waiting")) == 1
    # Of two answers to one question the first counts, on the card as well.
    desk.press("approve", first.id)
    assert desk.codes() == ["already-done"]
    assert [level(desk.actor(id)) for id in ("Actor.a", "Actor.b")] == levels


@pytest.mark.parametrize(("button", "levels"), [("approve-all", [1, 1]), ("refuse-all", [0, 0])])
def test_all_that_waits_is_approved_or_refused_at_once(button: str, levels: list[int]):
    desk = asking()
    (waiting,) = (part for part in ask(desk).parts if isinstance(part, p.Rows) and part.id == "waiting")
    send(desk, control(waiting, button))
    assert [level(desk.actor(id)) for id in ("Actor.a", "Actor.b")] == levels
    assert rows(ask(desk), "waiting") == ()


def test_what_waits_outlives_a_restart():
    desk = asking()
    desk.start()
    assert len(rows(ask(desk), "waiting")) == 2


# The history.


def test_the_last_decisions_can_be_undone_and_say_when_they_were():
    desk = Desk(being())
    desk.happen(p.Drank, count=2, label="Ale")
    (row,) = rows(ask(desk), "decisions")
    assert said(row)[0] == "Drank (Ale)."
    assert control(row, "undo").data == {"decision": int(row.id.removeprefix("decision-"))}
    desk.undo(control(row, "undo").data["decision"])
    undone = rows(ask(desk), "decisions")[-1]
    assert ("taken-back" in {line.key for line in undone.lines}, undone.controls) == (True, ())


@pytest.mark.parametrize(
    ("about", "count"),
    [
        ({}, 4),
        ({"creature": "mir"}, 1),
        ({"condition": "prone"}, 1),
        ({"rule": "INT-4"}, 2),
        ({"since": "1 h"}, 2),
        ({"creature": "nobody"}, 0),
    ],
)
def test_the_history_is_searched(about: dict[str, str], count: int):
    desk = Desk(being(name="Bors"), being("Actor.b", name="Mira"))
    desk.happen(p.Drank, count=2)
    desk.time(5000)
    desk.happen(p.Given, "Actor.b", condition="prone")
    desk.happen(p.Drank, count=2)
    view = ask(desk, "history", **about)
    assert len(rows(view, "found")) == count
    kept = {field.key: field.value for field in form(view, "search").fields}
    assert kept == {"creature": "", "condition": "", "rule": "", "since": ""} | about


def test_a_span_that_cannot_be_read_is_said():
    view = ask(Desk(being()), "history", since="yesterday")
    assert [part.tone for part in view.parts if isinstance(part, p.Note)] == ["warning"]


def test_two_hundred_creatures_fit_and_what_is_too_much_is_counted():
    many = [
        being(f"Actor.{n}", effects=tuple(effect(id) for id in ("prone", "poisoned", "blinded"))) for n in range(400)
    ]
    (found,) = (part for part in ask(Desk(*many)).parts if isinstance(part, p.Rows) and part.id == "statuses")
    assert (len(found.rows), found.more) == (600, 600)


def test_every_line_has_a_key_of_the_language_files_or_is_a_name():
    """CRD-6: each client shows it in its own language."""
    words = msgspec.json.decode(WORDS.read_bytes())["CONDITION-BRIDGE"]["Line"]
    desk = asking()
    desk.happen(p.Given, condition="stunned", lasts="save", source="Actor.b")
    desk.happen(p.Ate)
    found: list[Any] = [ask(desk), ask(desk, "history", since="x")]
    found += [ask(desk, "why", actor="Actor.a", condition=id) for id in ("stunned", "incapacitated", "prone")]
    keys: set[str] = set()
    while found:
        one = found.pop()
        if isinstance(one, p.Line):
            keys.add(one.key)
        elif isinstance(one, msgspec.Struct):
            found += [value for _, value in structs.asdict(one).items()]
        elif isinstance(one, tuple | list):
            found += one
    moved = {"gained", "risen", "fallen", "ended"}
    assert {key for key in keys if key not in words} - moved - {"name", "caused"} == {"proposal"} & keys
    assert len(keys) > 40


def test_a_timer_without_a_known_creature_is_said_all_the_same():
    timer = Timer("turn-start", 1_000_000, creature="Actor.gone", combat="c", round=1)
    marked = effect("poisoned")
    marked = structs.replace(marked, mark=structs.replace(marked.mark or Mark(), timer=timer))
    (row,) = rows(ask(Desk(being(effects=(marked,)))), "statuses")
    assert said(row) == ["Ends at the start of A creature's next turn."]

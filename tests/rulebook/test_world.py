"""Conditions from a file in a whole world; a rulebook that changes while the evening runs, and its dry run."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from bridge import protocol as p
from bridge.engine.state import Effect, Mark, Timer
from bridge.rulebook.book import parse, shipped
from bridge.rulebook.dry_run import NOTHING, changes
from bridge.rules import rulebook
from tests.creatures import creature, effect, plain
from tests.desk import Desk

WINTER = (Path(__file__).parent / "winter.toml").read_text(encoding="utf-8")
GM = p.By("gm", gm=True)
PLAYER = p.By("ann")


def desk(*effects: Effect, text: str = WINTER, **more) -> Desk:
    return Desk(creature(*effects, owned=True, **more), book=parse(text))


def timer(found: Desk, index: int = -1) -> Timer | None:
    mark = found.actor().effects[index].mark
    return mark.timer if mark else None


@pytest.mark.parametrize("by", [GM, PLAYER])
def test_what_a_hand_puts_on_gets_the_default_duration(by: p.By) -> None:
    found = desk()
    found.write(effects=(plain("chilled"),), by=by)
    kept = timer(found)
    assert kept is not None
    assert (kept.kind, kept.amount, kept.ability, kept.dc, kept.moment) == ("rounds", 2, "con", 13, "end")
    found.time(12)
    assert found.actor().effects == ()


def test_what_a_hand_puts_on_with_a_duration_keeps_it() -> None:
    found = desk()
    found.write(effects=(effect("chilled", timer=Timer("seconds", 1_000_000, 99)),))
    assert timer(found) == Timer("seconds", 1_000_000, 99)


def test_an_item_has_a_duration_of_its_own() -> None:
    found = desk()
    found.write(effects=(plain("chilled"),), by=None)
    assert timer(found) is None


def test_a_duration_that_the_gm_takes_off_is_not_fought_over() -> None:
    """CMB-8."""
    found = desk()
    found.write(effects=(plain("chilled"),))
    (known,) = found.actor().effects
    found.write(effects=(structs.replace(known, mark=Mark()),))
    assert timer(found) is None


def test_a_default_duration_in_a_fight_begins_at_its_point() -> None:
    """TIM-2."""
    found = desk()
    found.combat(1, 0, "a", "b")
    found.combat(1, 1, "a", "b")
    found.write(effects=(plain("chilled"),))
    kept = timer(found)
    assert kept is not None
    assert (kept.combat, kept.round, kept.turn, kept.combatant) == ("c", 1, 1, "kb")


def test_an_immunity_of_the_files_ends_and_keeps_off_unless_forced() -> None:
    """CMB-4."""
    found = desk(effect("ignited"), effect("chilled"))
    found.write(effects=(*found.actor().effects, plain("frozen")))
    assert {each.statuses[0] for each in found.actor().effects} == {"frozen", "prone"}
    found.write(effects=(*found.actor().effects, effect("ignited", forced=True)))
    assert "ignited" in {each.statuses[0] for each in found.actor().effects}


def test_a_jump_of_a_year_costs_ten_rolls() -> None:
    found = desk(text=WINTER.replace('lasts = "2 rounds"', 'lasts = "long rest"'))
    found.write(effects=(plain("chilled"),))
    found.time(365 * 86_400)
    assert len(found.foundry.rolling) == 10
    assert any("not rolled" in line.text for card in found.cards("notice") for line in card.lines)


def test_the_dead_are_not_hurt_and_what_ends_with_death_ends() -> None:
    found = desk()
    found.write(effects=(plain("chilled"),))
    found.write(effects=(*found.actor().effects, plain("dead")))
    assert [each.statuses[0] for each in found.actor().effects] == ["dead"]
    found.time(6)
    assert not found.foundry.rolling


def test_allow_grants_what_a_gate_of_the_files_refused_once() -> None:
    found = desk(plain("withered"), hp=10)
    found.hp(15, "spell")
    assert found.actor().hp.value == 10
    found.press("allow")
    assert found.actor().hp.value == 15
    found.press("allow")
    assert found.actor().hp.value == 15
    assert len(found.cards("refusal")) == 1


def test_of_two_gates_one_tells() -> None:
    """BLD-7: "Every refusal posts one card"."""
    found = desk(plain("withered"), plain("bleeding"), hp=10)
    found.hp(15, "spell")
    assert found.actor().hp.value == 10
    (card,) = found.cards("refusal")
    assert "Bleeding" in card.lines[0].text


def test_switched_off_it_does_nothing() -> None:
    found = desk(text=WINTER.replace("[own.chilled]\n", '[own.chilled]\nmode = "off"\n'))
    found.write(effects=(plain("chilled"),))
    assert timer(found) is None
    found.time(60)
    assert not found.foundry.rolling


def test_without_the_conditions_that_rules_bring_nothing_breaks() -> None:
    text = 'without = ["prone", "unconscious"]\n[own.sleepy]\nname = "S"\nsummary = "s"\n'
    found = Desk(creature(plain("ignited")), book=parse(text))
    found.combat(1, 0, "a")
    found.write(effects=(*found.actor().effects, plain("sleepy")))
    found.press("extinguish") if any(c.buttons for c in found.cards()) else None
    assert "prone" not in {each.statuses[0] for each in found.actor().effects}


# Changed while the evening runs.


def test_another_rulebook_is_in_force_at_once() -> None:
    found = Desk(creature(hp=10), book=rulebook({"bloodied.at-zero": True}))
    assert [each.statuses[0] for each in found.actor().effects] == ["bloodied"]
    found.write(hp=structs.replace(found.actor().hp, value=0))
    said = found.world.use(parse("[settings]\nbloodied.at-zero = false\n"))
    assert isinstance(said[0], p.Catalogue)
    assert [type(each) for each in said[1:]] == [p.Apply]
    for _ in found.foundry.carry_out(said[1]):
        pass
    found.settle()
    assert found.actor().effects == ()
    assert not [each for each in said[1:] if any(isinstance(op, p.PostCard) for op in each.operations)]


def test_a_rulebook_that_changes_before_foundry_was_there_waits() -> None:
    found = Desk(creature(hp=10))
    found.world = type(found.world)("w", rulebook(), list(found.rows.values()))
    said = found.world.use(shipped("plain-2024"))
    assert len(said) == 1


def test_the_systems_own_part_stays_the_systems() -> None:
    """BLO-5."""
    found = Desk(creature(hp=10))
    found.table = p.Table("w", native_bloodied=True)
    found.start()
    found.world.use(parse(WINTER))
    assert "bloodied" in found.world.book.aside


# The dry run.


def told_by(found: Desk, text: str) -> list[str]:
    return [say.text for say in changes(found.world, parse(text))]


def told(text: str, *actors, settings=None) -> list[str]:
    found = Desk(*actors, settings=settings)
    before = dict(found.foundry.actors)
    lines = told_by(found, text)
    assert found.foundry.actors == before
    assert found.world.book.name == "house-rules"
    return lines


def test_nothing_changes_when_nothing_differs() -> None:
    assert told("", creature(plain("prone"))) == [NOTHING.text]


def test_what_is_said_and_done_otherwise_is_told_with_who_is_concerned() -> None:
    text = """
    [conditions.prone]
    name = "Flat"
    summary = "Lies."
    mode = "remind"
    rolls = "off"
    limits = { action = true }
    implied = ["poisoned"]
    """
    lines = told(text, creature(plain("prone")))
    assert lines[:6] == [
        "Prone is called Flat (Bors).",
        "Flat is remind, no longer auto (Bors).",
        "The roll modifiers of Flat are off, no longer suggest (Bors).",
        "Flat says from now on (Bors): Lies.",
        "Flat has other limits (Bors).",
        "Flat implies Poisoned (Bors).",
    ]


def test_what_would_begin_and_end_is_told() -> None:
    lines = told("[settings]\nbloodied.at-zero = false\n", creature(hp=0))
    assert lines == ["bloodied.at-zero: true becomes false.", "Bors would no longer be Bloodied."]
    again = told("", creature(hp=0), settings={"bloodied.at-zero": False})
    assert again == ["bloodied.at-zero: false becomes true.", "Bors would become Bloodied."]


def test_a_new_condition_wants_a_reload_and_one_left_out_stays_without_rules() -> None:
    lines = told('without = ["dazed"]\n[own.chilled]\nname = "Chilled"\nsummary = "c"\n', creature(plain("dazed")))
    assert "Chilled is new." in lines
    assert "Dazed is left out: it stays on the sheet and does nothing (Bors)." in lines
    assert lines[-1].startswith("Reload Foundry (F5) in every browser")
    assert "Chilled" in lines[-1]


def test_levels_gates_and_settings_are_told() -> None:
    own = '[own.chilled]\nname = "Chilled"\nsummary = "c"\nlevels = {}\n'
    found = Desk(creature(), book=parse(own.replace("{}", "2")))
    lines = told_by(found, own.replace("{}", "3") + 'gate = { grants = [] }\nimmune-to = ["prone"]')
    assert lines == [
        "Chilled 3 is new.",
        "Chilled lets other healing through.",
        "Chilled makes immune to Prone.",
        NOTHING.text,
    ]
    assert told_by(found, own.replace("{}", "1"))[0] == "Chilled 2 is no level any more."


def test_many_who_are_concerned_are_counted() -> None:
    crowd = [structs.replace(creature(plain("prone")), id=f"Actor.{n}", name=f"N{n}") for n in range(9)]
    (line,) = told('[conditions.prone]\nsummary = "Lies."\n', *crowd)
    assert line == "Prone says from now on (N0, N1, N2, N3, N4, N5 +3): Lies."

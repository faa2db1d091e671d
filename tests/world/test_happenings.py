"""From a happening to events, or an error for the one who asked: INT-17, CRD-4, ROL-5."""

import pytest
from msgspec import structs

from bridge import protocol as p
from tests.creatures import creature, drunk, effect, has, level
from tests.desk import GM, PLAYER, Desk


@pytest.fixture
def desk():
    return Desk(creature(), structs.replace(creature(), id="Actor.b", name="Wulf"))


@pytest.mark.parametrize(("text", "expected"), [("/drink", 0), ("/drink 2", 1), ("/drink strength=4", 2)])
def test_drinks_by_chat(desk, text, expected):
    """INT-17."""
    desk.happen(p.Said, "Actor.a", PLAYER, text=text)
    assert level(desk.actor()) == expected


@pytest.mark.parametrize("text", ["/eat", "/water"])
def test_food_and_water_by_chat(text):
    """INT-17, INT-9."""
    desk = Desk(drunk(2, since=1_000_000))
    desk.happen(p.Said, "Actor.a", PLAYER, text=text)
    desk.time(3600)
    assert level(desk.actor()) == 1


def test_the_gm_may_speak_for_a_named_creature_and_no_one_else(desk):
    """INT-17."""
    desk.happen(p.Said, "Actor.a", GM, text="/drink 2 @wulf")
    assert level(desk.actor("Actor.b")) == 1
    desk.happen(p.Said, "Actor.a", PLAYER, text="/drink 2 @Wulf")
    assert desk.codes() == ["not-allowed"]


def test_a_name_that_fits_none_or_many_is_an_error(desk):
    desk.happen(p.Said, "Actor.a", GM, text="/drink @Nobody")
    desk.foundry.write(structs.replace(creature(), id="Actor.c", name="Wulf"))
    desk.settle()
    desk.happen(p.Said, "Actor.a", GM, text="/drink @Wulf")
    desk.happen(p.Said, "Actor.z", PLAYER, text="/drink")
    desk.happen(p.Said, "Actor.a", PLAYER, text="/dance")
    assert desk.codes() == ["unknown-actor", "unknown-actor", "unknown-actor", "invalid"]


def test_conditions_are_told_to_the_one_who_asks():
    desk = Desk(drunk(3, effect("prone")))
    desk.happen(p.Said, "Actor.a", PLAYER, text="/conditions")
    assert desk.errors[-1].code == "info"
    assert "Intoxicated 3" in desk.errors[-1].message
    assert "Prone" in desk.errors[-1].message


def test_a_happening_told_twice_counts_once(desk):
    """Design, section 3: "dropped when repeated"."""
    message = p.Drank(0, "same", "Actor.a", PLAYER, count=2)
    for _ in range(3):
        desk.foundry._put(message)
        desk.settle()
    assert level(desk.actor()) == 1
    desk.start()
    desk.foundry._put(message)
    desk.settle()
    assert level(desk.actor()) == 1


def test_what_happened_in_the_future_happened_now(desk):
    """INT-15."""
    desk.happen(p.Drank, "Actor.a", PLAYER, at=desk.foundry.clock + 10**6)
    assert desk.actor().memory.notes["intoxicated"]["since"] == desk.foundry.clock


def test_a_refusal_of_nothing_is_nothing(desk):
    desk.happen(p.Refused, "Actor.a", PLAYER, amount=0)
    assert desk.cards("refusal") == []


@pytest.mark.parametrize(("by", "owner", "works"), [(GM, False, True), (PLAYER, True, False), (PLAYER, False, False)])
def test_only_the_gm_allows_healing(by, owner, works):
    """BLD-7: "a GM-only Allow button"; CRD-4: "for those entitled"."""
    desk = Desk(creature(effect("bleeding"), hp=5))
    desk.happen(p.Refused, "Actor.a", PLAYER, amount=7)
    desk.press("allow", by=by, owner=owner)
    assert desk.actor().hp.value == (12 if works else 5)
    assert desk.codes() == ([] if works else ["not-allowed"])


@pytest.mark.parametrize(("owner", "works"), [(True, True), (False, False)])
def test_the_owner_may_let_a_drink_work(owner, works):
    """INT-6."""
    desk = Desk(creature(immunities=("poison",)))
    desk.happen(p.Drank, "Actor.a", PLAYER, count=2)
    desk.press("let-it-work", by=PLAYER, owner=owner)
    assert level(desk.actor()) == (1 if works else 0)


def test_water_is_logged_from_the_card():
    """INT-17."""
    desk = Desk(creature())
    desk.happen(p.Drank, "Actor.a", PLAYER, count=4)
    desk.press("water", by=PLAYER, owner=True)
    desk.time(3600)
    assert level(desk.actor()) == 1


def test_a_press_without_its_card_is_an_error(desk):
    desk.happen(p.Pressed, "Actor.a", GM, button="allow")
    assert desk.codes() == ["invalid"]


# https://github.com/reonZ/pf2e-toolbelt/issues/166
def test_a_request_is_answered_once_and_only_when_it_was_made():
    """INT-10."""
    desk = Desk(drunk(5, since=1_000_000))
    desk.happen(p.Drank, "Actor.a", PLAYER, count=2)
    (request,) = desk.foundry.asked
    for total in (1, 20):
        desk.happen(
            p.Rolled,
            "Actor.a",
            PLAYER,
            request=request,
            reason="intoxicated.blackout",
            dc=10,
            total=total,
            success=total > 9,
        )
    assert has(desk.actor(), "unconscious")
    made_up = Desk(drunk(6, since=1_000_000))
    made_up.happen(p.Rolled, "Actor.a", PLAYER, request="j0.99.9", reason="intoxicated.blackout", dc=10, total=1)
    assert not has(made_up.actor(), "unconscious")


def test_the_one_who_rolled_knows_whether_it_failed():
    """ROL-5: an automatic failure fails whatever its total."""
    desk = Desk(drunk(5, since=1_000_000))
    desk.happen(p.Drank, "Actor.a", PLAYER, count=2)
    (request,) = desk.foundry.asked
    desk.happen(
        p.Rolled, "Actor.a", PLAYER, request=request, reason="intoxicated.blackout", dc=10, total=25, success=False
    )
    assert has(desk.actor(), "unconscious")

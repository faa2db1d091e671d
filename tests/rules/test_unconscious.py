"""Down at 0 hit points (DWN-1)."""

import pytest
from msgspec import structs

from bridge.engine import events as e
from bridge.engine.changes import Use
from bridge.engine.state import HitPoints
from tests.creatures import creature, effect, has, play, posted

FALL = e.HitPointsLost(amount=5, value=5)
AUTO = {"down.mode": "auto"}


def test_dwn_1_is_off_unless_the_gm_turns_it_on():
    assert not has(play(creature(hp=0), FALL).after, "unconscious")


def test_dwn_1_a_character_falls_unconscious_with_that_cause_and_wakes_from_no_other():
    down = play(creature(hp=0), FALL, settings=AUTO).after
    assert has(down, "unconscious")
    assert has(down, "prone")
    (mine,) = [x for x in down.effects if "unconscious" in x.statuses]
    assert mine.cause == "down"
    healed = creature(mine, effect("prone"), hp=5)
    regained = e.HitPointsRegained(amount=5, before=creature(hp=0).hp, after=healed.hp)
    up = play(healed, regained, settings=AUTO).after
    assert not has(up, "unconscious")
    assert has(up, "prone")
    asleep = creature(effect("unconscious", 1, "incapacitated"), hp=5)
    assert has(play(asleep, regained, settings=AUTO).after, "unconscious")


@pytest.mark.parametrize("what", ["dead", "unconscious"])
def test_dwn_1_an_npc_is_dead_or_unconscious_by_setting(what):
    after = play(creature(hp=0, type="npc"), FALL, settings={**AUTO, "down.npc": what}).after
    assert has(after, what)


def test_dwn_1_asked_first():
    decision = play(creature(hp=0), FALL, settings={"down.mode": "ask"})
    assert not has(decision.after, "unconscious")
    (asked,) = posted(decision)
    assert (asked.kind, asked.say.key, asked.audience, asked.data) == ("notice", "down", "gm", {"down": True})
    press = e.Pressed(button="approve", card="c", data=asked.data)
    approved = play(decision.after, press, settings={"down.mode": "ask"})
    assert has(approved.after, "unconscious")
    used = [(change.button, change.say.key) for change in approved.outputs if isinstance(change, Use)]
    assert used == [("approve", "approved")]


ASK = {"down.mode": "ask"}
APPROVED = e.Pressed(button="approve", card="c", data={"down": True})


@pytest.mark.parametrize(
    ("loss", "hp", "before"),
    [
        (FALL, 1, ()),
        (e.HitPointsLost(amount=5, value=0), 0, ()),
        (FALL, None, ()),
        (FALL, 0, (effect("dead"),)),
        (FALL, 0, (effect("unconscious", 1, "incapacitated", cause="down"),)),
    ],
)
def test_dwn_1_who_still_stands_is_dead_or_down_already_does_not_fall_again(loss, hp, before):
    assert posted(play(creature(*before, hp=hp), loss, settings=ASK)) == []
    changed = {event.condition for event in play(creature(*before, hp=hp), loss, settings=AUTO).changed}
    assert changed <= {"bloodied"}


def test_dwn_1_at_0_is_down_at_1_is_not_and_another_sleep_is_not_this_one():
    (fallen,) = posted(play(creature(effect("unconscious", 1, "incapacitated"), hp=0), FALL, settings=ASK))
    assert fallen.say.text == "At 0 hit points: is it down?"
    assert [button.id for button in fallen.buttons] == ["approve", "refuse"]


@pytest.mark.parametrize("hp", [1, None])
def test_dwn_1_who_was_healed_before_the_gm_approves_stays_awake(hp):
    after = play(creature(hp=hp), APPROVED, settings=ASK)
    assert not has(after.after, "unconscious")
    assert not after.outputs


@pytest.mark.parametrize(
    "press",
    [e.Pressed(button="allow", card="c", data={"down": True}), e.Pressed(button="approve", card="c", data={"dose": 1})],
)
def test_dwn_1_another_button_or_another_card_fells_nobody(press):
    assert not has(play(creature(hp=0), press, settings=ASK).after, "unconscious")


def test_dwn_1_who_lies_at_0_does_not_wake_and_who_has_1_does():
    lying = creature(effect("unconscious", 1, "incapacitated", cause="down"), hp=0)
    nothing = e.HitPointsRegained(amount=0, before=lying.hp, after=lying.hp)
    assert has(play(lying, nothing, settings=AUTO).after, "unconscious")
    up = structs.replace(lying, hp=HitPoints(1, 20))
    assert not has(play(up, e.HitPointsRegained(amount=1, before=lying.hp, after=up.hp)).after, "unconscious")
    gone = structs.replace(lying, hp=None)
    assert has(play(gone, e.HitPointsRegained(amount=1, before=lying.hp, after=up.hp)).after, "unconscious")


def test_dwn_1_an_npc_is_dead_unless_the_house_says_otherwise():
    assert has(play(creature(hp=0, type="npc"), FALL, settings=AUTO).after, "dead")
    assert has(play(creature(hp=0, type="npc"), APPROVED, settings=ASK).after, "dead")

"""Down at 0 hit points (DWN-1)."""

import pytest

from bridge.engine import events as e
from bridge.engine.changes import Use
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

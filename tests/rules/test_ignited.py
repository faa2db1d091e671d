"""Ignited out of combat, and how it ends (IGN-2, IGN-3)."""

from msgspec import structs

from bridge.engine import events as e
from bridge.engine.changes import Post, RollDice, Tell
from bridge.engine.state import Memory
from tests.creatures import creature, effect, has, play

NOW = 1_000_000
FIRE = effect("ignited")


def burning(**more):
    actor = creature(FIRE, **more)
    return structs.replace(actor, memory=Memory(notes={"ignited": {"since": NOW, "burnt": NOW}}))


def rolls(decision):
    return sum(isinstance(change, RollDice) for change in decision.outputs)


def passed(actor, seconds, since=NOW):
    return play(actor, e.TimePassed(at=since + seconds, since=since), now=since + seconds)


def test_ign_2_burns_every_six_seconds_while_time_advances():
    assert [rolls(passed(burning(), seconds)) for seconds in (5, 6, 11, 12, 60)] == [0, 1, 1, 2, 10]


def test_ign_2_at_most_ten_rolls_a_jump_and_the_rest_is_told():
    decision = passed(burning(), 600)
    assert rolls(decision) == 10
    (post,) = [change for change in decision.outputs if isinstance(change, Post)]
    assert post.audience == "gm"
    assert post.say.data["count"] == 90


def test_ign_2_seconds_that_have_burnt_do_not_burn_again():
    once = passed(burning(), 12).after
    back = play(once, e.ClockSetBack(at=NOW, since=NOW + 12), now=NOW).after
    assert rolls(passed(back, 12)) == 0
    assert rolls(passed(back, 18)) == 1


def press(button, **more):
    return e.Pressed(button=button, card="c", **more)


def test_ign_3_extinguish_takes_the_action_and_leaves_it_prone():
    actor = structs.replace(burning(), combat="c", round=3)
    after = play(actor, press("extinguish")).after
    assert not has(after, "ignited")
    assert has(after, "prone")
    assert after.memory.lost == ("c", 3)


def test_ign_3_no_action_left_or_incapacitated_puts_nothing_out():
    spent = play(burning(), press("extinguish", spent=("action",)))
    assert has(spent.after, "ignited")
    assert any(isinstance(change, Tell) for change in spent.outputs)
    stunned = creature(FIRE, effect("stunned", 1, "incapacitated"))
    assert has(play(stunned, press("extinguish")).after, "ignited")


def test_ign_3_doused_or_dead_it_is_over():
    assert not has(play(burning(), press("doused")).after, "ignited")
    dead = structs.replace(burning(), effects=(FIRE, effect("dead")))
    assert not has(play(dead, e.ConditionChanged(condition="dead", was=0, level=1)).after, "ignited")

"""The brief at the start of a turn (CRD-2)."""

import pytest

from bridge.engine import events as e
from bridge.engine.changes import Post
from tests.creatures import creature, effect, plain, play

TURN = e.TurnStarted(combat="c", round=2, turn=0)


def told(*effects, settings=None):
    decision = play(creature(*effects), TURN, settings=settings)
    return [post for post in decision.outputs if isinstance(post, Post) and post.kind == "turn"]


def test_crd_2_says_what_matters_this_turn_to_its_owner():
    (post,) = told(effect("poisoned"))
    assert "Poisoned" in post.say.text
    assert post.audience == "owner"


@pytest.mark.parametrize("condition", ["bleeding", "bloodied"])
def test_crd_2_says_nothing_when_nothing_matters(condition):
    assert told(effect(condition)) == []
    assert told() == []


def test_crd_2_is_a_setting():
    assert told(effect("prone"), settings={"cards.turn": "off"}) == []
    (post,) = told(effect("prone"), settings={"cards.turn": "all"})
    assert post.audience == "all"


def test_ign_1_the_systems_burning_is_told_like_ignited():
    (post,) = told(plain("burning"))
    assert post.say.condition == "ignited"
    assert [button.id for button in post.buttons] == ["extinguish", "doused"]
    assert len(told(plain("burning"), effect("ignited"))) == 1
    assert told(plain("burning"), settings={"ignited.system-burning": False}) == []
    assert told(plain("burning"), settings={"cards.turn": "off"}) == []
    assert told(plain("burning"), plain("dead")) == []

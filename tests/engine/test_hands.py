"""Hands: a player's own hand (CMB-10)."""

import pytest

from bridge.engine import events as e
from bridge.engine.changes import Post
from tests.creatures import creature, effect, has, kinds, play

POISON = effect("poisoned")


def put_on(by=e.PLAYER):
    return e.ConditionChanged(condition="poisoned", was=0, level=1, by=by, came=(POISON.id,))


def taken_off(by=e.PLAYER):
    return e.ConditionChanged(condition="poisoned", was=1, level=0, by=by, gone=(POISON,))


@pytest.mark.parametrize(("how", "stays"), [("accept", True), ("ask", False), ("put-back", False)])
def test_cmb_10_what_a_player_puts_on_is_accepted_asked_or_put_back(how, stays):
    decision = play(creature(POISON), put_on(), settings={"players.own-hand": how})
    assert has(decision.after, "poisoned") is stays


@pytest.mark.parametrize(("how", "back"), [("accept", False), ("ask", True), ("put-back", True)])
def test_cmb_10_what_a_player_takes_off(how, back):
    decision = play(creature(), taken_off(), settings={"players.own-hand": how})
    assert has(decision.after, "poisoned") is back


def test_cmb_10_asked_and_approved_it_is_as_the_player_wanted():
    settings = {"players.own-hand": "ask"}
    asked = play(creature(), taken_off(), settings=settings)
    post = next(change for change in asked.outputs if isinstance(change, Post))
    assert [button.id for button in post.buttons] == ["approve"]
    press = e.Pressed(button="approve", card="c", data=post.data)
    assert not has(play(asked.after, press, settings=settings).after, "poisoned")
    wish = play(creature(POISON), put_on(), settings=settings)
    post = next(change for change in wish.outputs if isinstance(change, Post))
    press = e.Pressed(button="approve", card="c", data=post.data)
    assert has(play(wish.after, press, settings=settings).after, "poisoned")


def test_cmb_10_a_gms_hand_is_never_put_back():
    decision = play(creature(), taken_off(e.GM), settings={"players.own-hand": "put-back"})
    assert not has(decision.after, "poisoned")


def test_cmb_10_with_gain_cards_off_the_gm_is_told_all_the_same():
    decision = play(creature(), taken_off(), settings={"cards.gain": "off"})
    assert [change.audience for change in decision.outputs if isinstance(change, Post)] == ["gm"]
    assert kinds(play(creature(), taken_off())) == []

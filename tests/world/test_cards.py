"""From a decision to its card: CRD-1, CRD-3, CRD-5, CRD-6."""

import msgspec
import pytest

from bridge import protocol as p
from bridge.engine import events as e
from bridge.engine.conditions import Creature
from bridge.engine.state import Timer
from bridge.world.cards import audience, decision_card, missed_card, span, timer_text
from tests.creatures import BOOK, creature, drinks, drunk, effect, house, play


def card_of(decision, settings=None, **more):
    return decision_card(house(settings), decision, "j0.1", 0, **more)


def gains(count=4, settings=None, **more):
    return card_of(play(creature(**more), e.Drank(count=count), settings=settings), settings)


def test_one_card_says_what_it_does_now_with_its_numbers_and_what_ends_it():
    """CRD-1."""
    card = gains(6)
    (line,) = [line for line in card.lines if line.condition == "intoxicated"]
    assert (card.kind, card.actor, line.level) == ("conditions", "Actor.a", 3)
    assert "−3" in line.text
    assert "long rest" in line.text
    assert line.key == "gained"


@pytest.mark.parametrize(("was", "count", "key"), [(0, 2, "gained"), (2, 2, "risen")])
def test_a_card_tells_gained_from_risen(was, count, key):
    """CRD-1."""
    card = card_of(play(drunk(was) if was else creature(), e.Drank(count=count)))
    assert card.lines[0].key == key


def test_falling_and_ending_are_told():
    """CRD-1."""
    fed = play(drunk(2), e.Ate(at=0)).after
    fallen = card_of(play(fed, e.TimePassed(at=3600, since=0)))
    assert fallen.lines[0].key == "fallen"
    ended = card_of(play(drunk(2), e.RestFinished(kind="long", length=28_800)))
    assert (ended.lines[0].key, ended.lines[0].text) == ("ended", "No longer Intoxicated.")


def test_a_drink_that_changes_no_level_posts_none():
    """CRD-1."""
    assert gains(1) is None


def test_several_at_once_are_one_card():
    """CRD-1."""
    card = card_of(play(drunk(5), *drinks(0, 1), settings={"intoxicated.level-6": "at-once"}))
    assert {"intoxicated", "unconscious", "prone"} <= {line.condition for line in card.lines}


@pytest.mark.parametrize(("derived", "told"), [("off", False), ("all", True), ("gm", True)])
def test_bloodied_and_implied_conditions_post_none_unless_asked_for(derived, told):
    """CRD-1, setting."""
    card = card_of(play(creature(hp=5), e.HitPointsLost(amount=1, value=1)), {"cards.derived": derived})
    assert (card is not None) is told
    if derived == "gm":
        assert card.audience == "gm"


def test_implied_conditions_are_not_lines_of_the_card():
    """CRD-1."""
    card = card_of(play(drunk(5), *drinks(0, 1), settings={"intoxicated.level-6": "at-once"}))
    assert "incapacitated" not in {line.condition for line in card.lines}


@pytest.mark.parametrize(("gain", "expected"), [("all", "all"), ("owner", "owner"), ("gm", "gm")])
def test_who_sees_it_is_a_setting(gain, expected):
    """Rules, section 11."""
    assert gains(settings={"cards.gain": gain}).audience == expected
    assert gains(settings={"cards.gain": "off"}) is None


@pytest.mark.parametrize(
    ("more", "settings", "expected"),
    [
        ({"hidden": True}, {}, "gm"),
        ({"hidden": True, "owned": True}, {}, "gm"),
        ({"type": "npc"}, {}, "all"),
        ({"type": "npc"}, {"cards.npcs": "gm"}, "gm"),
        ({"type": "npc", "owned": True}, {"cards.npcs": "gm"}, "all"),
    ],
)
def test_cards_about_those_whom_players_cannot_see_go_to_the_gm_alone(more, settings, expected):
    """CRD-3."""
    assert audience(house(settings), creature(**more), "all") == expected
    assert gains(settings=settings, **more).audience == expected


def test_a_silent_decision_tells_no_changes_but_posts_refusals_all_the_same():
    """CMB-11."""
    assert card_of(play(creature(), e.Drank(count=4)), silent=True) is None
    refusal = play(creature(effect("bleeding")), e.HealingRefused(amount=3))
    assert card_of(refusal, silent=True).kind == "refusal"


def test_a_refusal_card_carries_what_its_button_needs():
    """BLD-7, CRD-4."""
    card = card_of(play(creature(effect("bleeding")), e.HealingRefused(amount=3, cause="spell")))
    assert card.data == {"refused": 3, "cause": "spell"}
    assert [(b.id, b.who) for b in card.buttons] == [("allow", "gm")]
    assert card.title.text == "Healing refused"


def test_a_card_crosses_the_wire_with_keys_and_a_plain_fallback():
    """CRD-5, CRD-6."""
    card = gains()
    assert msgspec.json.decode(msgspec.json.encode(card), type=p.Card) == card
    assert all(line.key and line.text for line in (card.title, *card.lines))


def test_names_are_text_and_never_run():
    """CRD-5."""
    card = card_of(play(creature(effect("bleeding")), e.HealingRefused(amount=3, label="<b>x</b>")))
    assert "<b>x</b>" in card.lines[0].text


def test_a_summary_is_for_the_gm():
    """CMB-11."""
    card = missed_card(BOOK, creature(), e.Missed(lines=(("prone", "x"), ("nonsense", "y"))), "id")
    assert (card.kind, card.audience) == ("summary", "gm")
    assert [line.condition for line in card.lines] == ["prone", None]
    assert [line.key for line in card.lines] == ["summary-line", "summary-line"]
    told = e.Missed(lines=(("prone", "Bors: Prone"),), data=({"key": "missed-has", "who": "Bors"},))
    (line,) = missed_card(BOOK, creature(), told, "id").lines
    assert (line.key, line.text, line.data) == ("missed-has", "Bors: Prone", {"who": "Bors"})


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "0 seconds"),
        (1, "1 second"),
        (60, "1 minute"),
        (90, "90 seconds"),
        (3600, "1 hour"),
        (5400, "90 minutes"),
        (7200, "2 hours"),
        (86_400, "1 day"),
        (200_000, "2 days"),
    ],
)
def test_lengths_of_time_are_said_in_the_largest_unit_that_fits(seconds, text):
    assert span(seconds) == text


@pytest.mark.parametrize(
    ("timer", "text"),
    [
        (Timer("seconds", 0, 60), "Ends in 1 minute."),
        (Timer("rounds", 0, 3), "Ends after 3 rounds."),
        (Timer("rounds", 0, 1), "Ends after 1 round."),
        (Timer("combat", 0), "Ends with the combat."),
    ],
)
def test_what_ends_it_and_when(timer, text):
    """CRD-1."""
    assert timer_text(Creature(creature(), BOOK, 0), timer) == text

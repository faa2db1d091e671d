"""Bleeding: BLD-1 to BLD-12, as the rules say it."""

import pytest

from bridge.engine import events as e
from bridge.engine.changes import SetHitPoints, SetStatus, Use
from bridge.engine.conditions import Condition, Rulebook
from bridge.engine.decide import decide
from bridge.engine.modifiers import refused_healing
from bridge.engine.publish import ends_of
from bridge.engine.state import HitPoints
from bridge.rules import conditions as conditions_of_the_house
from bridge.rules.bleeding import gate
from tests.creatures import catalogue, creature, effect, has, house, kinds, plain, play, posted

BLEEDING = effect("bleeding")
GRANTED = ["hit-die", "long-rest", "allow", "form", "gm-edit"]
REFUSED = [
    "spell",
    "item",
    "feature",
    "regeneration",
    "rest-feature",
    "short-rest",
    "death-save",
    "player-edit",
    "unknown",
]


def refused(cause, before=(5, 20), after=(9, 20), rise=0, settings=None, bleeds=True):
    actor = creature(*([BLEEDING] if bleeds else []))
    return refused_healing(catalogue(settings), actor, HitPoints(*before), HitPoints(*after), cause, rise)


def regained(amount, refused, cause="spell", at=0, value=9, **more):
    before, after = HitPoints(value - amount, 20), HitPoints(value, 20)
    return e.HitPointsRegained(at=at, amount=amount, before=before, after=after, cause=cause, refused=refused, **more)


def pressed(amount, button="allow"):
    return e.Pressed(button=button, card="k", data={"refused": amount, "cause": "spell"})


@pytest.mark.parametrize("cause", REFUSED)
def test_hit_points_do_not_go_up_from_whatever_cause(cause):
    """BLD-1."""
    assert refused(cause) == 4


@pytest.mark.parametrize("cause", GRANTED)
def test_hit_dice_long_rests_and_the_gm_are_granted_in_full(cause):
    """BLD-2, BLD-8."""
    assert refused(cause) == 0


def test_one_who_does_not_bleed_is_refused_nothing():
    """BLD-1."""
    assert refused("spell", bleeds=False) == 0


def test_switched_off_it_refuses_nothing():
    """BLD-1, off."""
    assert refused("spell", settings={"conditions.bleeding.mode": "off"}) == 0
    decision = play(creature(BLEEDING, hp=9), regained(4, 4), settings={"conditions.bleeding.mode": "off"})
    assert decision.after.hp.value == 9
    assert not posted(decision)


def test_temporary_hit_points_are_granted():
    """BLD-3."""
    actor = creature(BLEEDING)
    assert refused_healing(catalogue(), actor, HitPoints(5, 20), HitPoints(5, 20, temp=9), "spell") == 0


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((5, 20), (10, 25), 0),
        ((5, 20), (8, 25), 0),
        ((5, 20), (12, 25), 2),
        ((5, 20), (6, 20), 1),
        ((5, 20), (5, 25), 0),
    ],
)
def test_a_rise_of_the_maximum_may_raise_current_hit_points_with_it(before, after, expected):
    """BLD-4: "of a larger rise only the excess is refused"."""
    assert refused("spell", before, after) == expected


def test_the_same_use_may_raise_the_maximum_first_and_heal_then():
    """BLD-4: "the system's Aid is an effect and a healing apart"."""
    assert refused("spell", (5, 25), (10, 25), rise=5) == 0
    assert refused("spell", (5, 25), (11, 25), rise=5) == 1


def test_a_house_may_refuse_what_the_maximum_brings():
    """BLD-4, setting."""
    assert refused("spell", (5, 20), (10, 25), settings={"bleeding.max-rise": "refused"}) == 5


def test_a_temporary_change_of_the_maximum_counts_as_well():
    """BLD-4."""
    actor = creature(BLEEDING)
    before, after = HitPoints(5, 20), HitPoints(10, 20, tempmax=5)
    assert refused_healing(catalogue(), actor, before, after, "spell") == 0


@pytest.mark.parametrize("wakes", [True, False])
def test_a_natural_twenty_on_a_death_save_is_a_refusal_of_one(wakes):
    """BLD-5, and its setting."""
    settings = {"bleeding.death-save-20": "wakes"} if wakes else None
    assert refused("death-save", (0, 20), (1, 20), settings=settings) == (0 if wakes else 1)


def test_it_becomes_stable_at_zero_instead():
    """BLD-5."""
    down = creature(BLEEDING, plain("unconscious"), hp=0)
    decision = play(down, e.HealingRefused(amount=1, cause="death-save"))
    assert has(decision.after, "stable")
    assert decision.after.hp.value == 0
    assert next(post.say.key for post in posted(decision)) == "refused"
    assert posted(decision)[0].data["refused"] == 1
    assert [(post.kind, post.say.condition) for post in posted(decision)] == [("refusal", "bleeding")] * 2


def test_it_becomes_stable_where_the_point_slipped_through():
    """BLD-5, BLD-10."""
    decision = play(creature(BLEEDING, hp=1), regained(1, 1, "death-save", value=1))
    assert decision.after.hp.value == 0
    assert has(decision.after, "stable")


def test_one_that_is_stable_is_not_made_so_again():
    """BLD-5."""
    decision = play(creature(BLEEDING, plain("stable"), hp=0), e.HealingRefused(amount=1, cause="death-save"))
    assert SetStatus not in kinds(decision)


def test_no_other_refusal_makes_it_stable():
    """BLD-5."""
    assert not has(play(creature(BLEEDING, hp=0), e.HealingRefused(amount=1, cause="spell")).after, "stable")


def test_a_change_that_both_wounds_and_heals_is_judged_by_its_net_effect():
    """BLD-6."""
    assert refused("spell", (10, 20), (8, 20)) == 0
    assert refused("spell", (10, 20), (10, 20)) == 0


def test_the_refused_amount_is_the_rise_that_would_have_happened():
    """BLD-7: "7 healed at 18 of 20 refuses 2"."""
    assert refused("spell", (18, 20), (25, 20)) == 2


def test_every_refusal_posts_one_card_with_allow_for_the_gm():
    """BLD-7: "who, how much was refused, from what"."""
    decision = play(creature(BLEEDING), e.HealingRefused(amount=7, cause="spell", label="Cure Wounds"))
    (post,) = posted(decision)
    assert post.kind == "refusal"
    assert post.data["refused"] == 7
    assert "7" in post.say.text
    assert "Cure Wounds" in post.say.text
    assert [(button.id, button.who) for button in post.buttons] == [("allow", "gm")]


def test_a_refusal_without_a_label_names_its_kind():
    """BLD-7."""
    (post,) = posted(play(creature(BLEEDING), e.HealingRefused(amount=7, cause="regeneration")))
    assert "regeneration" in post.say.text


def test_a_refusal_is_told_even_when_the_bleeding_is_over_by_then():
    """BLD-7."""
    assert posted(play(creature(), e.HealingRefused(amount=7)))


@pytest.mark.parametrize(
    ("value", "amount", "expected"), [(5, 7, 12), (18, 7, 20), (20, 7, 20), (25, 7, 25), (0, 1, 1)]
)
def test_allow_grants_exactly_that_capped_at_the_maximum(value, amount, expected):
    """BLD-7."""
    decision = play(creature(BLEEDING, hp=value), pressed(amount))
    assert decision.after.hp.value == expected
    assert [change.button for change in decision.outputs if isinstance(change, Use)] == ["allow"]


def test_what_is_allowed_is_not_refused_again():
    """BLD-7."""
    decision = play(creature(BLEEDING, hp=5), pressed(7))
    assert not posted(decision, "refused")
    assert not next(c for c in decision.outputs if isinstance(c, SetHitPoints)).quiet


@pytest.mark.parametrize("data", [{}, {"refused": "7"}, {"refused": None}])
def test_a_press_without_an_amount_does_nothing(data):
    """BLD-7."""
    decision = play(creature(BLEEDING, hp=5), e.Pressed(button="allow", card="k", data=data))
    assert decision.after.hp.value == 5


def test_other_buttons_grant_nothing():
    """BLD-7."""
    assert play(creature(BLEEDING, hp=5), pressed(7, "roll")).after.hp.value == 5


def test_hand_edits_can_be_set_the_other_way():
    """BLD-8, settings."""
    assert refused("gm-edit", settings={"bleeding.gm-edits": "refused"}) == 4
    assert refused("player-edit", settings={"bleeding.player-edits": "granted"}) == 0


@pytest.mark.parametrize(
    ("setting", "event", "ends"),
    [
        ([], e.RestFinished(kind="long"), False),
        (["long-rest"], e.RestFinished(kind="long"), True),
        (["long-rest"], e.RestFinished(kind="short"), False),
        ([], regained(4, 0, "hit-die"), False),
        (["hit-die"], regained(4, 0, "hit-die"), True),
        (["hit-die"], regained(4, 4, "spell"), False),
    ],
)
def test_nothing_ends_it_unless_the_house_says_so(setting, event, ends):
    """BLD-9, and its setting."""
    decision = play(creature(BLEEDING, hp=9), event, settings={"bleeding.ends-on": setting})
    assert has(decision.after, "bleeding") is not ends


def test_what_slips_through_is_put_back_quietly_and_told():
    """BLD-10."""
    decision = play(creature(BLEEDING, hp=12), regained(7, 7, value=12))
    assert decision.after.hp.value == 5
    assert decision.outputs[0] == SetHitPoints(value=5, quiet=True)
    assert posted(decision, "refused")


def test_only_the_excess_is_put_back():
    """BLD-4, BLD-10."""
    assert play(creature(BLEEDING, hp=12), regained(7, 2, value=12)).after.hp.value == 10


def test_hit_points_lost_meanwhile_stay_lost():
    """BLD-10: only what slipped through is taken."""
    assert play(creature(BLEEDING, hp=8), regained(7, 7, value=12)).after.hp.value == 1


def test_nothing_is_put_back_after_a_gap():
    """CMB-11: "hit points changed meanwhile are never corrected"."""
    decision = play(creature(BLEEDING, hp=12), regained(7, 7, value=12, gap=True))
    assert decision.after.hp.value == 12
    assert not posted(decision, "refused")


def test_order_of_arrival_decides():
    """BLD-11: what was refused when it arrived is put back though the bleeding is over since."""
    assert play(creature(hp=12), regained(7, 7, value=12)).after.hp.value == 5
    assert play(creature(BLEEDING, hp=12), regained(7, 0, value=12)).after.hp.value == 12


def test_the_gm_is_told_of_a_rest_without_a_message():
    """BLD-12: "The GM is told once."."""
    told = play(creature(), e.RestFinished(kind="long", length=28_800, unannounced=True))
    assert [post.audience for post in posted(told)] == ["gm"]
    assert not posted(play(creature(), e.RestFinished(kind="long", length=28_800)))


def test_what_has_no_hit_points_is_left_alone():
    """CMB-9."""
    assert play(creature(BLEEDING, hp=None), pressed(7), e.HealingRefused(amount=3)).after.hp is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ([], "The GM ends it."),
        (["hit-die"], "Ends with a Hit Die spent, or when the GM ends it."),
        (
            ["medicine", "long-rest"],
            "Ends with a long rest or a successful Wisdom (Medicine) check, or when the GM ends it.",
        ),
    ],
)
def test_its_card_says_what_ends_it(settings, words):
    """BLD-9, CRD-1."""
    book = house({"bleeding.ends-on": settings})
    assert ends_of(book, book.conditions["bleeding"]) == words


@pytest.mark.parametrize("medicine", [True, False])
def test_a_medicine_check_ends_it_where_the_house_says_so(medicine):
    """BLD-9: the card has the GM's button."""
    settings = {"bleeding.ends-on": ["medicine"] if medicine else ["long-rest", "hit-die"]}
    gained = e.ConditionChanged(condition="bleeding", was=0, level=1)
    buttons = [
        (b.id, b.who) for post in posted(play(creature(BLEEDING), gained, settings=settings)) for b in post.buttons
    ]
    assert buttons == ([("staunched", "gm")] if medicine else [])
    other = e.ConditionChanged(condition="prone", was=0, level=1)
    assert posted(play(creature(BLEEDING, effect("prone")), other, settings=settings)) == []


def test_staunched_it_is_over_and_the_button_used():
    after = play(creature(BLEEDING, effect("prone")), pressed(0, "staunched"))
    assert not has(after.after, "bleeding")
    assert has(after.after, "prone")
    (used,) = [change for change in after.outputs if isinstance(change, Use)]
    assert (used.card, used.button, used.say.key) == ("k", "staunched", "staunched")


def test_only_reminded_nothing_is_put_back_and_the_gm_is_told():
    """Rules, section 11: "remind (a card says what to do)"."""
    decision = play(creature(BLEEDING, hp=9), regained(4, 3), settings={"conditions.bleeding.mode": "remind"})
    assert decision.after.hp.value == 9
    (post,) = posted(decision)
    assert (post.say.key, post.say.data, post.audience, post.buttons) == ("would-refuse", {"amount": 3}, "gm", ())


def test_where_it_only_reminds_the_gate_of_the_tables_is_open():
    bleeds = {
        entry.id: entry for entry in catalogue({"conditions.bleeding.mode": "remind"}, "v14+dnd5e-5.3").conditions
    }
    assert bleeds["bleeding"].gate is None
    for mode in ("ask", "auto"):
        known = catalogue({"conditions.bleeding.mode": mode}, "v14+dnd5e-5.3").conditions
        assert next(entry for entry in known if entry.id == "bleeding").gate is not None


def test_a_gate_of_a_gms_own_leaves_the_card_to_its_own_condition():
    """BLD-7: one card for one refusal."""
    withered = Condition(id="withered", name="Withered", summary="", gate=gate)
    book = Rulebook([*conditions_of_the_house(), withered])
    for effects, cards in (((effect("withered"),), 0), ((effect("withered"), BLEEDING), 1), ((BLEEDING,), 1)):
        decision = decide(book, creature(*effects), [e.HealingRefused(amount=3)], 0)
        assert len(posted(decision)) == cards
        decision = decide(book, creature(*effects, hp=9), [regained(4, 4)], 0)
        assert len(posted(decision)) == cards

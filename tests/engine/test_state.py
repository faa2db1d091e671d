"""The picture of a creature, and how it crosses the wire."""

import msgspec
import pytest

from bridge.engine.state import Actor, Effect, HitPoints, Mark
from tests.creatures import creature, effect


@pytest.mark.parametrize(("max", "tempmax", "top"), [(20, 0, 20), (20, 5, 25), (20, -5, 15), (5, -9, 0)])
def test_the_maximum_in_force_counts_temporary_changes_and_is_never_negative(max, tempmax, top):
    """BLO-1, BLO-4."""
    assert HitPoints(1, max, 0, tempmax).top == top


def test_an_effect_without_a_mark_has_level_one_and_no_cause():
    assert (Effect("a", ("prone",)).level, Effect("a", ("prone",)).cause) == (1, None)
    assert effect("intoxicated", 4, cause="x").level == 4
    assert creature(effect("prone")).effect("nonsense") is None


def test_defaults_are_left_out_and_unknown_fields_ignored():
    actor = creature(effect("prone"))
    packed = msgspec.json.encode(actor)
    assert b"resistances" not in packed
    more = msgspec.json.decode(packed) | {"fromTheFuture": 1}
    assert msgspec.convert(more, Actor) == actor


def test_what_is_wrong_is_named_with_its_path():
    with pytest.raises(msgspec.ValidationError, match=r"\$\.hp\.value"):
        msgspec.json.decode(b'{"id":"Actor.a","hp":{"value":"x","max":2}}', type=Actor)
    assert Mark() == msgspec.json.decode(b"{}", type=Mark)

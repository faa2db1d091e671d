from typing import Any, get_args

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect as shapes

from bridge import protocol
from bridge.decode import Bounds, encode, take
from bridge.engine.state import HitPoints
from bridge.errors import PeerError
from tools.protocol.docs import schema
from tools.protocol.examples import examples

BOUNDS = Bounds(batch=500, page=1000)
MODULE = get_args(protocol.FromModule)
BRIDGE = get_args(protocol.FromBridge)
BEFORE = get_args(protocol.BeforePaired)
EVERY = sorted({*MODULE, *BRIDGE, *BEFORE} - {protocol.Batch}, key=lambda kind: kind.__name__)
NOTHING = st.just(msgspec.UNSET)

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


def values(shape: shapes.Type) -> st.SearchStrategy[Any]:
    """Return all values of a type, as they are before they are encoded."""
    match shape:
        case shapes.IntType(ge=low, le=high):
            return st.integers(-(2**53) + 1 if low is None else low, 2**53 - 1 if high is None else high)
        case shapes.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case shapes.StrType(min_length=low, max_length=high):
            return st.text(min_size=low or 0, max_size=min(high or 20, (low or 0) + 20))
        case shapes.BoolType():
            return st.booleans()
        case shapes.NoneType():
            return st.none()
        case shapes.LiteralType(values=words):
            return st.sampled_from(words)
        case shapes.UnionType(types=types):
            return st.one_of(*map(values, types))
        case shapes.VarTupleType(item_type=item):
            return st.lists(values(item), max_size=2).map(tuple)
        case shapes.TupleType(item_types=items):
            return st.tuples(*map(values, items))
        case shapes.DictType(key_type=key, value_type=value):
            return st.dictionaries(values(key), values(value), max_size=2)
        case shapes.AnyType():
            return plain
        case shapes.StructType():
            return structs(shape)
        case _:
            raise NotImplementedError(shape)


def structs(shape: shapes.StructType) -> st.SearchStrategy[Any]:
    needed = {field.name: values(field.type) for field in shape.fields if field.required}
    optional = {field.name: values(field.type) for field in shape.fields if not field.required}
    return st.fixed_dictionaries(needed, optional=optional).map(lambda given: shape.cls(**given))


def any_of(kind: type) -> st.SearchStrategy[Any]:
    shape = shapes.type_info(kind)
    assert isinstance(shape, shapes.StructType)
    return structs(shape)


def validator(side: str) -> jsonschema.Draft202012Validator:
    """Return a validator of what one side may send."""
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{side}", "$defs": schema()["$defs"]})


VALID = {side: validator(side) for side in ("FromModule", "FromBridge", "BeforePaired")}


def side_of(kind: type) -> str:
    return "FromModule" if kind in MODULE else "BeforePaired" if kind in BEFORE else "FromBridge"


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: str(kind.__struct_config__.tag))
@settings(max_examples=20)
@given(data=st.data())
def test_every_message_comes_back_as_it_was_and_fits_the_schema(kind: type, data: st.DataObject) -> None:
    message = data.draw(any_of(kind))
    encoded = encode(message)
    assert msgspec.json.decode(encoded, type=kind) == message
    assert msgspec.json.decode(encoded, type=getattr(protocol, side_of(kind)), strict=False) == message
    VALID[side_of(kind)].validate(msgspec.json.decode(encoded))


def test_a_batch_holds_messages_undecoded() -> None:
    text = b'{"type":"batch","messages":[{"type":"ack","n":1},{"type":"ack","n":2}]}'
    batch = msgspec.json.decode(text, type=protocol.FromBridge)
    assert [msgspec.json.decode(raw, type=protocol.Ack).n for raw in batch.messages] == [1, 2]
    assert encode(batch) == text


@pytest.mark.parametrize("kind", MODULE, ids=lambda kind: str(kind.__struct_config__.tag))
def test_unknown_fields_are_ignored_everywhere(kind: type) -> None:
    told = msgspec.json.decode(examples()[kind.__struct_config__.tag])

    def more(value: Any) -> Any:
        if isinstance(value, dict):
            return {**{key: more(inner) for key, inner in value.items()}, "moodOfTheGoblin": {"deep": [1, None]}}
        return [more(inner) for inner in value] if isinstance(value, list) else value

    # What is an object of names has no fields that could be unknown.
    names = {"hitDice", "abilities", "data", "hitDiceBefore", "turns", "notes", "left", "was", "changes"}
    told = {key: value for key, value in told.items() if key not in names}
    for actor in told.get("actors", []):
        for name in names & actor.keys():
            del actor[name]
    if "card" in told:
        del told["card"]["data"]
    assert [type(message) for message in take(msgspec.json.encode(more(told)), BOUNDS)] == (
        [PeerError, PeerError] if kind is protocol.Batch else [kind]
    )


def refusal(text: str | bytes) -> PeerError:
    (found,) = take(text, BOUNDS)
    assert isinstance(found, PeerError), found
    return found


def picture(hp: str, more: str = "") -> str:
    return f'{{"type":"picture","n":1,"actors":[{{"id":"Actor.a","hp":{{"value":{hp},"max":20}}{more}}}]}}'


# https://github.com/foundryvtt/dnd5e/issues/295: an empty hit-point field must not be read as 0.
@pytest.mark.parametrize("hp", ["null", '""', '"abc"', '"  "', "[]", "{}", "[7]"])
def test_hit_points_that_are_no_number_are_refused_with_their_path(hp: str) -> None:
    found = refusal(picture(hp))
    assert found.code == "invalid"
    assert found.about == 1
    assert "$.actors[0].hp.value" in found.message


# https://github.com/miguelgrinberg/Flask-SocketIO/issues/208
# https://github.com/fossasia/visdom/issues/732
@pytest.mark.parametrize(
    "hp", ["1e400", "1e20", "1000001", "-1000001", "7.5", "9" * 400, "NaN", "Infinity", "-Infinity"]
)
def test_numbers_that_no_sheet_can_hold_are_refused(hp: str) -> None:
    assert refusal(picture(hp)).code == "invalid"


@pytest.mark.parametrize("hp", ["7", "7.0", "7e0", "0.7e1"])
def test_a_whole_number_may_be_written_as_javascript_writes_it(hp: str) -> None:
    (message,) = take(picture(hp), BOUNDS)
    assert isinstance(message, protocol.Picture)
    (actor,) = message.actors
    assert actor.hp == HitPoints(7, 20)
    assert isinstance(actor.hp.value, int)


@pytest.mark.parametrize(
    ("more", "path"),
    [
        (',"effects":[{"id":"a","statuses":"prone"}]', "$.actors[0].effects[0].statuses"),
        (',"effects":[{"id":"","statuses":[]}]', "$.actors[0].effects[0].id"),
        (',"conditionImmunities":{"prone":true}', "$.actors[0].conditionImmunities"),
        (',"abilities":{"str":"strong"}', "$.actors[0].abilities[...]"),
        (',"place":{"scene":"s","x":"left"}', "$.actors[0].place.x"),
        (f',"name":"{"x" * 501}"', "$.actors[0].name"),
        (',"memory":{"receipt":-1}', "$.actors[0].memory.receipt"),
    ],
)
def test_a_wrong_type_is_refused_with_its_path(more: str, path: str) -> None:
    found = refusal(picture("7", more))
    assert (found.code, found.about) == ("invalid", 1)
    assert path in found.message


@pytest.mark.parametrize("field", ["n", "id", "actor", "by"])
def test_a_happening_without_what_it_needs_is_refused_by_name(field: str) -> None:
    told = msgspec.json.decode(examples()["drank"])
    del told[field]
    found = refusal(msgspec.json.encode(told))
    assert found.code == "invalid"
    assert f"`{field}`" in found.message


def test_what_is_nested_too_deeply_is_refused() -> None:
    deep = '{"x":' * 20_000 + "1" + "}" * 20_000
    assert refusal(picture("7", f',"memory":{{"notes":{deep}}}')).code == "invalid"


def test_a_lone_surrogate_and_a_null_byte_in_a_name_do_no_harm() -> None:
    (message,) = take(picture("7", ',"name":"a\\u0000b"'), BOUNDS)
    assert isinstance(message, protocol.Picture)
    assert message.actors[0].name == "a\0b"
    assert refusal(picture("7", ',"name":"\\ud800"')).code == "invalid"


@pytest.mark.parametrize("kind", sorted(examples()))
def test_every_example_fits_the_schema(kind: str) -> None:
    told = msgspec.json.decode(examples()[kind])
    if kind in {str(each.__struct_config__.tag) for each in get_args(protocol.Operation)}:
        told = {"type": "apply", "id": 1, "actor": "Actor.a", "operations": [told], "memory": {}}
    assert any(valid.is_valid(told) for valid in VALID.values())


def test_the_schema_refuses_what_the_bridge_refuses() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    for hp in ("null", '""', '"abc"', "7.5", "1000001"):
        assert not VALID["FromModule"].is_valid(msgspec.json.decode(picture(hp)))
    assert VALID["FromModule"].is_valid(msgspec.json.decode(picture("7")))


def test_nothing_that_a_module_sends_is_an_operation_and_the_other_way_round() -> None:
    ours = {kind.__struct_config__.tag for kind in BRIDGE}
    theirs = {kind.__struct_config__.tag for kind in (*MODULE, *BEFORE)}
    assert ours & theirs == {"batch"}

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge import protocol
from bridge.decode import TYPES, Bounds, about, encode, frame, head, size, take, take_first
from bridge.errors import PeerError
from tests.peer import batch, picture

BOUNDS = Bounds(batch=5, page=2)
DEEP = 100_000


def only(text: bytes | str) -> PeerError:
    (item,) = take(text, BOUNDS)
    assert isinstance(item, PeerError)
    return item


def test_a_message_is_taken_by_itself_and_in_a_batch() -> None:
    one, two = picture(1, "a"), picture(2)
    assert take(encode(one), BOUNDS) == [one]
    assert take(batch(one, two), BOUNDS) == [one, two]


def test_one_that_is_wrong_is_answered_in_its_place_and_the_others_count() -> None:
    found = take(batch(picture(1), b'{"type":"picture","n":2,"clock":"noon"}', picture(3)), BOUNDS)
    assert isinstance(found[1], PeerError)
    assert (found[1].code, found[1].about) == ("invalid", 2)
    assert "$.clock" in found[1].message
    assert [found[0], found[2]] == [picture(1), picture(3)]


GOOD, BAD = (
    b'{"id":"Actor.a","name":"Bors"}',
    b'{"id":"Actor.b","type":"npc","name":"Dummy","hp":{"value":9999999,"max":9999999}}',
)


def sheets(*actors: bytes, more: bytes = b"") -> bytes:
    return b'{"type":"picture","n":1,"actors":[' + b",".join(actors) + b"]" + more + b"}"


# https://github.com/msgspec/msgspec/issues/691
@pytest.mark.parametrize("wrapped", [False, True])
def test_of_a_picture_what_can_be_read_is_taken(wrapped: bool) -> None:
    """One creature that is out of bounds must not keep all others away."""

    def taken(text: bytes) -> list[protocol.FromModule | PeerError]:
        return take(batch(text, picture(2)), BOUNDS)[:-1] if wrapped else take(text, BOUNDS)

    good, problem = taken(sheets(BAD, GOOD))
    assert isinstance(good, protocol.Picture)
    assert [actor.id for actor in good.actors] == ["Actor.a"]
    assert isinstance(problem, PeerError)
    # Its number is not named: the picture itself was taken.
    assert (problem.code, problem.about) == ("invalid", None)
    assert "Dummy (Actor.b)" in problem.message
    assert "`$.actors[0].hp.value`" in problem.message
    # A page of a world counts, whoever is on it.
    page, problem = taken(sheets(BAD, BAD, more=b',"page":2,"pages":3,"clock":7'))
    assert page == protocol.Picture(1, page=2, pages=3, clock=7)
    assert isinstance(problem, PeerError)
    assert "So were 1 more" in problem.message
    # What is wrong besides, or alone, is wrong as a whole.
    for text in (sheets(BAD), sheets(BAD, GOOD, GOOD), sheets(BAD, GOOD, more=b',"clock":"noon"')):
        (refused,) = taken(text)
        assert isinstance(refused, PeerError)
        assert refused.about == 1


# https://github.com/msgspec/msgspec/issues/691
def test_of_ten_events_of_a_newer_module_those_that_can_be_understood_are_taken_in_order() -> None:
    told = [f'{{"type":"drank","n":{n},"id":"h{n}","actor":"Actor.a","by":{{"user":"gm"}}}}' for n in range(1, 11)]
    told[3] = told[3].replace("drank", "smoked")
    told[6] = told[6].replace('"n"', '"mood":"merry","n"')
    told[8] = told[8].replace('"actor":"Actor.a",', "")
    items = take(batch(*(text.encode() for text in told)), Bounds(10, 2))
    taken = [item.n for item in items if isinstance(item, protocol.Drank)]
    assert taken == [1, 2, 3, 5, 6, 7, 8, 10]
    assert [(place, item.code, item.about) for place, item in enumerate(items) if isinstance(item, PeerError)] == [
        (3, "unknown-type", 4),
        (8, "invalid", 9),
    ]


def test_an_unknown_type_is_told_apart_and_an_unknown_field_is_nobody_s_business() -> None:
    assert only(b'{"type":"dance","n":4}').code == "unknown-type"
    assert only(b'{"type":"dance","n":4}').about == 4
    assert take(b'{"type":"picture","n":1,"mood":"good"}', BOUNDS) == [protocol.Picture(1)]


@pytest.mark.parametrize(
    "text", ["", "[]", "1", '"x"', "null", "{}", '{"n":1}', '{"type":1}', '{"type":null}', "{", "\ud800"]
)
def test_what_is_not_an_object_with_a_type_is_invalid(text: str) -> None:
    assert only(text).code == "invalid"


@pytest.mark.parametrize(
    "text",
    [
        b"[" * DEEP,
        b'{"type":"picture","n":1,"x":' + b"[" * DEEP + b"]" * DEEP + b"}",
        b'{"type":"batch","messages":[' + b"[" * DEEP + b"]" * DEEP + b"]}",
        b'{"type":"pressed","n":1,"id":"a","actor":"b","by":{"user":"c"},"card":{"id":"a","actor":"b","data":{"x":'
        + b"[" * DEEP
        + b"]" * DEEP
        + b"}}}",
        b'{"type":' * DEEP,
    ],
)
def test_what_is_nested_deeply_is_invalid(text: bytes) -> None:
    assert [item.code for item in take(text, BOUNDS) if isinstance(item, PeerError)] in (["invalid"], [])
    assert isinstance(about(head(text)), int | None)


@pytest.mark.parametrize("n", ["1e999", "NaN", "-1", "9007199254740992", "1.5", "true", "[1]", "1" * 500])
def test_a_number_that_javascript_cannot_count_with_is_invalid_and_not_quoted_back(n: str) -> None:
    error = only(f'{{"type":"picture","n":{n}}}')
    assert (error.code, error.about) == ("invalid", None)


def test_bad_utf_8_is_invalid() -> None:
    assert only(b'{"type":"said","n":1,"id":"\xff","actor":"a","by":{"user":"c"}}').code == "invalid"


def test_too_many_messages_are_refused_whole_and_too_many_sheets_one_by_one() -> None:
    assert only(batch(*(picture(n) for n in range(1, 7)))).code == "too-many"
    found = take(batch(picture(1, "a", "b", "c"), picture(2, "a")), BOUNDS)
    assert isinstance(found[0], PeerError)
    assert (found[0].code, found[0].about) == ("too-many", 1)
    assert found[1] == picture(2, "a")


def test_a_batch_holds_no_batch() -> None:
    found = take(batch(batch(picture(1), picture(2)), picture(3)), BOUNDS)
    assert isinstance(found[0], PeerError)
    assert found[1] == picture(3)


def test_before_pairing_only_two_types_are_taken() -> None:
    with pytest.raises(PeerError):
        take_first(encode(picture(1)))
    assert {"pair", "auth", "batch", "picture", "said"} <= TYPES


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(text: bytes) -> None:
    assert all(isinstance(item, PeerError | protocol.Message) for item in take(text, BOUNDS))


WORDS = st.text("ab\u0000\u00fc\U0001f600", max_size=3)
FIELDS = st.sampled_from(["n", "id", "actor", "by", "actors", "messages", "clock", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(TYPES)), st.dictionaries(FIELDS, VALUES, max_size=4))
def test_any_fields_are_answered(kind: str, fields: dict[str, object]) -> None:
    for item in take(msgspec.json.encode({"type": kind, **fields}), BOUNDS):
        assert isinstance(item, PeerError | protocol.Message)
        if isinstance(item, PeerError):
            assert encode(protocol.Error(item.code, item.message, item.about, item.id))


def test_one_message_is_sent_as_it_is_and_several_as_a_batch() -> None:
    one = encode(protocol.Ack(1))
    assert frame([one]) == one
    assert msgspec.json.decode(frame([one, one])) == {"type": "batch", "messages": [{"type": "ack", "n": 1}] * 2}


def test_the_size_of_a_frame_is_counted_in_bytes() -> None:
    assert size("abc") == size(b"abc") == 3
    assert size("ü") == 2

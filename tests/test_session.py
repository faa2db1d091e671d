from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge import auth, protocol
from bridge.decode import encode
from bridge.errors import CloseCode
from bridge.host import Host
from bridge.session import STRANGER_TRIES, Output, Session
from bridge.settings import Settings
from tests.peer import ORIGIN, VERSIONS, Message, batch, greeted, opened, picture, prove, unpack

PAIR = protocol.Pair(VERSIONS, "", protocol.Table("w", name="World"), "gm-user", "Gamemaster")


class Clock:
    """Time that passes when the test says so."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def host(clock: Clock) -> Iterator[Host]:
    limits = Settings(message=4096, hello=2048, batch=4, page=2, malformed=3, rate=10, burst=20)
    with Host.open(settings=limits, now=clock, clock=clock) as host:
        yield host


@pytest.fixture
def key(host: Host) -> tuple[str, str]:
    return host.pair(world="w", origin=ORIGIN)


def say(host: Host, session: Session, *messages: msgspec.Struct | bytes) -> list[Message]:
    return unpack(host.exchange(session, batch(*messages)))


def codes(said: list[Message]) -> list[str]:
    return [message["code"] for message in said if message["type"] == "error"]


def code_of(session: Session) -> int:
    return session.closed.code if session.closed else 0


# Meeting.


def test_the_bridge_speaks_first_with_its_versions_and_a_fresh_nonce(host: Host) -> None:
    one, two = (unpack(host.finish(host.session(ORIGIN).greet()))[0] for _ in range(2))
    assert one["type"] == "challenge"
    assert one["protocol"] == {"min": protocol.OLDEST, "max": protocol.NEWEST}
    assert auth.is_nonce(one["nonce"])
    assert one["nonce"] != two["nonce"]


def test_a_proof_of_the_key_is_answered_with_one_in_one_frame_with_all_that_follows(
    host: Host, key: tuple[str, str]
) -> None:
    session, nonce = greeted(host)
    message, ours = prove(nonce, *key)
    welcome, catalogue, *_ = say(host, session, message)
    assert welcome["type"] == "welcome"
    assert welcome["mac"] == auth.server_proof(key[1], ours, nonce, "w")
    assert welcome["limits"] == {"message": 4096, "batch": 4, "page": 2}
    assert welcome["rulebook"] == "house-rules"
    assert welcome["protocol"] == protocol.NEWEST
    assert catalogue["type"] == "catalogue"
    assert session.is_open


# https://github.com/ThreeHats/foundryvtt-rest-api-relay/issues/2
@pytest.mark.parametrize(
    "changes",
    [
        {"mac": "0" * 64},
        {"mac": ""},
        {"mac": "\u00fc"},
        {"client": "nobody"},
        {"nonce": "0" * 64},
        {"nonce": "a|b"},
    ],
)
def test_a_proof_that_is_wrong_in_anything_is_refused_late_and_final(
    host: Host, key: tuple[str, str], changes: dict[str, Any]
) -> None:
    session, nonce = greeted(host)
    output = session.receive(encode(prove(nonce, *key, **changes)[0]))
    assert codes(unpack(output.frame)) == ["not-paired"]
    assert output.close is not None
    assert output.close.code == CloseCode.REVOKED
    assert output.delay > 0
    assert not output.writes
    assert not session.is_open


def test_a_proof_for_another_nonce_world_or_origin_is_worth_nothing(host: Host, key: tuple[str, str]) -> None:
    for nonce, world, origin in (("0" * 64, "w", ORIGIN), ("", "v", ORIGIN), ("", "w", "http://evil.example")):
        session, real = greeted(host)
        message, _ = prove(nonce or real, *key, world=world, origin=origin)
        table = protocol.Table("w")
        said = say(host, session, msgspec.structs.replace(message, table=table))
        assert codes(said) == ["not-paired"]


def test_a_key_is_bound_to_the_origin_that_it_was_paired_from(host: Host, key: tuple[str, str]) -> None:
    session, nonce = greeted(host, "http://other.example")
    said = say(host, session, prove(nonce, *key, origin="http://other.example")[0])
    assert codes(said) == ["not-paired"]


def test_a_recorded_conversation_is_worth_nothing_when_replayed(host: Host, key: tuple[str, str]) -> None:
    session, nonce = greeted(host)
    recorded = encode(prove(nonce, *key)[0])
    host.exchange(session, recorded)
    session.lost()
    again, _ = greeted(host)
    assert codes(unpack(host.exchange(again, recorded))) == ["not-paired"]


def test_the_bridges_own_proof_cannot_be_reflected_as_a_clients(host: Host, key: tuple[str, str]) -> None:
    session, nonce = greeted(host)
    message, _ = prove(nonce, *key)
    mac = auth.server_proof(key[1], message.nonce, nonce, "w")
    assert codes(say(host, session, msgspec.structs.replace(message, mac=mac))) == ["not-paired"]


def test_a_key_for_one_world_opens_no_other(host: Host, key: tuple[str, str]) -> None:
    session, nonce = greeted(host)
    said = say(host, session, prove(nonce, *key, world="other")[0])
    assert codes(said) == ["conflict"]
    assert code_of(session) == CloseCode.OTHER_WORLD


@pytest.mark.parametrize(("oldest", "newest", "who"), [(0, 0, "Update the module"), (2, 9, "Update the bridge")])
@pytest.mark.parametrize("kind", ["pair", "auth"])
def test_without_a_common_version_the_side_to_update_is_named(
    host: Host, key: tuple[str, str], oldest: int, newest: int, who: str, kind: str
) -> None:
    session, nonce = greeted(host)
    versions = protocol.Versions(oldest, newest)
    message = msgspec.structs.replace(PAIR if kind == "pair" else prove(nonce, *key)[0], protocol=versions)
    (error,) = say(host, session, message)
    assert error["code"] == "version"
    assert who in error["message"]
    assert code_of(session) == CloseCode.VERSION


def test_a_future_hello_that_cannot_be_read_is_still_told_which_side_to_update(host: Host) -> None:
    session, _ = greeted(host)
    said = say(host, session, b'{"type":"auth","protocol":{"min":7,"max":8},"proof":[1,2,3]}')
    assert codes(said) == ["version"]


def test_a_newer_module_that_still_speaks_our_version_is_answered_in_ours(host: Host, key: tuple[str, str]) -> None:
    session, nonce = greeted(host)
    message = prove(nonce, *key, protocol=protocol.Versions(0, 99))[0]
    assert say(host, session, message)[0]["protocol"] == protocol.NEWEST


# Before pairing.


def test_before_the_key_is_proved_nothing_of_a_world_can_be_reached(host: Host, key: tuple[str, str]) -> None:
    session, _ = greeted(host)
    assert codes(say(host, session, picture(1, "a"))) == ["not-paired"]
    assert codes(say(host, session, b'{"type":"dance"}')) == ["unknown-type"]
    assert codes(say(host, session, b"no json")) == ["invalid"]
    assert codes(say(host, session, b'{"type":"auth","client":1}')) == ["invalid"]
    assert host.store.worlds() == []


def test_a_stranger_who_goes_on_talking_is_sent_away(host: Host) -> None:
    session, _ = greeted(host)
    for _ in range(STRANGER_TRIES):
        assert session.closed is None
        say(host, session, picture(1))
    assert code_of(session) == CloseCode.NOT_PROVEN
    assert session.receive(encode(picture(1))) == Output()


@pytest.mark.parametrize("type", ["[]", "{}", "null", "1", '["auth"]'])
def test_a_stranger_whose_type_is_no_word_is_answered(host: Host, type: str) -> None:
    session, _ = greeted(host)
    (said,) = unpack(host.exchange(session, f'{{"type":{type},"protocol":{{"min":1,"max":1}}}}'))
    assert said["code"] == "invalid"
    assert session.closed is None


def test_a_stranger_may_not_send_much(host: Host) -> None:
    session, _ = greeted(host)
    say(host, session, b"[" + b" " * 2048 + b"]")
    assert code_of(session) == CloseCode.TOO_BIG


# Pairing.


def test_the_code_pairs_a_browser_and_its_key_opens_a_session_on_the_same_connection(host: Host) -> None:
    window = host.pairings.open_window()
    session, nonce = greeted(host)
    (paired,) = say(host, session, msgspec.structs.replace(PAIR, code=window.shown.lower()))
    assert paired["type"] == "paired"
    assert len(bytes.fromhex(paired["key"])) == 32
    said = say(host, session, prove(nonce, paired["client"], paired["key"])[0])
    assert said[0]["type"] == "welcome"
    (client,) = host.store.clients()
    assert (client.world, client.origin, client.user, client.name) == ("w", ORIGIN, "gm-user", "Gamemaster")


def test_without_a_window_no_code_pairs(host: Host) -> None:
    session, _ = greeted(host)
    (error,) = say(host, session, msgspec.structs.replace(PAIR, code="ABCD-EFGH"))
    assert error["code"] == "not-paired"
    assert "bridge pair" in error["message"]


def test_a_wrong_code_says_how_many_tries_are_left_and_is_answered_later_each_time(host: Host) -> None:
    host.pairings.open_window()
    session, _ = greeted(host)
    wrong = encode(msgspec.structs.replace(PAIR, code="0000-0000"))
    outputs = [session.receive(wrong) for _ in range(6)]
    sentences = [unpack(output.frame)[0]["message"] for output in outputs]
    assert "4 tries" in sentences[0]
    assert "One try" in sentences[3]
    assert "new one" in sentences[4]
    assert "No pairing is open" in sentences[5]
    delays = [output.delay for output in outputs]
    assert delays == sorted(delays)
    assert host.store.clients() == []


# One session for one world.


def test_another_browser_has_to_wait_while_one_speaks(host: Host, key: tuple[str, str]) -> None:
    first, _ = opened(host, key=key)
    other = host.pair(world="w", origin=ORIGIN)
    second, said = opened(host, key=other)
    assert codes(said) == ["taken"]
    assert code_of(second) == CloseCode.TAKEN
    assert first.is_open
    first.lost()
    third, said = opened(host, key=other)
    assert said[0]["type"] == "welcome"
    assert third.is_open


def test_the_same_browser_takes_over_from_itself(host: Host, key: tuple[str, str]) -> None:
    first, _ = opened(host, key=key)
    ended: list[int] = []
    first.on_end = lambda how: ended.append(how.code)
    second, _ = opened(host, key=key)
    assert ended == [CloseCode.SUPERSEDED]
    assert second.is_open
    first.lost()
    assert host.speakers == {"w": second}


# Talking.


def test_every_message_is_acknowledged_with_what_is_to_be_committed_first(host: Host, key: tuple[str, str]) -> None:
    session, _ = opened(host, key=key)
    output = session.receive(encode(picture(1, "a")))
    assert {write[0] for write in output.writes if isinstance(write, tuple)} == {"w"}
    assert unpack(output.frame)[-1] == {"type": "ack", "n": 1}


def test_one_wrong_message_is_answered_and_does_not_hold_the_others_back(host: Host, key: tuple[str, str]) -> None:
    session, _ = opened(host, key=key)
    said = say(host, session, picture(1, "a"), b'{"type":"picture","n":2,"clock":"x"}', picture(3, "a"))
    assert [(m["code"], m["about"]) for m in said if m["type"] == "error"] == [("invalid", 2)]
    assert said[-1] == {"type": "ack", "n": 3}


# https://github.com/msgspec/msgspec/issues/691
def test_one_creature_that_cannot_be_read_does_not_keep_the_world_away(host: Host, key: tuple[str, str]) -> None:
    session, _ = opened(host, key=key)
    bloody = b'{"id":"Actor.a","hp":{"value":3,"max":20}}'
    dummy = b'{"id":"Actor.b","name":"Dummy","hp":{"value":9999999,"max":9999999}}'
    world = b'{"type":"picture","n":1,"page":1,"pages":1,"clock":0,"actors":[' + dummy + b"," + bloody + b"]}"
    said = say(host, session, world)
    assert [(m["code"], m.get("about")) for m in said if m["type"] == "error"] == [("invalid", None)]
    assert [m["actor"] for m in said if m["type"] == "apply"] == ["Actor.a"]
    assert {"type": "ack", "n": 1} in said
    # Once it can be read it is a creature like any other.
    said = say(host, session, b'{"type":"picture","n":2,"actors":[' + dummy.replace(b"9999999", b"9") + b"]}")
    assert said[-1] == {"type": "ack", "n": 2}
    assert "Actor.b" in host.world("w").memory.actors


def test_a_page_that_is_too_large_and_a_batch_that_is_too_long_are_refused(host: Host, key: tuple[str, str]) -> None:
    session, _ = opened(host, key=key)
    assert codes(say(host, session, picture(1, "a", "b", "c"))) == ["too-many"]
    assert codes(say(host, session, *(picture(n) for n in range(2, 7)))) == ["too-many"]
    assert say(host, session, picture(2, "a"))[-1] == {"type": "ack", "n": 2}


# https://github.com/adambdooley/foundry-vtt-mcp/issues/6
def test_a_frame_that_is_too_large_is_named_by_its_number(host: Host, key: tuple[str, str]) -> None:
    session, _ = opened(host, key=key)
    (error,) = say(host, session, b'{"type":"picture","n":1,"x":"' + b"x" * 5000 + b'"}')
    assert (error["code"], error["about"]) == ("too-large", 1)
    assert say(host, session, picture(2, "a"))[-1] == {"type": "ack", "n": 2}


def test_a_paired_module_cannot_pair_again(host: Host, key: tuple[str, str]) -> None:
    host.pairings.open_window()
    session, _ = opened(host, key=key)
    assert codes(say(host, session, PAIR)) == ["invalid"]


def test_too_many_unreadable_messages_in_a_minute_end_it_and_over_hours_they_do_not(
    host: Host, key: tuple[str, str], clock: Clock
) -> None:
    session, _ = opened(host, key=key)
    for _ in range(10):
        say(host, session, b"{")
        clock.time += 31
    assert session.is_open
    for _ in range(3):
        say(host, session, b"{")
    assert code_of(session) == CloseCode.MALFORMED


def test_whoever_sends_too_fast_is_read_more_slowly_and_loses_nothing(
    host: Host, key: tuple[str, str], clock: Clock
) -> None:
    session, _ = opened(host, key=key)
    pauses = [session.receive(batch(*(picture(4 * k + n) for n in range(1, 5)))).pause for k in range(10)]
    assert pauses[:5] == [0] * 5
    assert pauses[5] == pytest.approx(0.4)
    assert pauses[9] == pytest.approx(2.0)
    clock.time += 4
    output = session.receive(encode(picture(41)))
    assert output.pause == 0
    assert unpack(output.frame)[-1] == {"type": "ack", "n": 41}


def test_a_bug_in_a_world_ends_its_session_and_no_other(
    host: Host, key: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _ = opened(host, key=key)
    neighbour, _ = opened(host, "v")
    host.exchange(session, encode(picture(1, "a")))
    monkeypatch.delattr(host.world("w"), "memory")
    output = session.receive(encode(picture(2, "a", "b")))
    assert output.close is not None
    assert output.close.code == CloseCode.INTERNAL
    assert output.writes == []
    assert neighbour.is_open
    again, said = opened(host, key=key)
    assert again.is_open
    assert said[0]["known"]


def test_rows_that_cannot_be_read_end_the_session_with_a_sentence(host: Host, key: tuple[str, str]) -> None:
    host.store.append_many([("w", protocol_row())])
    session, _ = opened(host, key=key)
    assert code_of(session) == CloseCode.INTERNAL


def protocol_row() -> Any:
    from bridge.world.row import Row

    return Row("actor", "Actor.a", b"no json")


@settings(max_examples=settings.default.max_examples // 10)
@given(
    st.lists(st.binary(max_size=60) | st.sampled_from([encode(picture(1, "a")), encode(PAIR), b"[" * 3000]), max_size=8)
)
def test_any_frames_in_any_state_are_answered_or_end_it(frames: list[bytes]) -> None:
    with Host.open() as host:
        for session in (greeted(host)[0], opened(host)[0]):
            for text in frames:
                host.exchange(session, text)
            assert session.closed is None or session.closed.reason


# Views.


def test_a_question_is_answered_in_its_place_and_has_no_number(host: Host) -> None:
    session, _ = opened(host)
    gm = protocol.By("gm", gm=True)
    said = say(host, session, picture(1, "a"), protocol.Ask("q1", "console", gm), picture(2, "b"))
    assert [message["type"] for message in said if message["type"] in {"ack", "answer"}] == ["ack", "answer", "ack"]
    (answer,) = (message for message in said if message["type"] == "answer")
    assert (answer["id"], answer["view"]["what"]) == ("q1", "console")


def test_a_question_is_never_written_down_and_costs_as_much_as_any_message(host: Host) -> None:
    session, _ = opened(host)
    say(host, session, picture(1, "a"))
    ask = encode(protocol.Ask("q", "history", protocol.By("gm", gm=True)))
    output = session.receive(ask)
    assert (output.writes, output.pause) == ([], 0)
    assert max(session.receive(ask).pause for _ in range(30)) > 0


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"x" * 65: 1}, "invalid"),
        ({"creature": ["x" * 501]}, "invalid"),
        ({"a": [1]}, "invalid"),
        ({"a": {}}, "invalid"),
    ],
)
def test_what_a_question_is_about_is_bounded(host: Host, about: Any, code: str) -> None:
    session, _ = opened(host)
    ask = msgspec.json.encode({"type": "ask", "id": "q", "what": "console", "by": {"user": "gm"}, "about": about})
    (error,) = say(host, session, ask)
    assert (error["code"], error["id"]) == (code, "q")

import hashlib
import hmac

import pytest

from bridge import auth

KEY = "ab" * 32


def test_the_client_proof_is_the_one_that_the_protocol_describes() -> None:
    text = b"client|" + b"1" * 64 + b"|" + b"2" * 64 + b"|w|http://localhost:30000"
    expected = hmac.new(bytes.fromhex(KEY), text, hashlib.sha256).hexdigest()
    assert auth.client_proof(KEY, "1" * 64, "2" * 64, "w", "http://localhost:30000") == expected


def test_the_server_proof_is_the_one_that_the_protocol_describes() -> None:
    expected = hmac.new(
        bytes.fromhex(KEY), b"server|" + b"2" * 64 + b"|" + b"1" * 64 + b"|w", hashlib.sha256
    ).hexdigest()
    assert auth.server_proof(KEY, "2" * 64, "1" * 64, "w") == expected


def test_a_key_is_32_bytes_as_hex_and_the_same_for_the_same_secret_and_client_only() -> None:
    key = auth.client_key(KEY, "one")
    assert len(bytes.fromhex(key)) == 32
    assert key == auth.client_key(KEY, "one")
    assert len({key, auth.client_key(KEY, "two"), auth.client_key("cd" * 32, "one"), auth.control_key(KEY)}) == 4


@pytest.mark.parametrize("text", ["", "a" * 31, "a" * 129, "A" * 64, "a" * 63 + "|", "a" * 63 + "\n", "ü" * 64])
def test_a_nonce_is_hex_digits_only(text: str) -> None:
    assert not auth.is_nonce(text)
    assert auth.is_nonce(auth.new_secret())


def test_text_that_is_not_ascii_equals_nothing_and_breaks_nothing() -> None:
    assert not auth.equal("ü", "u")
    assert auth.equal("same", "same")


@pytest.mark.parametrize("style", [str, str.lower, lambda code: f" {code[:4]} - {code[4:]} ", "-".join])
def test_a_code_may_be_typed_in_any_style(style: object) -> None:
    window = auth.Window.open(0, 600)
    assert callable(style)
    assert window.attempt(style(window.code), 1)


def test_a_code_is_shown_in_two_groups_without_letters_that_look_alike() -> None:
    window = auth.Window.open(0, 600)
    assert window.shown == f"{window.code[:4]}-{window.code[4:]}"
    assert not set(window.code) & set("01OIL")
    assert len(auth.ALPHABET) ** auth.CODE_LENGTH > 2**39


def test_a_code_works_once() -> None:
    window = auth.Window.open(0, 600)
    assert window.attempt(window.code, 1)
    assert not window.attempt(window.code, 1)


def test_a_code_works_for_ten_minutes() -> None:
    window = auth.Window.open(0, 600)
    assert not window.attempt(window.code, 600)
    assert window.attempt(window.code, 599.9)


def test_five_wrong_tries_close_the_window() -> None:
    window = auth.Window.open(0, 600)
    for _ in range(4):
        assert not window.attempt("XXXX-XXXX", 1)
    assert window.is_open(1)
    assert not window.attempt("XXXX-XXXX", 1)
    assert not window.attempt(window.code, 1)


def test_each_failure_is_answered_later_than_the_one_before_up_to_four_seconds() -> None:
    failures = auth.Failures()
    delays = [failures.failed("http://a") for _ in range(7)]
    assert delays == sorted(delays)
    assert delays[0] == 0.25
    assert delays[-1] == 4
    assert failures.failed("http://b") == 0.25
    failures.succeeded("http://a")
    assert failures.failed("http://a") == 0.25


def test_failures_of_very_many_origins_take_no_more_room() -> None:
    failures = auth.Failures()
    for number in range(10_000):
        failures.failed(f"http://{number}")
    assert len(failures._counts) == failures.LARGEST

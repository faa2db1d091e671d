"""Bad input: valid messages that were damaged, and things that never were messages."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from tools.protocol.examples import examples

WORDS = (
    b"null",
    b"true",
    b"-0",
    b"1e400",
    b"NaN",
    b"Infinity",
    b"9007199254740993",
    b"1" * 400,
    b'""',
    b'"\\ud800"',
    b"[]",
    b"{}",
    b"[" * 2000,
    b'{"a":' * 2000,
    b'"' + b"x" * 5000 + b'"',
    b'"\\u0000"',
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"-1",
    b"0.5",
    b'"__proto__"',
    b'"constructor"',
    b'"<img src=x onerror=alert(1)>"',
    b'"@UUID[Actor.x]"',
    b'"[[/r 99d99]]"',
    b"\x00",
)
TYPES = (b"picture", b"drank", b"batch", b"undo", b"auth", b"pair", b"apply", b"nothing", b"pressed", b"said")


def valid() -> list[bytes]:
    """Return one good message of each kind."""
    return list(examples().values())


def inputs(seed: int, count: int) -> Iterator[bytes]:
    """Return so many inputs, the same for the same seed."""
    chance = random.Random(seed)
    good = valid()
    makers = (_flip, _cut, _replace, _splice, _double, _nest, _dust, _swap_type)
    for _ in range(count):
        text = chance.choice(good)
        for _ in range(chance.choice((1, 1, 2, 4))):
            text = chance.choice(makers)(chance, text, good)
        yield text[:20_000]


def _flip(chance: random.Random, text: bytes, good: list[bytes]) -> bytes:
    if not text:
        return b"\x80"
    at = chance.randrange(len(text))
    return text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]


def _cut(chance: random.Random, text: bytes, good: list[bytes]) -> bytes:
    return text[: chance.randrange(len(text) + 1)]


def _replace(chance: random.Random, text: bytes, good: list[bytes]) -> bytes:
    """Put another value in the place of one."""
    parts = text.split(b":")
    if len(parts) < 2:
        return chance.choice(WORDS)
    at = chance.randrange(1, len(parts))
    _, comma, rest = parts[at].partition(b",")
    parts[at] = chance.choice(WORDS) + comma + rest
    return b":".join(parts)


def _splice(chance: random.Random, text: bytes, good: list[bytes]) -> bytes:
    other = chance.choice(good)
    return text[: chance.randrange(len(text) + 1)] + other[chance.randrange(len(other)) :]


def _double(chance: random.Random, text: bytes, good: list[bytes]) -> bytes:
    """Name a field twice."""
    return text[:1] + b'"n":%d,"type":"%s",' % (chance.randrange(-5, 5), chance.choice(TYPES)) + text[1:]


def _nest(chance: random.Random, text: bytes, good: list[bytes]) -> bytes:
    some = b",".join(chance.choices([text, *good], k=chance.randrange(4)))
    return b'{"type":"batch","messages":[' + some + b"]}"


def _dust(chance: random.Random, text: bytes, good: list[bytes]) -> bytes:
    return chance.randbytes(chance.randrange(40))


def _swap_type(chance: random.Random, text: bytes, good: list[bytes]) -> bytes:
    try:
        fields = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return text
    if not isinstance(fields, dict):
        return text
    fields["type"] = chance.choice(TYPES).decode()
    if fields and chance.random() < 0.5:
        del fields[chance.choice(list(fields))]
    return msgspec.json.encode(fields)

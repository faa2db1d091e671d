"""From the text of a frame to typed messages, and from messages to frames.

One bad message never spoils its neighbours: each is decoded by itself, and each that is wrong is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from bridge import protocol
from bridge.engine.state import Actor
from bridge.errors import PeerError

Text = str | bytes
T = TypeVar("T")

encode: Callable[[Struct], bytes] = msgspec.json.Encoder().encode
"""Encode one message."""
_any = msgspec.json.Decoder(protocol.FromModule, strict=False)
_sheet = msgspec.json.Decoder(Actor, strict=False)
_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
_sheets = msgspec.json.Decoder(list[msgspec.Raw])
_before_paired = msgspec.json.Decoder(protocol.BeforePaired, strict=False)


LONGEST_ID = 128


class Head(Struct):
    """What can be told of a message, or of a sheet, that is wrong."""

    type: Any = None
    n: Any = None
    id: Any = None
    name: Any = None
    protocol: Any = None


_head = msgspec.json.Decoder(Head)

_tags: dict[type[Struct], str] = {
    kind: str(kind.__struct_config__.tag) for kind in (*protocol.FromModule.__args__, *protocol.BeforePaired.__args__)
}
TYPES = frozenset(_tags.values())
"""Every type that a module may send."""


class Bounds(NamedTuple):
    """Messages in a batch, sheets in a picture."""

    batch: int
    page: int


def take(text: Text, bounds: Bounds) -> list[protocol.FromModule | PeerError]:
    """Decode one frame of a paired module: its messages in order, and in the place of each wrong one what is wrong."""
    try:
        message = _decode(_any, text)
    except PeerError as error:
        return _readable(text, bounds) or [error]
    if not isinstance(message, protocol.Batch):
        return [_checked(message, bounds)]
    if len(message.messages) > bounds.batch:
        found = f"A batch may hold {bounds.batch} messages; this one holds {len(message.messages)}, none was taken."
        return [PeerError("too-many", found)]
    return [item for raw in message.messages for item in _take_one(raw, bounds)]


def take_first(text: Text) -> protocol.Pair | protocol.Auth:
    """Decode one frame of a module that has not proved its key.

    Raises:
        PeerError: It is neither ``pair`` nor ``auth``, or is wrong.

    """
    return _decode(_before_paired, text)


def head(text: Text | msgspec.Raw) -> Head:
    """Read what can be read of a message, whatever else is wrong with it."""
    try:
        return _head.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return Head()


def size(text: Text) -> int:
    """Return the bytes of a frame."""
    return len(text) if isinstance(text, bytes) or text.isascii() else len(text.encode())


def tag(message: Struct) -> str:
    """Return the type of a message of a module, as it says it itself."""
    return _tags[type(message)]


def about(found: Head) -> int | None:
    """Return the ``n`` of a message when it is one."""
    n = found.n
    return n if isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 2**53 else None


def error(found: PeerError) -> protocol.Error:
    """Return the answer to what is wrong."""
    return protocol.Error(found.code, found.message, found.about, found.id)


def frame(messages: Sequence[bytes]) -> bytes:
    """Put encoded messages into one frame: a single one as it is, several as a batch."""
    if len(messages) == 1:
        return messages[0]
    return b'{"type":"batch","messages":[' + b",".join(messages) + b"]}"


def _take_one(raw: msgspec.Raw, bounds: Bounds) -> list[protocol.FromModule | PeerError]:
    try:
        message = _decode(_any, raw)
    except PeerError as error:
        return _readable(raw, bounds) or [error]
    if isinstance(message, protocol.Batch):
        return [PeerError("invalid", "A batch cannot hold a batch.")]
    return [_checked(message, bounds)]


def _readable(text: Text | msgspec.Raw, bounds: Bounds) -> list[protocol.FromModule | PeerError]:
    """Take what can be read of a picture some of whose sheets cannot; nothing, when that is not what is wrong.

    One creature must not keep a whole world away: a page counts even when none of its sheets can be read.
    """
    try:
        fields = _fields.decode(text)
        raws = _sheets.decode(fields.pop("actors"))
        picture = _any.decode(msgspec.json.encode(fields))
    except (KeyError, msgspec.DecodeError, RecursionError, UnicodeError):
        return []
    if not isinstance(picture, protocol.Picture) or len(raws) > bounds.page:
        return []
    actors: list[Actor] = []
    wrong: list[str] = []
    for place, raw in enumerate(raws):
        try:
            actors.append(_sheet.decode(raw))
        except (msgspec.DecodeError, RecursionError, UnicodeError) as problem:
            whose = head(raw)
            where = f"{problem}".replace("`$", f"`$.actors[{place}]")
            wrong.append(f"{str(whose.name)[:100]} ({str(whose.id)[:100]}) was left out: {where[:250]}.")
    if not wrong or not (actors or picture.pages):
        return []
    more = f" So were {len(wrong) - 1} more." if len(wrong) > 1 else ""
    # Without the picture's number: that has been taken.
    return [msgspec.structs.replace(picture, actors=tuple(actors)), PeerError("invalid", wrong[0] + more)]


def _checked(message: protocol.FromModule, bounds: Bounds) -> protocol.FromModule | PeerError:
    if isinstance(message, protocol.Picture) and len(message.actors) > bounds.page:
        found = f"A picture may hold {bounds.page} sheets; this one holds {len(message.actors)}."
        return PeerError("too-many", found, message.n)
    return message


def _decode(decoder: msgspec.json.Decoder[T], text: Text | msgspec.Raw) -> T:
    try:
        return decoder.decode(text)
    except RecursionError:
        message = "It is nested too deeply."
        raise PeerError("invalid", message) from None
    except (msgspec.DecodeError, UnicodeError) as problem:
        raise _explained(problem, head(text)) from problem


def _explained(problem: Exception, found: Head) -> PeerError:
    n = about(found)
    id = found.id if isinstance(found.id, str) and len(found.id) <= LONGEST_ID else None
    if isinstance(found.type, str) and found.type not in TYPES:
        return PeerError("unknown-type", f"There is no message type {found.type[:64]!r}.", n, id)
    return PeerError("invalid", f"{problem}"[:500], n, id)

"""What of a world is kept on disk, fact by fact: all that the store has to know of worlds."""

from msgspec import Struct


class Row(Struct, frozen=True):
    """One fact to be kept on disk.  ``value`` none: it is to be deleted."""

    kind: str
    key: str
    value: bytes | None

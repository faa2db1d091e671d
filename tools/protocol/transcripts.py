"""A conversation as it was had, for each version of the protocol: what a module that speaks it says is understood.

    python -m tools.protocol.transcripts    writes the newest version's file into tests/data/transcripts

A file that is there is never written again: the modules that spoke so are out in the world.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from bridge.protocol import NEWEST
from bridge.table.link import InProcess, Wire
from bridge.table.scenario import parse
from bridge.table.story import Story
from tools.protocol.examples import EVENING, WORLD

FOLDER = Path(__file__).resolve().parents[2] / "tests/data/transcripts"


class Frame(msgspec.Struct, rename={"by": "from"}):
    """What one side said at once; ``from`` is ``bridge`` or ``module``."""

    by: str
    said: Any


class _Tap(Wire):
    """Writes down what goes over a wire."""

    def __init__(self, wire: Wire, frames: list[Frame]) -> None:
        self._wire = wire
        self._frames = frames

    def send(self, text: str | bytes) -> None:
        self._frames.append(Frame("module", msgspec.json.decode(text)))
        self._wire.send(text)

    def receive(self) -> bytes | str | None:
        text = self._wire.receive()
        if text is not None:
            self._frames.append(Frame("bridge", msgspec.json.decode(text)))
        return text

    def close(self) -> None:
        self._wire.close()


class _Overheard(InProcess):
    def __init__(self) -> None:
        super().__init__(WORLD, {})
        self.frames: list[Frame] = []

    def wire(self) -> Wire:
        return _Tap(super().wire(), self.frames)


def record() -> list[Frame]:
    """Play the evening of the protocol's examples with a whole bridge; return all that was said."""
    link = _Overheard()
    try:
        story = Story(parse(tomllib.loads(EVENING)), link)
        story.begin()
        for played in story.play():
            if played.unmet:
                raise AssertionError(played.unmet)
        return link.frames
    finally:
        link.close()


def main() -> str | None:
    """Write the newest version's conversation; return why not."""
    path = FOLDER / f"v{NEWEST}.jsonl"
    if path.exists():
        return f"{path.name} is there already, and modules that speak so are in use."
    path.write_bytes(b"".join(msgspec.json.encode(frame) + b"\n" for frame in record()))
    return None


if __name__ == "__main__":
    sys.exit(main())

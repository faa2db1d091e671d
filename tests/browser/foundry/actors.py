"""The system's own actor documents, where they are there.

`CONDITION_BRIDGE_ACTORS` names a file of one JSON document per line, gzipped. Without it there are none,
and tests use the builders of `documents.py`, which are of the same shape.
"""

from __future__ import annotations

import gzip
import json
import os
from functools import cache
from pathlib import Path

from .merge import Json

VARIABLE = "CONDITION_BRIDGE_ACTORS"


@cache
def _lines() -> tuple[str, ...]:
    name = os.environ.get(VARIABLE)
    if not name or not Path(name).is_file():
        return ()
    with gzip.open(name, "rt", encoding="utf-8") as file:
        return tuple(line for line in file if line.strip())


def available() -> bool:
    """Whether there are real documents."""
    return bool(_lines())


def load(*, kind: str | None = None, limit: int | None = None) -> list[Json]:
    """Fresh copies of the documents, in the file's order, made complete enough to be put in a world."""
    found: list[Json] = []
    seen: set[str] = set()
    for line in _lines():
        document: Json = json.loads(line)
        if kind not in (None, document["type"]) or document["_id"] in seen:
            continue
        seen.add(document["_id"])
        document.pop("_from", None)
        document.setdefault("img", "icons/svg/mystery-man.svg")
        document.setdefault("ownership", {"default": 0})
        document.setdefault("items", [])
        document.setdefault("effects", [])
        found.append(document)
        if limit is not None and len(found) == limit:
            break
    return found

"""Foundry's merge rules for document updates.

The three rules that matter to whoever writes documents: dotted keys are paths, ``-=key`` deletes a key
(``==key`` replaces it whole), and arrays are replaced, never merged.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]


def expand(changes: Json) -> Json:
    """Turn dotted keys into nested objects; when both spellings name one path, they are merged."""
    out: Json = {}
    for key, raw in changes.items():
        value = expand(raw) if isinstance(raw, dict) else deepcopy(raw)
        target = out
        *path, last = key.split(".")
        for part in path:
            nested = target.setdefault(part, {})
            if not isinstance(nested, dict):
                nested = target[part] = {}
            target = nested
        if isinstance(value, dict) and isinstance(target.get(last), dict):
            merge(target[last], value)
        else:
            target[last] = value
    return out


def merge(target: Json, changes: Json) -> None:
    """Write expanded changes into a document, in place."""
    for key, value in changes.items():
        if key.startswith("-="):
            target.pop(key[2:], None)
        elif key.startswith("=="):
            target[key[2:]] = deepcopy(value)
        elif isinstance(value, dict) and isinstance(target.get(key), dict):
            merge(target[key], value)
        elif isinstance(value, dict):
            # A new object may itself carry deletion keys, which then have nothing to delete.
            target[key] = {}
            merge(target[key], value)
        else:
            target[key] = deepcopy(value)


def difference(source: Json, changes: Json) -> Json:
    """What of the expanded changes is not so already: no-op keys are dropped."""
    out: Json = {}
    for key, value in changes.items():
        if key.startswith("-="):
            if key[2:] in source:
                out[key] = value
        elif key.startswith("=="):
            if source.get(key[2:]) != value:
                out[key] = deepcopy(value)
        elif isinstance(value, dict) and isinstance(source.get(key), dict):
            inner = difference(source[key], value)
            if inner:
                out[key] = inner
        elif key not in source or source[key] != value or type(source[key]) is not type(value):
            if key in source and _same_number(source[key], value):
                continue
            out[key] = deepcopy(value)
    return out


def _same_number(left: Any, right: Any) -> bool:
    """JSON knows one kind of number: 1 and 1.0 are no difference, 1 and true are one."""
    numbers = (int, float)
    both = isinstance(left, numbers) and isinstance(right, numbers)
    return both and not isinstance(left, bool) and not isinstance(right, bool) and left == right


def get_path(source: Any, path: str) -> Any:
    """The value at a dotted path, or None."""
    for part in path.split("."):
        if not isinstance(source, dict) or part not in source:
            return None
        source = source[part]
    return source

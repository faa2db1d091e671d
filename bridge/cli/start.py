"""Where the command ``bridge`` begins: what services do all day takes a short way past the rest of the command line.

The short way knows ``bridge serve`` with options that are settings, ``bridge health`` and ``bridge --version``, and
needs none of the libraries behind the command line.  Whatever else is said, wrong words included, goes to ``app.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bridge

PATHS = ("data-dir", "tls-cert", "tls-key")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code (sysexits.h)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        print(bridge.__version__)
        return 0
    if words == ["health"]:
        return _health()
    found = options(words[1:]) if words[:1] == ["serve"] else None
    if found is None:
        from bridge.cli.app import main as whole

        return whole(words)
    from bridge.cli.serve import guarded, serve

    flags, config = found
    return guarded(lambda: serve(flags, config))


def options(words: Sequence[str]) -> tuple[dict[str, Any], Path | None] | None:
    """Read the options of ``bridge serve``: settings and the file with more of them; none if anything is unusual."""
    known = {"host", "port", "public-url", "log-level", "log-format", "on-corrupt", *PATHS}
    flags: dict[str, Any] = {}
    config = None
    rest = list(words)
    while rest:
        name, given, value = rest.pop(0).partition("=")
        if name == "--insecure-lan" and not given:
            flags["insecure_lan"] = True
            continue
        if not given:
            value = rest.pop(0) if rest else ""
        name = name.removeprefix("--") if name.startswith("--") else ""
        key = name.replace("-", "_")
        if not value or value.startswith("-") or key in flags:
            return None
        if name == "config" and config is None:
            config = Path(value)
        elif name not in known or (name == "port" and not value.isdecimal()):
            return None
        else:
            flags[key] = int(value) if name == "port" else str(Path(value)) if name in PATHS else value
    return flags, config


def _health() -> int:
    from bridge.cli.serve import guarded
    from bridge.health import ask
    from bridge.settings import load

    def run() -> int:
        well, said = ask(load().folder)
        print(said)
        return 0 if well else 69

    return guarded(run)

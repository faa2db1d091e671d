"""``bridge serve``, from the command line's words to a bridge that runs: only what a server needs is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bridge
from bridge.errors import SetupError
from bridge.settings import Settings, load

if TYPE_CHECKING:
    from bridge.auth import Window
    from bridge.server import Server


def serve(flags: Mapping[str, Any], config: Path | None) -> int:
    """Run the bridge until it is told to stop.

    Raises:
        SetupError: It cannot start; the sentence says what to do.

    """
    from bridge.process import run

    settings = load(flags, file=config)
    run(settings, lambda server: _announce(server, settings), _show_code)
    return 0


def guarded(run: Callable[[], int]) -> int:
    """Run a command and return its exit code; what the person has to do is one plain sentence."""
    try:
        return run()
    except SetupError as error:
        print(f"bridge: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        sys.stderr.close()
        return 0


def _announce(server: Server, settings: Settings) -> None:
    lines = [
        f"Condition Bridge {bridge.__version__} is running at {_bold(server.url)}. Stop it with Ctrl-C.",
        "",
        "Install the module in Foundry (Add-on Modules, Install Module) from this manifest address:",
        f"    {_bold(server.manifest_url)}",
        "Then switch it on in your world (Manage Modules) and reload.",
        "",
    ]
    if server.host.pairings.exist():
        lines.append("Pair another browser with: bridge pair")
    lines += [f"Data: {plain(str(settings.folder))}", "Help: bridge --help, and docs/ beside the README", ""]
    print("\n".join(lines), flush=True)


def _show_code(window: Window) -> None:
    print(f"Pairing code, to be typed in Foundry: {_bold(window.shown)}  (a new one: bridge pair)", flush=True)


def _bold(text: str) -> str:
    show = sys.stdout.isatty() and os.name == "posix" and not os.environ.get("NO_COLOR")
    return f"\x1b[1m{plain(text)}\x1b[0m" if show else plain(text)


def plain(text: str) -> str:
    """Return text that did not come from us without what a terminal would obey."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)

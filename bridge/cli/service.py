"""Commands for whoever runs the bridge as a service: its health, its settings, its log and the files of the module."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from bridge.cli import common
from bridge.cli.common import Config, DataDir
from bridge.errors import UnavailableError, UsageError
from bridge.settings import explain, load

Level = Literal["debug", "info", "warning", "error"]
LEVELS = ("debug", "info", "warning", "error")
AGAIN = 0.5
"""Seconds between two looks at a log that is followed."""


def add_to(app: App) -> None:
    """Teach the command line these commands."""
    app.command(health, help_epilogue=common.examples("bridge health", "bridge health --wait 20"))
    app.command(config, help_epilogue=common.examples("bridge config", "bridge config --changed"))
    app.command(logs, help_epilogue=common.examples("bridge logs", "bridge logs --level warning --lines 200"))
    app.command(module, help_epilogue=common.examples("bridge module ~/foundrydata/Data/modules/condition-bridge"))


def health(*, wait: float = 0.0, data_dir: DataDir = None, config: Config = None) -> int:
    """Say whether the running bridge is well; the exit code is 0 when it is.

    Parameters
    ----------
    wait:
        Seconds that it may take until it is, e.g. after a start.
    """
    from bridge import health

    well, said = health.wait(common.settings(data_dir, config).folder, wait)
    print(said)
    return 0 if well else UnavailableError.exit_code


def config(
    *,
    changed: Annotated[bool, Parameter(negative=())] = False,
    data_dir: DataDir = None,
    config: Config = None,
) -> int:
    """Show every setting in force and where it comes from; the text can go into a report, no secret is in it.

    Parameters
    ----------
    changed:
        Only those that are not as they come.
    """
    found = explain({"data_dir": common.text(data_dir)}, file=config)
    shown = [each for each in found if not changed or each.where != "default"]
    widths = [max((len(each[column]) for each in shown), default=0) for column in range(2)]
    for each in shown:
        print(f"{each.name:{widths[0]}}  {each.value:{widths[1]}}  {common.printable(each.where)}")
    return 0


def logs(
    *,
    lines: Annotated[int, Parameter(help="How many of the newest.")] = 50,
    level: Annotated[Level, Parameter(help="Only those that matter so much.")] = "debug",
    follow: Annotated[bool, Parameter(help="Go on with what comes, until Ctrl-C.", negative=())] = False,
    config: Config = None,
) -> int:
    """Show the newest lines of the log file, if the setting `log-file` names one."""
    settings = load(file=config)
    if not settings.log_file:
        message = (
            "The log goes where the bridge was started (the terminal, the journal of systemd, the log of the "
            "container). To have it in a file, set log-file (or BRIDGE_LOG_FILE) and start the bridge again."
        )
        raise UsageError(message)
    path = Path(settings.log_file).expanduser()
    wanted = LEVELS[LEVELS.index(level) :]
    for line in deque((line for line in _kept(path) if _level(line) in wanted), maxlen=max(0, lines)):
        print(_readable(line))
    if follow:
        for line in _coming(path):
            if _level(line) in wanted:
                print(_readable(line), flush=True)
    return 0


def module(folder: Path, /, *, config: Config = None) -> int:
    """Write the module's files into a folder, for a Foundry that cannot reach the bridge to install it.

    Parameters
    ----------
    folder:
        `Data/modules/condition-bridge` in Foundry's user data.
    """
    from bridge.address import base_url
    from bridge.module_files import ModuleFiles

    settings = load(file=config)
    ModuleFiles(base_url(settings, settings.port)).write_to(folder)
    print(f"Written to {common.printable(str(folder))}. Restart Foundry, or return to its setup, to see it.")
    return 0


def _kept(path: Path) -> Iterator[str]:
    from bridge.log import aside

    for file in (aside(path), path):
        try:
            with file.open(encoding="utf-8", errors="replace") as text:
                yield from text
        except FileNotFoundError:
            continue
        except OSError as error:
            message = f"The log file {file} cannot be read: {error}."
            raise UsageError(message) from error


def _coming(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", errors="replace") as text:
        text.seek(0, 2)
        while True:
            line = text.readline()
            if line:
                yield line
            else:
                sys.stdout.flush()
                time.sleep(AGAIN)


def _entry(line: str) -> dict[str, Any]:
    import msgspec

    try:
        found = msgspec.json.decode(line)
    except msgspec.DecodeError:
        return {"event": line.strip()}
    return found if isinstance(found, dict) else {"event": line.strip()}


def _level(line: str) -> str:
    return str(_entry(line).get("level", "error"))


def _readable(line: str) -> str:
    entry = _entry(line)
    when, level, what, trace = (str(entry.pop(name, "")) for name in ("ts", "level", "event", "exception"))
    rest = " ".join(f"{name}={value}" for name, value in entry.items())
    first = common.printable(f"{when[:19].replace('T', ' ')}  {level:7}  {what}  {rest}".rstrip())
    return "\n".join([first, *(f"    {common.printable(row)}" for row in trace.splitlines())])

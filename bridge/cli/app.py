"""The command ``bridge``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, CycloptsError, Parameter

import bridge
from bridge.cli import common, history, service, store
from bridge.cli.common import Config, DataDir
from bridge.cli.rulebook import rulebook
from bridge.errors import UsageError

if TYPE_CHECKING:
    from bridge.control import Command

Profile = Literal["v13+dnd5e-5.3", "v14+dnd5e-5.3", "v14+dnd5e-6"]


app = App(
    name="bridge",
    version=bridge.__version__,
    help="House-rule conditions for D&D 5e in Foundry VTT, decided by one engine beside the table.",
    help_epilogue="Start with `bridge serve`, or see it play without Foundry: `bridge demo`.",
    help_format="markdown",
    result_action="return_value",
    exit_on_error=False,
    print_error=True,
)
app.register_install_completion_command()
scenario = App(name="scenario", help="Play scenario files against the bridge.")
app.command(scenario)
store.add_to(app)
service.add_to(app)
history.add_to(app)
app.command(rulebook)


@app.command(help_epilogue=common.examples("bridge serve", "bridge serve --port 9000 --data-dir ./data"))
def serve(
    *,
    host: Annotated[str | None, Parameter(help="The address to listen on (default 127.0.0.1).")] = None,
    port: Annotated[int | None, Parameter(help="The port (default 8787); 0 takes any free one.")] = None,
    data_dir: DataDir = None,
    config: Config = None,
    public_url: Annotated[str | None, Parameter(help="How browsers reach it through a proxy.")] = None,
    allowed_hosts: Annotated[
        tuple[str, ...] | None, Parameter(help="Further names that it is reached by.", negative=())
    ] = None,
    tls_cert: Annotated[Path | None, Parameter(help="A certificate (PEM), to serve https and wss.")] = None,
    tls_key: Annotated[Path | None, Parameter(help="The certificate's key (PEM).")] = None,
    insecure_lan: Annotated[
        bool | None,
        Parameter(
            help="Listen beyond this computer without TLS: everyone in that network can read along.", negative=()
        ),
    ] = None,
    log_level: Literal["debug", "info", "warning", "error"] | None = None,
    log_format: Literal["auto", "console", "json"] | None = None,
    on_corrupt: Annotated[
        Literal["restore", "refuse"] | None,
        Parameter(help="What to do with a damaged database: set it aside and go on (default), or refuse to start."),
    ] = None,
) -> int:
    """Start the bridge and say what to do next.

    Every option is also a setting: `BRIDGE_PORT=9000`, or `port = 9000` in the settings file.
    """
    from bridge.cli import serve as server

    flags: dict[str, Any] = {
        "host": host,
        "port": port,
        "data_dir": common.text(data_dir),
        "public_url": public_url,
        "allowed_hosts": allowed_hosts,
        "tls_cert": common.text(tls_cert),
        "tls_key": common.text(tls_key),
        "insecure_lan": insecure_lan,
        "log_level": log_level,
        "log_format": log_format,
        "on_corrupt": on_corrupt,
    }
    return server.serve(flags, config)


@app.command(help_epilogue=common.examples("bridge demo", "bridge demo my-evening.toml"))
def demo(file: Path | None = None, /) -> int:
    """Play a short evening in the terminal, without Foundry.

    Parameters
    ----------
    file:
        A scenario file to play instead.
    """
    from bridge.table import demo as player

    common.quiet()
    return player.main(file)


@scenario.command(
    name="run",
    help_epilogue=common.examples("bridge scenario run tests/scenarios", "bridge scenario run bleeding.toml --verbose"),
)
def scenario_run(
    *paths: Path,
    verbose: Annotated[bool, Parameter(negative=())] = False,
    url: str | None = None,
    data_dir: DataDir = None,
    config: Config = None,
) -> int:
    """Play scenario files, or folders of them; the exit code is 0 when all pass.

    Parameters
    ----------
    paths:
        Files or folders.
    verbose:
        Show every step.
    url:
        A running bridge of this computer to play against, e.g. `ws://127.0.0.1:8787`.
    """
    from bridge.table import run as player

    if not paths:
        message = "Name at least one scenario file or folder: bridge scenario run PATH"
        raise UsageError(message)
    for path in paths:
        if not path.exists():
            message = f"There is no scenario {path}."
            raise UsageError(message)
    common.quiet()
    folder = common.settings(data_dir, config).folder if url else None
    return player.main(list(paths), verbose, url, folder=folder)


@app.command(help_epilogue=common.examples("bridge catalogue --profile v13+dnd5e-5.3 > catalogue.json"))
def catalogue(*, profile: Profile = "v14+dnd5e-6") -> int:
    """Print what every client holds about the conditions, as JSON.

    Parameters
    ----------
    profile:
        Which Foundry and dnd5e it is for.
    """
    import msgspec

    from bridge.engine.publish import publish
    from bridge.rules import rulebook

    text = msgspec.json.format(msgspec.json.encode(publish(rulebook(), profile)), indent=2)
    print(text.decode())
    return 0


@app.command(help_epilogue=common.examples("bridge pair"))
def pair(*, data_dir: DataDir = None, config: Config = None) -> int:
    """Let one more browser pair with the running bridge: shows a code to type in Foundry."""
    from bridge.control import Pair

    result = _ask(Pair(), data_dir, config)
    minutes = round(result["seconds"] / 60)
    common.console().print(f"Type this code in Foundry within {minutes} minutes: [bold]{result['code']}[/bold]")
    return 0


@app.command(help_epilogue=common.examples("bridge pairings"))
def pairings(*, data_dir: DataDir = None, config: Config = None) -> int:
    """List the browsers that are, or were, paired."""
    from rich.table import Column, Table

    from bridge.control import Pairings

    clients = _ask(Pairings(), data_dir, config)["clients"]
    if not clients:
        common.console().print("No browser is paired. Pair one with: bridge pair")
        return 0
    table = Table(Column("Browser", no_wrap=True), "User", "World", "Page", "Paired", "Last seen", "Revoked")
    for client in clients:
        table.add_row(
            *(common.plain(client[name]) for name in ("id", "name", "world_name", "origin")),
            *(_day(client[name]) for name in ("created", "seen", "revoked")),
        )
    common.console().print(table)
    return 0


@app.command(help_epilogue=common.examples("bridge revoke 3f2a9c0d1e4b5a67"))
def revoke(browser: str, /, *, data_dir: DataDir = None, config: Config = None) -> int:
    """Take a browser's key away; an open connection is cut at once.

    Parameters
    ----------
    browser:
        Its id, from `bridge pairings`.
    """
    from bridge.control import Revoke

    _ask(Revoke(browser), data_dir, config)
    common.console().print("Revoked.")
    return 0


@app.command(help_epilogue=common.examples("bridge rotate"))
def rotate(*, data_dir: DataDir = None, config: Config = None) -> int:
    """Make a new secret: every browser's key is void at once, for when one may be known; each must pair again."""
    from bridge.control import Rotate

    count = _ask(Rotate(), data_dir, config)["browsers"]
    what = "1 browser must" if count == 1 else f"{count} browsers must"
    common.console().print(f"There is a new secret. {what} pair again: bridge pair")
    return 0


@app.command(help_epilogue=common.examples("bridge forget 0c1d2e3f4a5b6c7d"))
def forget(world: str, /, *, data_dir: DataDir = None, config: Config = None) -> int:
    """Delete all that the bridge keeps of a world, its pairings included.  The world in Foundry is not touched.

    Parameters
    ----------
    world:
        Its id, from `bridge status`.
    """
    from bridge.control import Forget

    _ask(Forget(world), data_dir, config)
    common.console().print("Forgotten.")
    return 0


@app.command(help_epilogue=common.examples("bridge status"))
def status(*, data_dir: DataDir = None, config: Config = None) -> int:
    """Say how the bridge is."""
    from bridge.control import Health

    result = _ask(Health(), data_dir, config)
    console = common.console()
    console.print(f"Running at {result['url']}." if result["url"] else "Not running.")
    if result["trouble"]:
        console.print(common.plain(result["trouble"]), style="red")
    console.print(f"Paired browsers: {result['paired']}")
    for world in result["worlds"]:
        console.print(common.plain(f"World {world}{': connected' if world in result['connected'] else ''}"))
    return 0


@app.command(help_epilogue=common.examples("bridge stop"))
def stop(*, data_dir: DataDir = None, config: Config = None) -> int:
    """Stop the running bridge."""
    from bridge.control import Stop

    _ask(Stop(), data_dir, config)
    common.console().print("Stopping.")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code (sysexits.h)."""
    from bridge.cli.serve import guarded

    return guarded(lambda: _run(sys.argv[1:] if arguments is None else arguments))


def _run(arguments: Sequence[str]) -> int:
    try:
        result = app(arguments)
    except CycloptsError:
        # It has been printed already.
        return UsageError.exit_code
    return result if isinstance(result, int) else 0


def _ask(command: Command, data_dir: Path | None, config: Path | None) -> dict[str, Any]:
    from bridge.control import ask

    common.quiet()
    return ask(common.settings(data_dir, config).folder, command)


def _day(seconds: int) -> str:
    from datetime import datetime

    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M") if seconds else ""

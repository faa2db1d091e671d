"""The life of an installation, by the lines of `docs/operations.md` themselves, in an environment with the wheel alone."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from bridge import protocol
from tests.packaging.installed import PATIENCE, ROOT, environ, install
from tests.peer import ORIGIN, VERSIONS, Peer, picture, prove

PAGE = ROOT / "docs/operations.md"
EVENING = ROOT / "tests/scenarios/intoxicated/the-whole-evening-on-the-newest-table.toml"


def lines() -> list[str]:
    """The lines of the section, without their remarks."""
    text = PAGE.read_text(encoding="utf-8").partition("## From the first start to the last")[2]
    block = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    assert block
    return [line.partition("#")[0].strip() for line in block[1].splitlines() if line.strip()]


async def play(port: str, code: str) -> str:
    """A GM types the code; then somebody drinks until it shows.  Return the id of the browser."""
    async with connect(f"ws://127.0.0.1:{port}/", origin=ORIGIN, proxy=None) as socket:  # type: ignore[arg-type]
        peer = Peer(socket)
        challenge = await peer.until("challenge")
        await peer.send(protocol.Pair(VERSIONS, code, protocol.Table("w"), "gm-user", "Gamemaster"))
        paired = await peer.until("paired")
        await peer.send(prove(challenge["nonce"], paired["client"], paired["key"])[0])
        await peer.until("welcome")
        by = protocol.By("gm-user", gm=True)
        await peer.send(picture(1, "bors"), protocol.Drank(2, "drank-1", "Actor.bors", by, count=3))
        await peer.until("apply")
        return str(paired["client"])


@pytest.mark.skipif(os.name == "nt", reason="the lines are for a shell of Linux or macOS")
@pytest.mark.timeout(300)
def test_from_the_first_start_to_the_last(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    home = tmp_path / "venv"
    (tmp_path / "evening.toml").write_bytes(EVENING.read_bytes())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    env = environ() | {
        "HOME": str(tmp_path),
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "BRIDGE_PORT": port,
        "PYTHONUNBUFFERED": "1",
    }
    serving: list[subprocess.Popen[str]] = []
    said: dict[str, str] = {}
    client = ""
    try:
        for line in lines():
            if line.startswith("pipx install"):
                # As pipx does: an environment of its own; what the wheel needs is borrowed, nothing is fetched.
                install(wheel, home)
            elif line.startswith("pipx uninstall"):
                words = [
                    sys.executable,
                    "-m",
                    "pip",
                    "--python",
                    home / "bin/python",
                    "uninstall",
                    "-y",
                    line.split()[-1],
                ]
                subprocess.run(words, check=True, env=env, capture_output=True)
            elif line.endswith("&"):
                serving.append(subprocess.Popen(shlex.split(line[:-1]), cwd=tmp_path, env=env, text=True))
            else:
                found = subprocess.run(
                    shlex.split(line.replace("8787", port)),
                    cwd=tmp_path,
                    env=env,
                    timeout=PATIENCE,
                    check=False,
                    capture_output=True,
                    text=True,
                )
                assert found.returncode == 0, (line, found.stdout, found.stderr)
                said[line] = said.get(line, "") + found.stdout
                if line == "bridge pair":
                    code = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", found.stdout)
                    assert code
                    client = asyncio.run(play(port, code[0]))
        assert [it.wait(PATIENCE) for it in serving] == [0, 0, 0]
    finally:
        for it in serving:
            it.kill()
            it.wait(PATIENCE)
    assert "1 passed" in said["bridge scenario run evening.toml --url ws://127.0.0.1:8787"]
    # What was paired before the copy was made is paired after it has come back.
    assert client
    assert client in said["bridge pairings"]
    assert (tmp_path / "evening.json").stat().st_size > 0
    assert not (home / "bin/bridge").exists()
    assert (tmp_path / ".local/share/condition-bridge/bridge.db").is_file() or sys.platform == "darwin"

"""A bridge installed from the wheel alone, for the tests of this folder."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60.0
WINDOWS = os.name == "nt"


def install(wheel: Path, home: Path) -> Path:
    """Make a new environment with the wheel in it; return where its programs are.

    What the wheel requires is borrowed from the environment of the tests: nothing is fetched.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / ("Scripts/python.exe" if WINDOWS else "bin/python")
    words = ["-m", "pip", "--python", python, "install", "-qq", "--no-index", "--no-deps", wheel]
    subprocess.run([sys.executable, *words], check=True, env=environ())
    (packages,) = home.rglob("site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return python.parent


def environ() -> dict[str, str]:
    """Return an environment in which only the installed bridge can be found."""
    unwanted = ("BRIDGE_", "PYTHONPATH", "COVERAGE", "XDG_", "PIP_")
    return {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}


def run(words: Sequence[str | Path], where: Path) -> str:
    """Run a program to its end; return what it printed."""
    found = subprocess.run(
        words, cwd=where, env=environ(), timeout=PATIENCE, check=False, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


@contextlib.contextmanager
def serving(
    words: Sequence[str | Path], where: Path, env: Mapping[str, str] | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run a bridge for a while; give its address and its process."""
    env = environ() | {"PYTHONUNBUFFERED": "1", "XDG_CONFIG_HOME": str(where)} | dict(env or {})
    with subprocess.Popen(words, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as it:
        try:
            assert it.stdout is not None
            found = None
            while found is None and (line := it.stdout.readline()):
                found = re.search(r"running at (http://\S+)\.", line)
            assert found is not None, it.stderr.read() if it.stderr else ""
            yield found[1], it
        finally:
            it.terminate()
            it.communicate(timeout=PATIENCE)


def get(address: str) -> bytes:
    """Return what is at an address."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=PATIENCE) as answer:
        return answer.read()

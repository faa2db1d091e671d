"""A server in a process of its own, and what the system says of it."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Subject:
    """One server that runs."""

    def __init__(self, process: subprocess.Popen[str], port: int, keys: list[tuple[str, str]]) -> None:
        self._process = process
        self.pid = process.pid
        self.port = port
        self.keys = keys

    def cpu(self) -> float:
        """Seconds of processor time, of all its threads."""
        tasks = Path(f"/proc/{self.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9

    def lag(self) -> float:
        """Milliseconds that its loop was late since this was asked last, in the 99th percentile."""
        assert self._process.stdout is not None
        self._process.send_signal(signal.SIGUSR1)
        late: float = json.loads(self._process.stdout.readline())["lag"]
        return late

    def memory(self) -> int:
        """Bytes that are its own, and its share of what it has in common with others."""
        text = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return next(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:"))


@contextlib.contextmanager
def running(*words: str | Path) -> Iterator[Subject]:
    """Run a server for a while; ``words`` are those of ``bench/serve.py``."""
    command = [sys.executable, ROOT / "bench/serve.py", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=_environ()) as process:
        assert process.stdout is not None
        try:
            said = json.loads(process.stdout.readline())
            yield Subject(process, said["port"], [(id, key) for id, key in said.get("keys", [])])
        finally:
            process.kill()
            process.wait()


def _environ() -> dict[str, str]:
    import os

    return {name: value for name, value in os.environ.items() if not name.startswith("BRIDGE_")} | {
        "PYTHONPATH": str(ROOT)
    }

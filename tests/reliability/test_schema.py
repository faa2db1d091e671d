"""Made-up requests, after a description of what the bridge answers over plain HTTP (``openapi.json``)."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bridge.host import Host
from bridge.http import Site
from bridge.server import Server
from tests.peer import ORIGIN, running
from tests.reliability.counts import SEED, count

TOOL = shutil.which("schemathesis", path=str(Path(sys.executable).parent)) or shutil.which("schemathesis")
DESCRIPTION = Path(__file__).with_name("openapi.json")
pytestmark = [
    pytest.mark.skipif(TOOL is None, reason="schemathesis is not installed"),
    pytest.mark.timeout(7200),
]
OPERATIONS = 5
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "unsupported_method,allow_header_conformance"
)


async def verdict(server: Server, folder: Path, examples: int, *more: str) -> tuple[int, int, str]:
    """Return the exit code, how many requests were made, and all that was said."""
    process = await asyncio.create_subprocess_exec(
        *(str(TOOL), "run", str(DESCRIPTION), "--url", f"http://127.0.0.1:{server.port}", "--checks", CHECKS),
        *("--max-examples", str(examples), "--seed", str(SEED), "--phases", "examples,coverage,fuzzing"),
        *more,
        *("--no-color", "--warnings", "off", "--generation-database", "none"),
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    text = said.decode()
    made = re.search(r"(\d+) generated", text)
    assert process.returncode is not None
    return process.returncode, int(made[1]) if made else 0, text


async def test_every_answer_is_one_that_is_described(tmp_path: Path) -> None:
    wanted = count(500, 5000)
    with Host.open() as host, capture_logs() as logs:
        host.pair(world="w", origin=ORIGIN)
        async with running(host) as server:
            code, made, text = await verdict(server, tmp_path, wanted // OPERATIONS)
    assert code == 0, text
    assert made >= wanted, text
    assert [entry for entry in logs if entry["log_level"] in {"error", "critical"}] == []


async def test_an_answer_that_is_not_described_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Site, "_health", Site._index)
    with Host.open() as host:
        async with running(host) as server:
            code, _, text = await verdict(server, tmp_path, 1, "--include-path", "/healthz")
    assert code == 1, text

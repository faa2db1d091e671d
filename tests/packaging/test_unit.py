"""The unit of systemd: systemd finds no fault with it, and it lets the bridge do little beyond its task."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bridge.errors import ConfigError, LockedError, RefusedError, StoreError, UnavailableError, UsageError
from tests.packaging.installed import ROOT

UNIT = ROOT / "packaging" / "condition-bridge.service"


def setting(name: str) -> str:
    return dict(re.findall(r"(?m)^(\w+)=(.*)$", UNIT.read_text(encoding="utf-8")))[name]


def test_it_is_not_started_again_where_somebody_has_to_act() -> None:
    codes = set(map(int, setting("RestartPreventExitStatus").split()))
    assert codes == {kind.exit_code for kind in (UsageError, RefusedError, ConfigError)}
    assert not codes & {kind.exit_code for kind in (UnavailableError, StoreError, LockedError)}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
class TestSystemd:
    def test_it_finds_no_fault(self, installed: Path, tmp_path: Path) -> None:
        unit = tmp_path / UNIT.name
        text = UNIT.read_text(encoding="utf-8")
        unit.write_text(text.replace("/opt/condition-bridge/bin", str(installed)), encoding="utf-8")
        found = subprocess.run(["systemd-analyze", "verify", unit], check=False, capture_output=True, text=True)
        assert (found.returncode, found.stderr) == (0, "")
        unit.write_text(unit.read_text().replace("Restart=on-failure", "Restart=perhaps"))
        found = subprocess.run(["systemd-analyze", "verify", unit], check=False, capture_output=True, text=True)
        assert "perhaps" in found.stderr

    def test_it_finds_it_well_locked_up(self) -> None:
        words = ["systemd-analyze", "security", "--offline=true", "--json=short", UNIT]
        found = subprocess.run([*words, "--threshold=20"], check=False, capture_output=True, text=True)
        assert found.returncode == 0, [row for row in json.loads(found.stdout) if not row.get("set")]

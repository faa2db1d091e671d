"""The module's hooks under dnd5e's own code, where that can be had: it ties the stand-in to the real system.

`CONDITION_BRIDGE_SHARED` names a folder with `dnd5e-harness`, `DND5E_DIR` a checkout of dnd5e. The harness needs jsdom
beside it or in this project's `node_modules`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.table import MODULE, ROOT

CHECKS = Path(__file__).parent / "under_dnd5e"


def harness(folder: Path) -> tuple[Path, Path]:
    """A copy of the harness that finds its one dependency, and the checkout of dnd5e."""
    shared, system = (os.environ.get(name) for name in ("CONDITION_BRIDGE_SHARED", "DND5E_DIR"))
    source = Path(shared) / "dnd5e-harness" if shared else None
    # What is not part of this project cannot be asked for: pytest's summary (-ra) names what was left out.
    if source is None or not source.is_dir():
        pytest.skip("CONDITION_BRIDGE_SHARED names no folder with dnd5e-harness")
    if system is None or not (Path(system) / "dnd5e.mjs").is_file():
        pytest.skip("DND5E_DIR names no checkout of dnd5e")
    found = [place for place in (source / "node_modules", ROOT / "node_modules") if (place / "jsdom").is_dir()]
    if not found:
        pytest.skip("jsdom is not installed beside the harness or in node_modules")
    copy = folder / "harness"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("node_modules"))
    copy.chmod(0o755)
    (copy / "node_modules").symlink_to(found[0])
    return copy, Path(system)


@pytest.mark.timeout(180)
def test_the_modules_hooks_under_the_systems_own_code(tmp_path: Path) -> None:
    copy, system = harness(tmp_path)
    node = shutil.which("node")
    assert node
    run = subprocess.run(
        [node, "run.mjs", "--dnd5e", system, "--module", MODULE, "--checks", CHECKS],
        cwd=copy,
        capture_output=True,
        check=False,
        text=True,
        timeout=150,
    )
    failed = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "  boot error"))]
    assert not failed, "\n".join(failed)
    passed = re.search(r"(\d+) passed, 0 failed", run.stdout)
    assert passed, run.stdout[-2000:] + run.stderr[-2000:]
    assert int(passed[1]) > 20

"""The rules are proved: every branch is reached by their own tests, and no change in them goes unseen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MEASURED = "bridge/engine/*,bridge/rules/*"


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module in the root of the project."""
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, env=os.environ | env, capture_output=True, text=True, check=False
    )


@pytest.mark.long
@pytest.mark.timeout(600)
def test_every_branch_of_engine_and_rules_is_reached_by_their_own_tests(tmp_path: Path) -> None:
    data = {"COVERAGE_FILE": str(tmp_path / "coverage")}
    tests = ("pytest", "-q", "-p", "no:cacheprovider", "--deselect", "tests/engine/test_laws.py")
    done = run("coverage", "run", "--branch", "-m", *tests, "tests/engine", "tests/rules", **data)
    assert done.returncode == 0, done.stdout
    found = run("coverage", "report", "--show-missing", "--fail-under=100", f"--include={MEASURED}", **data)
    assert found.returncode == 0, found.stdout
    # The control: a few of these tests do not reach everything.
    data["COVERAGE_FILE"] += "-of-fewer"
    fewer = run("coverage", "run", "--branch", "-m", *tests, "tests/engine/test_state.py", **data)
    assert fewer.returncode == 0, fewer.stdout
    assert run("coverage", "report", "--fail-under=100", f"--include={MEASURED}", **data).returncode == 2


@pytest.mark.long
@pytest.mark.timeout(14_400)
def test_no_change_of_a_rule_goes_unseen() -> None:
    done = run("tools.mutants")
    assert done.returncode == 0, done.stdout

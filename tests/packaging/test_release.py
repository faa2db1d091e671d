"""Cutting a release, on a copy of this project."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.packaging.installed import ROOT
from tools import release

SOURCES = ["bridge", "foundry-module", "tools", "docs", "tests/scenarios", "tests/rules", "tests/data"]
FILES = ["pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in SOURCES:
        shutil.copytree(ROOT / name, root / name, ignore=unwanted)
    for name in FILES:
        shutil.copy(ROOT / name, root / name)
    changelog = root / "CHANGELOG.md"
    changelog.write_text("# Changelog\n\n## [Unreleased]\n\n- News.\n", encoding="utf-8")
    release.git(root, "init", "--quiet")
    for name, value in {"user.name": "A Releaser", "user.email": "releaser@example.org", "commit.gpgsign": "0"}.items():
        release.git(root, "config", name, value)
    release.git(root, "add", ".")
    release.git(root, "commit", "--quiet", "--message", "All of it")
    return root


def test_a_release_is_one_commit_with_a_tag_and_its_files(checkout: Path) -> None:
    names = release.release(checkout, "9.8.7", "2031-02-03")
    assert names == [
        "condition-bridge.zip",
        "condition_bridge-9.8.7-py3-none-any.whl",
        "condition_bridge-9.8.7.tar.gz",
        "module.json",
    ]
    assert release.git(checkout, "describe", "--exact-match") == "v9.8.7"
    assert release.git(checkout, "status", "--porcelain") == ""
    assert "## [Unreleased]\n\n## [9.8.7] - 2031-02-03\n\n- News." in (checkout / "CHANGELOG.md").read_text()
    assert '"version": "9.8.7"' in (checkout / "docs/protocol.md").read_text()
    assert json.loads((checkout / "dist/module.json").read_bytes())["version"] == "9.8.7"
    for version, why in {"9.8.7": "tag", "9.8.6": "comes after", "9.9": "comes after", "9.9.0": "nothing"}.items():
        with pytest.raises(release.Refused, match=why):
            release.release(checkout, version, "2031-02-03")
        assert release.git(checkout, "status", "--porcelain") == ""


def test_no_release_is_made_of_what_is_not_committed(checkout: Path) -> None:
    (checkout / "LICENSE").write_text("mine")
    with pytest.raises(release.Refused, match="not committed"):
        release.release(checkout, "9.8.7", "2031-02-03")

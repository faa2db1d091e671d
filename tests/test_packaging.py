"""What is released: built the same every time, and a bridge installed from the wheel alone is whole."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

import bridge
from tools import dist, release

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60.0
WINDOWS = os.name == "nt"
SOURCES = ["bridge", "foundry-module", "tools", "docs", "tests/scenarios", "tests/rules", "tests/data"]
FILES = ["pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".gitignore"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    dist.build(out)
    return out


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it; its requirements are borrowed, nothing is fetched."""
    home = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = home / ("Scripts/python.exe" if WINDOWS else "bin/python")
    (wheel,) = built.glob("*.whl")
    words = ["-m", "pip", "--python", python, "install", "-qq", "--no-index", "--no-deps", wheel]
    subprocess.run([sys.executable, *words], check=True, env=environ())
    (packages,) = home.rglob("site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return python.parent


def environ() -> dict[str, str]:
    unwanted = ("BRIDGE_", "PYTHONPATH", "COVERAGE", "XDG_", "PIP_")
    return {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}


def run(installed: Path, where: Path, *words: str) -> str:
    words = (str(installed / words[0]), *words[1:])
    said = {"capture_output": True, "text": True}
    found = subprocess.run(words, cwd=where, env=environ(), timeout=PATIENCE, check=False, **said)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_the_installed_bridge_is_the_one_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = run(installed, tmp_path, "python", "-c", "import bridge; print(bridge.__file__)")
    assert str(ROOT) not in where
    assert str(installed.parent) in where


def test_it_says_its_version_and_plays_the_demo(installed: Path, tmp_path: Path) -> None:
    assert run(installed, tmp_path, "bridge", "--version") == f"{bridge.__version__}\n"
    assert "Bleeding" in run(installed, tmp_path, "bridge", "demo")


@contextlib.contextmanager
def serving(installed: Path, where: Path) -> Iterator[str]:
    words = [installed / "bridge", "serve", "--port", "0", "--data-dir", where / "data"]
    env = environ() | {"PYTHONUNBUFFERED": "1", "XDG_CONFIG_HOME": str(where)}
    with subprocess.Popen(words, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as it:
        try:
            assert it.stdout is not None
            found = None
            while found is None and (line := it.stdout.readline()):
                found = re.search(r"running at (http://\S+)\.", line)
            assert found is not None, it.stderr.read() if it.stderr else ""
            yield found[1]
        finally:
            it.terminate()
            it.communicate(timeout=PATIENCE)


def get(address: str) -> bytes:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=PATIENCE) as answer:
        return answer.read()


def test_it_serves_and_hands_out_the_module_of_its_version(installed: Path, built: Path, tmp_path: Path) -> None:
    with serving(installed, tmp_path) as url:
        assert json.loads(get(f"{url}/healthz")) == {"status": "ok"}
        manifest = json.loads(get(f"{url}/module/module.json"))
        assert manifest["version"] == bridge.__version__
        served = zipfile.ZipFile(BytesIO(get(manifest["download"])))
        released = zipfile.ZipFile(built / dist.ZIP)
        assert served.namelist() == released.namelist()
        assert served.testzip() is None
        assert all(served.read(name) == released.read(name) for name in served.namelist() if name != "module.json")


def test_the_wheel_is_typed_licensed_and_holds_no_test(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "bridge/py.typed" in names
    assert "bridge/foundry-module/module.json" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"bridge", "condition_bridge"}


def test_the_same_files_are_the_same_bytes(built: Path, tmp_path: Path) -> None:
    dist.build(tmp_path)
    made = {path.name: path.read_bytes() for path in built.iterdir()}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == made
    assert len(made) == 4


def test_a_released_manifest_says_where_it_and_its_zip_will_be(tmp_path: Path) -> None:
    where = {"manifest": "https://example.org/module.json", "download": "https://example.org/{version}/it.zip"}
    dist.build(tmp_path, where)
    manifest = json.loads((tmp_path / "module.json").read_bytes())
    assert manifest["manifest"] == "https://example.org/module.json"
    assert manifest["download"] == f"https://example.org/{bridge.__version__}/it.zip"
    assert zipfile.ZipFile(tmp_path / dist.ZIP).read("module.json") == (tmp_path / "module.json").read_bytes()


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

"""What is released: built the same every time, and a bridge installed from the wheel alone is whole."""

from __future__ import annotations

import json
import re
import zipfile
from io import BytesIO
from pathlib import Path

import bridge
from tests.packaging.installed import ROOT, get, run, serving
from tools import dist


def test_the_installed_bridge_is_the_one_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = run([installed / "python", "-c", "import bridge; print(bridge.__file__)"], tmp_path)
    assert str(ROOT) not in where
    assert str(installed.parent) in where


def test_it_says_its_version_and_plays_the_demo(installed: Path, tmp_path: Path) -> None:
    assert run([installed / "bridge", "--version"], tmp_path) == f"{bridge.__version__}\n"
    assert "Bleeding" in run([installed / "bridge", "demo"], tmp_path)


def test_it_serves_and_hands_out_the_module_of_its_version(installed: Path, built: Path, tmp_path: Path) -> None:
    words = [installed / "bridge", "serve", "--port", "0", "--data-dir", tmp_path / "data"]
    with serving(words, tmp_path) as (url, _):
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


def test_the_module_says_whose_each_icon_and_rule_is() -> None:
    module = ROOT / "foundry-module"
    assert (module / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    notice = (module / "NOTICE.md").read_text(encoding="utf-8")
    assert "Creative Commons Attribution 4.0" in notice
    named = set(re.findall(r"icons/[\w-]+\.svg", notice))
    levels = {f"icons/intoxicated-{level}.svg" for level in range(1, 7)}
    assert named | levels == {path.relative_to(module).as_posix() for path in (module / "icons").iterdir()}


def test_the_same_files_are_the_same_bytes(tmp_path: Path) -> None:
    one, other = ({path.name: path.read_bytes() for path in dist.build(tmp_path / name)} for name in ("one", "other"))
    assert one == other
    assert len(one) == 4


def test_a_released_manifest_says_where_it_and_its_zip_will_be(tmp_path: Path) -> None:
    where = {"manifest": "https://example.org/module.json", "download": "https://example.org/{version}/it.zip"}
    dist.build(tmp_path, where)
    manifest = json.loads((tmp_path / "module.json").read_bytes())
    assert manifest["manifest"] == "https://example.org/module.json"
    assert manifest["download"] == f"https://example.org/{bridge.__version__}/it.zip"
    assert zipfile.ZipFile(tmp_path / dist.ZIP).read("module.json") == (tmp_path / "module.json").read_bytes()

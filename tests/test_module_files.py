from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

import bridge
from bridge import module_files
from bridge.errors import StoreError
from bridge.module_files import ModuleFiles, folder

BASE = "http://127.0.0.1:8787"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "module.json").write_text(
        '{"id": "condition-bridge", "version": "0.0.0", "esmodules": ["scripts/a.mjs"]}'
    )
    (tmp_path / "scripts" / "a.mjs").write_text("export {};\n")
    (tmp_path / ".hidden").touch()
    (tmp_path / "types.d.ts").touch()
    return tmp_path


def test_the_real_module_is_found_and_is_ours() -> None:
    files = ModuleFiles(BASE)
    manifest = json.loads(files.manifest)
    assert manifest["id"] == "condition-bridge"
    archive = zipfile.ZipFile(io.BytesIO(files.zip))
    assert archive.testzip() is None
    assert set(manifest["esmodules"]) <= set(archive.namelist())
    assert (folder() / "module.json").is_file()


def test_the_manifest_carries_this_version_and_where_to_get_it(source: Path) -> None:
    files = ModuleFiles(BASE, source)
    manifest = json.loads(files.manifest)
    assert manifest["version"] == bridge.__version__
    assert manifest["manifest"] == files.manifest_url == f"{BASE}/module/module.json"
    assert manifest["download"] == f"{BASE}/module/condition-bridge.zip"
    assert zipfile.ZipFile(io.BytesIO(files.zip)).read("module.json") == files.manifest


def test_the_zip_holds_the_modules_files_and_nothing_else(source: Path) -> None:
    names = zipfile.ZipFile(io.BytesIO(ModuleFiles(BASE, source).zip)).namelist()
    assert names == ["module.json", "scripts/a.mjs"]


def test_a_link_out_of_the_folder_is_not_followed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret"
    outside.write_text("secret")
    (source / "scripts" / "link.mjs").symlink_to(outside)
    assert "scripts/link.mjs" not in zipfile.ZipFile(io.BytesIO(ModuleFiles(BASE, source).zip)).namelist()


def test_the_same_files_make_the_same_zip_whenever_and_whoever_wrote_them(source: Path) -> None:
    before = ModuleFiles(BASE, source).zip
    for path in source.rglob("*.mjs"):
        path.touch()
        path.chmod(0o600)
    assert ModuleFiles(BASE, source).zip == before


def test_without_its_files_the_bridge_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_files, "FOLDER", "nowhere")
    with pytest.raises(StoreError, match="Install the bridge again"):
        folder()

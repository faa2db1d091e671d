"""The Foundry module as Foundry installs it: a manifest and a zip, made in memory and the same on every machine."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

import bridge
from bridge.errors import RefusedError, StoreError

FOLDER = "foundry-module"
ID = "condition-bridge"
MANIFEST = "module.json"
MANIFEST_PATH = "/module/module.json"
ZIP_PATH = "/module/condition-bridge.zip"

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold: the same files make the same zip."""
_UNWANTED = frozenset({"types.d.ts"})


def folder() -> Path:
    """Return where the module's files are: in an installed package, or in a checkout.

    Raises:
        StoreError: They are in neither.

    """
    package = Path(bridge.__file__).parent
    for found in (package / FOLDER, package.parent / FOLDER):
        if (found / MANIFEST).is_file():
            return found
    message = "The Foundry module's files are missing. Install the bridge again."
    raise StoreError(message)


class ModuleFiles:
    """The manifest and the zip for one address of the bridge.

    ``base``: how Foundry reaches the bridge, without a slash at the end; from the settings, never from a request.
    """

    def __init__(self, base: str, source: Path | None = None) -> None:
        self.manifest_url = base + MANIFEST_PATH
        # Read now, so that a bridge that is updated while it runs never serves a mixture.
        self._files = read(source or folder())
        self.manifest = stamped(self._files, {"manifest": self.manifest_url, "download": base + ZIP_PATH})

    @cached_property
    def zip(self) -> bytes:
        """The zip, made when it is first asked for."""
        return zipped(self._files, self.manifest)

    def write_to(self, target: Path) -> None:
        """Put the module into a folder of Foundry, in the place of an earlier one.

        Raises:
            RefusedError: Something else is there.
            StoreError: It cannot be written.

        """
        try:
            there = set(read(target)) if target.is_dir() else set()
            if there and not _is_ours(target):
                message = f"{target} holds something else. Name the folder Data/modules/condition-bridge of Foundry."
                raise RefusedError(message)
            for name, content in self._files.items():
                path = target / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(self.manifest if name == MANIFEST else content)
            for name in there - self._files.keys():
                (target / name).unlink()
        except OSError as error:
            message = f"The module cannot be written: {error}."
            raise StoreError(message) from error


def _is_ours(target: Path) -> bool:
    try:
        found = msgspec.json.decode((target / MANIFEST).read_bytes())
    except (OSError, msgspec.DecodeError):
        return False
    return isinstance(found, dict) and found.get("id") == ID


def read(source: Path) -> dict[str, bytes]:
    """Return the module's files by name, in order."""
    paths = {path.relative_to(source).as_posix(): path for path in source.rglob("*")}
    return {
        name: paths[name].read_bytes()
        for name in sorted(paths)
        if name not in _UNWANTED and not name.startswith(".") and paths[name].is_file() and not paths[name].is_symlink()
    }


def stamped(files: Mapping[str, bytes], addresses: Mapping[str, str]) -> bytes:
    """Return the manifest with this version, and with where it and the zip are to be had."""
    found = msgspec.json.decode(files[MANIFEST], type=dict[str, Any])
    return msgspec.json.format(msgspec.json.encode(found | {"version": bridge.__version__, **addresses})) + b"\n"


def zipped(files: Mapping[str, bytes], manifest: bytes) -> bytes:
    """Return a zip of the files with this manifest: the same bytes, whenever and wherever it is made."""
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, manifest if name == MANIFEST else content)
    return buffer.getvalue()

"""The Foundry module as Foundry installs it: a manifest and a zip, made in memory and the same on every machine."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import msgspec

import bridge
from bridge.errors import StoreError

FOLDER = "foundry-module"
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
        source = source or folder()
        self.manifest_url = base + MANIFEST_PATH
        stamped = msgspec.json.decode((source / MANIFEST).read_bytes(), type=dict[str, Any]) | {
            "version": bridge.__version__,
            "manifest": self.manifest_url,
            "download": base + ZIP_PATH,
        }
        self.manifest = msgspec.json.format(msgspec.json.encode(stamped)) + b"\n"
        self.zip = _zipped(source, self.manifest)


def _zipped(source: Path, manifest: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(source.rglob("*"), key=lambda path: path.relative_to(source).as_posix()):
            name = path.relative_to(source).as_posix()
            if not path.is_file() or path.is_symlink() or name in _UNWANTED or name.startswith("."):
                continue
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, manifest if name == MANIFEST else path.read_bytes())
    return buffer.getvalue()

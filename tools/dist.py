"""What a release is made of: `make dist` writes the wheel, the source archive and the Foundry module into `dist/`.

The same commit makes the same bytes, whenever and wherever it is built.
"""

import argparse
import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import bridge
from bridge.module_files import MANIFEST, folder, read, stamped, zipped

ROOT = Path(__file__).resolve().parent.parent
ZIP = "condition-bridge.zip"


def build(out: Path, addresses: dict[str, str] | None = None) -> list[Path]:
    """Build all of it into a folder; return the files.

    ``addresses``: ``manifest``, where this manifest will always be found in its newest version, and ``download``, where
    this version's zip will be; ``{version}`` stands for the version.
    """
    out.mkdir(parents=True, exist_ok=True)
    for old in out.iterdir():
        if old.suffix in {".whl", ".gz", ".zip", ".json"}:
            old.unlink()
    with _in_root():
        from hatchling import build as backend

        made = [out / backend.build_wheel(str(out.resolve())), out / backend.build_sdist(str(out.resolve()))]
    files = read(folder())
    where = {name: address.replace("{version}", bridge.__version__) for name, address in (addresses or {}).items()}
    manifest = stamped(files, where)
    for name, content in {MANIFEST: manifest, ZIP: zipped(files, manifest)}.items():
        (out / name).write_bytes(content)
        made.append(out / name)
    return made


@contextlib.contextmanager
def _in_root() -> Iterator[None]:
    """A build backend looks for pyproject.toml where it is called."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        yield
    finally:
        os.chdir(before)


def main(arguments: list[str]) -> int:
    """Build, and say what was made."""
    parser = argparse.ArgumentParser(prog="make dist", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where to (default: dist)")
    parser.add_argument("--manifest-url", help="where Foundry will find the newest module.json")
    parser.add_argument("--download-url", help="where Foundry will find this version's zip; {version} is filled in")
    options = parser.parse_args(arguments)
    addresses = {"manifest": options.manifest_url, "download": options.download_url}
    for path in build(options.out, {name: address for name, address in addresses.items() if address}):
        content = path.read_bytes()
        print(f"{hashlib.sha256(content).hexdigest()}  {path.name}  {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

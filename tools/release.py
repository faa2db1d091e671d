"""Cut a release: `make release VERSION=1.2.3` shows what it would be, `ARGS=--yes` makes it.

The version stands in one place, `bridge/__init__.py`; the changelog gets its heading, what is generated is generated,
the files are built into `dist/`, and all of it is committed and tagged.  Nothing is published.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION_FILE = "bridge/__init__.py"
CHANGELOG = "CHANGELOG.md"
HEADING = "## [Unreleased]\n"
SEMANTIC = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
STATED = re.compile(r'(?m)^__version__ = "(.*)"$')


class Refused(Exception):
    """Why no release is made."""


def release(root: Path, version: str, day: str) -> list[str]:
    """Make a release in a checkout; return the names of the files that were built.

    Raises:
        Refused: The version does not fit, the tree is not clean, or there is nothing to release.

    """
    if git(root, "status", "--porcelain"):
        raise Refused("There are changes that are not committed. Commit them first.")
    if git(root, "tag", "--list", f"v{version}"):
        raise Refused(f"There is a tag v{version} already.")
    source, changelog = root / VERSION_FILE, root / CHANGELOG
    first = not git(root, "tag", "--list", "v*")
    written = {
        source: with_version(source.read_text(encoding="utf-8"), version, first=first),
        changelog: with_heading(changelog.read_text(encoding="utf-8"), version, day),
    }
    for path, text in written.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    python(root, "-m", "tools.generated")
    python(root, "-m", "tools.dist")
    git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
    git(root, "tag", "--annotate", "--message", f"Condition Bridge {version}", f"v{version}")
    return sorted(path.name for path in (root / "dist").iterdir())


def with_version(text: str, version: str, *, first: bool) -> str:
    """Put a version in the place of an earlier one; the ``first`` release may be the one that is there."""
    stated = STATED.search(text)
    now, new = parts(stated[1]) if stated else None, parts(version)
    if stated is None or now is None or new is None or new < now or (new == now and not first):
        there = stated[1] if stated else "nothing"
        raise Refused(f"{version} is not a version that comes after {there} (like 1.2.3).")
    return STATED.sub(f'__version__ = "{version}"', text)


def with_heading(text: str, version: str, day: str) -> str:
    """Turn what is not released yet into this release."""
    before, heading, after = text.partition(HEADING)
    news = re.split(r"(?m)^## ", after)[0].strip()
    if not heading or not news:
        raise Refused("The changelog has nothing under [Unreleased]: say what changes for GMs.")
    return f"{before}{HEADING}\n## [{version}] - {day}\n{after}"


def parts(version: str) -> tuple[int, ...] | None:
    """Return the three numbers of a version."""
    found = SEMANTIC.fullmatch(version)
    return tuple(map(int, found.groups())) if found else None


def git(root: Path, *words: str) -> str:
    """Run git and return what it says."""
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def python(root: Path, *words: str) -> None:
    """Run this Python in a checkout, whose own code it then imports."""
    subprocess.run([sys.executable, *words], cwd=root, check=True, stdout=subprocess.DEVNULL)


def main(arguments: list[str]) -> int:
    """Show a release, or make it."""
    parser = argparse.ArgumentParser(prog="make release VERSION=x.y.z", description=__doc__)
    parser.add_argument("version")
    parser.add_argument("--yes", action="store_true", help="make it; without this it is only shown")
    options = parser.parse_args(arguments)
    day = datetime.now(UTC).date().isoformat()
    try:
        if options.yes:
            built = release(ROOT, options.version, day)
            print(f"Released {options.version}: {', '.join(built)} in dist/.")
            print(f"Publish it with: git push --follow-tags, and the files of dist/ beside the tag v{options.version}.")
            return 0
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            git(ROOT, "clone", "--quiet", "--no-hardlinks", str(ROOT), str(copy))
            built = release(copy, options.version, day)
            print(git(copy, "show", "--stat", "--patch", "--format=%s"))
        print(f"\nBuilt: {', '.join(built)}")
        print(f"Nothing was changed. To make it: make release VERSION={options.version} ARGS=--yes")
    except Refused as refused:
        print(f"No release: {refused}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Public bug reports and questions, and what shows them right here: writes docs/cases.md; `--check` only looks.

A scenario or a test belongs to a case when a comment in it names the case's address: anywhere in a scenario, above or
inside a test.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/cases.md"

COMMENT = re.compile(r"^\s*#")
ADDRESS = re.compile(r"https?://[^\s<>\"'`]+[^\s<>\"'`.,;:)]")
GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/(issues|pull)/(\d+)$")
PYTHON_TEST = re.compile(r"^\s*(?:async )?def (test_\w+)")
HEAD = """\
# Cases

*Generated from the comments in `tests/` by `python -m tools.cases`; do not edit.*

Other people met these faults, or asked these questions, before us. Each row says where, and which scenario or test
shows that it is right here: not the one instance only, but its kind.

| public source | what is shown here |
| --- | --- |
"""


class Shown(NamedTuple):
    """What a file shows of a case."""

    address: str
    words: str
    path: str


def found() -> Iterator[Shown]:
    """Every address in a comment of a test."""
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix != ".toml" and not re.match(r"test_.*\.py$", path.name):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if COMMENT.match(line):
                for address in ADDRESS.findall(line):
                    yield Shown(address, _words(path, lines, number), path.relative_to(ROOT).as_posix())


def _words(path: Path, lines: list[str], number: int) -> str:
    if path.suffix == ".toml":
        return str(tomllib.loads("\n".join(lines))["title"])
    names = [(n, match.group(1)) for n, line in enumerate(lines) if (match := PYTHON_TEST.match(line))]
    # A comment stands above its test, or inside it; decorators may stand between.
    below = [name for n, name in names if n > number and not any(_is_code(line) for line in lines[number + 1 : n])]
    above = [name for n, name in names if n < number]
    name = below[0] if below else above[-1] if above else path.stem
    return name.removeprefix("test_").replace("_", " ").capitalize()


def _is_code(line: str) -> bool:
    """Tell whether a line is the body of something, not a comment or a decorator over several lines."""
    return line.startswith("    ") and bool(re.match(r"\s+(?:assert|return|with|for|if|\w+ =|\(?await)\b", line))


def page() -> str:
    """docs/cases.md as it must be."""
    cases: dict[str, list[Shown]] = {}
    for shown in found():
        files = cases.setdefault(shown.address, [])
        if shown not in files:
            files.append(shown)
    lines = [
        f"| [{_name(address)}]({address}) | {'<br>'.join(_link(shown) for shown in cases[address])} |"
        for address in sorted(cases, key=lambda address: (not GITHUB.match(address), _order(address)))
    ]
    return HEAD + "\n".join(lines) + "\n"


def _name(address: str) -> str:
    if match := GITHUB.match(address):
        repository, kind, number = match.groups()
        return f"{repository} {'pull request ' if kind == 'pull' else ''}#{number}"
    return re.sub(r"^https?://(?:www\.)?", "", address).partition("/")[0]


def _order(address: str) -> tuple[str, int]:
    match = GITHUB.match(address)
    return (match.group(1).lower(), int(match.group(3))) if match else (address, 0)


def _link(shown: Shown) -> str:
    return f"[{shown.words.replace('|', '/')}](../{shown.path})"


def main(arguments: list[str]) -> int:
    """Write the page, or say whether it is stale."""
    content = page()
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == content:
        return 0
    if "--check" in arguments:
        print("docs/cases.md is stale: run python -m tools.cases")
        return 1
    PAGE.write_text(content, encoding="utf-8", newline="\n")
    print("docs/cases.md written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

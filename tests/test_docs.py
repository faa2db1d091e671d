"""What the documentation says is true: its links lead somewhere, its commands exist, its walk-through works."""

import ast
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bridge import rules
from bridge.cli.app import app
from bridge.engine.conditions import Rulebook
from bridge.engine.publish import publish
from bridge.rulebook import pages
from bridge.rulebook.book import parse
from bridge.settings import Settings
from bridge.table.run import play
from bridge.views import configure
from bridge.world import World
from tools import cases, file_map

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
WRITTEN_ELSEWHERE = {"scenarios.md"}


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page, as GitHub makes them of headings."""
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


def links() -> list[tuple[Path, str]]:
    """Return every link from one of our pages to something of ours."""
    every = [(page, t) for page in PAGES for t in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))]
    return [(page, target) for page, target in every if not re.match(r"[a-z]+://", target)]


def test_every_link_leads_somewhere() -> None:
    dead = set()
    for page, target in links():
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        if not goal.exists() or (anchor and anchor not in anchors(goal)):
            dead.add(f"{page.name}: {target}")
    assert dead == set()


def test_every_page_is_reached_from_the_readme() -> None:
    reached = {
        (page.parent / target.partition("#")[0]).resolve() for page, target in links() if page.name == "README.md"
    }
    ways_in = {"README.md", "index.md"}
    assert [page.name for page in PAGES if page.name not in ways_in and page.resolve() not in reached] == []


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    """Sphinx resolves every link of its own accord, headings included."""
    pytest.importorskip("sphinx")
    strict = ["--fail-on-warning", "--nitpicky", "--keep-going", "--quiet", "--doctree-dir", str(tmp_path / "trees")]
    words = [sys.executable, "-m", "sphinx", *strict, "--builder", "html", str(ROOT / "docs"), str(tmp_path / "site")]
    said = subprocess.run(words, check=False, capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "")
    home = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert "Where Foundry runs" in home
    assert 'href="faq.html"' in home


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_speaks_of_the_product_only(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"/(?:home|root|tmp|work|usr)/\w+", text)
    assert not re.findall(r"(?i)\b(?:todo|tbd|fixme|as an ai)\b", text)
    too_long = [line for line in text.splitlines() if len(line) > 130 and not line.startswith("|") and "](" not in line]
    assert page.name in {"protocol.md"} | WRITTEN_ELSEWHERE or too_long == []


def files_named(text: str) -> set[str]:
    return set(re.findall(r"`((?:bridge|foundry-module|tests|tools|docs)/[\w./-]*\w)`", text))


@pytest.mark.parametrize("name", ["architecture.md", "foundry.md"])
def test_every_file_that_is_named_is_there(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert {file for file in files_named(text) if not (ROOT / file).exists()} == set()


def test_the_map_of_the_module_names_all_of_its_scripts() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("## The module, file by file")[2]
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "foundry-module/scripts").rglob("*.mjs")}
    assert {file for file in files_named(text) if file.endswith(".mjs")} == there


def test_the_map_of_the_bridge_is_fresh() -> None:
    assert file_map.PAGE.read_text(encoding="utf-8") == file_map.page(), "run python -m tools.file_map"


def test_the_list_of_cases_is_fresh() -> None:
    assert cases.PAGE.read_text(encoding="utf-8") == cases.page(), "run python -m tools.cases"


def story_steps() -> list[tuple[str, str]]:
    """Return (file, function) of every step of the two stories."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    return re.findall(r"^\| [^|]*\| `([^`|]+)` \| `(\w+)` \|", text, re.MULTILINE)


def test_every_step_of_the_two_stories_names_a_function_that_is_there() -> None:
    steps = story_steps()
    assert len(steps) > 30
    missing = []
    for file, name in steps:
        source = (ROOT / file).read_text(encoding="utf-8")
        if file.endswith(".py"):
            there = any(
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name
                for node in ast.walk(ast.parse(source))
            )
        else:
            there = re.search(rf"\bfunction {name}\(|\bconst {name} = ", source) is not None
        if not there:
            missing.append((file, name))
    assert missing == []


def commands() -> list[str]:
    """Return every line of a page that starts the command `bridge`."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    return sorted(set(re.findall(r"`(?:\.venv/bin/)?(bridge [^`]+)`", text)))


@pytest.mark.parametrize("line", commands())
def test_every_command_that_is_named_exists_with_its_options(line: str) -> None:
    words = [word for word in shlex.split(line)[1:] if not word.startswith("[")]
    if words[0] == "--install-completion":
        words = []
    options = [word for word in words if word.startswith("--")]
    command, chain = app, []
    for word in words:
        if word.startswith("-") or word not in command:
            break
        command = command[word]
        chain.append(word)
    assert chain or not words
    known = {name for argument in command.assemble_argument_collection() for name in argument.names} if chain else set()
    assert set(options) - {"--help"} <= known


def test_the_make_targets_that_are_named_exist() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:^|`)make ([a-z][a-z-]*)", text, re.MULTILINE))
    assert {"run", "test", "demo"} <= named <= targets


def test_the_options_in_the_readme_are_options_of_the_bridge() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = {option for line in re.findall(r'ARGS="([^"]+)"', text) for option in re.findall(r"--([a-z-]+)", line)}
    known = {field.encode_name for field in msgspec.structs.fields(Settings)}
    assert named <= known
    assert named


FOUNDRY = {"Add-on Modules", "Install Module", "Manage Modules", "Configure Settings", "Food", "effects tab", "server"}
"""What pages for GMs set in italics that is Foundry's word, or no name of a button."""


def shown() -> set[str]:
    """Return every word that a window of the module shows in English."""
    found: set[str] = set()

    def walk(part: object) -> None:
        if isinstance(part, str):
            found.add(part)
        elif isinstance(part, dict | msgspec.Struct):
            values = part.values() if isinstance(part, dict) else map(part.__getattribute__, part.__struct_fields__)
            for each in values:
                walk(each)
        elif isinstance(part, tuple):
            for each in part:
                walk(each)

    walk(json.loads((ROOT / "foundry-module/lang/en.json").read_text(encoding="utf-8")))
    for page in pages.PAGES:
        walk(configure.view(World("w", parse("")), {"page": page}))
    return found


@pytest.mark.parametrize("name", ["guide.md", "faq.md"])
def test_a_button_or_a_title_is_called_what_the_windows_call_it(name: str) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", (ROOT / "docs" / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    named = re.findall(r"(?<![*\w])\*{1,2}([^*\n|][^*|]*)\*{1,2}(?![*\w])", text)
    parts = {part for each in named if each[0] != "…" for part in each.replace("\n", " ").split(" → ")}
    assert len(parts) > 8
    assert parts - FOUNDRY - shown() == set()


def code(language: str) -> str:
    """Return the one block of a language in the walk-through of docs/contributing.md."""
    text = (ROOT / "docs/contributing.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"^   ```{language}\n(.*?)^   ```$", text, re.MULTILINE | re.DOTALL)
    return re.sub(r"^   ", "", block, flags=re.MULTILINE)


@pytest.fixture
def soaked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Drop the made-up condition of the walk-through in; return its scenario."""
    (tmp_path / "soaked.py").write_text(code("python"), encoding="utf-8")
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    scenario = tmp_path / "a-rest-dries.toml"
    scenario.write_text(code("toml"), encoding="utf-8")
    return scenario


def test_a_condition_in_ten_minutes_is_one_file(soaked: Path) -> None:
    book = rules.rulebook()
    assert book.conditions["soaked"].own
    entry = next(entry for entry in publish(book, "v14+dnd5e-6").conditions if entry.id == "soaked")
    assert entry.levels[0].modifiers
    assert "conditions.soaked.mode" in book.settings
    outcome = play(soaked)
    assert outcome.failures == []


def test_the_scenario_of_the_walk_through_fails_without_its_condition(soaked: Path) -> None:
    text = soaked.read_text(encoding="utf-8")
    soaked.write_text(
        text.replace("rules = []", 'rules = []\nsettings = { "conditions.soaked.mode" = "off" }'), encoding="utf-8"
    )
    assert play(soaked).failures


def test_the_walk_through_is_not_part_of_the_product() -> None:
    assert isinstance(rules.rulebook(), Rulebook)
    assert "soaked" not in rules.rulebook().conditions

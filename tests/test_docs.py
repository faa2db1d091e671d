"""What the documentation says is true: its links lead somewhere, its commands exist, its walk-through works."""

import ast
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from bridge import rules
from bridge.cli.app import app
from bridge.engine.conditions import Rulebook
from bridge.engine.publish import publish
from bridge.protocol import Field, Form, Piece
from bridge.rulebook import pages
from bridge.rulebook.book import parse
from bridge.settings import Settings
from bridge.table.run import play
from bridge.views import configure
from bridge.world import World
from tools import cases, file_map

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
TASKS = sorted((ROOT / "docs/tasks").glob("*.md"))
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


def reached(name: str) -> set[Path]:
    """Return the files that a page of this name links to."""
    return {(page.parent / target.partition("#")[0]).resolve() for page, target in links() if page.name == name}


def test_every_page_is_reached_from_the_readme_and_every_task_from_the_guide() -> None:
    ways_in = {"README.md", "index.md"}
    found = reached("README.md")
    assert [page.name for page in PAGES if page not in TASKS and page.name not in ways_in and page not in found] == []
    assert len(TASKS) == 12
    assert set(TASKS) <= reached("guide.md")


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
FEW_LETTERS = 6
"""A sentence with gaps in it says something of its own if it has so many letters beside them."""


def shown() -> set[str]:
    """Return every word that a window of the module shows in English; gaps stand as ``{name}``."""
    found: set[str] = set()

    def walk(part: object) -> None:
        if isinstance(part, str):
            # Choices of a form are shown with a large first letter.
            found.update((part, part[:1].upper() + part[1:]))
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
    return found | set(told())


def told() -> Iterator[str]:
    """Return every sentence that the rules and the world write themselves, with its gaps."""
    for path in (file for part in ("engine", "rules", "world") for file in (ROOT / "bridge" / part).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            said = [str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts]
            if isinstance(node, ast.JoinedStr | ast.Constant) and re.search(r" \S+ \S+\.$", "".join(said)):
                yield "".join(said)


@pytest.fixture(scope="module")
def words() -> re.Pattern[str]:
    """What the windows, the cards and the bridge say, names and numbers filled in."""
    found = []
    for text in shown():
        parts = re.split(r"\{\w*\}", text)
        if len(parts) == 1 or sum(map(str.isalpha, "".join(parts))) >= FEW_LETTERS:
            found.append(".+".join(map(re.escape, parts)))
    return re.compile("|".join(found))


def unknown(text: str, words: re.Pattern[str]) -> set[str]:
    """Return what a text sets in italics or bold although neither we nor Foundry show it."""
    text = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    named = re.findall(r"(?<![*\w])\*{1,2}([^*\n|][^*|]*)\*{1,2}(?![*\w])", text)
    parts = {part for each in named if each[0] != "…" for part in each.replace("\n", " ").split(" → ")}
    assert len(parts) >= 8
    return {part for part in parts - FOUNDRY if not words.fullmatch(part)}


FOR_GMS = [ROOT / "docs/guide.md", ROOT / "docs/faq.md", *TASKS]


@pytest.mark.parametrize("page", FOR_GMS, ids=lambda page: page.name)
def test_a_button_a_title_or_a_sentence_is_what_the_windows_say(page: Path, words: re.Pattern[str]) -> None:
    assert unknown(page.read_text(encoding="utf-8"), words) == set()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("**Allow**", "**Permit**"),
        ("*What would this change?*", "*What would that change?*"),
        ("*Bleeding: Bors does not regain 7 hit points.*", "*Bleeding: Bors regains no 7 hit points.*"),
        ("*Only a GM can undo.*", "*Only a GM may undo.*"),
        ("*Ends by itself with*", "*Ends with a rest*"),
    ],
)
def test_a_wrong_label_is_found_on_every_task_that_has_the_right_one(
    right: str, wrong: str, words: re.Pattern[str]
) -> None:
    """Negative control."""
    texts = [text for page in TASKS if right in (text := page.read_text(encoding="utf-8"))]
    assert texts
    for text in texts:
        assert unknown(text.replace(right, wrong), words) == {wrong.strip("*")}


PARTS = ["Do it", "What everybody sees", "If it does not happen", "Settings"]


def settings_told(text: str) -> list[tuple[str, str, str]]:
    """Return (page, field, usual value) of the rows that a task says of settings."""
    return re.findall(r"^\| \*([^*|]+)\* \| \*([^*|]+)\*[^|]*\| \*?([^|*]+)\*? \|$", text, re.MULTILINE)


@pytest.mark.parametrize("page", TASKS, ids=lambda page: page.name)
def test_a_task_says_what_to_do_what_is_seen_and_what_changes_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == PARTS
    steps, table = text.partition("## What everybody sees")[0], text.partition("## If it does not happen")[2]
    assert re.search(r"^1\. .*(?:\n .*)*\n2\. ", steps, re.MULTILINE)
    assert "| what you read or see | what to do |" in table
    for ids, anchor in re.findall(r"\[([^]]*)\]\(\.\./rules\.md#([^)]+)\)", text):
        assert set(re.findall(r"[A-Z]{3}-\d+", ids)) <= rules_below(anchor), ids
    assert "\nRules: [" in text


def rules_below(anchor: str) -> set[str]:
    """Return the ids of the rules that stand below a heading of docs/rules.md."""
    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    (section,) = (s for s in sections if re.sub(r"[^\w\- ]", "", s.split("\n")[0].lower()).replace(" ", "-") == anchor)
    return set(re.findall(r"^\| ([A-Z]{3}-\d+) \|", section, re.MULTILINE))


@pytest.mark.parametrize("page", TASKS, ids=lambda page: page.name)
def test_a_setting_stands_on_the_page_that_a_task_names_and_comes_as_it_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    rows = settings_told(text.partition("## Settings")[2])
    assert len(rows) == text.partition("## Settings")[2].count("\n| *")
    for title, label, usual in rows:
        (name,) = (id for id, (said, _) in pages.PAGES.items() if said == title)
        fields = [field for part in configure.view(World("w", parse("")), {"page": name}).parts for field in asks(part)]
        found = [field for field in fields if field.label.text == label]
        assert found, (title, label)
        assert usual == "–" or usual in {usually(field) for field in found}, (title, label, usual)


def asks(part: Piece) -> tuple[Field, ...]:
    return part.fields if isinstance(part, Form) else ()


def usually(field: Field) -> str:
    """Return what a form shows of a field that nobody has changed."""
    named = {choice.value: choice.label.text for choice in field.choices}
    text = named.get(str(field.default), str(field.default))
    return text[:1].upper() + text[1:]


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

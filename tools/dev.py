"""Every chore of the project: set up, run, test, check, lock, clean.

The Makefile only calls this file; on Windows say `py tools/dev.py test`. It uses the standard library alone, because it
runs before anything is installed. Each chore first brings `.venv` and `node_modules` to what the lock files say, which
costs nothing when they already are.
"""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import NoReturn

if sys.version_info < (3, 11):  # noqa: UP036 - said to whoever starts us with an old Python
    sys.exit(f"Condition Bridge needs Python 3.11 or newer; this is {platform.python_version()}.")

import tomllib

ROOT = Path(__file__).resolve().parent.parent
WINDOWS = os.name == "nt"
VENV = ROOT / ".venv"
VENV_BIN = VENV / ("Scripts" if WINDOWS else "bin")
PYTHON = VENV_BIN / ("python.exe" if WINDOWS else "python")
BRIDGE = VENV_BIN / ("bridge.exe" if WINDOWS else "bridge")
VENV_STAMP = VENV / "installed.json"
REQUIREMENTS = ROOT / "requirements"
NODE_MODULES = ROOT / "node_modules"
NODE_STAMP = NODE_MODULES / "installed.json"
OLDEST_NODE = (20, 19)
NETWORK_HINT = "If the network was the reason, try again (behind a proxy, set HTTPS_PROXY first)."

Command = Sequence[str | Path]


class Stop(Exception):
    """A chore cannot go on; the message says why and what to do."""


def say(line: str) -> None:
    """Print one line of progress at once, also when a log file is listening."""
    print(line, flush=True)


def call(command: Command, env: Mapping[str, str] | None = None) -> int:
    """Run a command whose output the user sees, and give back its exit code."""
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


def must(command: Command, advice: str) -> None:
    """Run a command that has to succeed."""
    if code := call(command):
        raise Stop(f"{' '.join(map(str, command))} ended with code {code}. {advice}")


def output(command: Command) -> str | None:
    """What a command prints, or None if it cannot be run."""
    try:
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return result.stdout.strip()


def replace_with(command: Command) -> NoReturn:
    """Become the command, so that Ctrl-C and stop signals reach it and nothing stands between."""
    if WINDOWS:
        sys.exit(call(command))
    os.chdir(ROOT)
    os.execv(command[0], [str(word) for word in command])  # noqa: S606 - no shell is wanted


def digest(*parts: bytes) -> str:
    """One short name for some bytes."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def read_stamp(stamp: Path) -> dict[str, str]:
    """What an earlier set-up finished, empty if none did."""
    try:
        found = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


# Set-up


def set_up_python(kind: str) -> None:
    """Bring `.venv` to requirements/run.txt or, for developing, requirements/dev.txt, which holds all of run.txt."""
    want = {"where": str(ROOT), "project": project_digest(), kind: digest((REQUIREMENTS / f"{kind}.txt").read_bytes())}
    have = read_stamp(VENV_STAMP)
    if want.items() <= have.items() and output([PYTHON, "-c", ""]) is not None:
        return
    VENV_STAMP.unlink(missing_ok=True)
    make_venv()
    pip: list[str | Path] = [PYTHON, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input"]
    say(f"Installing Python packages (requirements/{kind}.txt) ...")
    must([*pip, "--require-hashes", "--requirement", REQUIREMENTS / f"{kind}.txt"], NETWORK_HINT)
    say("Installing the bridge itself ...")
    must([*pip, "--no-deps", "--no-build-isolation", "--editable", ROOT], "Is pyproject.toml right?")
    if kind == "dev":
        want["run"] = digest((REQUIREMENTS / "run.txt").read_bytes())
    VENV_STAMP.write_text(json.dumps(want), encoding="utf-8")


def project_digest() -> str:
    """What of pyproject.toml an installed bridge depends on: not the settings of the tools."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return digest(json.dumps([content["build-system"], content["project"]]).encode())


def make_venv() -> None:
    """An empty `.venv`; what is there may be half-made, moved, or hold packages that nothing asks for any more."""
    say(f"Making .venv with Python {platform.python_version()} ...")
    must(
        [sys.executable, "-m", "venv", "--clear", VENV],
        "On Debian and Ubuntu the venv module is a package of its own: sudo apt-get install python3-venv.",
    )


def set_up_node() -> None:
    """Bring `node_modules` to package-lock.json."""
    version = output(["node", "--version"])
    npm = shutil.which("npm")
    wanted = ".".join(map(str, OLDEST_NODE))
    if version is None or npm is None:
        raise Stop(f"Checking the Foundry module needs Node {wanted} or newer with npm. Install it and try again.")
    if tuple(map(int, version.lstrip("v").split(".")[:2])) < OLDEST_NODE:
        raise Stop(f"Checking the Foundry module needs Node {wanted} or newer; this is {version}. Upgrade it.")
    want = {"lock": digest(*((ROOT / name).read_bytes() for name in ("package.json", "package-lock.json", ".npmrc")))}
    if read_stamp(NODE_STAMP) == want:
        return
    say("Installing Node packages (package-lock.json) ...")
    must([npm, "ci", "--silent"], NETWORK_HINT)
    NODE_STAMP.write_text(json.dumps(want), encoding="utf-8")


def set_up_chromium() -> str:
    """The path of a Chromium that starts: yours, one that is there, or one that we install."""
    if chosen := os.environ.get("CONDITION_BRIDGE_CHROMIUM"):
        if output([chosen, "--version"]) is None:
            raise Stop(f"CONDITION_BRIDGE_CHROMIUM names {chosen}, which does not start. Correct it or unset it.")
        return chosen
    for attempt in (find_chromium, install_debian_chromium, install_playwright_chromium):
        if found := attempt():
            return found
    raise Stop("The browser tests need Chromium or Chrome. Install one, or name it in CONDITION_BRIDGE_CHROMIUM.")


def find_chromium() -> str | None:
    """A Chromium that is already on this machine."""
    # Without a window of its own it is nearly twice as quick, and the tests need none.
    names = (
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
    )
    macos = ("Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome")
    programs = [Path(os.environ[name]) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA") if WINDOWS]
    candidates = [
        *(shutil.which(name) for name in names),
        *(folder / app for folder in (Path("/Applications"), Path.home() / "Applications") for app in macos),
    ]
    for candidate in candidates:
        if candidate and output([candidate, "--version"]) is not None:
            return str(candidate)
    # On Windows chrome.exe opens a window whatever it is asked, so that its being there must do.
    installed = [folder / "Google/Chrome/Application/chrome.exe" for folder in programs]
    return next((str(path) for path in [*installed, playwright_chromium()] if path and path.is_file()), None)


def playwright_chromium() -> Path | None:
    """Where Playwright keeps, or would put, a Chromium of its own."""
    code = "from playwright.sync_api import sync_playwright as s\nwith s() as p: print(p.chromium.executable_path)"
    path = output([PYTHON, "-c", code])
    return Path(path) if path else None


def install_debian_chromium() -> str | None:
    """Debian's Chromium, where we are root on such a system."""
    if sys.platform == "win32" or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    say("Installing Chromium with apt-get ...")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}

    def apt(*words: str) -> bool:
        return call(["apt-get", "--quiet=2", "-o", "DPkg::Lock::Timeout=300", *words], env=env) == 0

    if not apt("update") or not any(apt("install", "--yes", name) for name in ("chromium-headless-shell", "chromium")):
        say("apt-get could not install Chromium.")
        return None
    return find_chromium()


def install_playwright_chromium() -> str | None:
    """The Chromium that Playwright downloads."""
    say("Downloading Chromium with Playwright ...")
    if call([PYTHON, "-m", "playwright", "install", "chromium"]):
        return None
    return find_chromium()


# Chores


def setup() -> None:
    """Install all that the other chores need."""
    set_up_python("dev")
    set_up_node()
    say(f"Ready. Chromium: {set_up_chromium()}")


def run(*arguments: str) -> NoReturn:
    """Start the bridge."""
    set_up_python("run")
    replace_with([BRIDGE, "serve", *arguments])


def demo(*arguments: str) -> NoReturn:
    """Play a short session without Foundry."""
    set_up_python("run")
    replace_with([BRIDGE, "demo", *arguments])


def checks() -> dict[str, Command]:
    """Every check that is not a test, by name."""
    modules = NODE_MODULES
    return {
        "tsc (types of the module)": ["node", modules / "typescript/bin/tsc", "--project", "jsconfig.json"],
        "mypy (types of the bridge)": [PYTHON, "-m", "mypy"],
        "eslint": ["node", modules / "eslint/bin/eslint.js", "--max-warnings=0", "."],
        "ruff check": [PYTHON, "-m", "ruff", "check", "--quiet", "--output-format=concise", "."],
        "ruff format (`make format` mends it)": [
            PYTHON,
            "-m",
            "ruff",
            "format",
            "--check",
            "--quiet",
            "--output-format=concise",
            ".",
        ],
        "import-linter (layers)": [VENV_BIN / "lint-imports", "--no-cache"],
    }


def check(name: str, command: Command) -> bool:
    """Run one check and print its line, and its words only if it failed."""
    start = monotonic()
    result = subprocess.run(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    seconds = monotonic() - start
    words = result.stdout.decode(errors="replace").rstrip()
    say(f"FAILED {name}\n{words}\n" if result.returncode else f"ok     {name}, {seconds:.1f} s")
    return result.returncode == 0


def lint() -> None:
    """Run every check that is not a test."""
    set_up_python("dev")
    set_up_node()
    with ThreadPoolExecutor(max_workers=2) as pool:
        passed = list(pool.map(lambda item: check(*item), checks().items()))
    if failed := passed.count(False):
        raise Stop(f"{failed} of {len(passed)} checks failed; what to mend stands above. No test was run.")


def test(*arguments: str) -> NoReturn:
    """Run every check, then every test at counts for every day."""
    lint()
    run_pytest({}, *arguments)


def test_long(*arguments: str) -> NoReturn:
    """Run every check, then every test at its full count, long ones included."""
    lint()
    run_pytest({"CONDITION_BRIDGE_LONG": "1"}, "-m", "", "--timeout=7200", *arguments)


def screenshots() -> NoReturn:
    """Take the pictures of the documentation anew, into docs/pictures."""
    set_up_python("dev")
    run_pytest({"CONDITION_BRIDGE_PICTURES": str(ROOT / "docs" / "pictures")}, "tests/browser/test_pictures.py")


def coverage(*arguments: str) -> NoReturn:
    """Run the tests and show which lines of the bridge none reached."""
    set_up_python("dev")
    run_pytest({}, "--cov", "--cov-report=term-missing", "--cov-report=html", *arguments)


def run_pytest(env: Mapping[str, str], *arguments: str) -> NoReturn:
    """Become pytest, so that its summary is the last line."""
    os.environ.update(env, CONDITION_BRIDGE_CHROMIUM=set_up_chromium())
    workers = max(2, min(4, os.cpu_count() or 2))
    say(f"Running the tests with {workers} workers ...")
    replace_with([PYTHON, "-m", "pytest", "-n", str(workers), "--dist", "worksteal", *arguments])


def format_files() -> None:
    """Put the Python files in the house format."""
    set_up_python("dev")
    must([PYTHON, "-m", "ruff", "check", "--fix-only", "--quiet", "."], "Mend the file that ruff names.")
    must([PYTHON, "-m", "ruff", "format", "."], "Mend the file that ruff names.")


def lock() -> None:
    """Take the newest allowed version of every dependency into the lock files."""
    npm = shutil.which("npm")
    if npm is None:
        raise Stop("npm was not found; locking needs Node with npm. Install it and try again.")
    with tempfile.TemporaryDirectory() as folder:
        must([sys.executable, "-m", "venv", folder], "Is this Python's venv module there?")
        scripts = Path(folder) / VENV_BIN.name
        must([scripts / "python", "-m", "pip", "install", "-qq", "uv"], NETWORK_HINT)
        compile_: list[str | Path] = [scripts / "uv", "pip", "compile", "pyproject.toml", "--no-config", "--universal"]
        compile_ += ["--python-version", "3.11", "--generate-hashes", "--upgrade", "--quiet"]
        compile_ += ["--no-emit-index-url", "--custom-compile-command", "make lock", "--output-file"]
        dev = "requirements/dev.txt"
        # dev.txt first: it holds everything, so that the other two can take the very same versions.
        for file, words in {
            dev: ["--all-extras", "--group", "dev"],
            "requirements/run.txt": ["--group", "build", "--constraint", dev],
            "requirements/extras.txt": ["--all-extras", "--group", "build", "--constraint", dev],
        }.items():
            say(f"Locking {file} ...")
            must([*compile_, file, *words], NETWORK_HINT)
    say("Locking package-lock.json ...")
    must([npm, "update", "--package-lock-only", "--silent"], NETWORK_HINT)
    say("Locked. Run `make test` before you commit.")


def bench(*arguments: str) -> None:
    """Measure how fast the bridge is, beside the raw echo of its WebSocket library."""
    set_up_python("dev")
    os.environ["CONDITION_BRIDGE_CHROMIUM"] = set_up_chromium()
    must([PYTHON, "-m", "bench.run", *arguments], "What is wrong stands above.")


def docs(*arguments: str) -> None:
    """Build the documentation into dist/docs, and check every link in it."""
    set_up_python("dev")
    sphinx: list[str | Path] = [PYTHON, "-m", "sphinx", "--fail-on-warning", "--nitpicky", "--keep-going", "--quiet"]
    must([*sphinx, "--builder", "html", *arguments, "docs", "dist/docs"], "What is to be mended stands above.")
    say("Built: dist/docs/index.html")


def dist(*arguments: str) -> None:
    """Build the wheel and the Foundry module into dist/, the same bytes every time."""
    set_up_python("dev")
    must([PYTHON, "-m", "tools.dist", *arguments], "What is wrong stands above.")


def release(*arguments: str) -> None:
    """Show what a release would be; with --yes make it: version, changelog, build, commit, tag."""
    if not arguments or arguments[0].startswith("-"):
        raise Stop("Say which version: make release VERSION=1.2.3")
    set_up_python("dev")
    must([PYTHON, "-m", "tools.release", *arguments], "Nothing was published.")


def clean() -> None:
    """Remove what the set-up and the tools made; never what a bridge stored."""
    made = [".venv", "node_modules", "dist", "htmlcov", "test-results", ".hypothesis", ".coverage"]
    caches = [".import_linter_cache", ".mypy_cache", ".pytest_cache", ".ruff_cache"]
    for path in [ROOT / name for name in made + caches]:
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
    for folder in ("bridge", "tests", "tools", "bench"):
        for path in list((ROOT / folder).rglob("__pycache__")):
            shutil.rmtree(path)
    say("Clean.")


CHORES: dict[str, Callable[..., None]] = {
    "run": run,
    "demo": demo,
    "test": test,
    "test-long": test_long,
    "lint": lint,
    "format": format_files,
    "coverage": coverage,
    "screenshots": screenshots,
    "setup": setup,
    "lock": lock,
    "bench": bench,
    "docs": docs,
    "dist": dist,
    "release": release,
    "clean": clean,
}


def main(arguments: Sequence[str]) -> None:
    """Do the chore that the first argument names; the rest goes to the program behind it."""
    if not arguments or arguments[0] not in CHORES:
        lines = (f"  {name:<10} {(chore.__doc__ or '').splitlines()[0]}" for name, chore in CHORES.items())
        sys.exit("\n".join(["usage: dev.py CHORE [ARGUMENTS]", *lines]))
    try:
        CHORES[arguments[0]](*arguments[1:])
    except Stop as stop:
        sys.exit(f"Stopped: {stop}")
    except KeyboardInterrupt:
        sys.exit("Stopped by you.")


if __name__ == "__main__":
    main(sys.argv[1:])

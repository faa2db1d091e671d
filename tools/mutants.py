"""Mutation testing of the rules: changes one thing in a rule at a time, and looks whether a test sees it.

    python -m tools.mutants [RULE…]      e.g. bleeding intoxicated; all of them when left out

mutmut leaves decorated functions and data of a module alone, and that is all that our rules are; cosmic-ray starts a
new Python for each change and writes it into the working tree. Here each change lives in a forked process that has
everything else imported already. A rule's own tests are asked first, then those of the engine, of the other rules and
of the languages, then every scenario that names the condition. A change that nobody sees must stand in
`tests/mutants.toml`, with the reason why it changes nothing that anybody could see; the exit code is 1 for any other.
"""

import ast
import os
import re
import signal
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ID = re.compile(r"[a-z][a-z0-9.-]*")
"""Text that means something to a program; all other text is for people."""
EXPLAINED = ROOT / "tests/mutants.toml"
PATIENCE = 120
"""Seconds that the tests of one change may take; one that hangs is seen."""
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr,
}  # fmt: skip


class Mutant(NamedTuple):
    """A changed module.  ``name`` holds no line number: it is the same while the code around it moves."""

    name: str
    tree: ast.Module


def mutants(rule: str) -> Iterator[Mutant]:
    """Yield every change of a rule's module, each with a name of its own."""
    source = (ROOT / f"bridge/rules/{rule}.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    seen: dict[str, int] = {}
    words = {id(part) for text in ast.walk(tree) if isinstance(text, ast.JoinedStr) for part in text.values}
    for index, node in enumerate(ast.walk(tree)):
        if id(node) in words:
            continue
        for number in range(len(list(_changes(node)))):
            copy = ast.parse(source)
            there = list(ast.walk(copy))[index]
            before = ast.unparse(there)
            list(_changes(there))[number]()
            after = ast.unparse(there)
            place = next((f.name for f in _functions(tree) if any(one is node for one in ast.walk(f))), "data")
            name = f"{rule}.{place}: {_short(before, after)}"
            seen[name] = seen.get(name, 0) + 1
            yield Mutant(name if seen[name] == 1 else f"{name} ({seen[name]})", ast.fix_missing_locations(copy))


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def _short(before: str, after: str) -> str:
    """Return the one line that differs, as it was and as it is."""
    old, new = before.splitlines(), after.splitlines()
    lines = [line.strip() for line in old if line not in new], [line.strip() for line in new if line not in old]
    return f"{' '.join(lines[0])}  →  {' '.join(lines[1]) or 'nothing'}"


def _changes(node: ast.AST) -> Iterator["Change"]:
    """Yield what may be changed in a node itself; its children have their own turn."""
    if isinstance(node, ast.Compare):
        yield from (Change(node.ops, i, SWAPS[type(op)]()) for i, op in enumerate(node.ops) if type(op) in SWAPS)
    elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPS:
        yield Change(node, "op", SWAPS[type(node.op)]())
    elif isinstance(node, ast.If | ast.IfExp):
        yield Change(node, "test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield Change(node, "value", not node.value)
        elif isinstance(node.value, int):
            yield Change(node, "value", node.value + 1)
        elif isinstance(node.value, str) and ID.fullmatch(node.value):
            yield Change(node, "value", f"{node.value}x")
    elif isinstance(node, ast.Call):
        yield from (Change(node.keywords, i, None) for i, word in enumerate(node.keywords) if word.arg)
    for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
        for i, line in enumerate(block if isinstance(block, list) else []):
            gives = isinstance(line, ast.Expr) and isinstance(line.value, ast.Yield | ast.YieldFrom)
            if gives or (isinstance(line, ast.Return) and line.value is None):
                yield Change(block, i, ast.Pass())
    if isinstance(node, ast.FunctionDef):
        yield from (Change(node.decorator_list, i, None) for i, _ in enumerate(node.decorator_list))


class Change(NamedTuple):
    """Puts something else in a place; nothing takes out what is there."""

    where: Any
    key: Any
    what: object

    def __call__(self) -> None:
        """Do it."""
        if isinstance(self.where, ast.AST):
            setattr(self.where, self.key, self.what)
        elif self.what is None:
            del self.where[self.key]
        else:
            self.where[self.key] = self.what


class Instead(Loader, MetaPathFinder):
    """Imports the changed module in place of the one on disk."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name, self.code = name, compile(tree, name, "exec")

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        """Return the changed module for its own name only."""
        return ModuleSpec(name, self) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Fill the module."""
        exec(self.code, module.__dict__)  # noqa: S102  # our own code, with one change


def survives(rule: str, mutant: Mutant) -> bool:
    """Tell whether all tests pass in spite of the change.  It runs in a process of its own."""
    import pytest

    sys.meta_path.insert(0, Instead(f"bridge.rules.{rule}", mutant.tree))
    os.chdir(ROOT)
    own = [
        file
        for file in (f"tests/rules/test_{rule}.py", "tests/rules/test_conditions_as_data.py")
        if Path(file).exists()
    ]
    options = ["-x", "-q", "-p", "no:cacheprovider", "--deselect", "tests/engine/test_laws.py"]
    # What is imported before the fork is imported once for all changes.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    if any(pytest.main([*options, *files]) for files in (own, ("tests/rules", "tests/engine", "tests/test_lang.py"))):
        return False
    from bridge.table.run import play

    told = [path for path in (ROOT / "tests/scenarios").rglob("*.toml") if rule in path.read_text(encoding="utf-8")]
    return all(play(path).passed for path in told)


def start(rule: str, mutant: Mutant) -> int:
    """Ask the tests in a forked process; return its number."""
    if pid := os.fork():
        return pid
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        signal.alarm(PATIENCE)
        code = 0 if survives(rule, mutant) else 1
    finally:
        os._exit(code)


def main(rules: Sequence[str]) -> int:
    """Try every change; return 1 when one survives that nobody has explained."""
    for name in ("pytest", "hypothesis", "bridge.server", "bridge.store.opening", "bridge.table.run"):
        import_module(name)
    known = {entry["change"] for entry in tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("survivor", ())}
    rules = rules or [module.name for module in iter_modules([str(ROOT / "bridge/rules")])]
    unchanged = Mutant("", ast.parse((ROOT / f"bridge/rules/{rules[0]}.py").read_text(encoding="utf-8")))
    if os.waitpid(start(rules[0], unchanged), 0)[1]:
        print("The tests fail without any change: nothing can be said.")
        return 1
    waiting = [(rule, mutant) for rule in rules for mutant in mutants(rule)]
    count, running, left = len(waiting), dict[int, Mutant](), list[str]()
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            rule, mutant = waiting.pop()
            running[start(rule, mutant)] = mutant
        pid, status = os.wait()
        name = running.pop(pid).name
        if status == 0:
            left.append(name)
            print(f"{'explained' if name in known else 'SURVIVED '}  {name}", flush=True)
    gone = sorted(name for name in known - set(left) if name.partition(".")[0] in rules)
    for name in gone:
        print(f"no longer survives: {name}")
    unexplained = sorted(set(left) - known)
    print(f"{count} changes, {count - len(left)} seen, {len(left)} not, {len(unexplained)} of these unexplained")
    return 1 if unexplained or gone else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

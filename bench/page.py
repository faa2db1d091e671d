"""The table of a run, and docs/performance.md with its picture."""

from __future__ import annotations

import statistics
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/performance.md"
PICTURE = ROOT / "docs/performance.svg"
BEGIN = "<!-- measured by `make bench` -->"
END = "<!-- end -->"
COLOURS = {"echo": "#9aa5b1", "normal": "#5b8def", "full": "#1f4fa3"}


class Row(NamedTuple):
    """One number with its goal.  ``unit``: ``%`` and ``×`` are ratios."""

    name: str
    value: float
    goal: str
    limit: float | None
    unit: str
    below: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; none: there is none."""
        if self.limit is None:
            return None
        return self.value <= self.limit if self.below else self.value >= self.limit

    @property
    def shown(self) -> str:
        """The number as people read it."""
        if self.unit == "%":
            return f"{self.value:.0%}".replace("%", " %")
        digits = 2 if self.unit in {"×", "ms"} and self.value < 10 else 0 if self.unit == "" else 1  # noqa: PLR2004
        return f"{self.value:,.{digits}f} {self.unit}".strip()


def table(rows: list[Row], machine: str) -> str:
    """Return a table in Markdown."""
    words = {True: "met", False: "**missed**", None: ""}
    lines = [f"{machine}, {datetime.now(UTC).date().isoformat()}.", "", "| what | measured | goal | |"]
    lines += ["| --- | ---: | --- | --- |"]
    return "\n".join(lines + [f"| {row.name} | {row.shown} | {row.goal} | {words[row.met]} |" for row in rows])


def measured(
    rows: list[Row],
    machine: str,
    loads: dict[tuple[str, str], tuple[float, ...]],
    rules: dict[str, dict[str, float]],
) -> str:
    """Return all that was measured, in Markdown."""
    lines = [table(rows, machine), "", "Connections × events on their way, or a fixed rate:", ""]
    lines += ["| load | server | events/s | p50, ms | p99, ms | loop late, ms | µs of CPU an event |"]
    lines += ["| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for (name, kind), (throughput, *times, cpu) in loads.items():
        shown = " | ".join(f"{each:.2f}" for each in times)
        lines.append(f"| {name} | {kind} | {throughput:,.0f} | {shown} | {cpu:.1f} |")
    events = list(next(iter(rules.values()), {}))
    lines += ["", "A decision for a creature with one condition only, in µs:", ""]
    lines += [f"| condition | {' | '.join(events)} |", f"| --- |{' ---: |' * len(events)}"]
    lines += [f"| {id} | {' | '.join(f'{one:.1f}' for one in found.values())} |" for id, found in rules.items()]
    return "\n".join(lines)


def write(whole: str, throughputs: dict[tuple[str, str], list[float]]) -> None:
    """Put the tables and the picture of a run into the documentation."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{whole}\n\n{END}{after}", encoding="utf-8", newline="\n")
    PICTURE.write_text(picture(throughputs), encoding="utf-8", newline="\n")


def picture(throughputs: dict[tuple[str, str], list[float]]) -> str:
    """Return bars of throughput as SVG, the echo beside the bridge."""
    shapes = list(dict.fromkeys(name for name, _ in throughputs if "×" in name))
    most = max(statistics.median(found) for found in throughputs.values())
    lines, y = [], 30
    for shape in shapes:
        lines.append(f'<text x="90" y="{y + 26}" text-anchor="end">{shape}</text>')
        for kind, colour in COLOURS.items():
            value = statistics.median(throughputs[shape, kind])
            width = 440 * value / most
            lines.append(f'<rect x="100" y="{y}" width="{width:.0f}" height="12" fill="{colour}"/>')
            lines.append(f'<text x="{105 + width:.0f}" y="{y + 10}" class="n">{value:,.0f}</text>')
            y += 14
        y += 14
    for place, (kind, colour) in enumerate(COLOURS.items()):
        lines.append(f'<rect x="{100 + 90 * place}" y="8" width="10" height="10" fill="{colour}"/>')
        lines.append(f'<text x="{115 + 90 * place}" y="17" class="n">{kind}</text>')
    style = "text{font:13px sans-serif;fill:#555}.n{font-size:11px}"
    body = "\n".join(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 620 {y}" role="img">\n'
        f"<title>Events a second: the raw echo, the bridge with durability normal and full</title>\n"
        f"<style>{style}</style>\n{body}\n</svg>\n"
    )

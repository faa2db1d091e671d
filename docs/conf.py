"""How Sphinx builds these pages: `make docs`."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent

project = "Condition Bridge"
release = re.findall(r'__version__ = "(.*)"', (ROOT / "bridge/__init__.py").read_text(encoding="utf-8"))[0]
extensions = ["myst_parser"]
exclude_patterns = ["protocol.schema.json"]
html_theme = "furo"
html_title = f"Condition Bridge {release}"
html_extra_path = ["protocol.schema.json"]
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
# Rules and protocol have tables that begin at the level that they need.
suppress_warnings = ["myst.header"]


def setup(app: Sphinx) -> None:
    """On the site the README is the first page."""
    app.connect("source-read", _at_home)


def _at_home(_app: Sphinx, name: str, source: list[str]) -> None:
    if name == "index":
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        # What is beside the README, and not in docs/, is no page.
        readme = re.sub(r"\[([^\]]+)\]\((?!docs/|#|\w+:)[^)]+\)", r"\1", readme)
        source[0] = source[0].replace("% README", readme.replace("](docs/", "]("))
    source[0] = source[0].replace("](../README.md", "](index.md")

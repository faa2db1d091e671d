"""Everything that is written by a program: `python -m tools.generated` writes it, with `--check` says what is stale."""

import sys

from tools import cases, file_map, rule_index
from tools.protocol import docs


def main(arguments: list[str]) -> int:
    """Write all of it, or check all of it."""
    return max(int(part.main(arguments)) for part in (docs, rule_index, cases, file_map))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

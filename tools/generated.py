"""Everything that is written by a program: `python -m tools.generated` writes it, with `--check` says what is stale."""

import sys

from bridge import protocol_docs
from tools import cases, file_map, rule_index


def main(arguments: list[str]) -> int:
    """Write all of it, or check all of it."""
    return max(int(part.main(arguments)) for part in (protocol_docs, rule_index, cases, file_map))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

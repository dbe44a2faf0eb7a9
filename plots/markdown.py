# SPDX-License-Identifier: Apache-2.0
"""Tables as Markdown."""

import sys
from collections.abc import Callable, Iterable, Sequence


def table_text(head: str, rows: Iterable[Sequence[str]]) -> str:
    lines = [head, "|---" * head.count(" | ") + "|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines)


def main_of(text: Callable[[Sequence[str]], str], usage: str | None) -> None:
    """The command line of a module that makes a text of result files."""
    if len(sys.argv) < 2:
        sys.exit(usage)
    print(text(sys.argv[1:]))

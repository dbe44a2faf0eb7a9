# SPDX-License-Identifier: Apache-2.0
"""Tables as Markdown."""

from collections.abc import Iterable, Sequence


def print_table(head: str, rows: Iterable[Sequence[str]]) -> None:
    print(head, "|---" * head.count(" | ") + "|---|", sep="\n")
    for row in rows:
        print(f"| {' | '.join(row)} |")

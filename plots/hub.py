# SPDX-License-Identifier: Apache-2.0
"""python -m plots.hub FILE: `guided` beside kernel_tuner's strategies on the community's spaces, a row a space, as Markdown.

For the table that scripts/compare_tuners.py writes. Needs nothing but Python.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from plots.markdown import main_of, table_text

HEAD = "| space | points | `guided` from the first row | from a random one | the best three of kernel_tuner that were run |"
SHOWN = 3
Row = Mapping[str, str]


def score(row: Row) -> str:
    return f"{row['score']} ± {row['half_width']} ({row['seeds']})"


def rows(path: str) -> Iterator[list[str]]:
    with open(path, newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    for (kernel, device), group in groupby(table, key=lambda row: (row["kernel"], row["device"])):
        found = list(group)
        ours = {row["start"]: row for row in found if row["strategy"] == "guided"}
        others = sorted((row for row in found if row["strategy"] != "guided"), key=lambda row: -float(row["score"]))
        best = ", ".join(f"`{row['strategy']}` {score(row)}" for row in others[:SHOWN])
        yield [f"{kernel}, {device}", found[0]["points"], score(ours["first"]), score(ours["random"]), best]


def text(paths: Sequence[str]) -> str:
    return table_text(HEAD, (row for path in paths for row in rows(path)))


if __name__ == "__main__":
    main_of(text, __doc__)

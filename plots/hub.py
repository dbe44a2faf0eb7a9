# SPDX-License-Identifier: Apache-2.0
"""python -m plots.hub FILE: `guided` beside kernel_tuner's strategies on the community's spaces, a row a space, as Markdown.

For the table that scripts/compare_tuners.py writes: first its score, then the official one. Needs nothing but Python.
The lead is the lower end of guided's 95 % interval from the first row, less the mean of kernel_tuner's best strategy.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from plots.markdown import main_of, table_text

HEAD = "| space | points | `guided` from the first row | from a random one | kernel_tuner's best three, of how many | lead |"
SHOWN = 3
SCORES = (("score", "seeds", "half_width"), ("official", "official_seeds", "official_half_width"))
Row = Mapping[str, str]


def read(paths: Sequence[str]) -> list[Row]:
    table: list[Row] = []
    for path in paths:
        with open(path, newline="", encoding="utf-8") as file:
            table += csv.DictReader(file)
    return table


def rows(table: Sequence[Row], columns: tuple[str, str, str]) -> Iterator[list[str]]:
    score, seeds, width = columns

    def shown(row: Row | None) -> str:
        if not row:
            return ""
        interval = f" ± {row[width]}" if row[width] else ""
        return f"{row[score]}{interval} ({row[seeds]})"

    for (kernel, device), group in groupby(table, key=lambda row: (row["kernel"], row["device"])):
        found = [row for row in group if row.get(score)]
        ours = {row["start"]: row for row in found if row["strategy"] == "guided"}
        others = sorted((row for row in found if row["strategy"] != "guided"), key=lambda row: -float(row[score]))
        if "first" not in ours or not others:
            continue
        best = ", ".join(f"`{row['strategy']}` {shown(row)}" for row in others[:SHOWN])
        lead = float(ours["first"][score]) - float(ours["first"][width]) - float(others[0][score])
        space = [f"{kernel}, {device}", found[0]["points"], shown(ours["first"]), shown(ours.get("random"))]
        yield [*space, f"{best} of {len(others)}", f"{lead:+.3f}"]


def text(paths: Sequence[str]) -> str:
    table = read(paths)
    return "\n\n".join(
        f"{name}:\n\n{table_text(HEAD, rows(table, columns))}"
        for name, columns in zip(("The score of 100 evaluations", "The official score"), SCORES, strict=True)
    )


if __name__ == "__main__":
    main_of(text, __doc__)

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.quality FILE...: test metrics of tuned models, a row a set and metric, as Markdown.

For tables of `scripts/compare_quality.py`. A cell is the mean over the seeds and their standard deviation; the best mean is bold.
Needs nothing but Python.
"""

import csv
import statistics
from collections.abc import Iterator, Sequence

from plots.markdown import main_of, table_text

TOOLS = ("alsbench", "implicit", "cmfrec")
Values = dict[str, list[float]]  # by tool


def read_values(paths: Sequence[str]) -> dict[tuple[str, str], Values]:
    """{(set, metric): values} in the order of the files."""
    found: dict[tuple[str, str], Values] = {}
    for path in paths:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                values = found.setdefault((f"{row['set']}, {row['feedback']}", row["metric"]), {})
                values.setdefault(row["tool"], []).append(float(row["value"]))
    return found


def tools_of(found: dict[tuple[str, str], Values]) -> list[str]:
    return [tool for tool in TOOLS if any(tool in values for values in found.values())]


def rows(paths: Sequence[str]) -> Iterator[list[str]]:
    """The head first."""
    found = read_values(paths)
    yield ["set", "metric", "seeds", *tools_of(found)]
    for (name, metric), values in found.items():
        means = {tool: statistics.mean(each) for tool, each in values.items()}
        best = (min if metric == "rmse" else max)(means.values())
        cells = [
            "" if tool not in values else shown(means[tool], values[tool], means[tool] == best and len(means) > 1)
            for tool in tools_of(found)
        ]
        yield [name, metric, str(max(map(len, values.values()))), *cells]


def shown(mean: float, values: Sequence[float], best: bool) -> str:
    text = f"{mean:.4f} ± {statistics.stdev(values):.4f}" if len(values) > 1 else f"{mean:.4f}"
    return f"**{text}**" if best else text


def text(paths: Sequence[str]) -> str:
    head, *body = rows(paths)
    return table_text(f"| {' | '.join(head)} |", body)


if __name__ == "__main__":
    main_of(text, __doc__)

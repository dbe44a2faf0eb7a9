# SPDX-License-Identifier: Apache-2.0
"""python -m plots.small_lambdas FILE...: how far from exact FP32 trainings end, a row a problem, as Markdown.

For results of `alsbench run small-lambdas`, or their tables. A cell is the distance of the last test RMSE to exact FP32's of that iteration, as a share of it: negative where it is less, and empty where a training was skipped.
Needs nothing but Python.
"""

from collections.abc import Iterator, Sequence

from alsbench.results.table import Row, Table
from plots.markdown import main_of, table_text
from plots.reading import read_table_of

RUNS = ("default", "late-4", "late-3", "late-2")
HEAD = "| data set, rank | device | lambda | exact | default | 4 steps | late 3 | late 2 |"


def off(row: Row | None, last: float) -> str:
    return f"{row.test_metric / last - 1:.1e}" if row and row.test_metric is not None else ""


def rows(table: Table) -> Iterator[list[str]]:
    groups: dict[tuple[str, str], dict[str, Row]] = {}
    for row in table.trained:
        groups.setdefault((row.problem, row.backend), {})[row.name.split("/")[1]] = row
    for (problem, backend), runs in groups.items():
        exact = runs.get("exact")
        if exact is None or exact.test_metric is None:
            continue
        last = exact.test_metric
        yield [
            problem.replace("/rank:", ", "),
            exact.device_name or backend,
            f"{exact.regularization:g}",
            f"{last:.4f}",
            *(off(runs.get(name), last) for name in RUNS),
        ]


def text(paths: Sequence[str]) -> str:
    return table_text(HEAD, (row for path in paths for row in rows(read_table_of("small-lambdas", path))))


if __name__ == "__main__":
    main_of(text, __doc__)

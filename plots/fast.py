# SPDX-License-Identifier: Apache-2.0
"""python -m plots.fast FILE...: what the fast pipelines take and how far from exact FP32 they end, as Markdown.

For results of `alsbench run fast` on a GPU, or their tables: the means of all iterations of Netflix's shape at rank 100.
"""

from collections.abc import Iterator, Sequence

from alsbench.results.table import Row
from plots.markdown import main_of, table_text
from plots.reading import read_table_of

HEAD = "| system | what it is | ms an iteration | test RMSE off exact FP32 |"
SYSTEMS = {
    "exact-library": "FP32, cuSOLVER's batched Cholesky",
    "exact": "FP32, A on tensor cores to FP32's precision, Cholesky of ours",
    "fused": "the whole half-iteration in one kernel: tensor cores, CG in registers, 6 steps",
    "fused-halves": "the same with `matrix=fp16`: CG on tensor cores, too",
    "fused-bytes-6-steps": "that with `factors=int8`: factors as signed bytes",
    "fused-bytes-3-steps": "that with 3 steps",
    "fused-bytes-3-then-2-steps": "that with 2 from the fourth iteration on",
}


def trainings(path: str) -> dict[str, Row]:
    return {row.name.split("/")[1]: row for row in read_table_of("fast", path).trained}


def milliseconds(row: Row) -> str:
    return f"{1e3 * (row.mean_iteration_seconds or 0):.1f}"


def off(row: Row, exact: Row) -> str:
    assert row.test_metric is not None and exact.test_metric is not None
    difference = abs(row.test_metric - exact.test_metric)
    return f"{difference:.0e}".replace("e-0", "e-") if difference > 0 else "0"


def rows(trained: dict[str, Row]) -> Iterator[list[str]]:
    exact = trained["exact"]
    for name, meaning in SYSTEMS.items():
        if row := trained.get(name):
            yield [f"`{name}`", meaning, milliseconds(row), "" if row is exact else off(row, exact)]


def text(paths: Sequence[str]) -> str:
    return table_text(HEAD, (row for path in paths for row in rows(trainings(path))))


if __name__ == "__main__":
    main_of(text, __doc__)

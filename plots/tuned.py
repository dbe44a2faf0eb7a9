# SPDX-License-Identifier: Apache-2.0
"""python -m plots.tuned FILE...: what the tuning database brings, one row a shape and rank, as Markdown.

For a file of `alsbench run tuned`, or its table. Needs nothing but Python.
"""

import itertools
from collections.abc import Iterable, Sequence
from math import nan

from alsbench.results.pipelines import Step, steps_of
from alsbench.results.table import Row
from plots.cases import grouped
from plots.markdown import main_of, table_text
from plots.reading import read_table_of

HEAD = "| shape, rank | default, ms an iteration | tuned | times faster | over gemm | RMSE after 10: default, tuned | chosen for X; for Theta |"


def brief(steps: Iterable[Step]) -> str:
    """`fused`, and those settings that change what is computed."""
    shown = []
    for step in steps:
        if step.stage in ("update", "normal_equations", "hermitian"):
            shown.append(step.variant)
        for name, value in step.config.items():
            if name == "late_steps" and value != "0":
                shown.append(f"late {value}")
            if name == "steps" or (name in ("factors", "matrix") and value != "fp32"):
                shown.append(f"{value} steps" if name == "steps" else f"{name} {value}")
    return " ".join(dict.fromkeys(shown))


def gemm_seconds(rows: list[Row]) -> float | None:
    """Time of A_u and b_u of both sides at the rate of the fastest gemm_batched, or nothing without one."""
    fastest: dict[str, Row] = {}
    for row in rows:
        if row.stage == "gemm_batched" and row.part and row.cache == "cold" and rate(row) > rate(fastest.get(row.part)):
            fastest[row.part] = row
    if len(fastest) < 2:
        return None
    return sum((row.nnz or 0) * row.rank * (row.rank + 3) / rate(row) for row in fastest.values())


def rate(row: Row | None) -> float:
    return row.flops_per_second or 0.0 if row else 0.0


def cells(problem: str, rows: list[Row]) -> list[str]:
    trainings = {row.name.split("/")[1]: row for row in rows if row.role == "training" and row.outcome == "ok"}
    default, tuned = trainings.get("default"), trainings.get("tuned")
    if len(trainings) != 2 or default is None or tuned is None:
        return [problem, "failed", *[""] * 5]
    gemm = gemm_seconds([row for row in rows if row.outcome == "ok"])
    times = [row.mean_iteration_seconds or nan for row in (default, tuned)]
    return [
        problem,
        *(f"{seconds * 1e3:.2f}" for seconds in times),
        f"{times[0] / times[1]:.1f}",
        f"{gemm / times[1]:.1f}" if gemm else "",
        ", ".join(f"{row.test_metric:.5f}" for row in (default, tuned)),
        "; ".join(brief(steps_of(tuned.pipelines[part])) for part in ("x", "theta")),
    ]


def text(paths: Sequence[str]) -> str:
    rows = itertools.chain.from_iterable(read_table_of("tuned", path).rows for path in paths)
    groups = grouped(rows, lambda row: row.problem)
    return table_text(HEAD, (cells(problem.replace("/rank:", ", "), group) for problem, group in groups.items()))


if __name__ == "__main__":
    main_of(text, __doc__)

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.direct_solvers FILE...: exact solvers of a CPU, a row a problem, as Markdown.

For results of `alsbench run direct-solvers`. First come the medians of solving all users' systems, then those of an exact iteration by pipeline.
Needs nothing but Python.
"""

from collections.abc import Iterator, Sequence
from math import nan
from statistics import median

from alsbench.results.records import Case, RunResult
from plots.markdown import main_of, table_text
from plots.reading import read_run_of

SOLVERS = ("lu", "cholesky", "blocked_cholesky", "cg")
TRAININGS = ("lapack", "blocked", "exact")
HEAD = (
    "| data set, rank | `lu`, ms | `cholesky` | `blocked_cholesky` | `cg`, 6 steps"
    " | iteration, `cholesky` | `blocked_cholesky` | `update/cholesky` |"
)


def seconds(case: Case) -> float:
    if case.training:
        return median(iteration.seconds for iteration in case.training.iterations)
    return case.median_seconds


def rows(result: RunResult) -> Iterator[list[str]]:
    found: dict[str, dict[str, float]] = {}
    for case in result.cases:
        times = found.setdefault(case.problem.name.replace("/rank:", ", "), {})
        if case.role == "training":
            times[case.name.split("/")[1]] = seconds(case)
        elif case.stage == "solve" and case.variant:
            times[case.variant] = seconds(case)
    for problem, times in found.items():
        yield [problem, *(f"{1e3 * times.get(name, nan):.3g}" for name in SOLVERS + TRAININGS)]


def text(paths: Sequence[str]) -> str:
    return table_text(HEAD, (row for path in paths for row in rows(read_run_of("direct-solvers", path))))


if __name__ == "__main__":
    main_of(text, __doc__)

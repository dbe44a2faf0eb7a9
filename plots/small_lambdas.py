# SPDX-License-Identifier: Apache-2.0
"""python -m plots.small_lambdas FILE...: how far from exact FP32 trainings end, a row a problem, as Markdown.

For results of `alsbench run small-lambdas`. A cell is the distance of the last test RMSE to exact FP32's of that iteration, as a share of it: negative where it is less, and empty where a training was skipped.
Needs nothing but Python.
"""

import sys
from collections.abc import Iterator

from alsbench.results.run import RunResult
from plots.defaults import groups
from plots.markdown import print_table
from plots.reading import read_run_of

RUNS = ("default", "late-4", "late-3", "late-2")
HEAD = "| data set, rank | device | lambda | exact | default | 4 steps | late 3 | late 2 |"


def rows(result: RunResult) -> Iterator[list[str]]:
    names: dict[str, str] = {device.backend: device.name for device in result.devices}
    for (problem, backend), runs in groups(result).items():
        if "exact" not in runs:
            continue
        case, exact = runs["exact"]
        last = exact.iterations[-1].test
        yield [
            problem,
            names.get(backend, backend),
            f"{case.problem.regularization:g}",
            f"{last:.4f}",
            *(f"{runs[name][1].iterations[-1].test / last - 1:.1e}" if name in runs else "" for name in RUNS),
        ]


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    results = [read_run_of("small-lambdas", path) for path in sys.argv[1:]]
    print_table(HEAD, (row for result in results for row in rows(result)))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.defaults FILE...: how far the default is from what was tuned, a row a problem, as Markdown.

For results of `alsbench run defaults`. Times are of an iteration, the mean of all; *off* is the largest distance of a test RMSE to exact FP32's, as a share of that,
of the iterations from the second on that both have. *neighbour* is what the database chooses as if the very shape had not been tuned. Needs nothing but Python.
"""

import sys
from collections.abc import Iterator, Sequence

from alsbench.results.records import Case, RunResult, Training
from plots.markdown import main_of, table_text
from plots.reading import read

RUNS = ("exact", "default", "neighbour", "tuned")
HEAD = "| data set, rank | device | exact, ms | default, ms | neighbour, ms | tuned, ms | default / tuned | neighbour / tuned | off, default | tuned by |"


Runs = dict[str, tuple[Case, Training]]


def read_defaults(path: str) -> RunResult:
    result = read(path, RunResult, "alsbench run defaults")
    if not any(case.name.startswith("train/neighbour/") for case in result.cases):
        sys.exit(f"plots: {path}: is no result of the suite defaults")
    return result


def off(training: Training, exact: Training) -> float:
    pairs = zip(training.tests[1:], exact.tests[1:], strict=False)
    return max(abs(own / other - 1) for own, other in pairs)


def groups(result: RunResult) -> dict[tuple[str, str], Runs]:
    """{(problem, backend): {name of the run: case}} of all that trained, in the order of the file."""
    found: dict[tuple[str, str], Runs] = {}
    for case in result.trained:
        if case.training:
            key = case.problem.name.replace("/rank:", ", "), case.backend
            found.setdefault(key, {})[case.name.split("/")[1]] = case, case.training
    return found


def rows(result: RunResult) -> Iterator[list[str]]:
    names: dict[str, str] = {device.backend: device.name for device in result.devices}
    for (problem, backend), runs in groups(result).items():
        if not all(name in runs for name in RUNS):
            continue
        times = {name: 1e3 * runs[name][1].mean_seconds for name in RUNS}
        levels = {origin.level for origin in runs["tuned"][0].tuned}
        yield [
            problem,
            names.get(backend, backend),
            *(f"{times[name]:.3g}" for name in RUNS),
            f"{times['default'] / times['tuned']:.2f}",
            f"{times['neighbour'] / times['tuned']:.2f}",
            f"{off(runs['default'][1], runs['exact'][1]):.0e}",
            ", ".join(sorted(levels)),
        ]


def text(paths: Sequence[str]) -> str:
    return table_text(HEAD, (row for path in paths for row in rows(read_defaults(path))))


if __name__ == "__main__":
    main_of(text, __doc__)

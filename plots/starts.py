# SPDX-License-Identifier: Apache-2.0
"""python -m plots.starts FILE...: what starts of the factors gain, a row a problem, as Markdown.

For results of `alsbench run starts`. A cell has the iterations to the target, which is the lowest test RMSE from the uniform start + 0.5 %.
In brackets is how far above it the training's own lowest RMSE lies, in units of 1e-4.
"""

from collections.abc import Sequence

from alsbench.results.records import RunResult
from plots.markdown import main_of, table_text
from plots.reading import read_run_of

UNIFORM, MARGIN = "uniform", 0.005


def curves_of(result: RunResult) -> dict[str, dict[str, list[float]]]:
    """{problem: {start: the test RMSE of each iteration}}"""
    curves: dict[str, dict[str, list[float]]] = {}
    for case in result.trained:
        assert case.training is not None
        problem = f"{case.problem.name}, lambda {case.problem.regularization:.2g}"
        curves.setdefault(problem, {})[case.name.split("/")[1]] = case.training.tests
    return curves


def cell(curve: list[float], uniform: list[float]) -> str:
    target = (1 + MARGIN) * min(uniform)
    reached = [number for number, rmse in enumerate(curve, 1) if rmse <= target]
    return f"{reached[0] if reached else '-'} ({1e4 * (min(curve) - min(uniform)):+.1f})"


def text(paths: Sequence[str]) -> str:
    curves = {problem: row for path in paths for problem, row in curves_of(read_run_of("starts", path)).items()}
    starts = list(dict.fromkeys(start for row in curves.values() for start in row))
    rows = (
        [problem, *(cell(row[start], row[UNIFORM]) if start in row else "" for start in starts)]
        for problem, row in curves.items()
        if UNIFORM in row
    )
    return table_text(" | ".join(["| problem", *(f"`{start}`" for start in starts)]) + " |", rows)


if __name__ == "__main__":
    main_of(text, __doc__)

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.amx FILE...: iterations on a CPU's AMX tiles beside those without, a row a problem, as Markdown.

For results of `alsbench run amx` and `rates-amx`. Times are medians of all iterations but the first, which warms up.
Needs nothing but Python.
"""

from collections.abc import Iterator, Sequence
from statistics import median

from alsbench.results.records import Case, RunResult
from plots.markdown import main_of, table_text
from plots.reading import read_run_of

# Of the suite amx and of rates-amx; with tiles, and without.
EXPLICIT = (("tiles", "tiles-3"), ("matrix-free", "matrix-free-halves-3"))
IMPLICIT = (("implicit-tiles",), ("implicit-matrix-free",))
HEAD = "| data set, rank | explicit: `matrix_free`, ms | `tiles`, ms | ratio | implicit: `matrix_free`, ms | `tiles`, ms | ratio |"


def milliseconds(case: Case) -> float:
    if case.training is None:
        raise SystemExit(f"{case.name} is no training")
    return 1e3 * median(iteration.seconds for iteration in case.training.iterations[1:])


def rows(result: RunResult) -> Iterator[list[str]]:
    found: dict[str, dict[str, float]] = {}
    for case in result.trained:
        problem = case.problem.name.replace("/rank:", ", ")
        found.setdefault(problem, {})[case.name.split("/")[1]] = milliseconds(case)
    for problem, times in found.items():
        cells = [problem]
        for names in (EXPLICIT, IMPLICIT):
            tiles, without = (next(times[name] for name in each if name in times) for each in names)
            cells += [f"{without:.1f}", f"{tiles:.1f}", f"{without / tiles:.2f}"]
        yield cells


def text(paths: Sequence[str]) -> str:
    found = (
        row for suite, path in zip(("amx", "rates-amx"), paths, strict=True) for row in rows(read_run_of(suite, path))
    )
    return table_text(HEAD, found)


if __name__ == "__main__":
    main_of(text, __doc__)

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.summary FILE.json FIGURE: two lines for a person: what was found, what to run next.

Needs nothing but Python, so it also speaks where .venv could not be made.
"""

import collections
import sys

from alsbench.results.records import RunResult
from plots.reading import read


def found(result: RunResult, figure: str) -> str:
    outcomes = collections.Counter(case.outcome for case in result.cases if case.role != "ceiling")
    counts = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    return (
        f"Found: {', '.join(result.device_names) or 'no device'}; {counts}; "
        f"{fastest(result) or 'nothing measured'}{disturbance(result)}. Figure: {figure}"
    )


def disturbance(result: RunResult) -> str:
    """How much other work disturbed; such times are not ranked."""
    medians = [each.disturbed for case in result.cases for mode in ("cold", "hot") if (each := case.measurement(mode))]
    trainings = [case.training.disturbed for case in result.trained if case.training]
    parts = [
        f"{sum(of)} of {len(of)} {name}" for of, name in ((medians, "medians"), (trainings, "trainings")) if any(of)
    ]
    return f"; other work on the machine disturbed {' and '.join(parts)}: measure again on an idle one" if parts else ""


def fastest(result: RunResult) -> str:
    """The fastest variant of the stages that an iteration spends its time in, with its share."""
    parts = []
    for stage in ("hermitian", "solve"):
        cases = [case for case in result.measured(stage, "case") if case.part == "x"]
        if not cases:
            continue
        calm = [case for case in cases if (one := case.measurement()) and not one.disturbed]
        if not calm:
            parts.append(f"no undisturbed {stage} of X")
            continue
        best = min(calm, key=lambda case: case.median_seconds)
        measured = best.measurement()
        ceiling = measured.nearest_ceiling if measured else None
        of = f" ({ceiling.share:.0%} of {ceiling.of})" if ceiling else ""
        parts.append(f"fastest {stage} of X: {best.variant} on {best.backend}, {best.median_seconds * 1e3:.3g} ms{of}")
    return ", ".join(parts)


def following(result: RunResult) -> str:
    cuda = [case for case in result.cases if case.backend == "cuda"]
    reasons = {case.detail for case in cuda if case.outcome == "skipped" and case.detail}
    if any(case.outcome == "ok" for case in cuda):
        return (
            "Next: build/alsbench run paper-fig4 --json results/local/fig4.json (build/alsbench list suites shows more)"
        )
    why = f" (CUDA: {min(reasons, key=len)})" if reasons else ""
    return f"Next: build/alsbench train --data YOUR-RATINGS.csv, or build/alsbench doctor to see what a GPU needs{why}"


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    result = read(sys.argv[1], RunResult, "alsbench run --json")
    print(found(result, sys.argv[2]))
    print(following(result))


main()

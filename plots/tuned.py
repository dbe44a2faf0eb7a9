# SPDX-License-Identifier: Apache-2.0
"""python -m plots.tuned FILE.json: what the tuning database brings, one row a shape and rank, as Markdown.

For a file of `alsbench run tuned`. Needs nothing but Python.
"""

import collections
import sys

from alsbench.results.run import Case, Shape
from alsbench.results.training import Training
from plots.reading import read_run_of


def brief(pipeline: str) -> str:
    """`fused`, and those settings that change what is computed."""
    shown = []
    for step in pipeline.split("/"):
        stage, name, *settings = step.split(":")
        if stage in ("update", "normal_equations", "hermitian"):
            shown.append(name)
        for setting in ",".join(settings).split(","):
            key, _, value = setting.partition("=")
            if key == "late_steps" and value != "0":
                shown.append(f"late {value}")
            if key == "steps" or (key in ("factors", "matrix") and value != "fp32"):
                shown.append(f"{value} steps" if key == "steps" else f"{key} {value}")
    return " ".join(dict.fromkeys(shown))


def gemm_seconds(cases: list[Case]) -> float | None:
    """What A_u and b_u of both sides would take at the rate of the fastest gemm_batched, or nothing without one."""
    rates: dict[str, list[tuple[float, Shape]]] = collections.defaultdict(list)
    for case in cases:
        if case.stage == "gemm_batched" and case.side and case.shape and case.cold and case.cold.flops_per_second:
            rates[case.side].append((case.cold.flops_per_second, case.shape))
    total = 0.0
    for side in ("x", "theta"):
        if not rates[side]:
            return None
        rate, shape = max(rates[side], key=lambda each: each[0])
        total += shape.nnz * shape.rank * (shape.rank + 3) / rate
    return total


def row(problem: str, cases: list[Case]) -> str:
    trainings = {
        case.name.split("/")[1]: case.training for case in cases if case.role == "training" and case.outcome == "ok"
    }
    default, tuned = trainings.get("default"), trainings.get("tuned")
    if len(trainings) != 2 or default is None or tuned is None:
        return f"| {problem} | failed | | | | | |"
    gemm = gemm_seconds([case for case in cases if case.outcome == "ok"])
    share = f"{gemm / tuned.mean_seconds:.1f}" if gemm else ""
    x, theta = (brief(tuned.pipelines[side]) for side in ("x", "theta"))
    times = default.mean_seconds, tuned.mean_seconds
    return (
        f"| {problem} | {times[0] * 1e3:.2f} | {times[1] * 1e3:.2f} | {times[0] / times[1]:.1f} | {share} "
        f"| {rmse_of(default):.5f}, {rmse_of(tuned):.5f} | {x}; {theta} |"
    )


def rmse_of(training: Training) -> float:
    return training.iterations[-1].test


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    result = read_run_of("tuned", sys.argv[1])
    problems = collections.defaultdict(list)
    for case in result.cases:
        problems[f"{case.problem.dataset or case.problem.path}, {case.problem.rank}"].append(case)
    print(
        "| shape, rank | default, ms an iteration | tuned | times faster | over gemm | RMSE after 10: default, tuned | chosen for X; for Theta |"
    )
    print("|---|---|---|---|---|---|---|")
    for problem, cases in problems.items():
        print(row(problem, cases))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.tuned FILE.json: what the tuning database brings, one row a shape and rank, as Markdown.

For a file of `alsbench run tuned`. Needs nothing but Python.
"""

import collections
import json
import pathlib
import sys


def seconds_of(record):
    """Of an iteration, both sides: the median of all but the first, which warms up."""
    seconds = sorted(each["seconds"]["total"] for each in record["training"]["iterations"][1:])
    return seconds[len(seconds) // 2]


def rmse_of(record):
    return record["training"]["iterations"][-1]["test_rmse"]


def brief(pipeline):
    """`fused`, and those settings that change what is computed."""
    shown = []
    for step in pipeline.split("/"):
        stage, name, *settings = step.split(":")
        if stage in ("update", "normal_equations", "hermitian"):
            shown.append(name)
        for setting in ",".join(settings).split(","):
            key, _, value = setting.partition("=")
            if key == "steps" or (key in ("factors", "matrix") and value != "fp32"):
                shown.append(f"{value} steps" if key == "steps" else f"{key} {value}")
    return " ".join(dict.fromkeys(shown))


def gemm_seconds(records):
    """What A_u and b_u of both sides would take at the rate of the fastest gemm_batched, or nothing without one."""
    rates = collections.defaultdict(list)
    for record in records:
        if record["stage"] == "gemm_batched" and record["outcome"] == "ok":
            rates[record["side"]].append((record["cold"]["flops_per_second"], record["shape"]))
    total = 0.0
    for side in ("x", "theta"):
        if not rates[side]:
            return None
        rate, shape = max(rates[side], key=lambda each: each[0])
        total += shape["nnz"] * shape["rank"] * (shape["rank"] + 3) / rate
    return total


def row(problem, records):
    trainings = {
        record["name"].split("/")[1]: record
        for record in records
        if record["role"] == "training" and record["outcome"] == "ok"
    }
    if set(trainings) != {"default", "tuned"}:
        return f"| {problem} | failed | | | | | |"
    default, tuned = trainings["default"], trainings["tuned"]
    gemm = gemm_seconds(records)
    share = f"{gemm / seconds_of(tuned):.1f}" if gemm else ""
    x, theta = (brief(tuned["training"][f"pipeline_{side}"]) for side in ("x", "theta"))
    return (
        f"| {problem} | {seconds_of(default) * 1e3:.2f} | {seconds_of(tuned) * 1e3:.2f} | {seconds_of(default) / seconds_of(tuned):.1f} | {share} "
        f"| {rmse_of(default):.5f}, {rmse_of(tuned):.5f} | {x}; {theta} |"
    )


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    document = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    if document.get("kind") != "run" or document["suite"]["name"] != "tuned":
        sys.exit(f"plots: {sys.argv[1]}: not a result of the suite tuned")
    problems = collections.defaultdict(list)
    for record in document["cases"]:
        problem = record["problem"]
        problems[f"{problem['dataset'] or problem['path']}, {problem['rank']}"].append(record)
    print(
        "| shape, rank | default, ms an iteration | tuned | times faster | over gemm | RMSE after 10: default, tuned | chosen for X; for Theta |"
    )
    print("|---|---|---|---|---|---|---|")
    for problem, records in problems.items():
        print(row(problem, records))


if __name__ == "__main__":
    main()

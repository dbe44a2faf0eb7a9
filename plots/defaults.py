# SPDX-License-Identifier: Apache-2.0
"""python -m plots.defaults FILE...: how far the default is from what was tuned, a row a problem, as Markdown.

For results of `alsbench run defaults`. Times are of an iteration, the median without the first; *off* is the largest distance of a test RMSE to exact FP32's, as a share of that,
of the iterations from the second on that both have. *neighbour* is what the database chooses as if the very shape had not been tuned. Needs nothing but Python.
"""

import json
import statistics
import sys

RUNS = ("exact", "default", "neighbour", "tuned")
HEAD = "| data set, rank | device | exact, ms | default, ms | neighbour, ms | tuned, ms | default / tuned | neighbour / tuned | off, default | tuned by |"


def read(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    if document.get("kind") != "run" or not any(
        case["name"].startswith("train/neighbour/") for case in document["cases"]
    ):
        sys.exit(f"plots: {path}: not a result of the suite defaults")
    return document


def milliseconds(training):
    return 1e3 * statistics.median(iteration["seconds"]["total"] for iteration in training["iterations"][1:])


def off(training, exact):
    pairs = zip(training["iterations"][1:], exact["iterations"][1:], strict=False)
    return max(abs(own["test_rmse"] / other["test_rmse"] - 1) for own, other in pairs)


def groups(document):
    """{(problem, backend): {name of the run: case}} of all that trained, in the order of the file."""
    found = {}
    for case in document["cases"]:
        if case["outcome"] == "ok" and case["training"]:
            found.setdefault((case["problem"]["name"], case["backend"]), {})[case["name"].split("/")[1]] = case
    return found


def rows(document):
    names = {device["backend"]: device["name"] for device in document["devices"]}
    for (problem, backend), cases in groups(document).items():
        if not all(name in cases for name in RUNS):
            continue
        times = {name: milliseconds(cases[name]["training"]) for name in RUNS}
        levels = {origin["level"] for origin in cases["tuned"]["tuned"].values()}
        yield [
            problem.replace("/rank:", ", "),
            names.get(backend, backend),
            *(f"{times[name]:.3g}" for name in RUNS),
            f"{times['default'] / times['tuned']:.2f}",
            f"{times['neighbour'] / times['tuned']:.2f}",
            f"{off(cases['default']['training'], cases['exact']['training']):.0e}",
            ", ".join(sorted(levels)),
        ]


def table(documents):
    lines = [HEAD, "|---" * HEAD.count(" | ") + "|---|"]
    lines += [f"| {' | '.join(row)} |" for document in documents for row in rows(document)]
    return lines


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("\n".join(table([read(path) for path in sys.argv[1:]])))


if __name__ == "__main__":
    main()

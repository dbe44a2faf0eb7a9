# SPDX-License-Identifier: Apache-2.0
"""python -m plots.summary FILE.json FIGURE: two lines for a person: what was found, what to run next.

Needs nothing but Python, so that it also speaks where .venv could not be made.
"""

import collections
import sys

from plots import results


def found(document, figure):
    outcomes = collections.Counter(case["outcome"] for case in document["cases"] if case["role"] != "roof")
    counts = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    return (
        f"Found: {', '.join(results.device_names(document)) or 'no device'}; {counts}; "
        f"{fastest(document) or 'nothing measured'}. Figure: {figure}"
    )


def fastest(document):
    """The fastest variant of the stages that an iteration spends its time in, with its share."""
    parts = []
    for stage in ("hermitian", "solve"):
        cases = [c for c in results.measured(document, stage, "case") if c["side"] == "x"]
        if not cases:
            continue
        best = min(cases, key=results.seconds)
        share = results.share(best)
        of = f" ({share[0]:.0%} of {share[1]})" if share else ""
        parts.append(
            f"fastest {stage} of X: {best['variant']} on {best['backend']}, {results.seconds(best) * 1e3:.3g} ms{of}"
        )
    return ", ".join(parts)


def following(document):
    reasons = {
        case["detail"] for case in document["cases"] if case["backend"] == "cuda" and case["outcome"] == "skipped"
    }
    if any(case["backend"] == "cuda" and case["outcome"] == "ok" for case in document["cases"]):
        return (
            "Next: build/alsbench run paper-fig4 --json results/local/fig4.json (build/alsbench list suites shows more)"
        )
    why = f" (CUDA: {min(reasons, key=len)})" if reasons else ""
    return f"Next: build/alsbench train --data YOUR-RATINGS.csv, or build/alsbench doctor to see what a GPU needs{why}"


def main():
    path, figure = sys.argv[1:3]
    try:
        document = results.load(path, check=False)
    except results.ResultError as error:
        sys.exit(f"plots: {error}")
    print(found(document, figure))
    print(following(document))


main()

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.agreement FILE.json...: do tunings of the same problem choose alike? A row a tuning, as Markdown.

For files of `alsbench tune --pipeline --json`. *agrees* counts the other tunings whose choice or ties hold this one's choice. Needs nothing but Python.
"""

import json
import sys

from plots.tuned import brief


def read(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    if document.get("kind") != "pipeline-tuning":
        sys.exit(f"plots: {path}: not a result of alsbench tune --pipeline")
    return document


def tuned_what(document):
    problem = document["problem"]
    return document["device"]["name"], problem["dataset"] or problem["path"], problem["rank"]


def side_of(document, name):
    return next(side for side in document["sides"] if side["side"] == name)


def cells(documents, own, name):
    side = side_of(own, name)
    others = [side_of(document, name) for document in documents if document is not own]
    agreeing = sum(side["pick"] in [other["pick"], *other["ties"]] for other in others)
    return [brief(side["pick"]), f"{side['median_seconds'] * 1e3:.2f}", f"{agreeing} of {len(others)}"]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    documents = [read(path) for path in sys.argv[1:]]
    if len(set(map(tuned_what, documents))) > 1:
        sys.exit(f"plots: not tunings of one problem on one device: {sorted(set(map(tuned_what, documents)))}")
    print("| seed | seconds | of them measuring | X | ms | agrees | Theta | ms | agrees |")
    print("|---|---|---|---|---|---|---|---|---|")
    for document in documents:
        time = document["time"]
        row = [
            str(document["search"]["seed"]),
            f"{time['total_seconds']:.0f}",
            f"{time['measuring_seconds'] / time['total_seconds']:.0%}",
            *cells(documents, document, "x"),
            *cells(documents, document, "theta"),
        ]
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.comparisons FILE.json...: one row a kind of comparison, as Markdown.

For files of `alsbench ab` that scripts/show_gate wrote. Needs nothing but Python.
"""

import collections
import json
import pathlib
import re
import statistics
import sys

PLANTED = "hermitian/planted/"


def kind_of(path):
    """The file's name without its seed: aa, slower-1, ..."""
    return re.sub(r"^(aa|slower-\d+)-\d+$", r"\1", path.stem)


def percent(ratio):
    return f"{(ratio - 1) * 100:+.2f} %"


def cases_of(kind, document):
    planted = [case for case in document["cases"] if case["name"].startswith(PLANTED)]
    return planted if planted and kind != "aa" else document["cases"]


def seconds_of(document):
    last = document["launches"][-1]
    return last["start_seconds"] + last["seconds"]


def row(kind, documents):
    cases = [case for document in documents for case in cases_of(kind, document)]
    verdicts = collections.Counter(case["verdict"] for case in cases)
    told = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    ratios = sorted(case["ratio"] for case in cases)
    widths = [case["ratio_high"] - case["ratio_low"] for case in cases if case["ratio_low"] is not None]
    width = f"{statistics.median(widths) * 50:.2f} %" if widths else ""
    conclusions = ", ".join(sorted({document["conclusion"] for document in documents}))
    launches = statistics.median(len(document["launches"]) for document in documents)
    seconds = statistics.median(seconds_of(document) for document in documents)
    return (
        f"| {kind} | {len(documents)} | {told} | {percent(statistics.median(ratios))} ({percent(ratios[0])} to {percent(ratios[-1])}) "
        f"| {width} | {conclusions} | {launches:.0f} | {seconds:.0f} |"
    )


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    kinds = collections.defaultdict(list)
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        if not path.is_file():
            sys.exit(f"plots: {path}: no such file; give the files of comparisons")
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.get("kind") != "comparison" or not document.get("launches"):
            sys.exit(f"plots: {path}: not a comparison of alsbench ab")
        kinds[kind_of(path)].append(document)
    print(
        "| kind | runs | verdicts of its cases | effect: median (least to most) | half an interval | conclusion | launches | seconds |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for kind in sorted(kinds):
        print(row(kind, kinds[kind]))


main()

# SPDX-License-Identifier: Apache-2.0
"""python -m plots.comparisons FILE.json...: one row a kind of comparison, as Markdown.

For files of `alsbench ab` that scripts/show_gate wrote. Needs nothing but Python.
"""

import collections
import pathlib
import re
import statistics
import sys

from alsbench.results.records import ComparedCase, Comparison
from plots.reading import read, stem

PLANTED = "hermitian/planted/"
HEAD = "| kind | runs | verdicts of its cases | effect: median (least to most) | half an interval | conclusion | launches | seconds |"


def kind_of(path: pathlib.Path) -> str:
    """The file's name without its seed: aa, slower-1, ..."""
    return re.sub(r"^(aa|slower-\d+)-\d+$", r"\1", stem(path))


def percent(ratio: float) -> str:
    return f"{(ratio - 1) * 100:+.2f} %"


def cases_of(kind: str, comparison: Comparison) -> tuple[ComparedCase, ...]:
    planted = tuple(case for case in comparison.cases if case.name.startswith(PLANTED))
    return planted if planted and kind != "aa" else comparison.cases


def seconds_of(comparison: Comparison) -> float:
    last = comparison.launches[-1]
    return last.start_seconds + last.seconds


def effect(cases: list[ComparedCase]) -> str:
    ratios = sorted(case.ratio for case in cases if case.ratio is not None)
    return f"{percent(statistics.median(ratios))} ({percent(ratios[0])} to {percent(ratios[-1])})" if ratios else ""


def row(kind: str, comparisons: list[Comparison]) -> str:
    cases = [case for comparison in comparisons for case in cases_of(kind, comparison)]
    verdicts = collections.Counter(case.verdict for case in cases)
    told = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    intervals = [(case.ratio_low, case.ratio_high) for case in cases]
    widths = [high - low for low, high in intervals if low is not None and high is not None]
    width = f"{statistics.median(widths) * 50:.2f} %" if widths else ""
    conclusions = ", ".join(sorted({comparison.conclusion for comparison in comparisons}))
    launches = statistics.median(len(comparison.launches) for comparison in comparisons)
    seconds = statistics.median(map(seconds_of, comparisons))
    return (
        f"| {kind} | {len(comparisons)} | {told} | {effect(cases)} "
        f"| {width} | {conclusions} | {launches:.0f} | {seconds:.0f} |"
    )


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    kinds = collections.defaultdict(list)
    for name in sys.argv[1:]:
        comparison = read(name, Comparison, "alsbench ab")
        if not comparison.launches:
            sys.exit(f"plots: {name}: is no comparison of alsbench ab: it has no launches")
        kinds[kind_of(pathlib.Path(name))].append(comparison)
    print(HEAD)
    print("|---|---|---|---|---|---|---|---|")
    for kind in sorted(kinds):
        print(row(kind, kinds[kind]))


main()

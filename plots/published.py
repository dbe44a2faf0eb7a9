# SPDX-License-Identifier: Apache-2.0
"""python -m plots.published FILE...: the trainings of a run against what others published, a table a problem, as Markdown.

For results of the suites that plots/citations.json names. Seconds are of iterations, without loading and compiling.
The target of a problem is the lowest test RMSE of als-exact + 0.5 %; a training runs all of its iterations, whenever it comes there.
A peer's seconds are of all its iterations: as it says, else by the times of its lines. Published figures are of other machines and other ratings, and are marked so. Needs nothing but Python.
"""

import json
import math
import pathlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alsbench.results.records import Case, RunResult, Training
from plots.cases import grouped, problem_label, training_label
from plots.markdown import main_of
from plots.reading import read

CITATIONS = pathlib.Path(__file__).with_name("citations.json")
REFERENCE, MARGIN = "als-exact", 0.005
TO_TARGET = "| system | ms an iteration | iterations to the target | seconds to the target | lowest test {metric} |"
AN_ITERATION = "| system | ms an iteration | iterations | test {metric} after them |"
MISSING = "-"


@dataclass(frozen=True)
class Citation:
    """Published figures of a system on a data set. of: what took so many seconds."""

    dataset: str
    system: str
    machine: str
    seconds: float
    of: str
    source: str


def citations_of(suite: str) -> list[Citation]:
    every = json.loads(CITATIONS.read_text(encoding="utf-8"))
    return [Citation(**each) for each in every.get(suite, [])]


def read_published(path: str) -> RunResult:
    result = read(path, RunResult, "alsbench run")
    if not citations_of(result.suite.name):
        why = f"nothing is published for the suite {result.suite.name}; see {CITATIONS.name}"
        sys.exit(f"plots: {path}: {why}")
    return result


def lowest(training: Training) -> float:
    return min((test for test in training.tests if not math.isnan(test)), default=math.nan)


def target_of(cases: list[Case]) -> float | None:
    """Of the problem of the cases; None where the reference did not train."""
    plateaus = [
        lowest(case.training)
        for case in cases
        if case.outcome == "ok" and case.training and training_label(case.name) == REFERENCE
    ]
    return min(plateaus) * (1 + MARGIN) if plateaus else None


def metric_of(cases: list[Case]) -> str:
    """Of the first training or peer that has one."""
    names: list[str] = [case.training.metric for case in cases if case.training]
    names += [case.peer.metric for case in cases if case.peer]
    return {"rmse": "RMSE"}.get(names[0], names[0]) if names else "metric"


def number(value: float | None, digits: str) -> str:
    return MISSING if value is None else f"{value:{digits}}"


def one_line(detail: str | None) -> str:
    return (detail or "no reason is known").splitlines()[0].replace("|", "\\|")


def training_row(case: Case, target: float | None) -> list[str]:
    training = case.training
    if case.outcome != "ok" or training is None or not training.iterations:
        return [training_label(case.name), f"{case.outcome}: {one_line(case.detail)}"]
    cells = [f"{training_label(case.name)} ({case.backend})", f"{1e3 * training.median_seconds:.4g}"]
    if target is None:
        last = training.iterations[-1]
        return [*cells, str(last.iteration), number(last.test_metric, ".5f")]
    iterations, seconds = training.reached(target) or (None, None)
    return [*cells, number(iterations, "d"), number(seconds, ".3g"), f"{lowest(training):.5f}"]


def peer_row(case: Case, target: float | None) -> list[str]:
    peer = case.peer
    assert peer is not None
    name = f"{peer.name} {peer.version or ''}".strip()
    if case.outcome != "ok":
        return [name, f"{case.outcome}: {one_line(case.detail)}"]
    each = None if peer.seconds is None else 1e3 * peer.seconds / peer.iterations
    cells = [f"{name} ({case.backend})", number(each, ".4g")]
    if target is None:
        return [*cells, str(peer.iterations), number(peer.test, ".5f")]
    there = peer.test is not None and peer.test <= target
    seconds = f"at most {number(peer.seconds, '.3g')}" if there else MISSING
    return [*cells, f"at most {peer.iterations}" if there else MISSING, seconds, number(peer.test, ".5f")]


def citation_row(citation: Citation, columns: int) -> list[str]:
    text = f"*published*: {citation.seconds:g} s for {citation.of}"
    return [f"{citation.system}, {citation.machine}", text, *[""] * (columns - 3), citation.source]


def line(cells: list[str], columns: int) -> str:
    return f"| {' | '.join([*cells, *[''] * (columns - len(cells))])} |".replace("|  |", "| |")


def tables(result: RunResult) -> Iterator[str]:
    cases = [case for case in result.cases if case.role in ("training", "peer")]
    for group in grouped(cases, lambda case: case.problem.name).values():
        target = target_of(group)
        wanted = f": to a test {metric_of(group)} of {target:.5f}" if target else ""
        yield f"{problem_label(group[0].problem.name)}{wanted}\n"
        head = (TO_TARGET if target else AN_ITERATION).format(metric=metric_of(group))
        columns = head.count(" | ") + 1
        yield head
        yield "|---" * columns + "|"
        for case in group:
            yield line(peer_row(case, target) if case.peer else training_row(case, target), columns)
        for citation in citations_of(result.suite.name):
            if citation.dataset == group[0].problem.dataset:
                yield line(citation_row(citation, columns), columns)
        yield ""


def text(paths: Sequence[str]) -> str:
    return "\n".join("\n".join(tables(read_published(path))) for path in paths)


if __name__ == "__main__":
    main_of(text, __doc__)

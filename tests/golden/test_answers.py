# SPDX-License-Identifier: Apache-2.0
"""The first screen of a report answers the question of each committed suite, with figures recomputed here."""

import collections
import csv
import functools
import io
import json
import math
import re
import statistics

import pytest

from conftest import ROOT, read_json
from report_page import made

pytest_plugins = ["report_page"]

CLOSE, MARGIN = 0.001, 0.005
SUITES = {path.stem: read_json(path) for path in sorted((ROOT / "configs/suites").glob("*.json"))}
OLDER = {"scale": "scaling"}  # names that suites had
REFERENCES = {"fma", "mma", "copy", "read", "gather_l1", "gather_l2", "gather_memory", "gather_copy", "gemm_batched"}


def runs():
    """Those of shipped suites: one of a folder of kernels declares no answer."""
    for path in sorted((ROOT / "results").rglob("*.json.gz")):
        if "custom" in path.parts:
            continue
        if path.with_name(path.name.replace(".json.gz", ".csv")).exists() or "baselines" in path.parts:
            yield path


RUNS = list(runs())


# Numbers as the page writes them.


def digits(value, count=3):
    size = math.floor(math.log10(abs(value)))
    return f"{value:.{max(0, count - 1 - size)}f}"


def scaled(value, units):
    factor, unit = next(((factor, unit) for factor, unit in units if abs(value) >= factor), units[-1])
    return f"{digits(value / factor)} {unit}"


def seconds(value):
    return scaled(value, [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")])


def rate(value, unit):
    return scaled(value, [(1e12, "T" + unit), (1e9, "G" + unit), (1e6, "M" + unit)])


def times(value):
    return digits(value, 3 if value < 1.1 or value >= 10 else 2) + "\N{MULTIPLICATION SIGN}"


MINUS = "\N{MINUS SIGN}"


def effect(ratio):
    return f"{'+' if ratio >= 1 else MINUS}{abs(ratio - 1) * 100:.2f} %"


# Trainings and cases of a document.


class Training:
    def __init__(self, case):
        record = case["training"]
        self.name = case["name"].split("/")[1]
        self.problem, self.device, self.backend = case["problem"]["name"], case["device"], case["backend"]
        self.rank = case["problem"]["rank"]
        hyper = record["hyper"]
        self.kind = (self.problem, record["metric"], hyper.get("alpha"), hyper.get("regularisation"))
        self.metric, self.target = record["metric"], record["target"]
        steps = record["launches"][0]["iterations"]
        self.tests = [step["test_metric"] for step in steps]
        self.each = [step["seconds"] for step in steps]

    @property
    def per_iteration(self):
        return sum(self.each) / len(self.each)

    @property
    def exact(self):
        return "exact" in self.name.split("-")


def disturbed(case):
    """As CSV says: the page leaves out what the program marks."""
    return case.get("_disturbed", False)


def trainings(document):
    cases = [case for case in document["cases"] if case["role"] == "training" and case["outcome"] == "ok"]
    return [Training(case) for case in cases if not disturbed(case)]


def groups(values, key):
    found = collections.defaultdict(list)
    for value in values:
        found[key(value)].append(value)
    return dict(sorted(found.items(), key=lambda one: -len(one[1])))


def measured(document):
    """Cases with their first cache mode; of stages with phases the whole."""
    for case in document["cases"]:
        mode = case["cold"] or case["hot"]
        if case["role"] == "case" and mode and case["config"].get("phase", "all") == "all" and not disturbed(case):
            yield case, mode


def median(mode):
    return mode["statistics"]["median_seconds"]


# The figures of each kind of answer: texts that the card must have.


def fastest(document, _):
    by_stage = groups(measured(document), lambda one: one[0]["stage"])
    stage, rows = max(by_stage.items(), key=lambda one: (one[0] not in REFERENCES, len(one[1])))
    best = []
    for group in groups(rows, lambda one: (one[0]["problem"]["name"], one[0]["part"], one[0]["backend"])).values():
        if len(group) > 1:
            several = len({case["variant"] for case, _ in group}) > 1
            case, mode = min(group, key=lambda one: median(one[1]))
            best.append((case["variant"] if several else json.dumps(case["config"]), median(mode)))
    most = max(collections.Counter(name for name, _ in best).values())
    winners = [name for name, count in collections.Counter(name for name, _ in best).items() if count == most]
    yield f"{stage}: "
    won = [time for name, time in best if name == winners[0]]
    yield from (seconds(time) for time in ([max(won)] if len(winners) == 1 else []))


def iteration(document, _):
    for group in list(groups(trainings(document), lambda one: (one.kind, one.device)).values())[:3]:
        lowest = min(one.tests[-1] for one in group)
        near = [one for one in group if one.tests[-1] <= lowest * (1 + CLOSE)]
        fast = min(near, key=lambda one: one.per_iteration)
        yield f"{fast.name}"
        yield f"takes {seconds(fast.per_iteration)} an iteration"
        yield f"{digits(fast.tests[-1], 4)}"


def rates(document, _):
    stages = groups(measured(document), lambda one: one[0]["stage"])
    beside = next((stage for stage in stages if stage in REFERENCES), "fma")
    for stage, rows in stages.items():
        unit_of = stage if stage in REFERENCES else beside
        key = "compulsory_bytes_per_second" if unit_of in ("copy", "read") else "flops_per_second"
        key = "gathered_bytes_per_second" if unit_of.startswith("gather_") else key
        best = collections.defaultdict(float)
        for case, mode in rows:
            kind = next(
                (case["config"][name] for name in ("precision", "factors", "matrix") if name in case["config"]), ""
            )
            best[kind] = max(best[kind], mode[key] or 0)
        for kind, value in best.items():
            yield rate(value, "B/s" if key != "flops_per_second" else "OP/s" if kind == "int8" else "FLOP/s")


def shares(document, table):
    found = collections.defaultdict(float)
    names = {row["name"] for row in table}
    for row in table:
        first = row["cache"] == "cold" or row["name"].removesuffix("hot") + "cold" not in names
        if first and row["role"] == "case" and row["stage"] not in REFERENCES and row["share_of_nearest_ceiling"]:
            key = row["device"], row["stage"]
            found[key] = max(found[key], float(row["share_of_nearest_ceiling"]))
    if not found:
        unmeasured = {name for row in table if row["role"] == "case" for name in row["unmeasured_ceilings"].split(";")}
        yield "No case has a share of a ceiling: "
        yield from unmeasured - {""}
    for (_, stage), share in found.items():
        yield f"{stage} {share * 100:.0f} %"


def growth(document, _):
    points = groups(measured(document), lambda one: (one[0]["stage"], one[0]["part"]))
    for rows in points.values():
        series = groups(rows, lambda one: json.dumps(one[0]["config"]))
        top = max(case["problem"]["rank"] for case, _ in rows)
        ranked = [sorted(own, key=lambda one: one[0]["problem"]["rank"]) for own in series.values()]
        ends = [(own[0], own[-1]) for own in ranked]
        first, last = min(
            (pair for pair in ends if pair[1][0]["problem"]["rank"] == top), key=lambda one: median(one[1][1])
        )
        yield f"{seconds(median(first[1]))} at rank {first[0]['problem']['rank']}"
        yield f"{times(median(last[1]) / median(first[1]))} for {times(top / first[0]['problem']['rank'])} the rank"
    for own in groups(trainings(document), lambda one: one.backend).values():
        top = max(one.rank for one in own)
        series = [sorted(same, key=lambda one: one.rank) for same in groups(own, lambda one: one.name).values()]
        first, *_, last = min(
            (same for same in series if same[-1].rank == top), key=lambda same: same[-1].per_iteration
        )
        yield f"{seconds(first.per_iteration)} at rank {first.rank}"
        yield f"{times(last.per_iteration / first.per_iteration)} for {times(top / first.rank)} the rank"


def scaling(document, _):
    for group in groups(trainings(document), lambda one: (one.problem, one.name)).values():
        one, *more = sorted(group, key=lambda each: len(each.device.split("+")))
        for other in more:
            yield f"{times(one.per_iteration / other.per_iteration)} on {len(other.device.split('+'))} devices"


def target(document, _):
    for group in list(groups(trainings(document), lambda one: one.kind).values())[:3]:
        exact = [one for one in group if one.exact]
        goal = group[0].target or min(min(one.tests) for one in exact or group) * (1 + MARGIN)
        reached = {}
        for one in group:
            at = next((i for i, test in enumerate(one.tests) if test <= goal), None)
            if at is not None:
                reached[sum(one.each[: at + 1])] = one.name
        first = min(reached)
        yield f"{digits(goal, 4)}: {reached[first]}"
        yield f"after {seconds(first)} ("
        yield f"{len(reached)} of {len(group)} reached it"


def distance(document, _):
    ratios = []
    for group in groups(trainings(document), lambda one: (one.kind, one.device)).values():
        usual = next(one for one in group if one.name == "default")
        ratios.append(usual.per_iteration / min(one.per_iteration for one in group))
    yield f"{times(statistics.median(ratios))} the time of the fastest"
    yield f"at most {times(max(ratios))}"


def accuracy(document, _):
    found = groups(trainings(document), lambda one: (one.kind, one.device)).values()
    beside = [group for group in found if len(group) > 1 and any(one.exact for one in group)]
    ratios = collections.defaultdict(list)
    for group in beside:
        exact = next(one for one in group if one.exact)
        for one in group:
            if one is not exact:
                ratios[one.name].append(one.tests[-1] / exact.tests[-1])
    for name, own in ratios.items():
        yield f"{name} {effect(min(own))} to {effect(max(own))}"
    if not beside:
        wins = [sorted(group, key=lambda one: min(one.tests))[0].name for group in found if len(group) > 1]
        name, count = collections.Counter(wins).most_common(1)[0]
        yield f"{name} has the lowest test RMSE in {count} of {len(wins)} problem"


def programs(document, _):
    for metric, own in groups(trainings(document), lambda one: one.metric).items():
        fast = min(own, key=lambda one: sum(one.each))
        yield f"{fast.name} takes {seconds(sum(fast.each))} for {len(fast.each)} iterations"
        peers = [
            case["peer"] | {"of": case} for case in document["cases"] if case.get("peer") and case["outcome"] == "ok"
        ]
        taken = {}
        for peer in peers:
            if peer["metric"] == metric:
                each = peer["iteration_seconds"]
                taken[peer["own_seconds"] or each * peer["iterations"]] = peer["name"]
        if taken:
            yield f"{taken[min(taken)]} takes {seconds(min(taken))} for "


def change(document, _):
    cases = list(measured(document))
    yield f"{len(cases)} cases, {min(len(mode['launches']) for _, mode in cases)} launches each"


FIGURES = {
    function.__name__: function
    for function in (
        fastest, iteration, rates, shares, growth, scaling, target, distance, accuracy, programs, change,
    )
}  # fmt: skip


@functools.cache
def loaded(path):
    return read_json(path)


def declared(document):
    name = document["suite"]["name"]
    return SUITES[OLDER.get(name, name)]["answer"]


def table_of(program, path):
    text = program.run("export", path, "--to", "csv", ALSBENCH_DISTURBED="").stdout
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_every_suite_declares_an_answer_and_every_kind_is_used(program):
    schema = json.loads(program.run("schema", "suite").stdout)
    kinds = schema["properties"]["answer"]["enum"]
    assert set(kinds) == set(FIGURES) == {suite["answer"] for suite in SUITES.values()}


@pytest.mark.parametrize("path", [pytest.param(path, id=f"{path.parent.name}-{path.stem[:-5]}") for path in RUNS])
def test_a_card_answers_the_question_of_its_suite(tab, program, path):
    document = json.loads(json.dumps(loaded(path)))
    kind = declared(document)
    assert document["suite"].get("answer", "fastest") == kind
    table = table_of(program, path)
    marked = {row["name"] for row in table if row["disturbed"] == "yes"}
    for case in document["cases"]:
        case["_disturbed"] = bool(marked & {case["name"], case["name"] + "/cold", case["name"] + "/hot"})
    tab.show(made(program, path, name=f"{path.parent.name}-{path.stem}.html"))
    answer = tab.page.locator(".answers li .answer")
    assert answer.get_attribute("data-kind") == kind
    text = re.sub(r"\s+", " ", answer.inner_text())
    figures = list(FIGURES[kind](document, table))
    assert figures and [figure for figure in figures if figure not in text] == [], text
    assert bool(tab.page.locator(".answers li .warn-text").count()) == bool(marked)
    assert tab.faults == []

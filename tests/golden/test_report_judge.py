# SPDX-License-Identifier: Apache-2.0
"""The judge in the page of a report, held against the program's on generated comparisons and on stored ones."""

import copy
import json
import os
import random
import subprocess

from conftest import ROOT, read_json, write_json
from report_page import Page, made

pytest_plugins = ["report_page"]

GATE = ROOT / "results/nvidia-h200/gate"
QUICK = ROOT / "results/nvidia-h200/quick.json.gz"
TOLERANCE = 1e-12
COMPARISONS, BATCH = 1000, 100
STARTED = 5  # of these comparisons are made by `alsbench compare` too
MOST_CASES = 4
COUNTS = [1, 2, 4, 5, 8, 12, 24, 60]  # launches of a side; above 50 the tests are approximated


def launches_of(generator, count, level):
    """Medians of `count` launches in one of the manners that a machine has, or without noise."""
    manner = generator.choice(["quiet", "ties", "two speeds", "outliers", "none"])
    seconds = [level * (1 + generator.gauss(0, 0.004)) for _ in range(count)]
    if manner == "none":
        seconds = [level] * count
    if manner == "ties":
        seconds = [round(value, 7) for value in seconds]
    if manner == "two speeds":
        seconds = [value * generator.choice([1, 1.03]) for value in seconds]
    if manner == "outliers":
        seconds = [value * (1.6 if generator.random() < 0.05 else 1) for value in seconds]
    return seconds


def template_of(role):
    """The first such record of a GPU, with its cold measurement alone."""
    document = read_json(QUICK)
    of_gpu = (one for one in document["cases"] if one["backend"] == "cuda" and one["cold"])
    record = next(one for one in of_gpu if one["role"] == role and (role == "ceiling" or one["kernels"]))
    record["hot"] = None
    return {**document, "cases": []}, record


def set_launches(record, seconds, stop_reason="samples"):
    statistics = dict(record["cold"]["statistics"])
    record["cold"]["launches"] = [
        {"median_seconds": value, "count": statistics["count"], "stop_reason": stop_reason} for value in seconds
    ]


def generated_pair(generator, document, case, ceiling):
    """Two results of a few cases and two controls, with changes and other work planted into some."""
    counts = [generator.choice(COUNTS) for _ in range(2)]
    drift = generator.choice([1, 1, 1, 1.02])
    cases = generator.randint(1, MOST_CASES)
    plans = []  # how much slower the test side is, whether its code is the same, whether other work ran meanwhile
    for index in range(cases + 2):
        planted = 1 if index >= cases else generator.choice([1, 1, 1.002, 1.005, 1.01, 1.03, 1.05, 0.98])
        busy = index < cases and generator.random() < 0.1
        plans.append((planted * drift, generator.choice(["same", "changed", "changed"]), busy))
    sides = []
    for side, count in enumerate(counts):
        records = []
        for index, (factor, code, busy) in enumerate(plans):
            record = copy.deepcopy(ceiling if index >= cases else case)
            record["name"] += f"#{index}"
            seconds = launches_of(generator, count, 1e-3 * (factor if side else 1))
            set_launches(record, seconds, "disturbed" if busy and side else "samples")
            for kernel in record["kernels"]:
                kernel["code_hash"] = f"{code}{side if code == 'changed' else 0}"
            records.append(record)
        sides.append({**document, "cases": records})
    return sides


def rules_of(generator):
    return {
        "bound": generator.choice([0.002, 0.005, 0.03]),
        "alpha": generator.choice([0.001, 0.01, 0.05]),
        "in_turn": generator.random() < 0.5,
    }


def write_pair(folder, pair, rules):
    folder.mkdir(parents=True)
    for name, document in zip(("base.json", "test.json", "rules.json"), (*pair, rules)):
        write_json(folder / name, document)


def judged_by_the_program(program, comparisons):
    """By the program's judge, all of them in one process."""
    pairs = program.folder / "pairs"
    for index, (pair, rules) in enumerate(comparisons):
        write_pair(pairs / str(index), pair, rules)
    subprocess.run([os.environ["ALSBENCH_JUDGE_PAIRS"], pairs], check=True, timeout=300)
    return [read_json(pairs / str(i) / "judged.json") for i in range(len(comparisons))]


def judged_by_compare(program, index, rules):
    options = [word for key in ("bound", "alpha") for word in (f"--{key}", rules[key])]
    folder = program.folder / "pairs" / str(index)
    return json.loads(
        program.run(
            "compare", folder / "base.json", folder / "test.json", "--json", "stdout", "-q", *options, code=None
        ).stdout
    )


# Text both ways: playwright takes ten times as long over values as over their JSON.
JUDGE_IN_THE_PAGE = """(comparisons) => JSON.stringify(JSON.parse(comparisons).map(([[base, test], rules]) => {
  const {cases, places} = pairOf([base, test].map((document) => ({name: "f", kind: "run", document})));
  const judged = judge.judgeAll(cases, places, rules);
  const finite = (value) => (Number.isFinite(value) ? value : null);
  const plain = (c) => ({...c, base: null, test: null, ratio_low: c.ratio_low || null, ratio_high: finite(c.ratio_high)});
  return {cases: judged.cases.map(plain), controls: judged.controls.map(plain)};
}))"""


def verdicts(comparison):
    return {(one["role"] == "control", one["name"]): one for one in comparison["cases"] + comparison["controls"]}


def near(one, other):
    if one is None or other is None:
        return one == other
    return abs(one - other) <= TOLERANCE * max(1, abs(one))


def differences(expected, found):
    """Differences between the page and the program, of each case and control."""
    if found.keys() != expected.keys():
        yield set(found) ^ set(expected)
        return
    for key, wanted in expected.items():
        for field in ("ratio", "ratio_low", "ratio_high", "p", "adjusted_p"):
            if not near(wanted[field], found[key][field]):
                yield key, field, wanted[field], found[key][field]
        for field in ("verdict", "time_verdict"):
            if wanted[field] != found[key][field]:
                yield key, field, wanted[field], found[key][field]
        if (wanted["launches_needed"] or 0) != found[key]["launches_needed"]:
            yield key, "launches_needed", wanted["launches_needed"], found[key]["launches_needed"]
        if wanted.get("too_few_launches", False) != found[key]["too_few_launches"]:
            yield key, "too_few_launches"


def test_the_judge_in_the_page_is_the_programs(browser, program):
    page = Page(browser, made(program, QUICK)).page
    generator = random.Random(7)
    document, case = template_of("case")
    _, ceiling = template_of("ceiling")
    comparisons = [
        (generated_pair(generator, document, case, ceiling), rules_of(generator)) for _ in range(COMPARISONS)
    ]
    for _, rules in comparisons[:: COMPARISONS // STARTED]:
        rules["in_turn"] = False  # as those of `compare` are
    expected = judged_by_the_program(program, comparisons)
    for index in range(0, COMPARISONS, COMPARISONS // STARTED):
        by_command = judged_by_compare(program, index, comparisons[index][1])
        assert [by_command[key] for key in ("rules", "cases")] == [expected[index][key] for key in ("rules", "cases")]
    found = []
    for begin in range(0, COMPARISONS, BATCH):
        found += json.loads(page.evaluate(JUDGE_IN_THE_PAGE, json.dumps(comparisons[begin : begin + BATCH])))
    seen = set()
    for index in range(COMPARISONS):
        wanted = verdicts(expected[index])
        assert list(differences(wanted, verdicts(found[index]))) == [], index
        for one in wanted.values():
            seen.add("other work" if "other work" in (one["reason"] or "") else one["verdict"])
    assert seen == {"same", "slower", "faster", "undecided", "environment", "other work"}


def test_a_stored_comparison_is_judged_as_it_was(browser, program):
    names = ("slower-5-1", "aa-4", "faster-5")
    page = Page(browser, made(program, *(GATE / f"{name}.json.gz" for name in names))).page
    for name in names:
        stored = read_json(GATE / f"{name}.json.gz")
        found = verdicts(page.evaluate("(doc) => judgeFile(doc, doc.rules)", stored))
        for key, wanted in verdicts(stored).items():
            assert wanted["verdict"] == found[key]["verdict"], (name, key)
            for field in ("ratio", "p", "adjusted_p"):
                assert near(wanted[field], found[key][field]), (name, key, field)


def test_verdicts_follow_the_readers_bound(browser, program):
    page = Page(browser, made(program, GATE / "slower-5-1.json.gz"))
    group = page.page.locator("details.group")
    assert "Regression" in group.inner_text()
    group.get_by_label("Bound in %").fill("10")
    assert "No regression at a bound of 10.00 %" in group.inner_text()
    assert page.page.url.count("bound=0.1") == 1

# SPDX-License-Identifier: Apache-2.0
"""The baselines in results/baselines: a slowdown that is planted into one is found, and every output says so.

A side is the baseline itself, the other the same launches with the times of some cases longer and, of a GPU,
with other machine code. Where launches of a case differ by much, as on shared cores, the gate may say that it
cannot tell (3), but never that there is no regression (0).
"""

import functools
import json
import math
import re
import statistics
import sys
import xml.etree.ElementTree as ET

import pytest

from conftest import ROOT, read_json
from report_page import Page, made

sys.path.insert(0, str(ROOT / "scripts"))
from schema_1.judging import fnv1a128

pytest_plugins = ["report_page"]

REGRESSION, UNFIT = 1, 3
ALPHA = 0.01
BASELINES = sorted((ROOT / "results" / "baselines").glob("*/*.json.gz"))
PERCENTS = (5, 10, 20)


@functools.cache
def loaded(path):
    """With one sample of each case: comparisons read launches, and small files are quick to write and read."""
    document = read_json(path)
    for case in document["cases"]:
        for measurement in (case["cold"], case["hot"]):
            if measurement:
                del measurement["samples"][1:]
                measurement["statistics"]["count"] = 1
    return document


@functools.cache
def text_of(path):
    """Parsing it is a copy of the document, in a thirtieth of deepcopy's time."""
    return json.dumps(loaded(path))


def compared(document):
    return [case for case in document["cases"] if case["role"] == "case" and case["outcome"] == "ok"]


def launches_of(case):
    return [launch["median_seconds"] for launch in case["cold"]["launches"]]


def needed(cases):
    """The launches of a side with which one slow case among so many has an adjusted p below alpha."""
    return next(n for n in range(1, 50) if 2 / math.comb(2 * n, n) * cases < ALPHA)


def noisy(case, percent):
    """Whether half of its launches lie more than half of the planted slowdown apart."""
    q1, _, q3 = statistics.quantiles(launches_of(case), n=4)
    return q3 / q1 - 1 > percent / 100 / 2


def all_families():
    """Each stage of each baseline: its cases one at a time, and all of them together."""
    for path in BASELINES:
        cases = compared(loaded(path))
        for stage in dict.fromkeys(case["stage"] for case in cases):
            names = [case["name"] for case in cases if case["stage"] == stage]
            for chosen in [[name] for name in names] + ([names] if len(names) > 1 else []):
                label = re.sub(r"[^\w=]+", "-", chosen[0]) if len(chosen) == 1 else f"all-{stage}"
                yield pytest.param(path, chosen, id=f"{path.parent.name}-{label}")


FAMILIES = list(all_families())


def skip_few_launches(path, slow):
    """Of baselines that are older than the rule, until they are measured again."""
    cases = compared(loaded(path))
    launches = min(len(launches_of(case)) for case in cases)
    if launches < needed(len(cases)) and len(slow) < len(cases):
        pytest.xfail(f"{path.parent.name} has {launches} launches; measure it with {needed(len(cases))} or more")


def with_slow(path, names, percent):
    document = json.loads(text_of(path))
    for case in document["cases"]:
        if case["name"] not in names:
            continue
        for launch in case["cold"]["launches"]:
            launch["median_seconds"] *= 1 + percent / 100
        for kernel in case["kernels"]:
            kernel["code_hash"] = "0" * 32
    return document


def planted(program, path, names, percent):
    (program.folder / "base.json").write_text(text_of(path), encoding="utf-8")
    program.write_json("slow.json", with_slow(path, names, percent))
    return program.run(
        "compare", "base.json", "slow.json", "--json", "comparison.json", "--md", "comparison.md", code=None
    ), program.read_json("comparison.json")


def exported(program, form):
    return program.run("export", "comparison.json", "--to", form).stdout


@pytest.mark.parametrize("path", [pytest.param(path, id=path.parent.name) for path in BASELINES])
def test_a_baseline_has_the_launches_that_its_cases_need(path):
    skip_few_launches(path, [])
    cases = compared(loaded(path))
    assert min(len(launches_of(case)) for case in cases) >= needed(len(cases))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.parent.name) for path in BASELINES])
def test_a_baseline_is_of_the_shipped_suite(path):
    """By the hash of its text: another suite is another environment, and nothing would be compared."""
    suite = (ROOT / "configs/suites/ci.json").read_text(encoding="utf-8")
    assert read_json(path)["suite"]["hash"] == fnv1a128(suite)


@pytest.mark.parametrize("path, names", FAMILIES)
@pytest.mark.parametrize("percent", PERCENTS)
def test_a_planted_slowdown_is_found_and_said_everywhere(program, path, names, percent):
    skip_few_launches(path, names)
    result, document = planted(program, path, names, percent)
    slow = [case["name"] for case in document["cases"] if case["verdict"] == "slower"]
    loud = [case["name"] for case in compared(loaded(path)) if case["name"] in names and noisy(case, percent)]
    if len(loud) == len(names) and not slow:
        assert result.returncode == UNFIT, "what cannot be told is no clean bill"
        return
    assert result.returncode == REGRESSION, result.stderr
    assert document["conclusion"] == "regression"
    assert {f"{name}/cold" for name in names if name not in loud} <= set(slow) <= {f"{name}/cold" for name in names}
    assert f"{len(slow)} slower" in result.stderr and "there is a regression" in result.stderr
    table = (program.folder / "comparison.md").read_text(encoding="utf-8")
    annotations = exported(program, "github-annotations").splitlines()
    suite = ET.fromstring(exported(program, "junit")).find("testsuite")
    failures = {test.get("name"): test.find("failure") for test in suite if test.find("failure") is not None}
    assert set(failures) == set(slow) and all("slower +" in one.get("message") for one in failures.values())
    assert sum(line.startswith("| slower |") for line in table.splitlines()) == len(slow)
    assert sum(line.startswith("| slower |") for line in exported(program, "markdown").splitlines()) == len(slow)
    assert sum(line.startswith("::error title=alsbench slower::") for line in annotations) == len(slow)


@pytest.mark.parametrize("path, names", [one for one in FAMILIES if len(one.values[1]) > 1])
def test_the_report_says_so(browser, program, path, names):
    skip_few_launches(path, names[:1])
    calm = [case["name"] for case in compared(loaded(path)) if case["name"] in names and not noisy(case, 20)][:1]
    result, _ = planted(program, path, calm, 20)
    assert result.returncode == REGRESSION
    for files in (["comparison.json"], [path, "slow.json"]):
        text = Page(browser, made(program, *files)).page.locator("#main").inner_text()
        assert "Regression: " in text and "+20.00 % slower" in text, files


@pytest.mark.parametrize("path", [pytest.param(path, id=path.parent.name) for path in BASELINES])
def test_a_baseline_against_itself_is_no_regression(program, path):
    result, document = planted(program, path, [], 0)
    assert result.returncode in (0, UNFIT), result.stderr
    assert {case["verdict"] for case in document["cases"]} <= {"same", "undecided"}

# SPDX-License-Identifier: Apache-2.0
"""compare, ab and aa as their users meet them: verdicts, every exit code, result files that validate."""

import copy
import pathlib
import re
import signal
import sys

import pytest

from conftest import CHAOS, ROOT, Program, read_json, write_json
from conftest import validation_errors as errors

KNOWN_TIMES = pathlib.Path(__file__).parent / "known_times.py"

OK, REGRESSION, USAGE, ENVIRONMENT, BASELINE, CASES_FAILED, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130
SUITE = {
    "name": "tiny",
    "description": "A tiny suite to compare.",
    "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 8, "lambda": 0.1}],
    "measure": [
        {"stage": "hermitian", "variant": ["naive", "planted"], "backend": "cpu", "part": "x", "cache": "cold"}
    ],
    "ceilings": [{"stage": "copy", "backend": "cpu", "cache": "cold"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 3, "max_samples": 3, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The one with the variant `planted`."""
    return Program(tmp_path_factory.mktemp("compare"), CHAOS)


@pytest.fixture(scope="module")
def measured(program):
    """A result of two launches, as the program writes it."""
    program.write_json("suite.json", SUITE)
    program.run("run", "suite.json", "--launches", "2", "--json", "measured.json")
    return program.read_json("measured.json")


@pytest.fixture(scope="module")
def base(program, measured):
    """The same with twelve launches that hardly differ, so verdicts are certain."""
    document = with_times(measured, lambda name: 1)
    program.write_json("base.json", document)
    return document


def with_times(document, factor):
    """Twelve launches around 1 ms times factor(name) of every measurement."""
    document = copy.deepcopy(document)
    for case in document["cases"]:
        seconds = 1e-3 * factor(case["name"])
        if case["cold"]:
            case["cold"]["launches"] = [
                {"median_seconds": seconds * (1 + 1e-4 * i), "count": 3, "stop_reason": "samples"} for i in range(12)
            ]
        if case["training"]:
            runs = [copy.deepcopy(case["training"]["launches"][0]) for _ in range(12)]
            for i, one in enumerate(runs):
                for iteration in one["iterations"]:
                    iteration["seconds"] = seconds * (1 + 1e-4 * i)
            case["training"]["launches"] = runs
    return document


def edited(base, edit):
    document = copy.deepcopy(base)
    edit(document)
    return document


def compare(program, test, code, *arguments, base="base.json"):
    program.write_json("test.json", test)
    return program.run("compare", base, "test.json", "--json", "comparison.json", *arguments, code=code)


def comparison(program):
    document = program.read_json("comparison.json")
    assert errors(document, "comparison") == []
    return document


def verdicts(document):
    return {case["name"].split("/")[1]: case["verdict"] for case in document["cases"]}


def names_in(launch):
    """Of a comparison."""
    return [case["name"] for case in launch["cases"]]


def test_a_run_keeps_its_launches(measured):
    assert errors(measured, "result") == []
    assert all(case["peak_device_bytes"] > 0 for case in measured["cases"])
    for case in measured["cases"]:
        if case["role"] == "training":
            assert len(case["training"]["launches"]) == 2
            continue
        launches = case["cold"]["launches"]
        assert [launch["count"] for launch in launches] == [3, 3]
        assert len(case["cold"]["samples"]) == 6 == case["cold"]["statistics"]["count"]
        for i, launch in enumerate(launches):
            own = sorted(sample["seconds"] for sample in case["cold"]["samples"][3 * i : 3 * i + 3])
            assert launch["median_seconds"] == pytest.approx(own[1])


def test_resuming_takes_the_launches_that_are_missing(program, measured):
    lines = (program.folder / "measured.json.journal").read_bytes().splitlines(keepends=True)
    second = next(i for i, line in enumerate(lines) if b'"launch":1' in line)
    (program.folder / "cut.json.journal").write_bytes(b"".join(lines[: second + 1]))
    resume = ("run", "suite.json", "--json", "cut.json", "--resume", "cut.json.journal")
    assert "launches: 2 there, 3 here" in program.run(*resume, "--launches", "3", code=USAGE).stderr
    program.run(*resume, "--launches", "2")
    document = program.read_json("cut.json")
    assert [c["name"] for c in document["cases"]] == [c["name"] for c in measured["cases"]]
    assert {len(c["cold"]["launches"]) for c in document["cases"] if c["cold"]} == {2}


def test_the_first_released_result_is_still_read(program):
    fixture = ROOT / "tests" / "golden" / "fixtures" / "result-2.0.0.json"
    result = program.run("compare", fixture, fixture, "--json", "comparison.json", code=ENVIRONMENT)
    assert "a plain difference: 1 + 1 launches cannot tell" in result.stdout
    assert set(verdicts(comparison(program)).values()) == {"undecided"}
    assert f"not compared: peak device memory, missing in 3 cases of {fixture}" in result.stderr
    assert errors(read_json(fixture), "result") == []


def test_equal_sides_are_the_same(program, base):
    result = compare(program, base, OK)
    assert verdicts(comparison(program)) == {"naive": "same", "planted": "same", "exact": "same"}
    assert "no regression" in result.stderr


def test_a_slower_case_is_a_regression(program, base):
    result = compare(
        program, with_times(base, lambda name: 1.1 if "planted" in name else 1), REGRESSION, "--md", "table.md"
    )
    document = comparison(program)
    assert verdicts(document) == {"planted": "slower", "naive": "same", "exact": "same"}
    assert document["cases"][0]["ratio"] == pytest.approx(1.1, rel=1e-3)
    assert "1 slower, 2 same: there is a regression" in result.stderr
    text = (program.folder / "table.md").read_text()
    assert text.split("\n")[2] == "**there is a regression: 1 slower, 2 same**"
    verdict, base_ms, test_ms, effect = next(line for line in text.splitlines() if line.startswith("| slower")).split(
        " | "
    )[:4]
    assert (verdict, effect) == ("| slower", "+10.00")
    assert float(test_ms) / float(base_ms) == pytest.approx(1.1, rel=2e-3)


def test_a_faster_case_is_none(program, base):
    compare(program, with_times(base, lambda name: 0.9 if "planted" in name else 1), OK)
    assert verdicts(comparison(program))["planted"] == "faster"


def test_a_worse_rmse_is_a_regression(program, base):
    def edit(document):
        for case in document["cases"]:
            for launch in (case["training"] or {}).get("launches", []):
                launch["iterations"][-1]["test_metric"] *= 1.01

    compare(program, edited(base, edit), REGRESSION)
    figure = next(c for c in comparison(program)["cases"] if c["role"] == "training")["figures"][0]
    assert figure["name"] == "test_rmse" and figure["worse"]


def test_more_device_memory_is_a_regression(program, base):
    def edit(document):
        case = next(c for c in document["cases"] if c["variant"] == "naive")
        case["peak_device_bytes"] = 2 * case["peak_device_bytes"]

    result = compare(program, edited(base, edit), REGRESSION)
    assert (
        "same, worse" in result.stdout
        and "1 with a worse figure" in result.stderr
        and "not compared" not in result.stderr
    )
    figures = next(c for c in comparison(program)["cases"] if "naive" in c["name"])["figures"]
    assert [(f["name"], f["worse"]) for f in figures] == [("peak_device_bytes", True)]
    compare(program, edited(base, edit), OK, "--memory-bound", "100%")


def test_a_vanished_or_failed_case_comes_first(program, base):
    gone = edited(base, lambda d: d["cases"].pop(next(i for i, c in enumerate(d["cases"]) if c["variant"] == "naive")))
    result = compare(program, gone, CASES_FAILED)
    assert result.stdout.splitlines()[1].startswith("missing")

    def crash(document):
        case = next(c for c in document["cases"] if c["variant"] == "naive")
        case.update(outcome="crashed", detail="signal 11", cold=None)

    result = compare(program, edited(base, crash), CASES_FAILED)
    assert result.stdout.splitlines()[1].startswith("failed") and "signal 11" in result.stdout
    assert verdicts(comparison(program))["naive"] == "failed"


@pytest.mark.parametrize("outcome", ["crashed", "wrong"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_case_that_fails_in_one_of_several_files_has_failed(program, base, outcome, place):
    """Its launches in the other file say nothing against it."""

    def failing(document):
        for case in document["cases"]:
            if case["variant"] == "planted":
                case.update(outcome=outcome, detail="signal 11", cold=None)

    folder = program.folder / f"{outcome}-{place}"
    folder.mkdir()
    for number in range(2):
        document = edited(base, failing) if number == place else base
        write_json(folder / f"{number}.json", document)
    program.run("compare", "base.json", folder, "--json", "comparison.json", code=CASES_FAILED)
    case = next(case for case in comparison(program)["cases"] if "planted" in case["name"])
    assert case["verdict"] == ("wrong" if outcome == "wrong" else "failed")
    assert case["reason"] == f"{outcome}: signal 11"
    program.run("compare", folder, "base.json", code=OK)  # of the base it says nothing about the test side


def test_a_moved_control_is_the_machine(program, base):
    stderr = compare(program, with_times(base, lambda name: 1.1), ENVIRONMENT).stderr
    assert "no regression was found, but " in stderr and "10.0 % slower: the machine was not quiet" in stderr
    document = comparison(program)
    assert verdicts(document)["naive"] == "environment" and document["controls"][0]["verdict"] == "slower"


def test_exports_name_a_control_that_moved(program, base):
    """Nothing else would say why the exit code is 3."""
    moved = with_times(base, lambda name: 1.05 if name.startswith("copy/") else 1)
    compare(program, moved, ENVIRONMENT)
    junit = program.run("export", "comparison.json", "--to", "junit").stdout
    assert re.search(
        r'classname="control" name="copy/[^"]*" .*\n *<skipped message="slower \+5.00 %: the machine', junit
    )
    lines = program.run("export", "comparison.json", "--to", "github-annotations").stdout.splitlines()
    assert len(lines) == 1 and lines[0].startswith("::warning title=alsbench control slower::copy/")
    compare(program, base, OK)
    assert "control" not in program.run("export", "comparison.json", "--to", "junit").stdout
    assert program.run("export", "comparison.json", "--to", "github-annotations").stdout == ""


def test_a_control_that_moved_the_other_way_excuses_no_slowdown(program, base):
    result = compare(
        program, with_times(base, lambda name: 0.97 if "copy" in name else 1.03 if "planted" in name else 1), REGRESSION
    )
    document = comparison(program)
    assert verdicts(document)["planted"] == "slower" and document["controls"][0]["verdict"] == "faster"
    assert "but so is" not in result.stdout


def test_another_device_is_refused_by_name(program, base):
    other = edited(base, lambda d: d["devices"][0].update(name="Another CPU"))
    stderr = compare(program, other, BASELINE).stderr
    assert "device cpu: " in stderr and "Another CPU" in stderr and "--cross-env" in stderr
    result = compare(program, other, OK, "--cross-env")
    assert "differs: device cpu" in result.stderr
    assert all(case["cross_environment"] for case in comparison(program)["cases"])


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "is empty"),
        ('{"cases": [', "cut off"),
        ("[]", "is no document of kind 'run'"),
        ('{"schema_version": "9.0.0", "kind": "run", "cases": []}', "newer alsbench"),
    ],
)
def test_damaged_files_are_named_on_either_side(program, base, text, message):
    (program.folder / "damaged.json").write_text(text, encoding="utf-8")
    for arguments, code in ((("damaged.json", "base.json"), BASELINE), (("base.json", "damaged.json"), USAGE)):
        stderr = program.run("compare", *arguments, code=code).stderr
        assert "damaged.json" in stderr and message in stderr


@pytest.mark.parametrize("words", [["compare", "base.json"], ["merge"], ["report"], ["export", "--to", "csv"]])
def test_two_rows_of_one_name_are_damage(program, base, words):
    """The last one was compared, and the others were not looked at."""
    document = copy.deepcopy(base)
    document["cases"].append(document["cases"][1])
    program.write_json("twice.json", document)
    stderr = program.run(*words, "twice.json", code=USAGE).stderr
    last = len(document["cases"]) - 1
    assert f"twice.json: is damaged: /cases/{last}/name: is that of /cases/1, too: '" in stderr, stderr


@pytest.mark.parametrize("seconds", [0, -1])
def test_a_time_that_cannot_be_is_named_with_its_place(program, base, seconds):
    def wreck(document):
        case = next(c for c in document["cases"] if c.get("cold"))
        case["cold"]["launches"][0]["median_seconds"] = seconds

    compared = compare(program, edited(base, wreck), USAGE)
    assert f"/cold/launches/0/median_seconds: is {seconds} s; a measured time is above 0" in compared.stderr


def test_a_missing_baseline(program, base):
    assert "no such file" in program.run("compare", "nowhere.json", "base.json", code=BASELINE).stderr


def test_shares_are_checked(program, base):
    for flag, wrong in (
        ("--bound", "500%"),
        ("--bound", "0"),
        ("--alpha", "1"),
        ("--alpha", "0"),
        ("--max-undecided", "-1%"),
        ("--rmse-bound", "x"),
        ("--memory-bound", "101%"),
    ):
        stderr = program.run("compare", "base.json", "base.json", f"{flag}={wrong}", code=USAGE).stderr
        assert flag in stderr and f"'{wrong}' is not a share" in stderr


def test_none_at_all_can_be_asked_for(program, base):
    none = ("--max-undecided", "0", "--rmse-bound", "0", "--memory-bound", "0%")
    compare(program, base, OK, *none)

    def grow(document):
        case = next(c for c in document["cases"] if c["variant"] == "naive")
        case["peak_device_bytes"] += 1

    compare(program, edited(base, grow), OK)
    compare(program, edited(base, grow), REGRESSION, *none)

    def blur(document):  # one case of three is undecided
        case = next(c for c in document["cases"] if c["variant"] == "naive")
        for i, launch in enumerate(case["cold"]["launches"]):
            launch["median_seconds"] *= 1 + 0.1 * (i % 2)

    compare(program, edited(base, blur), OK, "--max-undecided", "50%")
    stderr = compare(program, edited(base, blur), ENVIRONMENT, *none).stderr
    assert "no regression was found, but 1 of 3 cases are undecided" in stderr and "control" not in stderr


@pytest.fixture
def build(program, measured, tmp_path):
    """Makes builds that measure nothing: their `run` writes the measured result with times that are known."""

    def make(name, **settings):
        write_json(tmp_path / f"{name}.json", {"result": measured, **settings})
        return executable(tmp_path / name, f'exec {sys.executable} -I -S {KNOWN_TIMES} {tmp_path / name}.json "$@"')

    return make


def executable(path, line):
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def ab(program, base, test, *arguments, **options):
    return program.run(
        "ab", "--base", base, "--test", test, "suite.json", "--json", "comparison.json", *arguments, **options
    )


def test_a_slower_build_is_found_and_a_faster_one_is_none(program, build):
    plain, slow = build("plain"), build("slow", factors={"planted": 1.05})
    ab(program, plain, slow, code=REGRESSION)
    document = comparison(program)
    assert verdicts(document) == {"naive": "same", "planted": "slower", "exact": "same"}
    order = "".join(launch["build"][0] for launch in document["launches"])
    assert len(order) % 4 == 0 and all(order[i : i + 4] in ("bttb", "tbbt") for i in range(0, len(order), 4))
    fresh = [launch for launch in document["launches"] if launch["phase"] == "confirmation"]
    planted = next(case for case in document["cases"] if "planted" in case["name"])
    assert (
        sum(planted["name"] in names_in(launch) for launch in fresh)
        == planted["base_launches"] + planted["test_launches"]
        > 0
    )
    assert not any("naive" in name for launch in fresh for name in names_in(launch)), "the screening decided it"
    ab(program, slow, plain, code=OK)
    assert verdicts(comparison(program))["planted"] == "faster"


COUNTED = [
    "seconds",
    "cycles",
    "instructions",
    "dram_read_bytes",
    "dram_write_bytes",
    "l2_bytes",
    "l2_hit_bytes",
    "l1_bytes",
    "l1_hit_bytes",
    "l1_requests",
    "last_level_misses",
    "tensor_share",
    "fp32_share",
    "lsu_share",
    "l1_share",
    "l2_share",
    "dram_share",
    "issue_share",
    "active_share",
    "occupancy",
]


def counted(instructions):
    kernel = {**dict.fromkeys(COUNTED), "instructions": instructions, "cycles": 1e9, "seconds": 1e-3, "stalls": []}
    return {"kernels": [kernel], "executions": 1, "refusal": None}


def test_ab_counts_what_moved_in_launches_of_their_own(program, build):
    plain = build("plain", counters=counted(1e9))
    slow = build("slow", factors={"planted": 1.05}, counters=counted(1.5e9))
    ab(program, plain, slow, "--counters", code=REGRESSION)
    document = comparison(program)
    planted = next(case for case in document["cases"] if "planted" in case["name"])
    assert [cause["kind"] for cause in planted["causes"]] == ["instructions"]
    last = document["launches"][-2:]
    assert [(launch["phase"], launch["build"]) for launch in last] == [("counting", "base"), ("counting", "test")]
    assert not any("naive" in name for launch in last for name in names_in(launch)), "it did not move"
    assert planted["base_launches"] + planted["test_launches"] < sum(
        planted["name"] in names_in(launch) for launch in document["launches"][8:]
    ), "counted launches are no samples"
    ab(program, plain, plain, "--counters", code=OK)
    assert all(launch["phase"] != "counting" for launch in comparison(program)["launches"]), "nothing moved"


def test_ab_says_why_there_are_no_counters(program, build):
    refusal = {"why": "permission", "detail": "not allowed", "remedy": "ask the administrator"}
    refused = {"kernels": [], "executions": 0, "refusal": refusal}
    plain, slow = build("plain", counters=refused), build("slow", factors={"planted": 1.05}, counters=counted(1e9))
    stderr = ab(program, plain, slow, "--counters", code=REGRESSION).stderr
    assert "not compared: counters, missing in 1 case of" in stderr
    assert "permission: not allowed; ask the administrator" in stderr


def test_ab_names_a_build_that_does_not_run(program, build, tmp_path):
    broken, plain = executable(tmp_path / "broken", "echo out of order >&2; exit 7"), build("plain")
    for sides, code in (((broken, plain), BASELINE), ((plain, broken), USAGE)):
        stderr = ab(program, *sides, code=code).stderr
        assert "exit code 7" in stderr and "out of order" in stderr
    assert "no program" in ab(program, "nowhere", plain, code=USAGE).stderr


def test_ab_on_a_machine_that_cannot_do_it_is_3(program, build, tmp_path):
    unfit, plain = executable(tmp_path / "unfit", "echo no such device >&2; exit 3"), build("plain")
    for sides in ((unfit, plain), (plain, unfit)):
        stderr = ab(program, *sides, code=ENVIRONMENT).stderr
        assert "exit code 3" in stderr and "no such device" in stderr
    assert "--device 99" in ab(program, program.path, program.path, "-d", "99", code=ENVIRONMENT).stderr


def test_ab_where_no_case_can_run_is_3(program):
    """Both builds write results, of skipped cases alone."""
    suite = {key: value for key, value in SUITE.items() if key != "train"}
    program.write_json(
        "cuda.json", {**suite, "measure": [{"stage": "hermitian", "variant": "naive", "backend": "cuda"}]}
    )
    stderr = program.run(
        "ab", "--base", program.path, "--test", program.path, "cuda.json", code=ENVIRONMENT, CUDA_VISIBLE_DEVICES=""
    ).stderr
    assert "measured nothing" in stderr and "nothing could run here" in stderr


def test_the_budget_of_ab_bounds_the_screening(program, build):
    result = ab(
        program,
        build("plain"),
        build("slow", factors={"planted": 1.05}),
        "--budget-seconds",
        "1e-9",
        "--screening-launches",
        "20",
        code=ENVIRONMENT,
    )
    document = comparison(program)
    assert len(document["launches"]) == 4 and document["design"]["stop_reason"] == "budget"
    assert "4 launches in" in result.stderr and "cases decided by the confirmation; stopped by: budget" in result.stderr


def test_a_build_of_ab_may_be_older(program, measured, tmp_path):
    """Its journals end without saying that their run has."""
    (program.folder / "comparison.json").unlink(missing_ok=True)
    older = executable(tmp_path / "older", f'{program.path} "$@"; sed -i /finished/d "${{2%/*}}"/*.journal')
    ab(
        program,
        older,
        program.path,
        "--filter",
        "naive",
        "--min-samples",
        "1",
        "--max-samples",
        "1",
        "--budget-seconds",
        "1e-9",
        code=None,
    )
    assert len(comparison(program)["launches"]) == 4


@pytest.mark.parametrize(
    "command, sides, number", [("ab", ["--base", "--test"], signal.SIGINT), ("aa", ["--build"], signal.SIGTERM)]
)
def test_an_interrupted_comparison_keeps_its_launches(program, build, command, sides, number):
    hangs = build("hangs", hangs_after=2)
    builds = [word for side in sides for word in (side, hangs)]
    with program.start(command, *builds, "suite.json", "--out", "kept") as process:
        for line in process.stderr:
            if line.startswith("launch 2"):
                process.send_signal(number)
                break
        rest = process.communicate(timeout=60)[1]
    file = f"kept/{command}-tiny.json"
    assert process.returncode == INTERRUPTED and f"interrupted; 2 launches are in {file}" in rest
    document = program.read_json(file)
    assert errors(document, "comparison") == []
    assert document["conclusion"] == "interrupted" and len(document["launches"]) == 2


def aa(program, build, *arguments, **options):
    return program.run("aa", "suite.json", "--build", build, "--json", "comparison.json", *arguments, **options)


def test_aa_reports_alarms_and_effects(program, build):
    result = aa(program, build("plain"), "--launches", "6")
    document = comparison(program)
    assert document["self"] == {"relabelings": 4, "comparisons": 12, "alarms": 0}
    assert all(case["detectable_effect"] < 0.01 for case in document["cases"])
    assert (
        "0 false alarms in 12 comparisons" in result.stdout
        and "0 of 3 cases are undecided at the bound of 0.5 %" in result.stdout
    )
    assert document["conclusion"] == "clean" and "equal builds compare as equal on this machine" in result.stderr


def test_aa_on_a_machine_too_noisy_for_the_bound_is_undecided_and_says_what_it_would_find(program, build):
    result = aa(program, build("noisy", noise=0.1), "--launches", "6", code=ENVIRONMENT)
    document = comparison(program)
    assert document["conclusion"] == "unfit" and document["self"]["alarms"] == 0
    effects = sorted(f"{100 * case['detectable_effect']:.2f} %" for case in document["cases"])
    assert all(f" {effect} " in result.stdout for effect in effects)
    assert "3 of 3 cases are undecided at the bound of 0.5 %; the smallest detectable slowdown is" in result.stdout
    assert "undecided: no false alarm, but changes as small as the bound" in result.stderr


def with_launches(document, count):
    """The first `count` launches of every case."""

    def cut(one):
        for case in one["cases"]:
            if case["cold"]:
                del case["cold"]["launches"][count:]
            if case["training"]:
                del case["training"]["launches"][count:]

    return edited(document, cut)


def test_too_few_launches_are_never_0(program, base):
    """One of three cases may be undecided here, but not because it could never have been found."""
    slow = with_launches(with_times(base, lambda name: 1.2 if "planted" in name else 1), 5)
    program.write_json("few.json", with_launches(base, 5))
    result = compare(program, slow, ENVIRONMENT, "--max-undecided", "50%", base="few.json")
    assert "5 + 5 launches cannot tell at alpha 0.01 among 3 cases; 6 + 6 can" in result.stdout
    assert "no regression was found, but 1 of 3 cases have too few launches to be found slower" in result.stderr
    assert re.search(
        r"^story: too few launches: 1 of 3 cases .*planted.*\(5 \+ 5 launches\); 6 \+ 6 can tell$", result.stderr, re.M
    )
    compare(program, slow, OK, "--max-undecided", "100%", base="few.json")


@pytest.mark.parametrize(
    "words, said",
    [
        (["ab", "--base", "build", "--test", "build", "--max-launches", "6"], "--max-launches 6"),
        (["bisect", "v1..v2", "--max-launches", "6"], "--max-launches 6"),
        (["aa", "--build", "build", "--launches", "5"], "--launches 5"),
    ],
)
def test_launches_that_could_find_nothing_are_refused_before_any_is_taken(program, measured, build, words, said):
    words = [build("plain") if word == "build" else word for word in words]
    stderr = program.run(*words, "suite.json", "--json", "refused.json", code=USAGE).stderr
    needed = 6 if words[0] == "aa" else 8
    assert f"{said}: tiny has 3 cases: {needed} launches per side are needed" in stderr
    assert not (program.folder / "refused.json").exists()


def test_the_cases_that_count_are_those_that_are_selected(program, measured, build):
    plain = build("plain")
    ab(program, plain, plain, "--filter", "naive", "--max-launches", "6", code=OK)
    stderr = ab(program, plain, plain, "--filter", "naive", "--max-launches", "4", code=USAGE).stderr
    assert "--max-launches 4: tiny has 1 case: 6 launches per side are needed" in stderr


def test_a_run_of_too_few_launches_says_so_before_it_measures(program):
    small = ("--min-samples", "1", "--max-samples", "1", "--json", "few.json", "-q")
    for launches, said in (("1", False), ("5", True), ("6", False)):
        stderr = program.run("run", "suite.json", "--launches", launches, "--dry-run", *small).stderr
        warning = "--launches 5: tiny has 3 cases: 6 launches per side are needed"
        assert (warning in stderr) == said

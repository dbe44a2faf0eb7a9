# SPDX-License-Identifier: Apache-2.0
"""`run --counters` and `tune --counters` count, or say why they do not."""

import csv
import io
import json

import pytest

from conftest import validation_errors as errors

REASONS = {"permission", "library", "build", "unsupported", "busy", "failed"}
SUITE = {
    "name": "counted",
    "description": "Two stages on the CPU.",
    "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 8, "lambda": 0.1}],
    "measure": [
        {"stage": "hermitian", "variant": "blocked", "backend": "cpu", "part": "x", "cache": ["cold", "hot"]},
        {"stage": "hermitian", "variant": "naive", "backend": "cuda", "part": "x", "cache": "cold"},
    ],
    "ceilings": [{"stage": "copy", "backend": "cpu"}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(scope="module")
def counted(program):
    program.write_json("counted.json", SUITE)
    result = program.run("run", "counted.json", "-d", "cpu", "--counters", "--json", "c.json", "--csv", "c.csv")
    return result, program.read_json("c.json")


def test_a_cpu_counts_or_says_why_not(counted):
    result, document = counted
    assert errors(document, "result") == []
    cases = [case for case in document["cases"] if case["role"] == "case"]  # ceilings are not counted
    measured = [case[mode] for case in cases for mode in ("cold", "hot") if case[mode]]
    assert len(measured) == 2
    for measurement in measured:
        assert measurement["statistics"]["count"] == 2  # what was counted is no sample
        counters = measurement["counters"]
        if counters["refusal"]:
            assert counters["refusal"]["why"] in REASONS and counters["refusal"]["remedy"]
            assert counters["kernels"] == []
            assert f"without counters ({counters['refusal']['why']})" in result.stdout
            assert counters["refusal"]["remedy"] in result.stdout
        else:
            assert counters["executions"] == 1
            assert counters["kernels"][0]["instructions"] > counters["kernels"][0]["cycles"] / 20 > 0


def test_the_csv_says_whether_there_are_counters(counted, program):
    for row in csv.DictReader(io.StringIO((program.folder / "c.csv").read_text(encoding="utf-8"))):
        if row["samples"] and row["role"] == "case":
            assert row["counters"] in REASONS | {"counted"}
            assert bool(row["instructions"]) == (row["counters"] == "counted")


def test_a_run_without_the_flag_has_no_counters(program):
    program.run("run", "counted.json", "-d", "cpu", "--json", "plain.json")
    for case in program.read_json("plain.json")["cases"]:
        assert all("counters" not in case[mode] for mode in ("cold", "hot") if case[mode])


def test_tuning_counts_its_finalists(program):
    words = ["tune", "stage", "hermitian", "--dataset", "ml-100k", "--scale", "0.1", "--rank", "8", "--device", "cpu"]
    result = program.run(*words, "--budget-evals", "3", "--counters", "--db", "db.json", "--json", "tuned.json")
    document = program.read_json("tuned.json")
    assert errors(document, "tuning") == []
    counted = document["result"]["counters"]
    points = [{name: one["step"][name] for name in ("variant", "config")} for one in counted]
    assert points[0] == document["result"]["best"]
    assert all(one in points for one in document["result"]["finalists"])
    assert "bound by" in result.stdout


def test_doctor_tries_to_count(program):
    findings = json.loads(program.run("doctor", "--json", code=None).stdout)["findings"]
    counters = [finding for finding in findings if finding["name"] == "counters"]
    assert len(counters) == 1
    assert counters[0]["finding"] == "can be read" or "perf_event_open" in counters[0]["finding"]


def test_ncu_prints_one_command_a_case_and_runs_nothing(program):
    result = program.run("profile", "counted.json", "--ncu", "--out", "nothing")
    [line] = result.stdout.splitlines()
    assert line.startswith("ncu --target-processes all --profile-from-start off ")
    assert " profile counted.json --filter " in line and "'^hermitian/naive/cuda/" in line
    assert not (program.folder / "nothing").exists()


def test_ncu_of_cpu_cases_is_refused(program):
    result = program.run("profile", "counted.json", "-d", "cpu", "--ncu", code=2)
    assert "--ncu: suite counted has no case of a GPU" in result.stderr


def test_a_profile_executes_each_case_once_and_measures_nothing(program):
    program.run("profile", "counted.json", "-d", "cpu", "--json", "profiled.json")
    document = program.read_json("profiled.json")
    assert errors(document, "result") == []
    cases = [case for case in document["cases"] if case["outcome"] != "skipped"]
    assert cases and all(case["cold"] is None and case["hot"] is None for case in cases)
    assert {case["detail"] for case in cases} == {"run once under the profiler, not measured"}


def test_a_profile_has_no_options_of_sampling(program):
    program.run("profile", "counted.json", "--counters", code=2)
    program.run("profile", "counted.json", "--launches", "2", code=2)

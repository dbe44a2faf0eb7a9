# SPDX-License-Identifier: Apache-2.0
"""run, tune, best and compare from Python, and results as typed objects and frames."""

import dataclasses
import os
import signal
import subprocess
import sys
import threading

import pytest

import alsbench
from alsbench import results
from alsbench.results.methods import text_of
from conftest import BINARY, ROOT, SMALL, files_in, read_json, write_json

SUITE = {
    "name": "tiny",
    "description": "A tiny suite.",
    "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 8, "lambda": 0.1}],
    "measure": [{"stage": "hermitian", "variant": "naive", "backend": "cpu", "part": "x", "cache": "cold"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 3, "max_samples": 3, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("ALSBENCH_DISTURBED", "keep")


@pytest.fixture
def suite(tmp_path):
    write_json(tmp_path / "tiny.json", SUITE)
    return tmp_path / "tiny.json"


def test_a_run_becomes_objects_and_frames(suite, tmp_path):
    steps = []
    result = alsbench.run(suite, device="cpu", progress=steps.append, json=tmp_path / "kept.json")
    assert [case.outcome for case in result.cases] == ["ok", "ok"] and not result.failed
    frame = result.frame()
    median = frame.set_index("stage").loc["hermitian", "median_seconds"]
    assert median == result.cases[0].measurement().statistics.median_seconds > 0
    iterations = result.iterations()
    assert iterations["iteration"].tolist() == [1, 2] and (iterations["metric"] == "rmse").all()
    assert {step["event"] for step in steps} == {"start", "end"}
    assert alsbench.read_result(tmp_path / "kept.json") == result
    comparison = alsbench.compare(tmp_path / "kept.json", tmp_path / "kept.json")
    assert not comparison.regressions
    assert "training" in set(comparison.frame()["role"])


def test_a_tuning_becomes_objects_and_is_found_again():
    tuning = alsbench.tune(
        dataset="ml-100k",
        stage="hermitian",
        rank=8,
        device="cpu",
        options=["--scale", "0.1", "--budget-evals", "3", "--part", "x"],
    )
    assert len(tuning.frame()) == len(tuning.result.points)
    (samples,) = (each.seconds for each in tuning.result.points if each.point == tuning.result.best)
    assert min(samples) <= tuning.result.best_seconds <= max(samples)
    best = alsbench.best(
        dataset="ml-100k", stage="hermitian", rank=8, device="cpu", options=["--scale", "0.1", "--part", "x"]
    )
    assert best.picks[0].level == "device and shape"
    assert text_of(best.picks[0].pick) == f"hermitian:{tuning.result.best.text}"


def test_what_the_program_refuses_is_raised():
    with pytest.raises(alsbench.UsageError, match="unknown suite 'quik'; did you mean 'quick'"):
        alsbench.run("quik")
    with pytest.raises(alsbench.MachineError, match="99"):
        alsbench.run("quick", device="99")


def test_ctrl_c_ends_the_program_in_order(suite):
    long = {**SUITE, "sampling": {**SUITE["sampling"], "max_samples": 10**6, "min_samples": 10**6, "max_seconds": 600}}
    write_json(suite, long)
    begun = []

    def interrupt(step):
        if not begun:
            begun.append(step)
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt):
        alsbench.run(suite, device="cpu", progress=interrupt)
    assert begun


def test_what_a_callback_raises_ends_the_run(suite):
    def refuse(step):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        alsbench.run(suite, device="cpu", progress=refuse)


COMMITTED = files_in("results", "**/*.json.gz")


def test_all_committed_results_are_read():
    kinds = set()
    for path in COMMITTED:
        kind = read_json(path).get("kind")
        if kind in results.DOCUMENTS:
            kinds.add(kind)
            result = alsbench.read_result(path)
            assert len(result.frame())
    assert kinds == {"run", "training", "tuning", "pipeline-tuning", "comparison"}


def test_other_programs_are_rows_of_a_frame():
    frame = alsbench.read_result(ROOT / "results" / "amd-epyc" / "peers.json.gz").peers().set_index("name")
    ended = frame[frame["outcome"] == "ok"]
    assert "numpy" in ended.index
    assert (ended["test"] > 0).all() and (ended["own_seconds"] < ended["wall_seconds"]).all()
    assert frame.loc["qmf", "outcome"] == "skipped"


def test_a_training_beside_as_much_other_work_is_disturbed_though_no_thread_waited(tmp_path):
    document = read_json(ROOT / "results/nvidia-h200/small-problems.json.gz")
    use = {"cpu_seconds": 1, "waited_seconds": 0, "involuntary_switches": 0, "running": 3, "others_error": 0.075}
    trainings = [case["training"] for case in document["cases"] if case["training"]]
    for training, share, threads in zip(trainings, (0.45, 0.45, 0.098, 0.098), (2, 1, 2, 1), strict=True):
        for step in training["launches"][0]["iterations"]:
            step["processor"] = {**use, "others_share": share, "processors": 2, "threads": threads}
    write_json(tmp_path / "crowded.json", document)
    trained = alsbench.read_result(tmp_path / "crowded.json").trained
    assert [case.training.disturbed for case in trained] == [True, False, False, False]


def test_a_program_that_says_no_time_has_that_of_its_lines():
    cases = alsbench.read_result(ROOT / "results" / "amd-epyc" / "peers.json.gz").cases
    (says,) = (case.peer for case in cases if case.peer and case.peer.name == "numpy")
    silent = dataclasses.replace(says, own_seconds=None)
    assert says.seconds == says.own_seconds
    assert silent.seconds == pytest.approx(says.own_seconds, rel=0.02)
    assert dataclasses.replace(silent, iteration_seconds=None).seconds is None


def test_records_are_those_of_the_schemas():
    """To mend it: python/generate_records.py build/alsbench > python/alsbench/results/records.py"""
    words = [sys.executable, ROOT / "python/generate_records.py", BINARY]
    made = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert made == (ROOT / "python/alsbench/results/records.py").read_text(encoding="utf-8")


def test_damage_is_named_with_its_place(tmp_path):
    document = read_json(SMALL)
    document["cases"][3]["problem"]["rank"] = "eight"
    damaged = write_json(tmp_path / "damaged.json", document)
    with pytest.raises(
        alsbench.UsageError, match=r"damaged.json: /cases/3/problem/rank: is 'eight', not a whole number"
    ):
        alsbench.read_result(damaged)
    del document["cases"][3]["outcome"]
    document["cases"][3]["problem"]["rank"] = 8
    write_json(damaged, document)
    with pytest.raises(alsbench.UsageError, match="/cases/3/outcome: is missing"):
        alsbench.read_result(damaged)
    damaged.write_text(damaged.read_text()[:1000])
    with pytest.raises(alsbench.UsageError, match="is not JSON"):
        alsbench.read_result(damaged)

# SPDX-License-Identifier: Apache-2.0
"""`alsbench train --algorithm ccd` and its stages in a suite, on the CPU."""

import numpy
import pytest

from conftest import stages_of, steps_of, validation_errors

TRAIN_ON = ["train", "--dataset", "ml-100k", "--scale", "0.2", "--rank", "8", "--algorithm", "ccd", "--device"]
TRAIN = [*TRAIN_ON, "cpu"]


def test_the_model_it_leaves_is_the_one_that_it_measured(program):
    (program.folder / "ratings.csv").write_text(
        "".join(f"{u},{v},{1 + (u * v) % 5}\n" for u in range(30) for v in range(20))
    )
    arguments = ["--data", "ratings.csv", "--test-fraction", "0", "--rank", "6", "--device", "cpu"]
    for pipeline in ("fused", "exact"):
        program.run("train", *arguments, "--algorithm", "ccd", "--pipeline", pipeline, "--out", "model")
        x, theta = (numpy.load(program.folder / "model" / f"{name}.npy").astype(float) for name in ("x", "theta"))
        users, items = (
            [int(line) for line in (program.folder / "model" / f"{name}.txt").read_text().split()]
            for name in ("users", "items")
        )
        ratings = 1 + numpy.outer(users, items) % 5
        record = program.read_json("model/record.json")
        assert record["iterations"][-1]["train_metric"] == pytest.approx(
            numpy.sqrt(((ratings - x @ theta.T) ** 2).mean()), rel=1e-5
        )


def test_the_record_says_what_was_trained(program):
    program.run(*TRAIN, "--hyper", "inner=2", "--out", "model")
    record = program.read_json("model/record.json")
    assert validation_errors(record, "training") == []
    assert record["options"]["algorithm"] == "ccd"
    assert record["options"]["hyper"] == {"inner": "2"}
    assert [each["steps"] for each in record["options"]["pipelines"]] == 2 * [steps_of("ccd_update:fused")]
    assert set(stages_of(record["iterations"][0])) == {
        f"{part}/{stage}" for part in ("x", "theta") for stage in ("ccd_update", "ccd_next")
    }
    assert record["iterations"][-1]["train_metric"] < record["iterations"][0]["train_metric"]


def test_it_repeats(program):
    once, again = (program.run(*TRAIN, "--iterations", "3").stdout for _ in range(2))
    assert once == again


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--hyper", "iner=1"], "did you mean 'inner'?"),
        (["--hyper", "inner=0"], "inner"),
        (["--hyper", "inner=1.5"], "inner"),
        (["--pipeline", "update:blocked"], "a pipeline is ccd_update"),
        (["--pipeline", "ccd_update:fused:lanes=8"], "lanes"),
    ],
)
def test_what_does_not_fit_is_refused(program, arguments, message):
    assert message in program.run(*TRAIN, *arguments, code=2).stderr


def test_a_team_of_devices_is_refused(program):
    assert "ccd trains on one device" in program.run(*TRAIN_ON, "cpu+cpu", code=2).stderr


def test_a_suite_measures_its_stages_and_trains(program):
    suite = {
        "name": "features",
        "description": "A feature, and a training",
        "problems": [{"dataset": "ml-100k", "rank": 8, "lambda": 0.1}],
        "measure": [
            {"stage": stage, "variant": "*", "backend": "cpu", "part": ["x", "theta"], "cache": "hot"}
            for stage in ("ccd_update", "ccd_next")
        ],
        "train": [
            {"name": name, "algorithm": "ccd", "pipeline": name, "backend": "cpu", "iterations": 3}
            for name in ("fused", "exact")
        ],
        "sampling": {"min_samples": 3, "max_samples": 3, "max_seconds": 1},
    }
    program.write_json("features.json", suite)
    assert validation_errors(suite, "suite") == []
    program.run("run", "features.json", "--json", "result.json")
    document = program.read_json("result.json")
    assert validation_errors(document, "result") == []
    assert {case["outcome"] for case in document["cases"]} == {"ok"}, document["cases"]
    fused, exact = (case["training"]["launches"][0]["iterations"][-1] for case in document["cases"] if case["training"])
    assert fused["train_metric"] == pytest.approx(exact["train_metric"], rel=1e-6)

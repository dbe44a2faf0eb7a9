# SPDX-License-Identifier: Apache-2.0
"""`alsbench train --algorithm sgd` and its stage in a suite, on the CPU."""

import numpy
import pytest

from conftest import stages_of, validation_errors

TRAIN_ON = ["train", "--dataset", "ml-100k", "--scale", "0.2", "--rank", "8", "--algorithm", "sgd", "--device"]
TRAIN = [*TRAIN_ON, "cpu"]


def test_the_model_it_leaves_is_the_one_that_it_measured(program):
    (program.folder / "ratings.csv").write_text(
        "".join(f"{u},{v},{1 + (u * v) % 5}\n" for u in range(30) for v in range(20))
    )
    arguments = ["--data", "ratings.csv", "--test-fraction", "0", "--rank", "6", "--device", "cpu"]
    for factors in ("fp32", "fp16"):
        pipeline = f"sgd_epoch:lock_free:factors={factors}"
        program.run("train", *arguments, "--algorithm", "sgd", "--pipeline", pipeline, "--out", "model")
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
    program.run(*TRAIN, "--hyper", "rate=0.05", "--out", "model")
    record = program.read_json("model/record.json")
    assert validation_errors(record, "training") == []
    assert record["options"]["algorithm"] == "sgd"
    assert record["options"]["hyper"] == {"rate": "0.05", "decay": "0.3"}
    assert [(step["stage"], step["variant"]) for step in record["options"]["pipelines"][0]["steps"]] == [
        ("sgd_epoch", "blocked")
    ]
    assert list(stages_of(record["iterations"][0])) == ["epoch/sgd_epoch"]
    assert record["iterations"][-1]["train_metric"] < record["iterations"][0]["train_metric"]


def test_the_blocked_order_repeats(program):
    once, again = (program.run(*TRAIN, "--iterations", "3").stdout for _ in range(2))
    assert once == again


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--hyper", "rat=1"], "did you mean 'rate'?"),
        (["--pipeline", "update:blocked"], "a pipeline is sgd_epoch"),
        (["--pipeline", "sgd_epoch:lock_free:grid=16"], "grid"),
        (["--hyper", "rate=50"], "is not finite; use a smaller rate"),
    ],
)
def test_what_does_not_fit_is_refused(program, arguments, message):
    code = 5 if "rate=50" in arguments else 2
    assert message in program.run(*TRAIN, *arguments, code=code).stderr


def test_a_team_of_devices_trains(program):
    program.run(*TRAIN_ON, "cpu+cpu", "--out", "team")
    record = program.read_json("team/record.json")
    assert validation_errors(record, "training") == []
    assert record["team"]["members"] == record["team"]["exchanges"] == 2
    assert list(stages_of(record["iterations"][0])) == ["epoch/exchange", "epoch/sgd_epoch"]
    program.run(*TRAIN, "--out", "one")
    one = program.read_json("one/record.json")
    assert record["iterations"][-1]["train_metric"] == pytest.approx(one["iterations"][-1]["train_metric"], abs=0.02)


def test_a_suite_measures_an_epoch_and_trains(program):
    suite = {
        "name": "epochs",
        "description": "An epoch, and a training",
        "problems": [{"dataset": "ml-100k", "rank": 8, "lambda": 0.1}],
        "measure": [{"stage": "sgd_epoch", "variant": "*", "backend": "cpu", "cache": "hot"}],
        "train": [
            {"name": name, "algorithm": "sgd", **pipelines, "backend": "cpu", "iterations": 3}
            for name, pipelines in (
                ("shared", {"pipeline": "exact"}),
                ("apart", {"pipelines": [{"part": "epoch", "pipeline": "exact"}]}),
            )
        ],
        "sampling": {"min_samples": 3, "max_samples": 3, "max_seconds": 1},
    }
    program.write_json("epochs.json", suite)
    assert validation_errors(suite, "suite") == []
    program.run("run", "epochs.json", "--json", "result.json")
    document = program.read_json("result.json")
    assert validation_errors(document, "result") == []
    assert {case["outcome"] for case in document["cases"]} == {"ok"}, document["cases"]
    assert {case["part"] for case in document["cases"] if case["stage"] == "sgd_epoch"} == {"epoch"}
    shared, apart = (
        case["training"]["launches"][0]["iterations"][-1] for case in document["cases"] if case["training"]
    )
    assert shared["train_metric"] == apart["train_metric"]


def test_an_epoch_is_no_side_of_another_stage(program):
    for stage, side in (("hermitian", "epoch"), ("sgd_epoch", "x")):
        suite = {
            "name": "wrong",
            "problems": [{"dataset": "ml-100k", "rank": 8, "lambda": 0.1}],
            "measure": [{"stage": stage, "part": side}],
        }
        program.write_json("wrong.json", suite)
        assert "/measure/0/part: unknown part" in program.run("run", "wrong.json", "--dry-run", code=2).stderr

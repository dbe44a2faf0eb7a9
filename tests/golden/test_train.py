# SPDX-License-Identifier: Apache-2.0
"""`alsbench train` on the CPU: what it leaves when it is interrupted, and what it says of a target."""

import json
import os
import signal

import numpy
import pytest

PROBLEM = ["--dataset", "ml-100k", "--scale", "0.2", "--rank", "8", "--device", "cpu", "--no-tuned"]


def test_an_interrupted_training_keeps_the_model_of_its_last_iteration(program):
    process = program.start("train", *PROBLEM, "--iterations", "1000000", "--out", "stopped")
    for line in process.stderr:
        if line.startswith("iteration   3"):
            break
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    iterations = json.loads((program.folder / "stopped" / "record.json").read_text())["iterations"]
    assert f"interrupted after iteration {len(iterations)} of 1000000" in error and len(iterations) >= 3
    program.run("train", *PROBLEM, "--iterations", len(iterations), "--out", "whole")
    for factors in ("x.npy", "theta.npy"):
        stopped, whole = (numpy.load(program.folder / folder / factors) for folder in ("stopped", "whole"))
        numpy.testing.assert_array_equal(stopped, whole)


def test_the_lambda_is_the_data_set_s_where_nothing_is_said(program):
    program.run("train", *PROBLEM, "--iterations", "1", "--out", "usual")
    assert json.loads((program.folder / "usual" / "record.json").read_text())["options"]["lambda"] == pytest.approx(0.1)


def test_a_folder_whose_name_is_no_text_gets_its_record(program):
    folder = program.folder / os.fsdecode(b"latin-\xfc")
    program.run("train", *PROBLEM, "--iterations", "1", "--quiet", "--out", folder)
    assert json.loads((folder / "record.json").read_text())["iterations"]


def test_a_target_that_is_reached_ends_the_training(program):
    result = program.run("train", *PROBLEM, "--iterations", "50", "--target-rmse", "2")
    assert "iterations 1\n" in result.stdout and "not reached" not in result.stderr


def test_a_target_that_is_missed_is_said(program):
    result = program.run("train", *PROBLEM, "--iterations", "2", "--target-rmse", "0.001", "--quiet")
    assert "--target-rmse 0.001 was not reached in 2 iterations" in result.stderr


@pytest.mark.parametrize(
    "target, arguments, message",
    [
        ("0", [], "give a number above 0"),
        ("0.9", ["--test-fraction", "0"], "no test ratings"),
    ],
)
def test_a_target_that_cannot_be_reached_is_refused(program, target, arguments, message):
    (program.folder / "target.csv").write_text(
        "".join(f"{user},{item},{user % 5 + 1}\n" for user in range(20) for item in range(20))
    )
    result = program.run(
        "train", "--data", "target.csv", "--rank", "4", "--device", "cpu", "--target-rmse", target, *arguments, code=2
    )
    assert message in result.stderr

# SPDX-License-Identifier: Apache-2.0
"""A training is the same, and so is its record, whoever asks for it: the command line, a suite or Python."""

import alsbench
from conftest import write_json


def told(iterations):
    """Figures of the model in each iteration, without times."""
    return [
        (each.iteration, each.train_metric, each.test_metric, each.cold_test_ratings)
        + tuple((stage.part, stage.stage) for stage in each.stage_seconds)
        for each in iterations
    ]


def test_command_line_suite_and_python_leave_one_record(program, tmp_path):
    data = {"dataset": "ml-100k", "scale": 0.2, "seed": 7}
    ratings = alsbench.load_ratings(**data)
    als = alsbench.ALS(rank=8, iterations=3, regularization=0.1, random_state=7, device="cpu", pipeline="exact")
    als.fit(ratings.matrix, test=ratings.test)

    words = ["--dataset", "ml-100k", "--scale", "0.2", "--seed", "7", "--rank", "8", "--lambda", "0.1"]
    words += ["--iterations", "3", "--pipeline", "exact", "--device", "cpu"]
    program.run("train", *words, "--out", tmp_path / "model")
    trained = alsbench.read_result(tmp_path / "model" / "record.json")

    train = {"name": "one", "backend": "cpu", "pipeline": "exact", "iterations": 3}
    suite = {"name": "one", "description": "one", "problems": [{**data, "rank": 8, "lambda": 0.1}], "train": [train]}
    write_json(tmp_path / "one.json", suite)
    program.run("run", tmp_path / "one.json", "--device", "cpu", "--json", tmp_path / "result.json")
    (measured,) = [case.training for case in alsbench.read_result(tmp_path / "result.json").cases if case.training]

    assert len(als.iterations_) == 3
    assert told(trained.iterations) == told(measured.iterations) == told(als.iterations_)
    assert trained.options.pipelines == measured.pipelines
    assert {each.part: each.text for each in measured.pipelines} == als.pipelines_
    assert trained.options.algorithm == measured.algorithm == als.algorithm_
    assert trained.options.metric == measured.metric == als.metric_

# SPDX-License-Identifier: Apache-2.0
"""`alsbench train --hyper biases=on`, on the CPU: its model predicts as any other."""

import numpy
import pytest

from conftest import read_json, stages_of

RATINGS = [(u, v, 5 + u % 4 - v % 3 + (u * v) % 2) for u in range(40) for v in range(25) if (u + 2 * v) % 3]
TRAIN = ["train", "--data", "ratings.csv", "--test-fraction", "0.1", "--rank", "6", "--lambda", "0.02"]
TRAIN += ["--device", "cpu"]


@pytest.fixture
def model(program):
    (program.folder / "ratings.csv").write_text("".join(f"{u},{v},{r}\n" for u, v, r in RATINGS))
    program.run(*TRAIN, "--hyper", "biases=on", "--out", "model")
    return program.folder / "model"


def test_two_columns_of_the_factors_are_one(model):
    x, theta = (numpy.load(model / f"{name}.npy") for name in ("x", "theta"))
    assert x.shape == (40, 6) and theta.shape == (25, 6)
    assert (x[:, 5] == 1).all() and (theta[:, 4] == 1).all()
    record = read_json(model / "record.json")
    assert record["options"]["hyper"]["biases"] == "on"
    stages = set(stages_of(record["iterations"][0]))
    assert {"x/centre", "x/level_columns", "theta/centre", "theta/level_columns"} <= stages


def test_predictions_and_errors_are_those_of_the_dot_product(program, model):
    x, theta = (numpy.load(model / f"{name}.npy").astype(float) for name in ("x", "theta"))
    users, items = ((model / f"{name}.txt").read_text().split() for name in ("users", "items"))
    (program.folder / "pairs.csv").write_text("".join(f"{u},{v}\n" for u, v, _ in RATINGS))
    lines = program.run("predict", "--model", "model", "--pairs", "pairs.csv").stdout.split("\n")
    predicted = [float(line.split("\t")[2]) for line in lines if line and line[0].isdigit()]
    expected = [x[users.index(str(u))] @ theta[items.index(str(v))] for u, v, _ in RATINGS]
    assert predicted == pytest.approx(expected, abs=1e-5)
    program.run("evaluate", "--model", "model", "--test", "ratings.csv", "--json", "errors.json")
    errors = program.read_json("errors.json")
    squares = [(r - p) ** 2 for (_, _, r), p in zip(RATINGS, expected, strict=True)]
    assert errors["rmse"] == pytest.approx(numpy.sqrt(numpy.mean(squares)), rel=1e-5)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"--hyper": "biases=yes"}, "biases"),
        ({"--hyper": "biases=on,start=sketch"}, "leave out start"),
        ({"--rank": "2"}, "choose rank 3 or more"),
        ({"--device": "cpu+cpu"}, "trains on one device"),
        ({"--feedback": "implicit"}, "every cell without a rating"),
    ],
)
def test_what_does_not_fit_is_refused(program, model, changes, message):
    options = dict(zip(TRAIN[1::2], TRAIN[2::2], strict=True)) | {"--hyper": "biases=on"} | changes
    arguments = [word for option in options.items() for word in option]
    assert message in program.run("train", *arguments, code=2).stderr

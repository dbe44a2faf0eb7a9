# SPDX-License-Identifier: Apache-2.0
"""`alsbench train --feedback implicit` and the suite of implicit ALS, on the CPU, against numpy in double."""

import itertools

import numpy
import pytest

from conftest import read_json, stages_of, validation_errors

PROBLEM = ["--dataset", "ml-100k", "--scale", "0.2", "--rank", "8", "--device", "cpu", "--no-tuned"]
IMPLICIT = ["train", *PROBLEM, "--feedback", "implicit"]


@pytest.fixture
def counts(program):
    """A file of counts, its dense matrix, and its users and items in the order of the file."""
    generator = numpy.random.default_rng(1)
    matrix = generator.poisson(0.7, (40, 30)) * generator.integers(1, 5, (40, 30))
    matrix[:, 0] = 1
    matrix[0, :] = 1
    cells = [(u, v, matrix[u, v]) for u, v in itertools.product(*map(range, matrix.shape)) if matrix[u, v] > 0]
    (program.folder / "counts.csv").write_text("".join(f"{u},{v},{r}\n" for u, v, r in cells))
    return matrix


def loss_over_all_cells(x, theta, counts, alpha, penalty):
    confidence = 1 + alpha * counts
    squares = confidence * ((counts > 0) - x @ theta.T) ** 2
    return (squares.sum() + penalty) / confidence.sum()


@pytest.mark.parametrize("regularisation", ["plain", "weighted"])
def test_the_loss_is_that_of_the_written_model_over_all_cells(program, counts, regularisation):
    arguments = ["--data", "counts.csv", "--test-fraction", "0", "--rank", "6", "--lambda", "0.5", "--device", "cpu"]
    hyper = ["--alpha", "3", "--hyper", f"regularisation={regularisation}"]
    program.run("train", *arguments, "--feedback", "implicit", *hyper, "--out", "model")
    x, theta = (numpy.load(program.folder / "model" / f"{part}.npy").astype(float) for part in ("x", "theta"))
    users, items = (
        [int(line) for line in (program.folder / "model" / f"{name}.txt").read_text().split()]
        for name in ("users", "items")
    )
    ordered = counts[numpy.ix_(users, items)]
    known = ordered > 0
    weights = (known.sum(1), known.sum(0)) if regularisation == "weighted" else (1, 1)
    penalty = 0.5 * sum((weight * (side**2).sum(1)).sum() for weight, side in zip(weights, (x, theta), strict=True))
    record = program.read_json("model/record.json")
    assert record["iterations"][-1]["train_metric"] == pytest.approx(
        loss_over_all_cells(x, theta, ordered, 3, penalty), rel=1e-5
    )
    assert record["iterations"][-1]["test_metric"] is None


EMULATED = {"ALSBENCH_TILES": "emulated"}
NAMED = [word for word in IMPLICIT if word != "--no-tuned"]


def losses(program, *arguments, **environment):
    folder = f"model-{len(list(program.folder.iterdir()))}"
    command = NAMED if "--pipeline" in arguments else IMPLICIT
    program.run(*command, *arguments, "--iterations", "5", "--out", folder, **environment)
    record = read_json(program.folder / folder / "record.json")
    return [iteration["train_metric"] for iteration in record["iterations"]]


BFLOAT_TILES = "implicit_update:tiles:factors=bf16,steps=3"


def test_tiles_train_as_well_as_floats(program):
    expected = losses(program, "--pipeline", "matrix-free")
    assert losses(program, "--pipeline", "tiles", **EMULATED) == pytest.approx(expected, rel=2e-2)
    assert losses(program, "--pipeline", BFLOAT_TILES, **EMULATED) == pytest.approx(expected, rel=5e-3)


@pytest.mark.parametrize("alpha", ["1e15", "1e18", "1e30"])
@pytest.mark.parametrize("pipeline", ["exact", "cg", "matrix-free", "tiles"])
def test_confidences_beyond_the_floats_are_said(program, pipeline, alpha):
    """Conjugate gradients took no step then: rows stayed zero, the loss was 1, and nothing said so."""
    words = ["--pipeline", pipeline, "--alpha", alpha, "--iterations", "2"]
    assert "smaller alpha" in program.run(*NAMED, *words, code=5, **EMULATED).stderr


def test_direct_confidences_are_trained_without_tiles(program):
    direct = ["--hyper", "confidence=direct"]
    assert losses(program, *direct, **EMULATED) == losses(program, *direct, "--pipeline", "matrix-free")
    for pipeline in ("tiles", BFLOAT_TILES):
        refused = program.run(*NAMED, *direct, "--pipeline", pipeline, code=2, **EMULATED)
        assert "confidence=direct" in refused.stderr


def test_the_record_says_what_was_trained(program):
    program.run(*IMPLICIT, "--alpha", "2.5", "--out", "model")
    record = program.read_json("model/record.json")
    assert validation_errors(record, "training") == []
    assert record["options"]["algorithm"] == "implicit-als"
    assert record["options"]["hyper"] == {"alpha": "2.5", "regularisation": "plain", "confidence": "added"}
    losses = [iteration["train_metric"] for iteration in record["iterations"]]
    assert all(after < before for before, after in itertools.pairwise(losses)), losses
    assert {"x/gram", "x/implicit_update"} <= stages_of(record["iterations"][0]).keys()


def test_feedback_and_alpha_are_short_for_an_algorithm_and_its_number(program):
    short = program.run(*IMPLICIT, "--alpha", "7", "--iterations", "2").stdout
    long = program.run(
        "train", *PROBLEM, "--algorithm", "implicit-als", "--hyper", "alpha=7", "--iterations", "2"
    ).stdout
    assert short == long
    assert "train_loss" in short


def test_a_target_of_the_loss_ends_the_training(program):
    assert "iterations 1\n" in program.run(*IMPLICIT, "--target-loss", "1").stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--alpha", "2"], "--alpha: algorithm als has no alpha; give --feedback implicit"),
        (["--feedback", "implicit", "--alpha", "-1"], "--alpha: parameter 'alpha' has no value '-1'"),
        (["--feedback", "implicit", "--alpha", "1", "--hyper", "alpha=2"], "give one of them"),
        (["--feedback", "implicit", "--target-rmse", "1"], "give --target-loss"),
        (["--target-loss", "1"], "give --target-rmse"),
        (["--feedback", "implicit", "--algorithm", "als"], "excludes"),
        (["--feedback", "implict"], "--feedback"),
        (
            ["--feedback", "implicit", "--pipeline", "update:blocked"],
            "a pipeline is implicit_update, or implicit_equations + solve",
        ),
    ],
)
def test_options_that_do_not_fit_are_refused(program, arguments, message):
    assert message in program.run("train", *PROBLEM[:-1], *arguments, code=2).stderr


def test_a_count_below_zero_is_refused_by_name(program):
    (program.folder / "negative.csv").write_text("ann,tea,2\nbob,tea,1\nbob,oil,-3\nann,oil,1\n")
    arguments = ["--data", "negative.csv", "--test-fraction", "0", "--rank", "2", "--device", "cpu"]
    result = program.run("train", *arguments, "--feedback", "implicit", "--out", "refused", code=2)
    assert "user bob and item oil have the rating -3" in result.stderr
    assert not (program.folder / "refused" / "x.npy").exists()


def test_the_suite_is_right_and_names_its_metric(program):
    program.run("run", "implicit", "--filter", "ml-100k", "--timeout", "0.1", "--json", "result.json")
    document = program.read_json("result.json")
    assert validation_errors(document, "result") == []
    assert {case["outcome"] for case in document["cases"]} == {"ok"}, document["cases"]
    trained = {case["name"].split("/")[1]: case["training"] for case in document["cases"] if case["training"]}
    assert {training["algorithm"] for training in trained.values()} == {"implicit-als"}
    exact, three, one = (
        trained[name]["launches"][0]["iterations"][-1]["train_metric"] for name in ("exact", "three-steps", "one-step")
    )
    assert exact == pytest.approx(three, rel=1e-2) and exact <= one

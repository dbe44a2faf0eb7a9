# SPDX-License-Identifier: Apache-2.0
"""Ratings of one's own, of a stated format, with cells rated twice and a file of test ratings: all commands see the same."""

import pytest

from conftest import validation_errors as errors

OPTIONS = ["--data", "mine.ratings", "--format", "csv", "--duplicates", "mean", "--test", "held-out.ratings"]
SUITE = {
    "name": "mine",
    "description": "Ratings of one's own.",
    "problems": [
        {"path": "mine.ratings", "format": "csv", "duplicates": "mean", "test": "held-out.ratings", "rank": 4}
    ],
    "measure": [{"stage": "bias", "variant": "rows", "backend": "cpu", "cache": "hot"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 1, "max_samples": 1, "max_noise": 0, "max_seconds": 20},
}


@pytest.fixture(scope="module")
def mine(program):
    """The program in a folder with 15 users and 16 items, 30 of whose 240 training cells are held twice, 15 for test, all but one cold."""
    cells = [(user, item) for user in range(15) for item in range(16)]
    rows = [f"{user},{item},{1 + (user + item) % 5}\n" for user, item in cells]
    (program.folder / "mine.ratings").write_text("".join(rows + [f"{user},{item},1\n" for user, item in cells[::8]]))
    (program.folder / "held-out.ratings").write_text("".join(f"{user},{16 if user else 0},3\n" for user in range(15)))
    program.write_json("mine.json", SUITE)
    return program


@pytest.fixture(scope="module")
def trained(mine):
    words = ["--rank", "4", "--device", "cpu", "--iterations", "2", "--pipeline", "exact", "--out", "model"]
    mine.run("train", *OPTIONS, *words)
    return mine.read_json("model/record.json")


def test_run_measures_and_trains_on_what_train_reads(mine, trained):
    mine.run("run", "mine.json", "--device", "cpu", "--seed", "42", "--json", "run.json")
    document = mine.read_json("run.json")
    assert errors(document, "result") == []
    assert {case["outcome"] for case in document["cases"]} == {"ok"}
    for case in document["cases"]:
        problem, reading = case["problem"], case["problem"]["reading"]
        assert (reading["format"], reading["duplicates"], reading["test_path"]) == ("csv", "mean", "held-out.ratings")
        assert problem["data"]["content_hash"] == trained["data"]["content_hash"]
        assert (problem["data"]["train_ratings"], problem["data"]["test_ratings"]) == (240, 15)


def test_tune_searches_on_what_train_reads(mine, trained):
    words = ["--rank", "4", "--device", "cpu", "--budget-evals", "2", "--json", "tune.json", "--db", "mine-tuned.json"]
    samples = ["--min-samples", "1", "--max-samples", "1", "--playoff-samples", "1"]
    mine.run("tune", "stage", "bias", *OPTIONS, *words, *samples, "-q")
    document = mine.read_json("tune.json")
    assert errors(document, "tuning") == []
    assert document["search"]["problem"]["duplicates"] == "mean"
    assert document["search"]["data"]["content_hash"] == trained["data"]["content_hash"]


def test_best_looks_up_the_shape_that_train_reads(mine):
    answer = mine.json("best", *OPTIONS, "--rank", "4", "--device", "cpu", "--part", "x", "--json")
    shape = answer["picks"][0]["shape"]
    assert (shape["rows"], shape["cols"], shape["nnz"]) == (15, 17, 240)


@pytest.mark.parametrize(
    "command",
    [
        ["train", "--rank", "4"],
        ["tune", "stage", "bias", "--rank", "4"],
        ["best", "--rank", "4"],
    ],
)
def test_every_command_refuses_alike(mine, command):
    for options, message in [
        (["--data", "mine.ratings", "--format", "csv"], "the same user and item"),
        (["--data", "mine.ratings", "--duplicates", "first"], "duplicates 'first' is not known"),
        (["--data", "mine.ratings", "--format", "word"], "format 'word' is not known"),
        (["--dataset", "ml-100k", "--duplicates", "mean"], "--data"),
        (["--data", "mine.ratings", "--dataset", "ml-100k"], "excludes"),
    ]:
        assert message in mine.run(*command, "--device", "cpu", *options, code=2).stderr


def test_a_suite_refuses_what_has_no_meaning(mine):
    def places(**problem):
        mine.write_json("wrong.json", {**SUITE, "problems": [{"dataset": "ml-100k", "rank": 4, **problem}]})
        error = mine.run("run", "wrong.json", code=2).stderr
        return [line.strip() for line in error.splitlines() if line.startswith("  /problems/0/")]

    found = places(format="csv", duplicates="mean", test="wrong.json")
    assert found == [f"/problems/0/{key}: has no effect with 'dataset'" for key in ("format", "test", "duplicates")]
    wrong = places(duplicates="first", test="nowhere.csv")
    assert wrong[0].startswith("/problems/0/test: there is no file or folder 'nowhere.csv'")
    assert wrong[1].startswith("/problems/0/duplicates: unknown value 'first'")

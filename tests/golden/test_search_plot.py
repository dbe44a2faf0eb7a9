# SPDX-License-Identifier: Apache-2.0
"""The picture of `train --search`: drawn of the record of a model, and refused where nothing was searched."""

import pytest

from conftest import plots

TRAIN = ["--dataset", "ml-100k", "--scale", "0.05", "--iterations", "4", "--device", "cpu", "--no-tuned", "-q"]


@pytest.mark.parametrize("name", ["search.svg", None])
def test_trials_are_drawn(program, name):
    program.run("train", *TRAIN, "--search", "lambda=0.05,0.2", "rank=4,8", "--out", "searched")
    record = program.folder / "searched" / "record.json"
    plots("plots.search", record, *([program.folder / name] if name else []))
    figure = program.folder / name if name else record.with_name("search.png")
    assert figure.stat().st_size > 0
    if name:
        for values in ("lambda=0.05 rank=4", "lambda=0.2 rank=8"):
            assert values in figure.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "options, label", [([], "test rmse (↓ is better)"), (["--search-by", "ndcg@5"], "test ndcg@5 (↑ is better)")]
)
def test_the_picture_names_the_metric_and_the_best(program, options, label):
    program.run("train", *TRAIN, "--search", "lambda=0.05,0.2", "--rank", "4", *options, "--out", "judged")
    record = program.read_json("judged/record.json")
    plots("plots.search", program.folder / "judged" / "record.json", program.folder / "judged.svg")
    drawn = (program.folder / "judged.svg").read_text(encoding="utf-8")
    best = f"lambda={record['search']['best']['lambda']} (best)"
    assert label in drawn and best in drawn and drawn.count("(best)</text>") == 1


def test_an_older_record_of_a_search_is_drawn(program):
    """Without the name of the metric, which was the training's."""
    program.run("train", *TRAIN, "--search", "lambda=0.05,0.2", "--rank", "4", "--out", "older")
    record = program.read_json("older/record.json")
    del record["search"]["metric"]
    program.write_json("older.json", record)
    plots("plots.search", program.folder / "older.json", program.folder / "older.svg")
    assert "test rmse (↓ is better)" in (program.folder / "older.svg").read_text(encoding="utf-8")


def test_a_training_without_a_search_has_none(program):
    program.run("train", *TRAIN, "--rank", "4", "--out", "alone")
    refused = plots("plots.search", program.folder / "alone" / "record.json", code=1)
    assert "no measured trial of a search; train with --search" in refused.stderr

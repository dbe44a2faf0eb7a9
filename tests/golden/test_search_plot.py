# SPDX-License-Identifier: Apache-2.0
"""The picture of `train --search`: drawn of the record of a model, and refused where nothing was searched."""

import subprocess
import sys

import pytest

from conftest import ROOT

TRAIN = ["--dataset", "ml-100k", "--scale", "0.05", "--iterations", "4", "--device", "cpu", "--no-tuned", "-q"]


def draw(*arguments):
    command = [sys.executable, "-m", "plots.search", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["search.svg", None])
def test_trials_are_drawn(program, name):
    program.run("train", *TRAIN, "--search", "lambda=0.05,0.2", "rank=4,8", "--out", "searched")
    record = program.folder / "searched" / "record.json"
    drawn = draw(record, *([program.folder / name] if name else []))
    assert drawn.returncode == 0, drawn.stderr
    figure = program.folder / name if name else record.with_name("search.png")
    assert figure.stat().st_size > 0
    if name:
        for values in ("lambda=0.05 rank=4", "lambda=0.2 rank=8"):
            assert values in figure.read_text(encoding="utf-8")


def test_a_training_without_a_search_has_none(program):
    program.run("train", *TRAIN, "--rank", "4", "--out", "alone")
    drawn = draw(program.folder / "alone" / "record.json")
    assert drawn.returncode == 1 and "no measured trial of a search; train with --search" in drawn.stderr

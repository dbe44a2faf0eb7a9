# SPDX-License-Identifier: Apache-2.0
"""The committed results: their figures stay those that were measured."""

import random
import re

import golden
from conftest import ROOT, read_json

RESULTS = ROOT / "results"
# What is no result of a device: what was recorded, tuned, and is compared with.
OTHERS = {"baselines", "local", "progress", "recorded", "schema", "static", "tuned"}
QUOTED = re.compile(r"median_seconds$|/test_[a-z]+$|/seconds/total$|/ratio$|share")


def documents():
    """Every result of a device, by its path below results/ without the suffix."""
    folders = [folder for folder in sorted(RESULTS.iterdir()) if folder.is_dir() and folder.name not in OTHERS]
    files = [file for folder in folders for file in sorted(folder.rglob("*.json*"))]
    files += sorted(RESULTS.glob("recorded/*/strategies.json*"))
    return {str(file.relative_to(RESULTS)).partition(".json")[0]: file for file in files}


def leaves(value, place=""):
    """Each number with a fraction, and its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{place}/{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, f"{place}/{index}")
    elif isinstance(value, float):
        yield place, value


def sample(name, document):
    """Two figures of any kind, and two of those that pages and pictures show."""
    chance, figures = random.Random(name), list(leaves(document))
    shown = [figure for figure in figures if QUOTED.search(figure[0])]
    for place, value in chance.sample(figures, 2) + chance.sample(shown, min(2, len(shown))):
        yield f"{name} {place} {value!r}\n"


def test_the_figures_of_the_committed_results_are_as_measured():
    text = "".join(line for name, file in documents().items() for line in sample(name, read_json(file)))
    assert text.count("\n") >= 200
    golden.check("results-sample.txt", text)

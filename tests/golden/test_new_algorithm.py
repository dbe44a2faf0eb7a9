# SPDX-License-Identifier: Apache-2.0
"""docs/developing/adding-an-algorithm.md holds: its code and patches build, and give an algorithm that trains, is measured and is right."""

import itertools

import pytest

from conftest import read_json
from walkthrough import Page, walk

PAGE = Page("adding-an-algorithm.md")
LISTS = ["variants/catalog.cpp", "harness/stage/stage_support.cpp"]  # they read the patched headers


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    return walk(PAGE, tmp_path_factory.mktemp("algorithm"), also=LISTS)


def test_nothing_but_lists_is_patched():
    patches = [block.split("+++ b/")[1].split("\n")[0] for block in PAGE.blocks("diff")]
    assert patches == [
        "variants/families.h",
        "harness/stage/supports.h",
        "harness/algorithms/algorithms.h",
        "harness/algorithms/algorithms.cpp",
    ]


def test_it_trains_and_writes_its_model(walked):
    (command,) = [line for line in PAGE.text.splitlines() if line.startswith("$ build/alsbench train")]
    walked.run(*command.split()[2:])
    record = read_json(walked.folder / "model" / "record.json")
    errors = [iteration["train_metric"] for iteration in record["iterations"]]
    assert len(errors) == 10
    assert all(after < before for before, after in itertools.pairwise(errors)), errors
    assert (walked.folder / "model" / "x.npy").is_file() and (walked.folder / "model" / "theta.npy").is_file()


def test_hyper_parameters_are_checked(walked):
    for hyper, problem in [("rat=1", "did you mean"), ("rate=fast", "give a number")]:
        result = walked.run("train", "--dataset", "ml-100k", "--algorithm", "gradient", "--hyper", hyper, code=2)
        assert problem in result.stderr


def test_the_suite_measures_and_trains_it_and_it_is_right(walked):
    (suite,) = PAGE.blocks("json")
    (walked.folder / "gradient.json").write_text(suite)
    walked.run("run", "gradient.json", "--json", "gradient-result.json")
    cases = walked.read_json("gradient-result.json")["cases"]
    assert len([c for c in cases if c["name"].startswith("gradient/rows/cpu/")]) == 2
    assert len([c for c in cases if c["name"].startswith("train/")]) == 1, [c["name"] for c in cases]
    assert {c["outcome"] for c in cases} == {"ok"}, cases
    (training,) = [c["training"] for c in cases if c["training"]]
    assert (training["algorithm"], training["hyper"]) == ("gradient", {"rate": "0.2"})


def test_a_suite_with_a_wrong_hyper_parameter_is_refused(walked):
    (suite,) = PAGE.blocks("json")
    for hyper, problem in [
        ('{"rat": 0.2}', "/train/0/hyper/rat: unknown parameter 'rat'; did you mean 'rate'?"),
        ('{"rate": -1}', "/train/0/hyper/rate: "),
        ('{"rate": "0.2"}', "/train/0/hyper/rate: must be a number"),
    ]:
        (walked.folder / "wrong.json").write_text(suite.replace('{"rate": 0.2}', hyper))
        assert problem in walked.run("run", "wrong.json", "--dry-run", code=2).stderr


def test_als_is_still_the_default(walked):
    result = walked.run("train", "--dataset", "ml-100k", "--rank", "8", "--iterations", "1", "--device", "cpu")
    assert "update:" in result.stderr

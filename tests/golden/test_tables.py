# SPDX-License-Identifier: Apache-2.0
"""Tables that results make: of made-up results, and in every page that names one."""

import copy
import re

import pytest

from conftest import ROOT, SMALL, a_training, an_iteration, plots, read_json, rows_of, write_json


def table(module, *files, code=0):
    done = plots(f"plots.{module}", *files, code=code)
    return done.stdout if code == 0 else done.stderr


def result_of(suite, trainings):
    """{name: the test RMSE of each iteration, which take 1, 2, 3 ms and so on}, as a result of a suite."""
    document = read_json(SMALL)
    case = next(case for case in document["cases"] if case["outcome"] == "ok")
    document["suite"]["name"], document["cases"] = suite, []
    for name, curve in trainings.items():
        made = {**copy.deepcopy(case), "name": f"train/{name}/cuda", "role": "training", "cold": None, "hot": None}
        iterations = [an_iteration(number, 1e-3 * number, rmse) for number, rmse in enumerate(curve, 1)]
        made["training"] = a_training(iterations, "update:fused")
        document["cases"].append(made)
    return document


@pytest.fixture
def written(tmp_path):
    def write(suite, trainings):
        return write_json(tmp_path / f"{suite}.json", result_of(suite, trainings))

    return write


FAST = {
    "exact": [0.9, 0.8],
    "exact-library": [0.9, 0.8, 0.8],
    "fused": [0.9, 0.80002],
    "fused-bytes-3-then-2-steps": [0.9, 0.8, 0.799991],
    "odd": [1.0],
}


def test_the_fast_pipelines(written):
    file = written("fast", FAST)
    assert [[row[0], *row[2:]] for row in rows_of(table("fast", file))] == [
        ["`exact-library`", "2.0", "0"],
        ["`exact`", "1.5", ""],
        ["`fused`", "1.5", "2e-5"],
        ["`fused-bytes-3-then-2-steps`", "2.0", "9e-6"],
    ]
    assert "takes 2.0 ms, where exact FP32 takes 1.5 ms, and with cuSOLVER 2.0 ms.**" in table("headline", file)
    assert "the same to 9e-6 (" in table("headline", file)
    assert "is no result of alsbench run fast" in table("fast", SMALL, code=1)


def test_starts(written):
    curves = {"uniform": [0.95, 0.904, 0.9], "sketch": [0.9045, 0.9, 0.9001], "never": [0.92, 0.91, 0.91]}
    ((problem, *cells),) = rows_of(table("starts", written("starts", curves)))
    assert problem.startswith("ml-100k/rank:32, lambda ")
    assert cells == ["2 (+0.0)", "1 (+0.0)", "- (+100.0)"]


def test_a_result_and_its_table_make_the_same(program, written):
    file = written("fast", FAST)
    program.run("export", file, "--to", "csv", "--out", file.with_suffix(".csv"), "-q")
    assert table("fast", file) == table("fast", file.with_suffix(".csv"))


def test_what_is_no_table_is_refused_by_name(tmp_path):
    for content in ("", "a,b\n1,2\n", "name,suite,time_utc,version,git_commit,rank\nx,fast,t,v,c,eight\n"):
        (tmp_path / "odd.csv").write_text(content)
        assert "odd.csv: is no table that `alsbench export --to csv` wrote" in table(
            "fast", tmp_path / "odd.csv", code=1
        )


@pytest.fixture
def pages(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    from plots import pages

    return pages


def test_a_block_of_a_page_is_filled_and_the_rest_is_kept(pages, written, tmp_path):
    written("fast", FAST)
    text = "before\n\n<!-- plots.fast fast.json -->\nold\n<!-- end -->\n\n| a | table |\n\n<!-- plots.headline f*.json -->\n<!-- end -->\n"
    filled = pages.filled(text, tmp_path)
    assert "old" not in filled and "| `exact` |" in filled and "takes 2.0 ms" in filled
    assert filled.startswith("before\n\n<!-- plots.fast fast.json -->\n\n| system |")
    assert "<!-- end -->\n\n| a | table |\n\n" in filled
    assert pages.filled(filled, tmp_path) == filled


def test_every_block_of_a_page_can_be_made(pages):
    found = 0
    for page in pages.pages():
        text = page.read_text(encoding="utf-8")
        blocks = pages.BLOCK.findall(text)
        assert len(blocks) == len(re.findall(r"<!-- plots\.", text)) == text.count("<!-- end -->"), page
        made = pages.filled(text) if blocks else text
        assert len(pages.BLOCK.findall(made)) == len(blocks)
        found += len(blocks)
    assert found >= 10

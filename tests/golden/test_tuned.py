# SPDX-License-Identifier: Apache-2.0
"""Choices of the tuning database: best, its header, and what train and run make of it."""

import subprocess

import pytest

from conftest import ROOT, steps_of, validation_errors
from tuned_home import PICK, PROBLEM, text_of

pytest_plugins = ["tuned_home"]


def test_without_a_database_best_is_the_default(home):
    answer = home.best()
    assert validation_errors(answer, "best") == []
    assert [pick["part"] for pick in answer["picks"]] == ["x", "theta"]
    assert {pick["level"] for pick in answer["picks"]} == {"default"}
    for pick in answer["picks"]:
        (step,) = pick["pick"]
        assert step["stage"] == "update" and "steps" in step["config"]
        assert "; by rule: update:" in pick["reason"] and "expected in" in pick["reason"]


def test_no_tuned_is_the_default_whatever_was_tuned(home):
    home.write("data/alsbench/tuned/mine.json", [home.entry()])
    pick = home.best("--part", "x", "--no-tuned")["picks"][0]
    assert pick["level"] == "default" and pick["reason"].startswith("by rule: update:")
    home.run("best", "--no-tuned", "--db", "own.json", code=2)


@pytest.mark.parametrize(
    "device, rank, variant",
    [("sm_80", 100, "update:fused:"), ("sm_120", 128, "update:fused:"), ("sm_75", 100, "hermitian:tiled:")],
)
def test_the_default_of_a_gpu_says_by_which_rule(home, device, rank, variant):
    for pick in home.json("best", "--device", device, "--dataset", "ml-10m", "--rank", rank, "--json")["picks"]:
        assert pick["level"] == "default"
        assert text_of(pick["pick"]).startswith(variant)
        assert "; by rule: " in pick["reason"]


def test_the_users_file_is_found_and_db_goes_before_it(home):
    home.write("data/alsbench/tuned/mine.json", [home.entry()])
    answer = home.best("--part", "x")
    assert validation_errors(answer, "best") == []
    pick = answer["picks"][0]
    assert (pick["level"], pick["pick"], pick["stale"]) == ("device and shape", steps_of(PICK), True)
    text = home.run("best", "--device", "cpu", *PROBLEM, "--part", "x").stdout
    assert "3.000x over the default" in text and "stale" in text

    other = PICK.replace("steps=3", "steps=2")
    path = home.write("other.json", [home.entry(other)])
    assert home.best("--part", "x", "--db", path)["picks"][0]["pick"] == steps_of(other)


def test_a_tuned_stage(home):
    home.write("data/alsbench/tuned/mine.json", [home.entry("solve:cholesky", "solve")])
    answer = home.best("--part", "x", "--stage", "solve")
    assert answer["picks"][0]["pick"] == steps_of("solve:cholesky")
    assert home.best("--part", "theta", "--stage", "solve")["picks"][0]["level"] == "device, nearest shape"
    assert home.best("--part", "theta", "--stage", "bias")["picks"][0]["level"] == "default"


def test_train_uses_the_database_and_says_so(home):
    home.write("data/alsbench/tuned/mine.json", [home.entry()])
    arguments = ["train", *PROBLEM, "--device", "cpu", "--iterations", "1", "--out", "model"]

    def record(*more):
        result = home.run(*arguments, *more)
        document = home.read_json("model/record.json")
        assert validation_errors(document, "training") == []
        lines = [line for line in result.stderr.splitlines() if line.startswith("pipelines: ")]
        return lines, document

    lines, document = record()
    assert len(lines) == 1 and "x: device and shape: " in lines[0]
    assert "theta: device, nearest shape: tuned at ml-100k@0.2/rank:8, x on " in lines[0]
    assert lines[0].endswith(f"; to do better: alsbench tune pipeline {' '.join(PROBLEM)} --device cpu")
    assert document["options"]["pipelines"][0]["steps"] == steps_of(PICK)
    assert document["tuned"][0]["level"] == "device and shape"
    for more in (["--no-tuned"], ["--pipeline", "cg-fp32"]):
        lines, document = record(*more)
        assert not lines and document["tuned"] == []
        assert any("steps" in step["config"] for step in document["options"]["pipelines"][0]["steps"])


def test_a_suite_may_leave_configurations_and_pipelines_to_the_database(home):
    home.write(
        "data/alsbench/tuned/mine.json",
        [
            home.entry(),
            home.entry("hermitian:blocked:tile=12", "hermitian"),
            home.entry("solve:cg:steps=2", "solve/cg"),
        ],
    )
    suite = {
        "name": "left",
        "description": "",
        "problems": [{"dataset": "ml-100k", "scale": 0.2, "rank": 8}],
        "measure": [
            {
                "stage": "hermitian",
                "variant": ["blocked", "naive"],
                "backend": "cpu",
                "config": "tuned",
                "cache": "hot",
            },
            {"stage": "solve", "variant": "cg", "backend": "cpu", "config": "tuned", "cache": "hot"},
        ],
        "train": [
            {"name": "left", "backend": "cpu", "pipeline": "tuned", "iterations": 1},
            {"name": "warm_start", "backend": "cpu", "pipeline": "neighbour", "iterations": 1},
            {"name": "untuned", "backend": "cpu", "pipeline": "default", "iterations": 1},
        ],
        "sampling": {"min_samples": 1, "max_samples": 1, "max_noise": 0, "max_seconds": 5},
    }
    home.write_json("left.json", suite)
    assert validation_errors(suite, "suite") == []
    result = home.run("run", "left.json", "--json", "result.json")
    document = home.read_json("result.json")
    assert validation_errors(document, "result") == []
    blocked, naive, cg, left, near, untuned = document["cases"]
    assert (blocked["config"]["tile"], blocked["tuned"][0]["level"]) == ("12", "device and shape")
    assert naive["tuned"][0]["level"] == "default"
    assert (cg["config"]["steps"], cg["tuned"][0]["level"]) == ("2", "device and shape")
    assert left["training"]["pipelines"][0] == {"part": "x", "steps": steps_of(PICK)}
    assert [each["level"] for each in left["tuned"]] == ["device and shape", "device, nearest shape"]
    assert [each["level"] for each in near["tuned"]] == ["default", "default"]  # both sides are hidden
    assert [each["level"] for each in untuned["tuned"]] == ["default", "default"]
    assert untuned["training"]["pipelines"][0]["steps"][0]["stage"] == "update"
    assert sum(line.startswith("tuned") for line in result.stderr.splitlines()) == 9


def test_four_shipped_suites_ask_the_database():
    asking = [
        path.stem
        for path in (ROOT / "configs" / "suites").glob("*.json")
        if '"pipeline": "tuned"' in path.read_text(encoding="utf-8")
        or '"config": "tuned"' in path.read_text(encoding="utf-8")
    ]
    assert sorted(asking) == ["defaults", "joules", "scaling", "tuned"]


@pytest.mark.parametrize(
    "device, stages, solver, launches, kernel",
    [
        ("cpu", ["update"], "update", 0, None),
        ("sm_75", ["hermitian", "bias", "solve"], "solve", 1, "alsbench::tiled_hermitian<8,"),
        ("sm_90", ["update"], "update", 1, "alsbench::fused_update<8,"),
    ],
)
def test_the_header_compiles_and_has_the_configuration(home, device, stages, solver, launches, kernel):
    arguments = ["best", "--device", device, *PROBLEM]
    home.run(*arguments, "--header", "tuned.h")
    home.run(*arguments[:-1], "16", "--header", "wide.h", "--namespace", "mine::wide")
    picks = home.json(*arguments, "--json")["picks"]
    assert [step["stage"] for step in picks[0]["pick"]] == stages
    steps = picks[0]["pick"][-1]["config"]["steps"]
    (home.folder / "use.cpp").write_text(f"""
#include "tuned.h"
#include "tuned.h"
#include "wide.h"
static_assert(mine::wide::theta::kRank == 16);
static_assert(alsbench_tuned::x::kRank == 8);
static_assert(alsbench_tuned::x::{solver}::kSteps == {steps});
static_assert(alsbench_tuned::x::{solver}::kArguments.cg_steps == {0 if device == "cpu" else steps});
static_assert(alsbench_tuned::theta::{stages[0]}::kLaunches.size() == {launches});
int main() {{ return static_cast<int>(alsbench_tuned::theta::kRows) - {picks[1]["shape"]["rows"]}; }}
""")
    subprocess.run(
        ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "use.cpp", "-o", "use"], cwd=home.folder, check=True
    )
    subprocess.run(["./use"], cwd=home.folder, check=True)
    assert kernel is None or kernel in (home.folder / "tuned.h").read_text()
    assert home.run(*arguments, "--header").stdout == (home.folder / "tuned.h").read_text()


@pytest.mark.parametrize(
    "name, said",
    [
        ("my-own", ""),
        ("mine::", ""),
        ("class", "'class' is a keyword of C++"),
        ("mine::xor", "'xor' is a keyword of C++"),
        ("co_await", "'co_await' is a keyword of C++"),
        ("std", "'std' belongs to the standard library"),
        ("mine::std", "'std' belongs to the standard library"),
        ("_mine", "'_mine' is reserved"),
        ("mine::_x", "'_x' is reserved"),
        ("mine__x", "'mine__x' is reserved"),
    ],
)
def test_a_header_has_a_namespace_that_c_plus_plus_allows(home, name, said):
    arguments = ["best", "--device", "cpu", *PROBLEM, "--header", "bad.h", "--namespace", name]
    message = home.run(*arguments, code=2).stderr
    assert f"'{name}': {said}" in message and "such as tuned or mine::rank64" in message
    assert not (home.folder / "bad.h").exists()


def test_a_namespace_may_hold_a_keyword(home):
    arguments = ["best", "--device", "cpu", *PROBLEM, "--header", "fine.h"]
    home.run(*arguments, "--namespace", "classes::std_1::new_")
    (home.folder / "fine.cpp").write_text(
        '#include "fine.h"\nint main() { return classes::std_1::new_::x::kRank - 8; }\n'
    )
    subprocess.run(["g++", "-std=c++17", "-fsyntax-only", "fine.cpp"], cwd=home.folder, check=True)

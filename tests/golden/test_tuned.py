# SPDX-License-Identifier: Apache-2.0
"""The tuning database as its users meet it: best, its header, and what train and run make of it."""

import copy
import json
import subprocess
import sys

import jsonschema
import pytest

from conftest import ROOT, Program, files_in

SCHEMAS = ROOT / "results" / "schema"
PROBLEM = ["--dataset", "ml-100k", "--scale", "0.2", "--rank", "8"]
PICK = (
    "hermitian:blocked:tile=4,bin=64,store=streaming,factors=fp32,output=fp32/bias:rows:factors=fp32/"
    "solve:cg:matrix=fp32,steps=3,tolerance=0,warm=on,precondition=none"
)


def errors(document, schema_name):
    schema = json.loads((SCHEMAS / schema_name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    found = jsonschema.Draft202012Validator(schema).iter_errors(document)
    return [f"/{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in found]


class Home(Program):
    """A user's home with a tuning database of its own."""

    def best(self, *arguments):
        return self.json("best", "--device", "cpu", *PROBLEM, "--json", *arguments)

    def entry(self, pick=PICK, what="pipeline", side="x", **changes):
        """An entry for this machine at the shape of PROBLEM."""
        answer = self.best("--side", side)
        entry = {
            "device": answer["device"],
            "what": what,
            "side": side,
            "objective": "time",
            "shape": answer["picks"][0]["shape"],
            "data": "ml-100k@0.2/rank:8",
            "storage": {"factors": "fp32", "matrices": "fp32"},
            "pick": pick,
            "default_pick": pick,
            "median_seconds": 0.001,
            "default_seconds": 0.003,
            "ties": [pick],
            "search": {
                "strategy": "random",
                "budget_evaluations": 10,
                "budget_seconds": 0,
                "evaluations": 10,
                "seed": 1,
            },
            "code_hash": "of long ago",
            "accuracy": None,
            "provenance": {"time_utc": "2026-01-31T12:00:00Z", "git_commit": "abc"},
        }
        return {**entry, **changes}

    def write(self, name, entries):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        document = {"schema_version": "1.0.0", "kind": "tuned", "$schema": "", "entries": entries}
        assert errors(document, "tuned.schema.json") == []
        path.write_text(json.dumps(document))
        return path


@pytest.fixture()
def home(tmp_path, program):
    home = Home(tmp_path)
    (tmp_path / "cache").symlink_to(program.folder / "cache")
    (program.folder / "cache").mkdir(exist_ok=True)
    return home


def test_shipped_databases_follow_the_schema():
    for path in files_in("results/tuned", "*.json"):
        assert errors(json.loads(path.read_text(encoding="utf-8")), "tuned.schema.json") == []


def test_without_a_database_best_is_the_default(home):
    answer = home.best()
    assert errors(answer, "best.schema.json") == []
    assert [pick["side"] for pick in answer["picks"]] == ["x", "theta"]
    assert {pick["level"] for pick in answer["picks"]} == {"default"}
    for pick in answer["picks"]:
        assert pick["pick"].startswith("update:matrix_free:") and "steps=6" in pick["pick"]
        assert pick["reason"].endswith("the default is update:matrix_free:steps=6")


@pytest.mark.parametrize(
    "device, rank, variant, reason",
    [
        ("sm_80", 100, "update:fused:", "the default is update:fused:matrix=fp16,steps=6"),
        ("sm_120", 100, "update:fused:", "the default is update:fused:matrix=fp16,steps=6"),
        (
            "sm_80",
            128,
            "update:fused:",
            "the default is update:fused:steps=6; not update:fused:matrix=fp16,steps=6: at rank 128 a team of warps",
        ),
        (
            "sm_75",
            100,
            "hermitian:tiled:",
            "the default is cg-fp32; not update:fused:matrix=fp16,steps=6: needs asynchronous copies",
        ),
    ],
)
def test_the_default_of_a_gpu_says_why_it_is_not_another(home, device, rank, variant, reason):
    for pick in home.json("best", "--device", device, "--dataset", "ml-10m", "--rank", rank, "--json")["picks"]:
        assert pick["level"] == "default"
        assert pick["pick"].startswith(variant)
        assert reason in pick["reason"]


def test_the_users_file_is_found_and_db_goes_before_it(home):
    home.write("data/alsbench/tuned/mine.json", [home.entry()])
    answer = home.best("--side", "x")
    assert errors(answer, "best.schema.json") == []
    pick = answer["picks"][0]
    assert (pick["level"], pick["pick"], pick["stale"]) == ("device and shape", PICK, True)
    text = home.run("best", "--device", "cpu", *PROBLEM, "--side", "x").stdout
    assert "3.000x over the default" in text and "stale" in text

    other = PICK.replace("steps=3", "steps=2")
    path = home.write("other.json", [home.entry(other)])
    assert home.best("--side", "x", "--db", path)["picks"][0]["pick"] == other


def test_a_tuned_stage(home):
    home.write("data/alsbench/tuned/mine.json", [home.entry("solve:cholesky", "solve")])
    answer = home.best("--side", "x", "--stage", "solve")
    assert answer["picks"][0]["pick"] == "solve:cholesky"
    assert home.best("--side", "theta", "--stage", "solve")["picks"][0]["level"] == "default"


@pytest.mark.parametrize(
    "text, place",
    [
        ("{", "line"),
        ('{"schema_version": "2.0.0", "entries": []}', "newer alsbench"),
        ('{"schema_version": "1.0.0", "entries": [{"what": "solve"}]}', "/entries/0"),
    ],
)
def test_a_damaged_database_stops_what_would_use_it(home, text, place):
    path = home.folder / "data" / "alsbench" / "tuned" / "mine.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    for arguments in (["best", *PROBLEM], ["train", *PROBLEM, "--device", "cpu"]):
        message = home.run(*arguments, code=2).stderr
        assert str(path) in message and place in message
    assert path.read_text() == text
    home.run("train", *PROBLEM, "--device", "cpu", "--iterations", "1", "--no-tuned")


def test_train_uses_the_database_and_says_so(home):
    home.write("data/alsbench/tuned/mine.json", [home.entry()])
    arguments = ["train", *PROBLEM, "--device", "cpu", "--iterations", "1", "--out", "model"]

    def record(*more):
        result = home.run(*arguments, *more)
        document = json.loads((home.folder / "model" / "record.json").read_text())
        assert errors(document, "train.schema.json") == []
        lines = [line for line in result.stderr.splitlines() if line.startswith("pipelines: ")]
        return lines, document

    lines, document = record()
    assert len(lines) == 1 and "x: device and shape: " in lines[0] and "theta: default: " in lines[0]
    assert document["options"]["pipeline_x"] == PICK
    assert document["tuned"]["x"]["level"] == "device and shape"
    for more in (["--no-tuned"], ["--pipeline", "cg-fp32"]):
        lines, document = record(*more)
        assert not lines and document["tuned"] == {}
        assert "steps=6" in document["options"]["pipeline_x"]


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
        "train": [{"name": "left", "backend": "cpu", "pipeline": "tuned", "iterations": 1}],
        "sampling": {"min_samples": 1, "max_samples": 1, "max_noise": 0, "max_seconds": 5},
    }
    (home.folder / "left.json").write_text(json.dumps(suite))
    assert errors(suite, "suite.schema.json") == []
    result = home.run("run", "left.json", "--json", "result.json")
    document = json.loads((home.folder / "result.json").read_text())
    assert errors(document, "result.schema.json") == []
    blocked, naive, cg, left = document["cases"]
    assert (blocked["config"]["tile"], blocked["tuned"]["level"]) == ("12", "device and shape")
    assert naive["tuned"]["level"] == "default"
    assert (cg["config"]["steps"], cg["tuned"]["level"]) == ("2", "device and shape")
    assert left["training"]["pipeline_x"] == PICK
    assert [left["tuned"][side]["level"] for side in ("x", "theta")] == ["device and shape", "default"]
    assert sum(line.startswith("tuned") for line in result.stderr.splitlines()) == 5


def test_one_shipped_suite_asks_the_database():
    asking = [
        path.stem
        for path in (ROOT / "configs" / "suites").glob("*.json")
        if '"pipeline": "tuned"' in path.read_text(encoding="utf-8")
        or '"config": "tuned"' in path.read_text(encoding="utf-8")
    ]
    assert asking == ["tuned"]


def test_the_table_of_what_tuning_brings(home):
    suite = json.loads((ROOT / "configs" / "suites" / "tuned.json").read_text(encoding="utf-8"))
    suite["problems"] = [{"dataset": "ml-100k", "scale": 0.1, "rank": rank, "lambda": 0.1} for rank in (4, 8)]
    suite["train"] = [{**training, "iterations": 2} for training in suite["train"]]
    (home.folder / "tuned.json").write_text(json.dumps(suite))
    home.run("run", "tuned.json", "--device", "cpu", "--json", "result.json", "-q")
    table = subprocess.run(
        [sys.executable, "-m", "plots.tuned", home.folder / "result.json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    assert [row[0] for row in rows] == ["ml-100k, 4", "ml-100k, 8"]
    for row in rows:
        default, tuned, times = (float(cell) for cell in row[1:4])
        assert default / tuned == pytest.approx(times, rel=0.2, abs=0.06)
        rmse = [float(word) for word in row[5].split(", ")]
        assert rmse[0] == pytest.approx(rmse[1], abs=1e-4), "untuned, both train alike"
    done = subprocess.run(
        [sys.executable, "-m", "plots.tuned", ROOT / "results" / "nvidia-h200" / "quick.json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0 and "quick.json" in done.stderr


def test_the_readme_shows_the_committed_table():
    table = subprocess.run(
        [sys.executable, "-m", "plots.tuned", ROOT / "results" / "nvidia-h200" / "tuned.json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert table in (ROOT / "README.md").read_text(encoding="utf-8")


def test_ten_tunings_chose_alike_and_the_page_shows_it():
    files = sorted((ROOT / "results" / "nvidia-h200" / "tunings").glob("*.json"))
    table = subprocess.run(
        [sys.executable, "-m", "plots.agreement", *files], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert table in (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
    rows = table.splitlines()[2:]
    assert len(rows) == 10 and all(row.count("9 of 9") == 2 for row in rows)


def test_agreement_is_of_one_problem(home):
    tuning = json.loads((ROOT / "results" / "nvidia-h200" / "tune-netflix-rank100.json").read_text(encoding="utf-8"))
    (home.folder / "one.json").write_text(json.dumps(tuning))
    other = copy.deepcopy(tuning)
    other["sides"][0]["pick"] = "update:fused:stages=2"
    (home.folder / "two.json").write_text(json.dumps(other))

    def agreement():
        return subprocess.run(
            [sys.executable, "-m", "plots.agreement", home.folder / "one.json", home.folder / "two.json"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in agreement().stdout.splitlines()[2:]]
    assert [row[5] for row in rows] == ["1 of 1", "0 of 1"], (
        "X: the first choice is tied with the second, which the first does not name"
    )
    assert [row[8] for row in rows] == ["1 of 1", "1 of 1"], "Theta: the same"
    other["problem"]["rank"] = 64
    (home.folder / "two.json").write_text(json.dumps(other))
    assert agreement().returncode != 0 and "one problem" in agreement().stderr


@pytest.mark.parametrize(
    "device, stages, solver, launches, kernel",
    [
        ("cpu", ["update"], "update", 0, None),
        ("sm_75", ["hermitian", "bias", "solve"], "solve", 1, "alsbench::tiled_hermitian<8,"),
        ("sm_90", ["update"], "update", 3, "alsbench::fused_update<8,"),
    ],
)
def test_the_header_compiles_and_has_the_configuration(home, device, stages, solver, launches, kernel):
    arguments = ["best", "--device", device, *PROBLEM]
    home.run(*arguments, "--header", "tuned.h")
    home.run(*arguments[:-1], "16", "--header", "wide.h", "--namespace", "mine::wide")
    picks = home.json(*arguments, "--json")["picks"]
    assert [step.split(":")[0] for step in picks[0]["pick"].split("/")] == stages
    settings = picks[0]["pick"].rsplit(":", 1)[1].split(",")
    steps = dict(setting.split("=") for setting in settings)["steps"]
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
    assert (
        "such as tuned or mine::rank64"
        in home.run(*arguments, "--header", "bad.h", "--namespace", "my-own", code=2).stderr
    )
    assert not (home.folder / "bad.h").exists()


def test_tuned_pipelines_are_kept_and_used(home):
    """tune --pipeline from end to end at a tiny shape, on whatever CPU this is."""
    problem = [*PROBLEM, "--device", "cpu"]
    result = home.run(
        "tune",
        "--pipeline",
        *problem,
        "--budget-evals",
        "4",
        "--iterations",
        "3",
        "--json",
        "tuning.json",
        "--budget-seconds",
        "3",
        timeout=300,
    )
    document = json.loads((home.folder / "tuning.json").read_text())
    assert errors(document, "pipeline-tuning.schema.json") == []
    x, theta = document["sides"]
    assert x["median_seconds"] <= x["default_seconds"] and x["pick"] in x["ties"]
    assert document["gate"]["rmse"] <= document["gate"]["target_rmse"]
    assert document["trials"][0]["purpose"] == "exact"
    assert sum(contender["is_default"] for contender in document["playoff"]) == 1
    time = document["time"]
    for parts in (
        [time[part] for part in ("measuring_seconds", "compiling_seconds", "rest_seconds")],
        time["parts"].values(),
    ):
        assert sum(parts) == pytest.approx(time["total_seconds"]) and min(parts) >= 0
    assert min(time["parts"][part] for part in ("sampling_seconds", "judging_seconds", "playing_seconds")) > 0
    assert x["pick"] in result.stdout and "% measuring" in result.stdout

    databases = list((home.folder / "data" / "alsbench" / "tuned").glob("*.json"))
    assert len(databases) == 1 and databases[0].stem in result.stderr
    assert errors(json.loads(databases[0].read_text()), "tuned.schema.json") == []
    picks = home.best()["picks"]
    assert [(pick["level"], pick["pick"]) for pick in picks] == [
        ("device and shape", x["pick"]),
        ("device and shape", theta["pick"]),
    ]
    assert not any(pick["stale"] for pick in picks)
    home.run("train", *problem, "--iterations", "1", "--out", "model")
    record = json.loads((home.folder / "model" / "record.json").read_text())
    assert record["options"]["pipeline_theta"] == theta["pick"]


def test_time_to_rmse_is_a_result_of_its_own(home):
    home.run(
        "tune",
        "--pipeline",
        *PROBLEM,
        "--device",
        "cpu",
        "--budget-evals",
        "2",
        "--iterations",
        "2",
        "--budget-seconds",
        "3",
        "--objective",
        "time-to-rmse",
        "--db",
        "own.json",
        "--json",
        "tuning.json",
        timeout=300,
    )
    document = json.loads((home.folder / "tuning.json").read_text())
    assert errors(document, "pipeline-tuning.schema.json") == []
    assert {pick["level"] for pick in home.best("--db", "own.json")["picks"]} == {"default"}
    picks = home.best("--db", "own.json", "--objective", "time-to-rmse")["picks"]
    assert {pick["level"] for pick in picks} == {"device and shape"}
    assert not (home.folder / "data").exists()


def test_a_tuned_stage_is_kept(home):
    home.run("tune", "--stage", "bias", *PROBLEM, "--device", "cpu", "--budget-evals", "2", timeout=300)
    pick = home.best("--side", "x", "--stage", "bias")["picks"][0]
    assert pick["level"] == "device and shape" and pick["pick"].startswith("bias:")
    assert (
        errors(
            {"schema_version": "1.0.0", "kind": "tuned", "$schema": "", "entries": [pick["entry"]]}, "tuned.schema.json"
        )
        == []
    )


@pytest.mark.parametrize(
    "arguments, reason",
    [(["--stage", "solve"], "--stage"), (["--strategy", "gues"], "guided"), (["--db", "damaged.json"], "damaged.json")],
)
def test_pipeline_tuning_refuses_what_it_cannot_do(home, arguments, reason):
    (home.folder / "damaged.json").write_text("{")
    result = home.run("tune", "--pipeline", *PROBLEM, "--device", "cpu", *arguments, code=2)
    assert reason in result.stderr


def test_the_plan_of_pipelines(home):
    text = home.run("tune", "--pipeline", *PROBLEM, "--device", "cpu", "--dry-run").stdout
    assert "hermitian" in text and "no variant of it" in text
    assert not (home.folder / "data").exists()

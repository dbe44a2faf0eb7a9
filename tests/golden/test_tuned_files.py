# SPDX-License-Identifier: Apache-2.0
"""Files of the tuning database and of tunings: those that are shipped, written and damaged, and their tables."""

import copy
import json
import sys

import pytest

from conftest import ROOT, SMALL, plots, read_json, rows_of, steps_of, validation_errors
from test_counters import REASONS
from tuned_home import PICK, PROBLEM, text_of

pytest_plugins = ["tuned_home"]


@pytest.mark.parametrize("path", sorted((ROOT / "results" / "tuned").glob("*.json")), ids=lambda path: path.name)
def test_shipped_databases_follow_the_schema(path):
    assert validation_errors(read_json(path), "tuned") == []


@pytest.mark.parametrize(
    "text, place",
    [
        ("{", "line"),
        ('{"schema_version": "3.0.0", "entries": []}', "newer alsbench"),
        ('{"schema_version": "1.4.0", "entries": []}', "scripts/convert_results.py"),
        ('{"schema_version": "2.0.0", "entries": [{"what": "solve"}]}', "/entries/0"),
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


def test_a_database_of_schema_1_is_converted_once(home):
    entry = home.entry()
    new = ("members", "algorithm", "part", "bucket", "speedup_over_default")
    older = {name: value for name, value in entry.items() if name not in new}
    texts = {"pick": PICK, "default_pick": PICK, "ties": [PICK]}
    accuracy = {"iterations": 10, "rmse": 0.9, "exact_rmse": 0.91, "tolerance": 0.001}
    document = {"schema_version": "1.4.0", "kind": "tuned", "$schema": ""}
    document["entries"] = [{**older, "side": "x", **texts, "accuracy": accuracy}]
    path = home.write_json("older.json", document)
    assert "scripts/convert_results.py" in home.run("best", "--device", "cpu", *PROBLEM, "--db", path, code=2).stderr
    for _ in range(2):
        home.shell([sys.executable, ROOT / "scripts" / "convert_results.py", path])
        assert validation_errors(read_json(path), "tuned") == []
        answer = home.best("--part", "x", "--db", path)["picks"][0]
        assert (answer["level"], answer["pick"]) == ("device and shape", steps_of(PICK))
        found = answer["entry"]["accuracy"]
        assert (found["metric"], found["test_metric"], found["exact_metric"]) == ("rmse", 0.9, 0.91)


def test_the_table_of_what_tuning_brings(home):
    suite = read_json(ROOT / "configs" / "suites" / "tuned.json")
    suite["problems"] = [{"dataset": "ml-100k", "scale": 0.1, "rank": rank, "lambda": 0.1} for rank in (4, 8)]
    suite["train"] = [{"name": name, "pipeline": name, "iterations": 2} for name in ("default", "tuned")]
    home.write_json("tuned.json", suite)
    home.run("run", "tuned.json", "--device", "cpu", "--json", "result.json", "-q")
    rows = rows_of(plots("plots.tuned", home.folder / "result.json").stdout)
    assert [row[0] for row in rows] == ["ml-100k@0.1, 4", "ml-100k@0.1, 8"]
    for row in rows:
        default, tuned, times = (float(cell) for cell in row[1:4])
        assert default / tuned == pytest.approx(times, rel=0.2, abs=0.06)
        rmse = [float(word) for word in row[5].split(", ")]
        assert rmse[0] == pytest.approx(rmse[1], abs=1e-4), "untuned, both train alike"
    assert "small.json" in plots("plots.tuned", SMALL, code=1).stderr


def test_ten_tunings_chose_alike():
    files = sorted((ROOT / "results" / "nvidia-h200" / "tunings").glob("*.json.gz"))
    rows = plots("plots.agreement", *files).stdout.splitlines()[2:]
    assert len(rows) == 10 and all(row.count("9 of 9") == 2 for row in rows)


def test_agreement_is_of_one_problem(home):
    tuning = read_json(ROOT / "results/nvidia-h200/tune-netflix-rank100.json.gz")
    home.write_json("one.json", tuning)
    other = copy.deepcopy(tuning)
    other["parts"][0]["pick"] = steps_of("update:fused:stages=2")
    home.write_json("two.json", other)
    both = [home.folder / "one.json", home.folder / "two.json"]
    rows = rows_of(plots("plots.agreement", *both).stdout)
    assert [row[5] for row in rows] == ["1 of 1", "0 of 1"], (
        "X: the first choice is tied with the second, which the first does not name"
    )
    assert [row[8] for row in rows] == ["1 of 1", "1 of 1"], "Theta: the same"
    other["problem"]["rank"] = 64
    home.write_json("two.json", other)
    assert "one problem" in plots("plots.agreement", *both, code=1).stderr


def check_counters(part, stdout):
    """Each step of the choice was counted first, those of the ties and of the default after it, each once."""
    wanted = [text_of([step]) for steps in [part["pick"], *part["ties"], part["default_pick"]] for step in steps]
    counted = [text_of([one["step"]]) for one in part["counters"]]
    picked = [text_of([step]) for step in part["pick"]]
    assert counted[: len(picked)] == picked and sorted(counted) == sorted(set(wanted))
    for one in part["counters"]:
        counters, refusal = one["counters"], one["counters"]["refusal"]
        if refusal:
            assert refusal["why"] in REASONS and f"no counters ({refusal['why']})" in stdout and not counters["kernels"]
        else:
            assert counters["kernels"][0]["cycles"] > 0


def test_tuned_pipelines_are_kept_and_used(home):
    """tune pipeline from end to end at a tiny shape, on whatever CPU this is."""
    problem = [*PROBLEM, "--device", "cpu"]
    words = ["--budget-evals", "4", "--iterations", "3", "--json", "tuning.json", "--budget-seconds", "3", "--counters"]
    result = home.run("tune", "pipeline", *problem, *words, timeout=300)
    document = home.read_json("tuning.json")
    assert validation_errors(document, "pipeline-tuning") == []
    x, theta = document["parts"]
    assert x["median_seconds"] <= x["default_seconds"] and x["pick"] in x["ties"]
    assert document["gate"]["metric"] == "rmse"
    assert document["gate"]["test_metric"] <= document["gate"]["target_metric"]
    assert document["trials"][0]["purpose"] == "exact"
    assert sum(contender["is_default"] for contender in document["playoff"]) == 1
    time = document["time"]
    measuring = [time[f"{what}_seconds"] for what in ("sampling", "accuracy", "playoff")]
    rest = [time[f"{what}_seconds"] for what in ("compiling", "preparing", "verifying", "other")]
    assert sum(measuring) == pytest.approx(time["measuring_seconds"]) and min(measuring) > 0
    assert sum([*measuring, *rest]) == pytest.approx(time["total_seconds"]) and min(rest) >= 0
    assert text_of(x["pick"]) in result.stdout and "% measuring" in result.stdout
    check_counters(x, result.stdout)

    databases = list((home.folder / "data" / "alsbench" / "tuned").glob("*.json"))
    assert len(databases) == 1 and databases[0].stem in result.stderr
    assert validation_errors(json.loads(databases[0].read_text()), "tuned") == []
    picks = home.best()["picks"]
    assert [(pick["level"], pick["pick"]) for pick in picks] == [
        ("device and shape", x["pick"]),
        ("device and shape", theta["pick"]),
    ]
    assert not any(pick["stale"] for pick in picks)
    home.run("train", *problem, "--iterations", "1", "--out", "model")
    record = home.read_json("model/record.json")
    assert record["options"]["pipelines"][1]["steps"] == theta["pick"]


def test_a_tuning_may_begin_with_what_was_tuned_before(home):
    """--warm-start trains the database's choice first; --leave-out hides that of the very shape."""
    pick = "update:blocked:factors=fp32,warm=on,steps=3,late_steps=0,tolerance=0,precondition=none"
    home.write("own.json", [home.entry(pick=pick, part=part) for part in ("x", "theta")])
    command = ["tune", "pipeline", *PROBLEM, "--device", "cpu", "--iterations", "3", "--budget-evals", "2"]
    command += ["--db", "own.json"]
    began = home.run(*command, "--warm-start", "--json", "near.json", timeout=300)
    assert "begins with x: device and shape" in began.stderr
    near = home.read_json("near.json")
    assert validation_errors(near, "pipeline-tuning") == []
    began_with = near["search"]["warm_start"]["pipelines"]
    assert began_with == [{"part": part, "steps": steps_of(pick)} for part in ("x", "theta")]
    assert [trial["purpose"] for trial in near["trials"][:3]] == ["exact", "default", "warm_start"]
    assert near["search"]["warm_start"]["taken"] == all(stage["refines"] for stage in near["stages"])
    alone = home.run(*command, "--warm-start", "--leave-out", "--json", "alone.json", timeout=300)
    assert "no nearby shape was tuned; searching the whole space" in alone.stderr
    assert home.read_json("alone.json")["search"]["warm_start"] is None


def test_a_tuning_on_a_users_files_serves_the_training_it_was_made_for(home):
    """Both read the ratings by the same options; elsewhere train names the command that would serve it."""
    rated = [
        f"{user}\t{(7 * user + 3 * place) % 97}\t{1 + (user + place) % 5}\n"
        for user in range(90)
        for place in range(17)  # of which a share held out would fall below 16, into another bucket
    ]
    (home.folder / "ratings.tsv").write_text("".join([*rated, rated[0]]))
    (home.folder / "test.tsv").write_text("0\t90\t3\n1\t91\t4\n")
    ratings = ["--data", "ratings.tsv", "--format", "tsv", "--test", "test.tsv", "--duplicates", "mean"]
    arguments = [*ratings, "--rank", "4", "--device", "cpu"]

    def pipelines():
        found = home.run("train", *arguments, "--iterations", "1").stderr.splitlines()
        return next(line for line in found if line.startswith("pipelines: "))

    command = f"alsbench tune pipeline {' '.join(arguments)}"
    assert pipelines().endswith(f"; to do better: {command}")
    words = command.split()[1:]
    home.run(*words, "--iterations", "2", "--budget-evals", "2", "--budget-seconds", "2", timeout=300)
    line = pipelines()
    assert line.count("device and shape") == 2 and "to do better" not in line


def test_time_to_rmse_is_a_result_of_its_own(home):
    words = ["--device", "cpu", "--budget-evals", "2", "--iterations", "2", "--budget-seconds", "3"]
    words += ["--objective", "time-to-rmse", "--db", "own.json", "--json", "tuning.json"]
    home.run("tune", "pipeline", *PROBLEM, *words, timeout=300)
    document = home.read_json("tuning.json")
    assert validation_errors(document, "pipeline-tuning") == []
    hyper = document["hyper"]
    assert hyper["pick"] in [trial["hyper"] for trial in hyper["trials"]]
    assert {"sketch", "constant", "uniform"} == {trial["hyper"]["start"] for trial in hyper["trials"]}
    assert {pick["level"] for pick in home.best("--db", "own.json")["picks"]} == {"default"}
    picks = home.best("--db", "own.json", "--objective", "time-to-rmse")["picks"]
    assert {pick["level"] for pick in picks} == {"device and shape"}
    assert not (home.folder / "data").exists()


def test_implicit_feedback_is_tuned_for_its_alpha(home):
    """The choice serves trainings with the same alpha; others name the command that would serve them."""
    problem = [*PROBLEM, "--lambda", "1", "--feedback", "implicit", "--device", "cpu"]
    budget = ["--budget-evals", "2", "--iterations", "2", "--budget-seconds", "2"]
    home.run("tune", "pipeline", *problem, "--alpha", "10", *budget, "--json", "tuning.json", timeout=300)
    document = home.read_json("tuning.json")
    assert validation_errors(document, "pipeline-tuning") == []
    assert document["training"] == {"algorithm": "implicit-als", "minimised": "alpha=10,regularisation=plain"}
    assert document["gate"]["metric"] == "loss"
    assert document["gate"]["test_metric"] <= document["gate"]["target_metric"]
    (database,) = (home.folder / "data" / "alsbench" / "tuned").glob("*.json")
    assert validation_errors(read_json(database), "tuned") == []

    def pipelines(alpha):
        found = home.run("train", *problem, "--alpha", alpha, "--iterations", "1").stderr.splitlines()
        return next(line for line in found if line.startswith("pipelines: "))

    assert pipelines("10").count("device and shape") == 2
    other = pipelines("5")
    assert "device and shape" not in other
    assert "alsbench tune pipeline --feedback implicit --hyper alpha=5,regularisation=plain" in other
    levels = {pick["level"] for pick in home.best()["picks"]}
    assert levels == {"default"}, "a choice for counts answered for ratings"
    asked = home.best("--feedback", "implicit", "--alpha", "10")["picks"]
    assert {pick["level"] for pick in asked} == {"device and shape"}


def test_a_tuned_stage_is_kept(home):
    home.run("tune", "stage", "bias", *PROBLEM, "--device", "cpu", "--budget-evals", "2", timeout=300)
    pick = home.best("--part", "x", "--stage", "bias")["picks"][0]
    assert pick["level"] == "device and shape" and pick["pick"][0]["stage"] == "bias"
    assert validation_errors({"schema_version": "2.0.0", "kind": "tuned", "entries": [pick["entry"]]}, "tuned") == []


@pytest.mark.parametrize(
    "arguments, reason",
    [(["--axis", "steps=2"], "--axis"), (["--strategy", "gues"], "guided"), (["--db", "damaged.json"], "damaged.json")],
)
def test_pipeline_tuning_refuses_what_it_cannot_do(home, arguments, reason):
    (home.folder / "damaged.json").write_text("{")
    result = home.run("tune", "pipeline", *PROBLEM, "--device", "cpu", *arguments, code=2)
    assert reason in result.stderr


def test_the_plan_of_pipelines(home):
    text = home.run("tune", "pipeline", *PROBLEM, "--device", "cpu", "--dry-run").stdout
    assert "hermitian" in text and "no variant of it" in text
    assert not (home.folder / "data").exists()


def test_databases_of_many_machines_become_one(home):
    home.run("tune", "stage", "solve", "-b", "cg", "-a", "steps=[2,3]", *PROBLEM, "-d", "cpu", "--db", "one.json", "-q")
    (own,) = home.read_json("one.json")["entries"]
    thorough = {**own, "median_seconds": own["median_seconds"] / 2, "search": {**own["search"], "evaluations": 500}}
    home.write("two.json", [thorough, home.entry()])
    merged = home.run("tune", "merge", "one.json", "two.json", "--db", "all.json")
    assert merged.stdout == "all.json: 1 entries added, 0 replaced, 0 unchanged; 1 left out\n"
    assert "that of two.json is left out: stale" in merged.stderr
    assert "that of two.json (500 configurations, " in merged.stderr and "stays, not that of one.json" in merged.stderr
    document = home.read_json("all.json")
    assert validation_errors(document, "tuned") == [] and document["entries"] == [thorough]
    assert "--db" in home.run("tune", "merge", "one.json", code=2).stderr
    assert "--rank" in home.run("tune", "merge", "one.json", "--db", "all.json", "--rank", 8, code=2).stderr
    home.run("tune", "merge", "one.json", "all.json", "--db", "all.json", code=2)
    assert home.read_json("all.json") == document

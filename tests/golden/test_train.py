# SPDX-License-Identifier: Apache-2.0
"""`alsbench train` on the CPU: what it leaves when it is interrupted, and what it says of a target."""

import os
import signal

import numpy
import pytest

from conftest import read_json, stages_of, validation_errors

PROBLEM = ["--dataset", "ml-100k", "--scale", "0.2", "--rank", "8", "--device", "cpu", "--no-tuned"]


def test_an_interrupted_training_keeps_the_model_of_its_last_iteration(program):
    process = program.start("train", *PROBLEM, "--iterations", "1000000", "--out", "stopped")
    for line in process.stderr:
        if line.startswith("iteration   3"):
            break
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    iterations = program.read_json("stopped/record.json")["iterations"]
    assert f"interrupted after iteration {len(iterations)} of 1000000" in error and len(iterations) >= 3
    program.run("train", *PROBLEM, "--iterations", len(iterations), "--out", "whole")
    for factors in ("x.npy", "theta.npy"):
        stopped, whole = (numpy.load(program.folder / folder / factors) for folder in ("stopped", "whole"))
        numpy.testing.assert_array_equal(stopped, whole)


@pytest.mark.parametrize("option", ["--out", "--checkpoint"])
def test_a_folder_is_written_by_one_training_at_a_time(program, option):
    """One that was exchanged for a newer one, as a checkpoint is after each iteration, too."""
    words = ["train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "4", "-d", "cpu", option, f"of{option}"]
    with program.start(*words, "--iterations", "1000000") as first:
        while not first.stderr.readline().startswith("iteration   4"):
            assert first.poll() is None
        second = program.run(*words, "--iterations", "1", "-q", code=2)
        assert f"of{option}: another process will write into this folder" in second.stderr
        first.send_signal(signal.SIGINT)
        first.communicate()
    program.run(*words, "--iterations", "1", "-q")


def test_the_lambda_is_the_data_set_s_where_nothing_is_said(program):
    program.run("train", *PROBLEM, "--iterations", "1", "--out", "usual")
    assert program.read_json("usual/record.json")["options"]["lambda"] == 0.1


def test_a_folder_whose_name_is_no_text_gets_its_record(program):
    folder = program.folder / os.fsdecode(b"latin-\xfc")
    program.run("train", *PROBLEM, "--iterations", "1", "--quiet", "--out", folder)
    assert read_json(folder / "record.json")["iterations"]


def test_a_target_that_is_reached_ends_the_training(program):
    result = program.run("train", *PROBLEM, "--iterations", "50", "--target-rmse", "2")
    assert "iterations 1\n" in result.stdout and "not reached" not in result.stderr


def test_a_target_that_is_missed_is_said(program):
    result = program.run("train", *PROBLEM, "--iterations", "2", "--target-rmse", "0.001", "--quiet")
    assert "--target-rmse 0.001 was not reached in 2 iterations" in result.stderr


@pytest.mark.parametrize(
    "words, code, message",
    [
        (["--device", "gpu"], 2, "--device 'gpu': write auto, cpu"),
        (["--device", "cpu", "--pipeline", "exakt"], 2, "exakt"),
        (["--device", "cpu"], 2, "wrong.csv:3"),
    ],
)
def test_what_needs_no_ratings_is_said_before_they_are_read(program, words, code, message):
    (program.folder / "wrong.csv").write_text("1,1,5\n1,2,4\n1,3,much\n")
    assert message in program.run("train", "--data", "wrong.csv", *words, code=code).stderr


def test_a_gpu_that_is_missing_is_said_before_ratings_are_read(program):
    devices = program.json("list", "devices", "--json")["devices"]
    if any(device["backend"] == "cuda" for device in devices):
        pytest.skip("there is a GPU")
    (program.folder / "wrong.csv").write_text("1,1,5\n1,2,4\n1,3,much\n")
    assert "CUDA" in program.run("train", "--data", "wrong.csv", "--device", "0", code=3).stderr


@pytest.mark.parametrize(
    "target, arguments, message",
    [
        ("0", [], "give a number above 0"),
        ("0.9", ["--test-fraction", "0"], "no test ratings"),
    ],
)
def test_a_target_that_cannot_be_reached_is_refused(program, target, arguments, message):
    (program.folder / "target.csv").write_text(
        "".join(f"{user},{item},{user % 5 + 1}\n" for user in range(20) for item in range(20))
    )
    result = program.run(
        "train", "--data", "target.csv", "--rank", "4", "--device", "cpu", "--target-rmse", target, *arguments, code=2
    )
    assert message in result.stderr


STARTS = ["--dataset", "ml-1m", "--rank", "32", "--lambda", "0.1", "--device", "cpu", "--pipeline", "exact"]


def trained(program, hyper, folder, *more, iterations=2):
    rest = ("--iterations", iterations, "--hyper", hyper, *more, "--quiet", "--out", folder)
    program.run("train", *STARTS, *rest)
    return read_json(program.folder / folder / "record.json")


def test_a_sketch_and_over_relaxation_reach_a_target_in_fewer_iterations(program):
    target = ("--target-rmse", "0.877")
    uniform, sketch, carried = (
        len(trained(program, hyper, f"start{number}", *target, iterations=12)["iterations"])
        for number, hyper in enumerate(["start=uniform", "start=sketch", "start=sketch,over_relaxation=0.6"])
    )
    assert carried <= sketch < uniform < 12


def test_the_time_of_a_start_is_part_of_the_first_iteration(program):
    record = trained(program, "start=sketch,first_share=0.5", "timed")
    assert record["options"]["hyper"]["start"] == "sketch"
    first, second = record["iterations"]
    stages = stages_of(first)
    assert {"start/bias", "start/gram", "start/subsample", "x/subsample"} <= stages.keys()
    assert sum(stages.values()) == pytest.approx(first["seconds"])
    assert not any(stage.startswith("start/") for stage in stages_of(second))


def test_a_start_repeats_bit_by_bit(program):
    hyper = "start=sketch,over_relaxation=0.6,first_share=0.5"
    for folder in ("once", "again"):
        trained(program, hyper, folder)
    for factors in ("x.npy", "theta.npy"):
        assert (program.folder / "once" / factors).read_bytes() == (program.folder / "again" / factors).read_bytes()


@pytest.mark.parametrize(
    "hyper, message",
    [
        ("start=skech", "parameter 'start' has no value 'skech'; did you mean 'sketch'?"),
        ("over_relaxation=1.5", "give a number from 0 to 1"),
        ("first_share=half", "give a number from 0 to 1"),
        ("sketch_shares=1", "did you mean 'sketch_share'?"),
    ],
)
def test_a_start_that_is_none_is_refused(program, hyper, message):
    assert message in program.run("train", *STARTS, "--hyper", hyper, code=2).stderr


def warnings(result):
    return [line for line in result.stderr.splitlines() if "warning" in line]


def test_a_model_that_overfits_is_said_to(program):
    (warning,) = warnings(program.run("train", *PROBLEM, "--iterations", "10", "--lambda", "0.001"))
    assert "the model overfits; give --iterations" in warning
    assert not warnings(program.run("train", *PROBLEM, "--iterations", "10", "--lambda", "1"))


def test_a_lambda_of_zero_is_said_to_leave_short_rows_open(program):
    warning = warnings(program.run("train", *PROBLEM, "--iterations", "1", "--lambda", "0"))[0]
    assert "--lambda 0: users and items with fewer than 8 ratings" in warning


def test_test_ratings_that_are_trained_on_are_counted(program):
    (program.folder / "all.csv").write_text("".join(f"{i % 20},{i // 20},{i % 5 + 1}\n" for i in range(200)))
    (program.folder / "some.csv").write_text("0,0,1\n3,0,4\n")
    arguments = ["--rank", "4", "--device", "cpu", "--iterations", "1"]
    (warning,) = warnings(program.run("train", "--data", "all.csv", "--test", "some.csv", *arguments))
    assert "2 of 2 test ratings are of cells that are trained on" in warning
    assert not warnings(program.run("train", "--data", "all.csv", *arguments))


def test_a_model_that_is_not_kept_is_said_to(program):
    assert "there is no --out" in program.run("train", *PROBLEM, "--iterations", "1").stderr


OVERFITTING = ["--dataset", "ml-100k", "--scale", "0.5", *PROBLEM[4:], "--lambda", "0.15"]


def test_the_best_iteration_is_kept_when_asked_for(program):
    result = program.run("train", *OVERFITTING, "--iterations", "10", "--keep", "best", "--out", "best")
    record = program.read_json("best/record.json")
    assert validation_errors(record, "training") == []
    tests = [iteration["test_metric"] for iteration in record["iterations"]]
    kept = record["kept_iteration"]
    assert 1 < kept < 10 and tests[kept - 1] == min(tests)
    assert f"kept_iteration {kept}\n" in result.stdout and f"test_rmse {min(tests):.6f}\n" in result.stdout
    assert f"the model is that of iteration {kept}, whose test RMSE was lowest" in result.stderr
    assert not warnings(result)
    program.run("train", *OVERFITTING, "--iterations", kept, "--out", "fewer")
    for factors in ("x.npy", "theta.npy"):
        assert (program.folder / "best" / factors).read_bytes() == (program.folder / "fewer" / factors).read_bytes()


def test_an_early_stop_keeps_the_best_and_says_so(program):
    result = program.run("train", *OVERFITTING, "--iterations", "500", "--early-stop", "3", "--out", "early")
    record = program.read_json("early/record.json")
    assert validation_errors(record, "training") == []
    assert record["stopped_early"] and record["options"]["keep"] == "best" and record["options"]["early_stop"] == 3
    last = len(record["iterations"])
    assert record["kept_iteration"] == last - 3
    assert f"stopped after iteration {last}: 3 iterations without a lower test RMSE" in result.stderr
    result = program.run("train", *OVERFITTING, "--iterations", "500", "--early-stop", "3", "--keep", "last")
    assert f"kept_iteration {last}\n" in result.stdout


@pytest.mark.parametrize("option", [["--keep", "best"], ["--early-stop", "2"]])
def test_without_test_ratings_no_iteration_is_the_best(program, option):
    (program.folder / "few.csv").write_text("1,1,5\n2,2,4\n1,2,3\n")
    arguments = ["--data", "few.csv", "--test-fraction", "0", "--rank", "2", "--device", "cpu"]
    assert "no test ratings" in program.run("train", *arguments, *option, code=2).stderr


def test_a_search_trains_the_best_values_whole(program):
    search = ["--search", "lambda=0.001,0.1,0.4", "rank=4,8", "--iterations", "6"]
    result = program.run("train", *PROBLEM[:4], *PROBLEM[6:], *search, "--out", "searched")
    record = program.read_json("searched/record.json")
    assert validation_errors(record, "training") == []
    trials, best = record["search"]["trials"], record["search"]["best"]
    assert [trial["iterations"] for trial in trials] == [3] * 6 + [3] * 3 + [6] * 2
    last = min(trials[-2:], key=lambda trial: trial["test_metric"])
    assert best == last["values"] and best["lambda"] != "0.001"
    assert f"lambda {best['lambda']}\nrank {best['rank']}\n" in result.stdout
    assert record["options"]["rank"] == int(best["rank"])
    assert record["iterations"][-1]["test_metric"] == pytest.approx(last["test_metric"])
    alone = ["--rank", best["rank"], "--lambda", best["lambda"], "--iterations", "6"]
    program.run("train", *PROBLEM[:4], *PROBLEM[6:], *alone, "--out", "alone")
    for factors in ("x.npy", "theta.npy"):
        assert (program.folder / "searched" / factors).read_bytes() == (program.folder / "alone" / factors).read_bytes()


def test_a_search_judges_the_mean_of_its_seeds(program):
    base = [*PROBLEM[:4], *PROBLEM[6:], "--iterations", "4", "--rank", "8", "--hyper", "start=uniform"]
    result = program.run("train", *base, "--search", "lambda=0.05,0.4", "--search-seeds", "3", "--out", "searched")
    record = program.read_json("searched/record.json")
    assert validation_errors(record, "training") == []
    assert "least" in result.stderr and "lambda=0.4, 4 iterations, seed 44: test RMSE" in result.stderr
    for trial in record["search"]["trials"]:
        assert len(set(trial["of_seeds"])) == 3, "each seed has a start of its own"
        assert trial["test_metric"] == pytest.approx(sum(trial["of_seeds"]) / 3)
    best = min(record["search"]["trials"], key=lambda trial: trial["test_metric"])
    assert record["search"]["best"] == best["values"]
    assert record["iterations"][-1]["test_metric"] == best["of_seeds"][0], "the model is of the seed asked for"
    assert "--search" in program.run("train", *PROBLEM, "--search-seeds", "3", code=2).stderr


def test_an_interrupted_search_tells_of_whole_trials_alone(program):
    options = ("--dataset", "ml-1m", "--rank", 16, "--iterations", 100_000, "--device", "cpu", "--out", "cut")
    with program.start("train", *options, "--search", "lambda=0.01,0.1") as process:
        for line in process.stderr:
            if line.startswith("[0/2] lambda=0.01"):
                process.send_signal(signal.SIGINT)
                break
        rest = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "nan" not in rest
    assert not list((program.folder / "cut").glob("*.npy"))


def test_a_search_takes_hyper_parameters_and_ranges(program):
    search = [
        "--search",
        "lambda=0.1:1:3",
        "regularisation=plain,weighted",
        "--iterations",
        "3",
        "--feedback",
        "implicit",
    ]
    result = program.run("train", *PROBLEM, *search, "--out", "implicit-search")
    trials = program.read_json("implicit-search/record.json")["search"]["trials"]
    assert [trial["values"]["lambda"] for trial in trials[:6:2]] == ["0.1", "0.3162", "1"]
    assert "lambda=0.3162 regularisation=weighted, 3 iterations: test LOSS" in result.stderr


@pytest.mark.parametrize("axis", ["alpha=1,40", "confidence=added,direct"])
def test_losses_that_weigh_cells_differently_are_not_compared(program, axis):
    """With a smaller alpha the loss is lower, whatever the model is worth."""
    search = ["--search", "lambda=0.1,1", axis, "--feedback", "implicit", "--out", "chosen"]
    error = program.run("train", *PROBLEM, *search, code=2).stderr
    assert f"cannot compare values of {axis.split('=')[0]}" in error and "--search-by ndcg@10" in error
    assert not (program.folder / "chosen").exists()


SPLIT = ["--test", "clicks.test.csv", "--device", "cpu", "--no-tuned", "--rank", "8", "--iterations", "6"]


@pytest.fixture(scope="module")
def clicks(program):
    """Generated ratings in two files, and the options that train on them."""
    program.run("data", "generate", "ml-100k", "--scale", "0.2", "-o", "clicks.csv", "-q")
    return ["--data", "clicks.csv", *SPLIT]


def ranking_of(program, model, k, *options):
    files = ["--model", model, "--test", "clicks.test.csv", "--train", "clicks.csv"]
    return program.json("evaluate", *files, "-k", k, *options, "-q", "--json")["ranking"]


@pytest.mark.parametrize("metric", ["ndcg@10", "precision@5", "recall@20", "map@10"])
def test_a_search_by_a_ranking_finds_what_evaluate_finds_best(program, clicks, metric):
    """Over alpha, whose losses cannot be compared; lambda is that at which they rank differently."""
    implicit = [*clicks, "--feedback", "implicit", "--lambda", "0.1"]
    result = program.run("train", *implicit, "--search", "alpha=0.1,40", "--search-by", metric, "--out", "ranked")
    record = program.read_json("ranked/record.json")
    assert validation_errors(record, "training") == []
    found = record["search"]
    assert found["metric"] == metric and [trial["iterations"] for trial in found["trials"]] == [6, 6]
    measure, k = metric.split("@")
    each = {}
    for trial in found["trials"]:
        alpha = trial["values"]["alpha"]
        program.run("train", *implicit, "--alpha", alpha, "--out", f"alpha-{alpha}")
        each[alpha] = ranking_of(program, f"alpha-{alpha}", k)[measure]
        assert trial["test_metric"] == each[alpha], "the very number that evaluate has"
    assert len(set(each.values())) == 2
    assert found["best"] == {"alpha": max(each, key=each.get)}
    assert ranking_of(program, "ranked", k)[measure] == max(each.values())
    assert f"alpha=40, 6 iterations: test {metric} {each['40']:.5f}" in result.stderr
    marked = [line.split() for line in result.stderr.splitlines() if line.endswith("best")]
    assert marked == [[found["best"]["alpha"], "6", f"{max(each.values()):.5f}", "best"]]


@pytest.mark.parametrize("device", ["cpu", "cpu+cpu"])
def test_a_search_by_a_ranking_counts_relevant_ratings_alone(program, clicks, device):
    """Of explicit feedback, and with the model of the best iteration; the first device of a team ranks."""
    words = [word.replace("cpu", device) for word in clicks] + ["--search", "lambda=0.001,0.1", "--keep", "best"]
    program.run("train", *words, "--search-by", "recall@10", "--relevant", "4", "--out", "liked")
    found = program.read_json("liked/record.json")["search"]
    assert found["relevant_from"] == 4
    best = next(trial for trial in found["trials"] if trial["values"] == found["best"])
    assert best["test_metric"] == max(trial["test_metric"] for trial in found["trials"])
    assert best["test_metric"] == ranking_of(program, "liked", 10, "--relevant", "4")["recall"]
    assert best["test_metric"] != ranking_of(program, "liked", 10)["recall"]


@pytest.mark.parametrize(
    "options, said",
    [
        (["--search-by", "auc@10"], "--search-by auc@10: give precision@K, recall@K, ndcg@K, map@K"),
        (["--search-by", "ndcg@0"], "--search-by ndcg@0: give precision@K"),
        (["--search-by", "ndcg@5000"], "a search by ndcg@5000: there are "),
        (["--search-by", "ndcg@10", "--relevant", "6"], "no test rating is 6 or more; the highest is 5"),
        (["--search-by", "ndcg@10", "--test-fraction", "0"], "has no test ratings to judge by; give --test or"),
        (["--relevant", "4"], "--search-by"),
    ],
)
def test_a_ranking_that_cannot_judge_is_refused(program, clicks, options, said):
    data = clicks[:2] if "--test-fraction" in options else clicks[:4]
    words = ["train", *data, *clicks[4:], "--search", "lambda=0.1,1", *options, "--out", "none"]
    assert said in program.run(*words, code=2).stderr
    assert not (program.folder / "none").exists()


def test_a_ranking_judges_no_training_without_a_search(program, clicks):
    error = program.run("train", *clicks, "--search-by", "ndcg@10", "--out", "none", code=2).stderr
    assert "--search-by requires --search" in error and not (program.folder / "none").exists()


@pytest.mark.parametrize(
    "search, said",
    [
        (["lambda"], "give NAME=VALUE"),
        (["lambda=0.1,x"], "--search lambda: 'x': give a decimal number"),
        (["rank=0"], "--search rank: '0': give a number above 0"),
        (["lambda=0.1:0.01:3"], "0 < FIRST < LAST"),
        (["lambda=0.1,0.1"], "comes twice"),
        (["lambda=0.1", "lambda=0.2"], "comes twice"),
        (["lamda=0.1"], "'lamda'"),
        (["lambda=0.1", "--lambda", "0.2"], "--lambda is given, too"),
    ],
)
def test_a_search_that_is_none_is_refused(program, search, said):
    assert said in program.run("train", *PROBLEM, "--search", *search, code=2).stderr


def test_an_equal_or_last_best_loss_below_0_is_no_overfitting(program):
    """Implicit feedback: the test loss may be below 0."""
    words = ["train", "--dataset", "ml-100k", "--scale", "0.2", "--rank", "4", "-d", "cpu", "--feedback", "implicit"]
    for iterations in ("1", "4", "12"):
        result = program.run(*words, "--iterations", iterations)
        metrics = [float(line.split()[-3]) for line in result.stderr.splitlines() if line.startswith("iteration ")]
        rises = metrics[-1] - min(metrics) > 1e-3 * abs(min(metrics))
        assert ("overfits" in result.stderr) == rises


@pytest.mark.parametrize("factor", [1e3, 1e4, 3e4, 1e5])
def test_ratings_times_a_factor_need_a_larger_lambda(program, factor):
    """With the same lambda they would have none; with one as much larger their model is as good."""
    program.run("data", "generate", "ml-100k", "--scale", "0.2", "-o", "one.csv", "-q")
    header, *lines = (program.folder / "one.csv").read_text(encoding="utf-8").splitlines()
    scaled = [f"{u},{i},{float(r) * factor:.9g}" for u, i, r in (line.split(",") for line in lines)]
    (program.folder / "many.csv").write_text("\n".join([header, *scaled]) + "\n", encoding="utf-8")
    words = ["train", "--rank", "8", "-d", "cpu", "-q", "--data"]
    error = program.run(*words, "many.csv", "--lambda", "0.1", code=2).stderr
    assert "are too large for a lambda of 0.1" in error and "divide the ratings by" in error

    def rmse(name, weight):
        result = program.run(*words, name, "--lambda", weight, "--iterations", "40")
        return float(result.stdout.split("test_rmse ")[1].split()[0])

    assert rmse("many.csv", 0.1 * factor) / factor == pytest.approx(rmse("one.csv", 0.1), rel=0.02)

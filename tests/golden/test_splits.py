# SPDX-License-Identifier: Apache-2.0
"""Every way to split ratings, by the program: what is held out, by whom, and what is refused."""

import pytest

from conftest import read_json, validation_errors, write_json

# Users 1 and 2 rate over time; user 3 has one rating. Ratings of user 2 have one time.
TIMED = """user,item,rating,timestamp
1,10,1,100
2,10,2,50
1,11,3,400
2,12,4,50
1,12,5,200
3,11,2,900
1,13,4,300
2,13,1,50
"""
HELD_OUT = {
    ("time", "0.25"): {("3", "11"), ("1", "11")},
    ("user-time", "0.5"): {("1", "11"), ("1", "13"), ("2", "12"), ("2", "13")},
    ("leave-last-out", None): {("1", "11"), ("2", "13")},
}
TRAIN = ["--rank", "2", "--iterations", "2", "--device", "cpu", "--no-tuned"]


@pytest.fixture
def folder(program, tmp_path, monkeypatch):
    monkeypatch.setattr(program, "folder", tmp_path)
    (tmp_path / "timed.csv").write_text(TIMED, encoding="utf-8")
    return tmp_path


def split_options(by, share):
    return ["--by", by, *(["--test-fraction", share] if share else [])]


def cells(path):
    return {tuple(line.split(",")[:2]) for line in path.read_text().splitlines() if line[0].isdigit()}


def split(program, folder, *options):
    program.run("data", "split", "timed.csv", "-o", "train.csv", "--test-out", "held.csv", "-q", *options)
    train, held = cells(folder / "train.csv"), cells(folder / "held.csv")
    assert train | held == cells(folder / "timed.csv") and not train & held
    return held


@pytest.mark.parametrize("by, share", HELD_OUT)
def test_times_say_what_is_held_out(program, folder, by, share):
    assert split(program, folder, *split_options(by, share)) == HELD_OUT[by, share]


def test_leave_one_out_follows_the_seed(program, folder):
    found = {frozenset(split(program, folder, "--by", "leave-one-out", "--seed", seed)) for seed in range(1, 9)}
    assert len(found) > 1
    assert all(sorted(user for user, _ in held) == ["1", "2"] for held in found)


@pytest.mark.parametrize("by, share", [*HELD_OUT, ("leave-one-out", None)])
def test_train_and_evaluate_hold_out_what_data_split_does(program, folder, by, share):
    options = split_options(by, share)
    held = split(program, folder, *options, "--seed", 7)
    trained = program.run("train", "--data", "timed.csv", *options, "--seed", 7, *TRAIN, "--out", "model")
    data = read_json(folder / "model" / "record.json")["data"]
    assert (data["train_ratings"], data["test_ratings"]) == (8 - len(held), len(held))
    again = ["--data", "timed.csv", *options, "--seed", 7]
    printed = program.run("evaluate", "--model", "model", *again, "-k", 2).stdout
    assert (
        printed
        == program.run("evaluate", "--model", "model", "--test", "held.csv", "--train", "train.csv", "-k", 2).stdout
    )
    reported = dict(line.split(" ") for line in trained.stdout.splitlines() if line.startswith("test_rmse"))
    for name, value in reported.items():
        assert f"rmse {float(value):.4f}"[:-1] in printed, (name, printed)


def test_a_suite_and_best_split_likewise(program, folder):
    problem = {"path": "timed.csv", "split_by": "leave-last-out", "rank": 2}
    suite = {
        "name": "timed",
        "description": "Ratings split by time.",
        "problems": [problem],
        "measure": [{"stage": "bias", "variant": "rows", "backend": "cpu", "cache": "hot"}],
        "sampling": {"min_samples": 1, "max_samples": 1, "max_noise": 0, "max_seconds": 20},
    }
    write_json(folder / "timed.json", suite)
    program.run("run", "timed.json", "--device", "cpu", "--json", "run.json", "-q")
    document = read_json(folder / "run.json")
    assert validation_errors(document, "result") == []
    (case,) = (case for case in document["cases"] if case["role"] == "case")
    assert case["problem"]["reading"]["split_by"] == "leave-last-out"
    assert (case["problem"]["data"]["train_ratings"], case["problem"]["data"]["test_ratings"]) == (6, 2)
    named = ["--data", "timed.csv", "--by", "user-time", "--test-fraction", "0.5", "--device", "cpu"]
    program.run("run", "timed.json", *named, "--json", "named.json", "-q")
    (case,) = (c for c in read_json(folder / "named.json")["cases"] if c["role"] == "case")
    assert case["problem"]["reading"]["split_by"] == "user-time"
    assert case["problem"]["data"]["test_ratings"] == len(HELD_OUT["user-time", "0.5"])
    last = ["--data", "timed.csv", "--by", "leave-last-out", "--rank", "2", "--device", "cpu"]
    picks = program.json("best", *last, "--json")
    assert {pick["shape"]["nnz"] for pick in picks["picks"]} == {6}
    wrong = {**problem, "test_fraction": 0.2}
    write_json(folder / "timed.json", {**suite, "problems": [wrong, {**problem, "split_by": "year"}]})
    error = program.run("run", "timed.json", code=2).stderr
    assert "/problems/0/test_fraction: has no effect with the split by leave-last-out" in error
    assert "/problems/1/split_by: unknown value 'year'" in error


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (("data", "split", "timed.csv", "-o", "x.csv", "--by", "year"), "no split by 'year' is known; use random"),
        (
            ("data", "split", "timed.csv", "-o", "x.csv", "--by", "leave-one-out", "--test-fraction", "0.2"),
            "--test-fraction: the split by leave-one-out takes one rating of each user",
        ),
        (("data", "split", "plain.csv", "-o", "x.csv", "--by", "time"), "plain.csv:1: the header 'user,item,rating'"),
        (("data", "split", "short.csv", "-o", "x.csv", "--by", "time"), "short.csv:2: 3 field(s) in"),
        (("data", "split", "plain.txt", "-o", "x.csv", "--by", "time"), "plain.txt: the format libmf holds no times"),
        (("data", "split", "lone.csv", "-o", "x.csv", "--by", "leave-last-out"), "lone.csv: no user has two ratings"),
        (
            ("data", "split", "timed.csv", "-o", "x.csv", "--by", "time", "--test-fraction", "1.5"),
            "'1.5' is not a share",
        ),
        (("data", "split", "timed.csv", "-o", "x.csv", "--by", "time", "--test-fraction", "0.01"), "no test rating"),
        (("train", "--data", "timed.csv", "--test", "lone.csv", "--by", "time"), "excludes --"),
        (("train", "--dataset", "ml-100k", "--by", "leave-one-out"), "--by requires --data"),
        (("train", "--data", "set.alsset", "--by", "leave-one-out"), "has 2 test ratings of its own"),
        (("train", "--data", "set.alsset", "--by", "time"), "has 2 test ratings of its own"),
        (("train", "--data", "plain.alsset", "--by", "time"), "plain.alsset: holds no times; write it again"),
        (("evaluate", "--model", "m"), "give --test FILE, or --data FILE"),
        (("evaluate", "--model", "m", "--test", "a", "--data", "b"), "--test excludes --data"),
        (("evaluate", "--model", "m", "--test", "a", "-k", "2"), "-k requires --train, or --data"),
    ],
)
def test_what_cannot_be_split_so_is_refused(program, folder, arguments, complaint):
    (folder / "plain.csv").write_text("user,item,rating\n1,1,5\n1,2,4\n")
    (folder / "short.csv").write_text("1,1,5,9\n1,2,4\n")
    (folder / "plain.txt").write_text("1 1 5\n1 2 4\n")
    (folder / "lone.csv").write_text("1,1,5,9\n2,2,4,8\n")
    program.run("data", "split", "timed.csv", "-o", "set.alsset", "--by", "leave-last-out", "-q")
    program.run("data", "convert", "plain.csv", "-o", "plain.alsset", "-q")
    before = sorted(folder.iterdir())
    result = program.run(*arguments, code=2)
    assert complaint in result.stderr and result.stdout == ""
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "times",
    [
        ["1700000000.0", "1700000000.75", "1700000000.5"],
        ["1.7e9", "1.7000001e9", "1.70000001e9"],
        ["2024-05-01 10:00:00.25", "2024-05-01 10:00:00.75", "2024-05-01 10:00:00.5"],
        ["2024-05-01T10:00:00+02:00", "2024-05-01T10:00:00-02:00", "2024-05-01T10:00:00Z"],
    ],
)
def test_fractions_and_offsets_of_times_count(program, folder, times):
    lines = [f"1,{item},3,{time}\n" for item, time in enumerate(times)]
    (folder / "timed.csv").write_text("user,item,rating,timestamp\n" + "".join(lines), encoding="utf-8")
    assert split(program, folder, "--by", "leave-last-out") == {("1", "1")}


@pytest.mark.parametrize("ending", ["csv", "tsv", "dat"])
def test_a_second_split_by_time_makes_three_parts(program, folder, ending):
    def part(source, share, train, test):
        names = "-o", f"{train}.{ending}", "--test-out", f"{test}.{ending}"
        program.run("data", "split", source, *names, "--by", "time", "--test-fraction", share, "-q")

    part("timed.csv", "0.25", "rest", "test")
    part(f"rest.{ending}", "0.34", "train", "valid")
    for name in ("train", "valid", "test"):
        program.run("data", "convert", f"{name}.{ending}", "-o", f"{name}.out.csv", "-q")
    assert cells(folder / "test.out.csv") == HELD_OUT["time", "0.25"]
    assert cells(folder / "valid.out.csv") == {("1", "12"), ("1", "13")}
    assert (folder / "valid.out.csv").read_text() == "userId,movieId,rating,timestamp\n1,12,5,200\n1,13,4,300\n"


def test_convert_keeps_times_and_says_where_it_cannot(program, folder):
    (folder / "when.tsv").write_text("1\t1\t3\t2005-09-06 01:00:00.25\n1\t2\t4\t2005-09-06T01:00:00+02:00\n")
    program.run("data", "convert", "when.tsv", "--test", "timed.csv", "-o", "both.alsset", code=2)  # its ids are unseen
    program.run("data", "convert", "when.tsv", "-o", "set.alsset")
    for source in ("when.tsv", "set.alsset"):
        assert "left out" not in program.run("data", "convert", source, "-o", "copy.csv").stderr
        assert (folder / "copy.csv").read_text().splitlines()[1:] == ["1,1,3,1125968400.25", "1,2,4,1125961200"]
        for target in (["copy.npz"], ["copy.mtx"], ["copy.libmf"], ["copy", "--to", "cumf"]):
            error = program.run("data", "convert", source, "-o", *target).stderr
            assert f"{source}: its times are left out: " in error and "holds none; tsv, dat, csv and alsset do" in error
    train = ("train", "--data", "set.alsset", "--by", "leave-last-out", *TRAIN, "--out", "model")
    program.run(*train)


def test_what_is_no_time_does_not_hinder(program, folder):
    (folder / "notes.csv").write_text("1,1,3,5\n1,2,4,good\n")
    error = program.run("data", "convert", "notes.csv", "-o", "copy.csv").stderr
    lost = "neither a number nor a date stands for the time: the times of its file are left out"
    assert error.startswith(f"notes.csv:2: {lost}\n")
    assert (folder / "copy.csv").read_text().splitlines()[-1] == "1,2,4"
    (folder / "good.csv").write_text("1,1,3,5\n1,2,4,6\n")
    error = program.run("data", "convert", "good.csv", "--test", "notes.csv", "-o", "both.alsset").stderr
    assert f"notes.csv:2: {lost}\n" in error

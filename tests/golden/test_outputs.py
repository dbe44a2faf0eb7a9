# SPDX-License-Identifier: Apache-2.0
"""An output never replaces an input, nor another output: every command, each pair of its files, by every kind of name."""

import json
import os

import pytest

from conftest import Program

SUITE = {
    "name": "small",
    "description": "Reads a file.",
    "problems": [{"path": "r.tsv", "rank": 4}],
    "measure": [{"stage": "hermitian", "variant": "naive", "backend": "cpu", "part": "x"}],
}
FILES = {
    "r.tsv": "1\t1\t5\n1\t2\t3\n2\t1\t4\n",
    "t.tsv": "2\t2\t1\n",
    "small.json": json.dumps(SUITE),
    "db.json": "{}",
    "space.json": "{}",
    "spec.json": "{}",
    "recorded.journal": "",
    "base.json": "{}",
    "test.json": "{}",
    "more.json": "{}",
    "accepted.json": "[]",
    "build/alsbench": "#!/bin/sh\n",
    "ratings/mv_1.txt": "1:\n7,3,2005-09-06\n",
    "past/run.json": "{}",
    "static/sm_90.json": "{}",
    "results/one.json": "{}",
    "model/record.json": "{}",
    "point/record.json": "{}",
    "users.txt": "1\n",
}
STAGE = ["tune", "stage", "hermitian", "--rank", "4", "-d", "cpu"]
PIPELINE = ["tune", "pipeline", "--rank", "4", "-d", "cpu"]
JSON, CSV, MD = ({flag: [flag, "{}"]} for flag in ("--json", "--csv", "--md"))

# Inputs of a command, by what its messages call them, and the words that have it write a file.
COMMANDS = {
    "data info": (["data", "info", "r.tsv", "--test", "t.tsv"], {"--data": "r.tsv", "--test": "t.tsv"}, JSON),
    "data info, generated": (["data", "info", "--dataset", "spec.json"], {"--dataset": "spec.json"}, JSON),
    "data info, a folder": (["data", "info", "ratings"], {"--data": "ratings/mv_1.txt"}, JSON),
    "data convert": (
        ["data", "convert", "--data", "r.tsv", "--test", "t.tsv", "--to", "tsv"],
        {"--data": "r.tsv", "--test": "t.tsv"},
        {"-o": ["-o", "{}"]},
    ),
    "data generate": (
        ["data", "generate", "spec.json", "--to", "tsv"],
        {"--dataset": "spec.json"},
        {"-o": ["-o", "{}"]},
    ),
    "data split": (["data", "split", "r.tsv", "--to", "tsv"], {"--data": "r.tsv"}, {"-o": ["-o", "{}"]}),
    "data split, in two": (
        ["data", "split", "r.tsv", "-o", "o.tsv"],
        {"--data": "r.tsv"},
        {"--test-out": ["--to", "tsv", "--test-out", "{}"]},
    ),
    "train": (
        ["train", "--data", "r.tsv", "--test", "t.tsv", "--db", "db.json"],
        {"--data": "r.tsv", "--test": "t.tsv", "--db": "db.json"},
        {"--out": ["--out", "{}"]},
    ),
    "train and resume": (
        ["train", "--data", "r.tsv", "--resume", "point"],
        {"--data": "r.tsv", "--checkpoint or --resume": "point/record.json"},
        {"--out": ["--out", "{}"]},
    ),
    "evaluate": (
        ["evaluate", "--model", "model", "--test", "t.tsv", "--train", "r.tsv"],
        {"--model": "model/record.json", "--test": "t.tsv", "--train": "r.tsv"},
        JSON,
    ),
    "predict": (
        ["predict", "--model", "model", "--pairs", "t.tsv"],
        {"--model": "model/record.json", "--pairs": "t.tsv"},
        {"-o": ["-o", "{}"]},
    ),
    "recommend": (
        ["recommend", "--model", "model", "--seen", "r.tsv", "--users", "users.txt"],
        {"--model": "model/record.json", "--seen": "r.tsv", "--users": "users.txt"},
        {"-o": ["-o", "{}"]},
    ),
    "similar": (
        ["similar", "--model", "model", "--of", "users", "--ids", "users.txt"],
        {"--model": "model/record.json", "--ids": "users.txt"},
        {"-o": ["-o", "{}"]},
    ),
    "tune a stage": (
        [*STAGE, "--data", "r.tsv", "--db", "db.json", "--space", "space.json"],
        {"--data": "r.tsv", "--db": "db.json", "--space": "space.json"},
        {**JSON, "--journal": ["--journal", "{}"]},
    ),
    "tune and record": (
        [*STAGE, "--data", "r.tsv", "--record"],
        {"--data": "r.tsv"},
        {**JSON, "--journal": ["--journal", "{}"]},
    ),
    "tune and resume": (
        [*STAGE, "--data", "r.tsv", "--resume"],
        {"--data": "r.tsv"},
        {**JSON, "--journal": ["--journal", "{}"]},
    ),
    "tune pipelines": (
        [*PIPELINE, "--data", "r.tsv", "--db", "db.json"],
        {"--data": "r.tsv", "--db": "db.json"},
        {**JSON, "--journal": ["--journal", "{}"]},
    ),
    "tune a recording": (
        ["tune", "replay", "recorded.journal", "--space", "space.json"],
        {"JOURNAL": "recorded.journal", "--space": "space.json"},
        JSON,
    ),
    "best": (
        ["best", "--data", "r.tsv", "--db", "db.json"],
        {"--data": "r.tsv", "--db": "db.json"},
        {**JSON, "--header": ["--header", "{}"]},
    ),
    "run": (
        ["run", "small.json", "--db", "db.json"],
        {"SUITE": "small.json", "--db": "db.json", "the data of suite small": "r.tsv"},
        {**JSON, **CSV, **MD, "--resume": ["--resume", "{}"]},
    ),
    "compare": (
        ["compare", "base.json", "test.json", "--more-base", "more.json"],
        {"BASE": "base.json", "TEST": "test.json", "--more-base": "more.json"},
        {**JSON, **MD},
    ),
    "compare folders": (["compare", "results", "test.json"], {"BASE": "results/one.json"}, {**JSON, **MD}),
    "ab": (
        ["ab", "--base", "build", "--test", "build/alsbench", "small.json"],
        {"SUITE": "small.json", "--base": "build/alsbench"},
        {**JSON, **MD},
    ),
    "aa": (["aa", "--build", "build", "small.json"], {"SUITE": "small.json", "--build": "build/alsbench"}, JSON),
    "export": (["export", "base.json", "--to", "csv"], {"FILE": "base.json"}, {"--out": ["--out", "{}"]}),
    "history": (
        ["history", "past", "--accepted", "accepted.json"],
        {"DIR": "past/run.json", "--accepted": "accepted.json"},
        JSON,
    ),
    "compile": (["compile", "--against", "static"], {"--against": "static/sm_90.json"}, JSON),
    "compile, a file": (["compile", "--against", "static/sm_90.json"], {"--against": "static/sm_90.json"}, JSON),
}
INPUTS = [
    (command, role, output) for command, (_, reads, writes) in COMMANDS.items() for role in reads for output in writes
]
OUTPUTS = [
    (command, first, second)
    for command, (_, _, writes) in COMMANDS.items()
    for first in writes
    for second in writes
    if first < second
]


@pytest.fixture
def program(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "build" / "alsbench").chmod(0o755)
    return Program(tmp_path)


def disguises(folder, name):
    """The file by its name, by another spelling, and by a link of either kind."""
    (folder / "link").symlink_to(name)
    if not (folder / name).exists():
        return [name, f"./{name}", "link"]
    os.link(folder / name, folder / "hard")
    return [name, f"./{name}", "link", "hard"]


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}


def fill(words, name):
    return [word.format(name) for word in words]


def assert_refused(program, words, *named):
    before = contents(program.folder)
    result = program.run(*words, code=2)
    assert all(str(name) in result.stderr for name in named) and "give another name" in result.stderr, result.stderr
    assert result.stdout == "" and contents(program.folder) == before


@pytest.mark.parametrize("command, role, output", INPUTS)
def test_no_output_is_an_input(program, command, role, output):
    words, reads, writes = COMMANDS[command]
    for name in disguises(program.folder, reads[role]):
        assert_refused(program, words + fill(writes[output], name), role, output, name)


@pytest.mark.parametrize("command, first, second", OUTPUTS)
@pytest.mark.parametrize("exists", [False, True])
def test_no_output_is_another(program, command, first, second, exists):
    words, _, writes = COMMANDS[command]
    if exists:
        (program.folder / "both").write_text("old", encoding="utf-8")
    for name in disguises(program.folder, "both"):
        assert_refused(program, words + fill(writes[first], "both") + fill(writes[second], name), first, second, name)


@pytest.mark.parametrize(
    "words, named",
    [
        (["run", "small.json", "--json", "o.json", "--csv", "o.json.journal"], ["--csv", "the journal of small"]),
        (
            ["run", "small.json", "--json", "o.json", "--md", "o.gbench.json"],
            ["--md", "the Google Benchmark file of small"],
        ),
        (["run", "small.json", "--out", "o", "--csv", "o/small.json"], ["--csv", "the result of small"]),
        (["run", "small.json", "--out", "o", "--csv", "o/Small.json"], ["--csv", "the result of small"]),
        (
            ["run", "small.json", "--out", "o", "--resume", "o/small.gbench.json"],
            ["--resume", "the Google Benchmark file of small"],
        ),
        (["run", "small.json", "--out", "."], ["the result of small", "SUITE"]),
        ([*STAGE, "--data", "r.tsv", "--json", "o.json", "--db", "o.json.journal"], ["--db", "the journal"]),
        ([*STAGE, "--data", "r.tsv", "--json", "data/alsbench/tuned/my-device.json"], ["--json", "--db"]),
        (["data", "split", "r.tsv", "-o", "o.tsv", "--test-out", "./o.tsv"], ["-o", "--test-out"]),
        (["train", "--data", "m/record.json", "--out", "m"], ["--out", "--data"]),
        (["train", "--data", "ratings", "--out", "ratings"], ["--out", "--data"]),
        (["data", "convert", "ratings", "-o", "ratings/new.csv"], ["-o", "--data"]),
        (["data", "convert", "R/R_train_csr.data.bin", "-o", "R", "--to", "cumf"], ["-o", "--data"]),
        (["compare", "base.json", "results", "--json", "results/new.json"], ["--json", "TEST"]),
        (["history", "past", "--json", "past/report.json"], ["--json", "DIR"]),
        (["compile", "--against", "static", "--json", "static/report.json"], ["--json", "--against"]),
    ],
)
def test_names_that_a_command_gives_itself_count(program, words, named):
    (program.folder / "m").mkdir()
    (program.folder / "m" / "record.json").write_text(FILES["r.tsv"], encoding="utf-8")
    (program.folder / "R").mkdir()
    (program.folder / "R" / "R_train_csr.data.bin").write_text(FILES["r.tsv"], encoding="utf-8")
    assert_refused(program, words, *named)


@pytest.mark.parametrize(
    "words, named",
    [
        (["run", "small.json", "--json", "stdout", "--csv", "stdout"], ["--json", "--csv"]),
        (["compare", "base.json", "test.json", "--json", "stdout", "--md", "stdout"], ["--json", "--md"]),
        (["best", "--json", "--header"], ["--json", "--header"]),
    ],
)
def test_stdout_takes_one_output(program, words, named):
    result = program.run(*words, code=2)
    assert "both write to stdout" in result.stderr and result.stdout == ""
    assert all(name in result.stderr for name in named)


@pytest.mark.parametrize("words", [["list"], ["doctor"], ["compile"], ["data", "info", "r.tsv"]])
def test_the_program_does_not_replace_itself(program, words):
    copy = program.folder / "alsbench"
    os.symlink(program.path, copy)
    before = os.stat(program.path)
    result = program.run(*words, "--json", "alsbench", code=2)
    assert "this program" in result.stderr
    assert os.stat(program.path) == before


TRAIN = ["train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "2", "-d", "cpu", "-q", "--no-tuned"]


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    "option, name",
    [
        *[("--out", name) for name in ("x.npy", "theta.npy", "users.txt", "items.txt", "record.json")],
        *[("--checkpoint", name) for name in ("x.npy", "theta.npy", "kept_x.npy", "record.json")],
    ],
)
@pytest.mark.parametrize("text", ["mine\n", "{}", '{"kind": "result"}'])
def test_a_training_replaces_no_file_of_others(program, option, name, text):
    folder = program.folder / "mine"
    folder.mkdir()
    (folder / name).write_text(text, encoding="utf-8")
    error = program.run(*TRAIN, "--iterations", "1", option, "mine", code=2).stderr
    assert f"{option} mine: holds '{name}'" in error and "name a new or an empty folder" in error
    assert files_in(folder) == {name: text.encode()}


def test_a_fold_in_replaces_no_file_of_others(program):
    program.run(*TRAIN, "--iterations", "1", "--out", "trained")
    folder = program.folder / "notes"
    folder.mkdir()
    (folder / "x.npy").write_text("mine\n", encoding="utf-8")
    fold_in = ["fold-in", "--model", "trained", "--data", "r.tsv", "-d", "cpu", "--out"]
    assert "--out notes: holds 'x.npy'" in program.run(*fold_in, "notes", code=2).stderr
    assert files_in(folder) == {"x.npy": b"mine\n"}
    program.run(*TRAIN, "--iterations", "1", "--out", "other")
    program.run(*fold_in, "other")


def test_a_training_replaces_what_is_of_its_kind(program):
    """A model takes the place of a model, and a checkpoint that of one of the same training."""
    words = [*TRAIN, "--iterations", "2"]
    program.run(*words, "--out", "kept", "--checkpoint", "way")
    before = {name: files_in(program.folder / name) for name in ("kept", "way")}
    for option, folder, said in [("--checkpoint", "kept", "is not a checkpoint"), ("--out", "way", "is not a model")]:
        assert said in program.run(*words, option, folder, code=2).stderr
    other = program.run(*words, "--lambda", "0.7", "--checkpoint", "way", code=2).stderr
    assert "--checkpoint way: the checkpoint is of a training with lambda" in other
    assert {name: files_in(program.folder / name) for name in before} == before
    program.run(*words, "--checkpoint", "way")
    program.run(*words, "--lambda", "0.7", "--out", "kept")
    assert files_in(program.folder / "kept") != before["kept"]


def test_a_model_that_a_kill_left_unfinished_is_replaced(program):
    """Beside other files its record is missing while the rest is exchanged."""
    folder = program.folder / "half"
    folder.mkdir()
    for name in ("x.npy", "notes.txt", "record.json.elsewhere-1.12.3.tmp"):
        (folder / name).write_text("half", encoding="utf-8")
    program.run(*TRAIN, "--iterations", "1", "--out", "half")
    assert (folder / "record.json").exists() and (folder / "notes.txt").read_text() == "half"


def test_a_model_beside_the_ratings_and_results_beside_the_suite_are_fine(program):
    (program.folder / "users.txt").unlink()
    words = ["--rank", "2", "--iterations", "1", "-d", "cpu", "--out", ".", "-q"]
    program.run("train", "--data", "r.tsv", "--test", "t.tsv", *words)
    assert (program.folder / "r.tsv").read_text(encoding="utf-8") == FILES["r.tsv"]
    program.run("data", "convert", "r.tsv", "-o", "r.csv", "-q")
    program.run("data", "info", "r.tsv", "--json", "r.json", "-q")

# SPDX-License-Identifier: Apache-2.0
"""Eight processes at a time that write one file or folder, by its name and by a link: nothing is lost, and what is there is whole."""

import collections
import concurrent.futures
import os

import pytest

from conftest import SMALL, Program, read_json

USAGE = 2  # harness/process/exit_code.h
WRITERS, EACH = 8, 20
RATINGS = ["--dataset", "ml-100k", "--scale", "0.05"]
ONE_SAMPLE = ["--min-samples", "1", "--max-samples", "1", "--playoff-samples", "1"]
REFUSED = ("another process will write into this folder", "another process writes this journal")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("writers"))
    program.run("data", "generate", "ml-100k", "--scale", "0.05", "-d", "cpu", "-o", "cells.csv", "-q")
    return program


def write(program, commands, code=0):
    """Results of the commands, of which eight run at a time: refused ones say why."""

    def result_of(words):
        return program.run(*words, code=None, OMP_NUM_THREADS="1")

    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        results = list(pool.map(result_of, commands))
    for result in results:
        refused = result.returncode == USAGE and any(reason in result.stderr for reason in REFUSED)
        assert refused or result.returncode == code, result.stderr
    assert not list(program.folder.rglob("*.tmp"))
    return collections.Counter(result.returncode for result in results)


def linked(program, name):
    """A name, and a link that leads to it before it is there."""
    os.symlink(name, program.folder / f"link to {name}")
    return [name, f"link to {name}"]


def test_a_history_keeps_the_runs_of_all(program):
    document = read_json(SMALL)
    (program.folder / "past").mkdir()
    names, commands = linked(program, "past"), []
    for number in range(WRITERS * EACH):
        document["provenance"]["time_utc"] = f"2026-{number // 28 + 1:02d}-{number % 28 + 1:02d}T12:00:00Z"
        program.write_json(f"{number}.json", document)
        commands.append(["history", names[number % 2], "--add", f"{number}.json", "-q"])
    write(program, commands)
    assert len(list((program.folder / "past").glob("*.json"))) == WRITERS * EACH


def test_a_database_keeps_the_entries_of_all(program):
    names = linked(program, "db.json")
    tune = ["tune", "stage", "hermitian", *RATINGS, "-d", "cpu", "-b", "naive", "--budget-evals", "1", *ONE_SAMPLE]
    ranks = range(1, WRITERS + 1)
    files = [["--db", names[rank % 2], "--json", f"{rank}.tune"] for rank in ranks]
    write(program, [[*tune, "-q", "--rank", rank, *named] for rank, named in zip(ranks, files)])
    assert (program.folder / names[1]).is_symlink()
    assert {lock.name for lock in program.folder.glob("*db.json.lock")} == {"db.json.lock"}, "one for both names"
    entries = program.read_json("db.json")["entries"]
    assert sorted(entry["shape"]["rank"] for entry in entries) == list(ranks)


def test_a_set_is_one_of_those_written(program):
    names = linked(program, "set.alsset")
    generate = ["data", "generate", *RATINGS, "-d", "cpu", "-q"]
    whole = set()
    for seed in range(4):
        program.run(*generate, "--seed", seed, "-o", f"{seed}.alsset")
        whole.add((program.folder / f"{seed}.alsset").read_bytes())
    write(program, [[*generate, "--seed", i % 4, "-o", names[i % 2]] for i in range(WRITERS * EACH)])
    assert (program.folder / names[1]).is_symlink()
    assert (program.folder / "set.alsset").read_bytes() in whole


def test_a_model_is_of_one_training(program):
    train = ["train", "--data", "cells.csv", "--rank", "4", "-d", "cpu", "-q", "--out", "model"]
    codes = write(program, [[*train, "--iterations", i % 3 + 1] for i in range(WRITERS * EACH // 4)])
    assert codes[0] > 0
    program.run("evaluate", "--model", "model", "--data", "cells.csv")  # checks the hashes of its record


@pytest.mark.parametrize("command", ["ab", "aa"])
def test_a_comparison_is_whole(program, command):
    build = program.folder / f"{command}.sh"
    build.write_text(f'#!/bin/sh\nwhile [ "$1" != --json ]; do shift; done; exec cp "{SMALL}" "$2"\n')
    build.chmod(0o755)
    sides = ["--base", build, "--test", build, "--screening-launches", "2", "--budget-seconds", "1e-9"]
    launches = sides if command == "ab" else ["--build", build, "--launches", "12"]
    names = linked(program, f"{command}.json")
    compare = [command, "quick", *launches, "-q"]
    program.run(*compare, "--json", "alone.json", code=None)
    commands = [[*compare, "--bound", f"{i % 3 + 1}%", "--json", names[i % 2]] for i in range(WRITERS * 3)]
    assert sum(write(program, commands, code=5).values()) == len(commands)
    document = read_json(program.folder / names[0])
    assert document["kind"] == "comparison" and document["cases"]
    assert (program.folder / names[1]).is_symlink()

# SPDX-License-Identifier: Apache-2.0
"""A disk that is full and a folder that cannot be written: a clear message, exit code 3, and nothing torn."""

import json
import os
import pathlib
import resource
import signal
import subprocess

import pytest

from conftest import SMALL, Program, read_json

ENVIRONMENT = 3  # harness/process/exit_code.h
SUITE = {
    "name": "disk",
    "description": "A small suite whose result is longer than its journal.",
    "problems": [{"dataset": "ml-100k", "scale": 0.05, "rank": 4, "lambda": 0.1}],
    "measure": [{"stage": "hermitian", "variant": "naive", "backend": "cpu", "part": "x", "cache": "hot"}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
}
TUNE = ["tune", "stage", "hermitian", "--dataset", "ml-100k", "--scale", "0.02", "--rank", "4", "-d", "cpu"]
TUNE += ["-b", "blocked", "-a", "tile=[4,8]", "-a", "bin=64", "-a", "store=streaming", "-a", "factors=fp32"]
TUNE += ["--min-samples", "1", "--max-samples", "1", "--playoff-samples", "1", "--strategy", "exhaustive", "--fresh"]
ONE_BLOCK = ["--screening-launches", "2", "--budget-seconds", "1e-9", "--max-undecided", "100%"]
AA = ["aa", "--build", "build.sh", "disk.json", "--launches", "6"]
# Commands that write where `{}` stands.
WRITERS = {
    "result": (["run", "disk.json", "--json", "{}/out.json"], "out.json"),
    "model": (
        ["train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "16", "--iterations", "1", "--out", "{}"],
        "x.npy",
    ),
    "ratings": (["data", "generate", "ml-100k", "--scale", "0.05", "-o", "{}/out.tsv"], "out.tsv"),
    "set": (["data", "generate", "ml-100k", "--scale", "0.05", "-o", "{}/out.alsset"], "out.alsset"),
    "archive": (["data", "generate", "ml-100k", "--scale", "0.05", "-o", "{}/out.npz"], "out.npz"),
    "listing": (["list", "variants", "--json", "{}/out.json"], "out.json"),
    "tuning": ([*TUNE, "--json", "{}/out.json", "--db", "db.json"], "out.json"),
    "replay": (["tune", "replay", "good/out.json.journal", "--json", "{}/out.json"], "out.json"),
    "database": ([*TUNE, "--json", "tuned.json", "--db", "{}/db.json"], "db.json"),
    "history": (["history", "{}", "--add", "measured.json"], "old.json"),
    "comparison": (
        ["ab", "--base", "build.sh", "--test", "build.sh", "disk.json", *ONE_BLOCK, "--json", "{}/out.json"],
        "out.json",
    ),
    "self-comparison": ([*AA, "--max-undecided", "100%", "--json", "{}/out.json"], "out.json"),
    "page": (["report", "measured.json", "-o", "{}/out.html"], "out.html"),
    "export": (["export", "measured.json", "--to", "junit", "--out", "{}/out.xml"], "out.xml"),
    "header": (["best", "--dataset", "ml-100k", "--rank", "8", "-d", "sm_90", "--header", "{}/out.h"], "out.h"),
}
# The earlier content there, where it is not a short text, and a limit that the rest of the command keeps.
LONG_DATABASE = json.dumps({"kind": "tuned", "schema_version": "2.0.0", "entries": [], "note": "x" * 30000})
OLD = {"database": (LONG_DATABASE, 20000)}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("disk"))
    program.write_json("disk.json", SUITE)
    measured = read_json(SMALL)
    measured["cases"] = [case for case in measured["cases"] if case["outcome"] == "ok"]
    program.write_json("measured.json", measured)
    # A build that measures nothing, and writes its result to no disk.
    build = program.folder / "build.sh"
    build.write_text('#!/bin/sh\nwhile [ "$1" != --json ]; do shift; done; ln -s "${0%/*}/measured.json" "$2"\n')
    build.chmod(0o755)
    for words, _ in WRITERS.values():  # fills the cache
        program.run(*(word.format("good") for word in words))
    return program


def content(folder):
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def refused(program, words, most_bytes=resource.RLIM_INFINITY):
    """The message of the program, which ends with 3, where files may have so many bytes."""
    result = subprocess.run(
        [program.path, *words],
        cwd=program.folder,
        text=True,
        env=program.environment,
        capture_output=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY)),
    )
    assert result.returncode == ENVIRONMENT, result.stderr
    return result.stderr


def expect_failure(program, kind, folder, *limit):
    """The writer ends with 3 and a message that names the place; what it was to replace stays as it is."""
    words, target = WRITERS[kind]
    (program.folder / folder).mkdir(exist_ok=True)
    before = content(program.folder / folder)
    message = refused(program, [word.format(folder) for word in words], *limit)
    assert "cannot write" in message and str(folder) in message and "free space" in message
    after = content(program.folder / folder)
    assert not [name for name in after if name.endswith(".tmp")]
    assert after.get(target) == before.get(target)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_limit_on_files_stands_for_a_full_disk(program, kind):
    """Writes fail at the limit, the old files stay."""
    folder = program.folder / f"limited-{kind}"
    folder.mkdir()
    old, limit = OLD.get(kind, ("old", 1000))
    if kind != "model":  # which replaces nothing but models
        (folder / WRITERS[kind][1]).write_text(old)
    expect_failure(program, kind, folder.name, limit)


def test_a_tuning_whose_journal_did_not_fit_goes_on_where_it_was(program):
    words = [*TUNE[:-1], "--json", "stopped.json", "--db", "stopped-db.json", "--resume"]
    assert "stopped.json.journal" in refused(program, words, 3500)
    journal = program.folder / "stopped.json.journal"
    before = journal.read_bytes()
    assert before.endswith(b"\n") and not (program.folder / "stopped.json").exists()
    program.run(*words)
    assert journal.read_bytes().startswith(before)
    result = program.read_json("stopped.json")["result"]
    assert len(result["points"]) == result["evaluations"] > 1


def test_a_model_that_does_not_fit_leaves_the_older_one(program):
    """Its first matrix would fit."""
    ratings = program.folder / "wide.tsv"
    ratings.write_text(
        "".join(f"{user}\t{item}\t{(user + item) % 5 + 1}\n" for user in range(5) for item in range(200)),
        encoding="utf-8",
    )
    words = ["train", "--data", ratings, "--rank", "16", "-d", "cpu", "--out", "wide", "--iterations"]
    program.run(*words, "1")
    before = content(program.folder / "wide")
    assert "theta.npy" in refused(program, [*words, "2"], 6000)
    assert content(program.folder / "wide") == before


@pytest.fixture
def mounted(program):
    """Mounts a tiny disk on a folder and unmounts it afterwards."""
    folders = []

    def mount(name, options):
        folder = program.folder / name
        folder.mkdir(exist_ok=True)
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True)
        if made.returncode != 0:
            pytest.skip(f"cannot mount a tmpfs here: {made.stderr.strip() or os.strerror(1)}")
        folders.append(folder)
        return folder

    yield mount
    for folder in folders:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("kind", ["result", "model", "archive", "page"])
def test_a_disk_that_is_full(program, mounted, kind):
    folder = mounted(f"full-{kind}", "size=8k")
    expect_failure(program, kind, folder.name)


@pytest.mark.parametrize("kind", ["result", "model", "ratings"])
def test_a_folder_that_is_read_only(program, mounted, kind):
    folder = mounted(f"fixed-{kind}", "size=64k")
    if kind != "model":
        (folder / WRITERS[kind][1]).write_text("old")
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    expect_failure(program, kind, folder.name)


def test_a_cache_that_is_full_costs_time_and_no_results(program, mounted):
    folder = mounted("full-cache", "size=8k")
    program.run("run", "disk.json", "--json", "without-cache.json", ALSBENCH_CACHE_DIR=str(folder))
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.parametrize("folder", ["a-file", "/proc/model"])
def test_a_folder_for_the_model_is_wanted_before_the_training(program, folder):
    (program.folder / "a-file").write_text("")
    result = program.run(
        "train", "--dataset", "ml-100k", "--scale", "0.05", "--rank", "8", "--device", "cpu", "--out", folder, code=3
    )
    assert f"--out: cannot write into a folder '{folder}'" in result.stderr
    assert "iteration" not in result.stderr and result.stdout == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_write_leaves_nothing(program, number):
    folder = program.folder / f"interrupted by {number}"
    folder.mkdir()
    arguments = ["data", "generate", "ml-10m", "--scale", "0.3", "--device", "cpu", "-o", folder / "big.csv"]
    program.stopped(number, folder / "big.csv", lambda: list(folder.glob("*.tmp")), *arguments)
    assert not list(folder.iterdir())

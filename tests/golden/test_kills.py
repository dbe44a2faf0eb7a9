# SPDX-License-Identifier: Apache-2.0
"""kill -9 of every command that writes files: what it replaces is whole, and nothing is lost or left over.

ALSBENCH_KILLS=400 kills each kind of writer that often.
"""

import contextlib
import itertools
import json
import os
import random
import signal
import subprocess
import time

import pytest

from conftest import SMALL, Program, read_json
from tuned_home import PROBLEM, Home

CASES_FAILED = 5  # harness/process/exit_code.h
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
CASES = {"variant": ["naive", "blocked"], "backend": "cpu", "cache": "hot"}
SUITE = {
    "name": "kills",
    "description": "As little as has groups, ceilings and a training run.",
    "problems": [{"dataset": "ml-100k", "scale": 0.02, "rank": 4, "lambda": 0.1}],
    "measure": [{"stage": "hermitian", "part": ["x", "theta"], **CASES}],
    "ceilings": [{"stage": "gather_copy", "backend": "cpu", "cache": "hot"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 1}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
}
RUN = ["run", "kills.json", "--quiet"]

LATEST = 0.002  # seconds after a temporary file appeared: about as long as writing it takes
LOOK = 0.0001  # seconds between two looks at the folder: the program needs the core


KILLS = int(os.environ.get("ALSBENCH_KILLS", "40"))


def is_killed(program, words, wait):
    """Kills the program when wait(process) returns. False where it had ended before."""
    with subprocess.Popen(
        [program.path, *map(str, words)],
        cwd=program.folder,
        env={**program.environment, **ONE_THREAD},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        wait(process)
        process.send_signal(signal.SIGKILL)
        code = process.wait()
    assert code >= 0 or code == -signal.SIGKILL
    return code < 0


def after(seconds):
    def wait(process):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)

    return wait


def while_writing(folder, seconds):
    """So long after a temporary file appeared in the folder, or anything else did."""

    def wait(process):
        before = set(os.listdir(folder))
        while process.poll() is None and before.issuperset(os.listdir(folder)):
            time.sleep(LOOK)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass

    return wait


def left_overs(folder):
    return list(folder.rglob("*.tmp"))


def kill_often(program, folder, words_of, check, count, code=0):
    """Kills words_of(0), words_of(1), ... and calls check() after each: every other one while it writes into `folder`.

    At the end one may work undisturbed. It leaves nothing of those before.
    """
    instants = random.Random(20261124)
    begin = time.monotonic()
    program.run(*words_of(0), code=code, **ONE_THREAD)
    check()
    seconds, killed = time.monotonic() - begin, 0
    for turn in itertools.count(1):
        if killed == count:
            break
        assert turn < 20 * count + 20, "hardly any kill came before the end"
        writing = turn % 2 == 0
        wait = while_writing(folder, instants.uniform(0, LATEST)) if writing else after(instants.uniform(0, seconds))
        if is_killed(program, words_of(turn), wait):
            killed += 1
        elif not writing:
            seconds *= 0.9  # it came too late
        check()
    program.run(*words_of(turn), code=code, **ONE_THREAD)
    check()
    assert not left_overs(program.folder)


def rows(path):
    return [(case["name"], case["outcome"], case["group"]) for case in read_json(path)["cases"]]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The program, the rows of a whole run, and the seconds that it took."""
    program = Program(tmp_path_factory.mktemp("kills"))
    program.write_json("kills.json", SUITE)
    program.run(*RUN, "--json", "whole.json", **ONE_THREAD)  # fills the cache
    begin = time.monotonic()
    program.run(*RUN, "--json", "whole.json", **ONE_THREAD)
    return program, rows(program.folder / "whole.json"), time.monotonic() - begin


def test_every_kill_is_resumed_to_the_same_rows(undisturbed):
    """Four kills of a run, each after the first while it continues with what those before left."""
    program, expected, seconds = undisturbed
    instants = random.Random(20180813)
    killed = 0
    for turn in itertools.count():
        if killed >= KILLS:
            break
        assert turn < KILLS, "hardly any kill came before the end"
        result = program.folder / f"{turn}.json"
        words = [*RUN, "--json", result, "--resume", f"{result}.journal"]
        for _ in range(4):
            if not is_killed(program, words, after(instants.uniform(0, seconds / 2))):
                break
            killed += 1
        program.run(*words, **ONE_THREAD)
        assert rows(result) == expected, f"run {turn}, kill {killed}"
    assert not left_overs(program.folder)


@pytest.fixture
def program(tmp_path):
    return Program(tmp_path)


def test_a_set_file_is_the_old_or_the_new_one(program):
    folder = program.folder / "sets"
    folder.mkdir()
    file = folder / "a.alsset"

    def words_of(turn, to=file):
        return ["data", "generate", "ml-100k", "--scale", "0.05", "--seed", turn % 2 + 1, "-d", "cpu", "-o", to, "-q"]

    for turn in range(2):
        program.run(*words_of(turn, f"{turn}.alsset"))
    whole = [(program.folder / f"{turn}.alsset").read_bytes() for turn in range(2)]

    def check():
        assert file.read_bytes() in whole

    kill_often(program, folder, words_of, check, KILLS)


def model_in(folder):
    """All that says which training it is of."""
    record = read_json(folder / "record.json")
    matrices = [(folder / name).read_bytes() for name in ("x.npy", "theta.npy", "users.txt", "items.txt")]
    return len(record["iterations"]), matrices


def test_a_model_is_the_old_or_the_new_one(program):
    folder = program.folder / "models"
    folder.mkdir()
    small = ["--dataset", "ml-100k", "--scale", "0.05", "--rank", "4", "-d", "cpu", "-q"]

    def words_of(turn, to=folder / "model"):
        return ["train", *small, "--iterations", turn % 2 + 1, "--out", to]

    for turn in range(2):
        program.run(*words_of(turn, f"{turn}"), **ONE_THREAD)
    whole = [model_in(program.folder / f"{turn}") for turn in range(2)]
    assert whole[0] != whole[1]

    def check():
        assert model_in(folder / "model") in whole

    kill_often(program, folder, words_of, check, KILLS)


def test_a_history_holds_every_run_that_was_added(program):
    folder = program.folder / "past"
    document = read_json(SMALL)
    held = {}

    def words_of(turn):
        document["provenance"]["time_utc"] = f"2026-{turn // 28 + 1:02d}-{turn % 28 + 1:02d}T12:00:00Z"
        program.write_json("run.json", document)
        return ["history", folder, "--add", "run.json", "-q"]

    def check():
        now = {path.name: path.read_bytes() for path in folder.glob("*.json")}
        assert held.items() <= now.items() and len(now) <= len(held) + 1
        held.update(now)

    kill_often(program, folder, words_of, check, KILLS)
    document = program.run("history", folder, "--json", "-q", code=None).stdout
    assert [run["file"] for run in json.loads(document)["runs"]] == sorted(held)


@pytest.mark.parametrize("command", ["ab", "aa"])
def test_a_comparison_is_the_old_or_the_new_one(program, command):
    """Of builds that copy a result in place of measuring one."""
    folder = program.folder / "verdicts"
    folder.mkdir()
    build = program.folder / "build.sh"
    build.write_text(f'#!/bin/sh\nwhile [ "$1" != --json ]; do shift; done; exec cp "{SMALL}" "$2"\n')
    build.chmod(0o755)
    program.write_json("small.json", SUITE)
    launches = {
        "ab": ["--base", build, "--test", build, "--screening-launches", "2", "--budget-seconds", "1e-9"],
        "aa": ["--build", build, "--launches", "8"],
    }
    file = folder / "verdict.json"

    def words_of(turn):
        return [command, "small.json", *launches[command], "--bound", f"{turn % 2 + 1}%", "--json", file, "-q"]

    def check():
        document = read_json(file)
        assert document["kind"] == "comparison" and document["cases"]

    kill_often(program, folder, words_of, check, KILLS, CASES_FAILED)


TILES = ["-b", "blocked", "-a", "store=streaming", "-a", "factors=fp32", "-a", "output=fp32", "-a", "bin=64"]
TILES += ["-a", "tile=[4,8]"]


def test_tuning_is_resumed_and_the_database_keeps_older_entries(tmp_path):
    """Of a journal that is complete too: then nothing but the result and the entry is written."""
    home = Home(tmp_path)
    folder = home.folder / "tuned"
    older = [home.entry(part=part, data=f"older {part}") for part in ("x", "theta")]
    database = home.write("tuned/db.json", older)
    journal = folder / "stage.journal"
    words = ["tune", "stage", "hermitian", *PROBLEM, "-d", "cpu", *TILES, "--strategy", "exhaustive", "-q"]
    words += ["--min-samples", "1", "--max-samples", "1", "--playoff-samples", "1", "--db", database]
    words += ["--json", folder / "stage.json", "--journal", journal, "--resume"]
    kept = b""

    def words_of(turn):
        nonlocal kept
        if turn % 3 == 1:
            journal.unlink(missing_ok=True)
        kept = journal.read_bytes() if journal.exists() else b""
        return words

    def check():
        assert not kept or journal.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
        entries = read_json(database)["entries"]
        newer = [entry for entry in entries if entry not in older]
        assert all(entry in entries for entry in older)
        assert [entry["what"] for entry in newer] in ([], ["hermitian/blocked"])
        return len(newer) == 1

    kill_often(home, folder, words_of, check, KILLS)
    assert check()
    document = read_json(folder / "stage.json")
    points = {json.dumps(point["point"]) for point in document["result"]["points"]}
    assert len(points) == document["result"]["evaluations"] == document["search"]["space"]["valid"] > 1

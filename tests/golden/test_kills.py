# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random instants of a run: --resume always ends in the rows of an undisturbed one.

ALSBENCH_KILLS=200 kills that often; without it, as often as a quick test allows.
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import time

import pytest

from conftest import Program

KILLS = int(os.environ.get("ALSBENCH_KILLS", "16"))
CASES = {"variant": ["naive", "blocked"], "backend": "cpu", "cache": "hot"}
SUITE = {
    "name": "kills",
    "description": "As little as has groups, roofs and a training run.",
    "problems": [{"dataset": "ml-100k", "scale": 0.02, "rank": 4, "lambda": 0.1}],
    "measure": [{"stage": "hermitian", "side": ["x", "theta"], **CASES}],
    "roofs": [{"stage": "gather_copy", "backend": "cpu", "cache": "hot"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 1}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 20},
}
RUN = ["run", "kills.json", "--quiet"]


def rows(path):
    return [
        (case["name"], case["outcome"], case["batch"]) for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
    ]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The program, the rows of a whole run, and the seconds that it took."""
    program = Program(tmp_path_factory.mktemp("kills"))
    (program.folder / "kills.json").write_text(json.dumps(SUITE), encoding="utf-8")
    program.run(*RUN, "--json", "whole.json", OMP_NUM_THREADS="1")  # fills the cache
    begin = time.monotonic()
    program.run(*RUN, "--json", "whole.json", OMP_NUM_THREADS="1")
    return program, rows(program.folder / "whole.json"), time.monotonic() - begin


def is_killed(program, words, seconds):
    with subprocess.Popen(
        [program.path, *words],
        cwd=program.folder,
        env={**program.environment, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


def test_every_kill_is_resumed_to_the_same_rows(undisturbed):
    program, expected, seconds = undisturbed
    instants = random.Random(20180813)
    killed = 0
    while killed < KILLS:
        result = program.folder / f"{killed}.json"
        words = [*RUN, "--json", result, "--resume", f"{result}.journal"]
        if not is_killed(program, words, instants.uniform(0, seconds)):
            seconds *= 0.9  # this kill came too late
            pathlib.Path(f"{result}.journal").unlink()
            continue
        program.run(*words, OMP_NUM_THREADS="1")
        assert rows(result) == expected, f"kill {killed}"
        killed += 1

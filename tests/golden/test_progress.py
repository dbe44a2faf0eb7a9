# SPDX-License-Identifier: Apache-2.0
"""Progress of each long command on stderr, in every mode, and the state after an interrupted drawing."""

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest

from conftest import ROOT
from test_compare import KNOWN_TIMES, executable

UNDECIDED = 3  # of two launches
SUITE = {
    "name": "tiny",
    "description": "A tiny suite.",
    "problems": [{"dataset": "ml-100k", "scale": 0.1, "rank": 8, "lambda": 0.1}],
    "measure": [{"stage": "bias", "backend": "cpu", "part": "x", "cache": "cold"}],
    "train": [{"name": "exact", "backend": "cpu", "pipeline": "exact", "iterations": 2}],
    "sampling": {"min_samples": 2, "max_samples": 2, "max_noise": 0, "max_seconds": 5},
}
DATA = ["--dataset", "ml-100k", "--scale", 0.1, "--rank", 8, "--device", "cpu"]
COMMANDS = {
    "run": ["run", "suite.json", "--json", "run.json", "--fresh"],
    "tune": ["tune", "stage", "bias", *DATA, "--json", "tune.json", "--db", "tuned.json", "--fresh"],
    "train": ["train", *DATA, "--iterations", 2, "--out", "model"],
    "ab": ["ab", "suite.json", "--base", "./build", "--test", "./build", "--json", "ab.json", "--budget-seconds", 0.1],
    "aa": ["aa", "suite.json", "--build", "./build", "--launches", 6, "--json", "aa.json"],
    "data generate": ["data", "generate", "--dataset", "ml-100k", "--scale", 0.1, "--out", "drawn.csv"],
}
each_command = pytest.mark.parametrize("command", COMMANDS)


@pytest.fixture(scope="module", autouse=True)
def suite(program):
    """A suite, and a build that measures nothing: its launches are copies of one."""
    program.write_json("suite.json", SUITE)
    program.run("run", "suite.json", "--launches", 2, "--json", "measured.json")
    measured = program.read_json("measured.json")
    program.write_json("known.json", {"result": measured})
    executable(
        program.folder / "build", f'exec {sys.executable} -I -S {KNOWN_TIMES} {program.folder / "known.json"} "$@"'
    )


def words_of(command, *arguments):
    return [str(word) for word in (*COMMANDS[command], *arguments)]


def said(program, command, *arguments):
    """Lines of stderr, which is no terminal."""
    result = program.run(*words_of(command, *arguments), code=None)
    assert result.returncode in (0, UNDECIDED), result.stderr
    return result.stderr.splitlines()


def on_a_terminal(program, command):
    """The output on a terminal, which has no colours."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [program.path, *words_of(command)],
        cwd=program.folder,
        env={**program.environment, "TERM": "xterm", "COLUMNS": "60"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 1 << 16):
            text += part
    except OSError:
        pass  # the other end is closed
    os.close(ours)
    assert process.wait(timeout=60) in (0, UNDECIDED), text
    return text.decode()


@each_command
def test_off_a_terminal_a_line_names_each_piece_of_work_before_it_begins(program, command):
    lines = said(program, command)
    begun = [re.match(r"\[(\d+)/(\d+)\] (?:[\d:]+ left )?(\S.*)", line) for line in lines]
    ended = [int(one[1]) for one in begun if one]
    assert ended[0] == 0 and ended == sorted(ended) and len(ended) > 1
    assert not any(character in line for line in lines for character in "\r\033")


@each_command
def test_json_is_an_object_a_line(program, command):
    events = [json.loads(line) for line in said(program, command, "--progress", "json") if line.startswith("{")]
    assert {one["command"] for one in events} == {command}
    open_items = []
    for one in events:
        if one["event"] == "start":
            open_items.append(one["item"])
        elif one["event"] == "end":
            open_items.remove(one["item"])
    assert events[0]["event"] == "start" and events[0]["ended"] == 0 and events[0]["remaining_seconds"] is None
    assert open_items == [] and events[-1]["remaining_seconds"] == 0
    elapsed = [one["elapsed_seconds"] for one in events]
    assert elapsed == sorted(elapsed)


def test_a_playoff_ends_with_its_tuning(program):
    """A live tuning of two points may have none; a replay of this recording has one."""
    recording = ROOT / "results/recorded/nvidia-h200/hermitian-tiled-ml-20m-rank64-x.journal.gz"
    result = program.run("tune", "replay", recording, "--json", "replayed.json", "--progress", "json")
    events = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
    assert [one["event"] for one in events if one.get("item") == "replay: playoff"] == ["start", "end"]
    assert events[-1]["remaining_seconds"] == 0


@each_command
def test_none_says_no_progress(program, command):
    lines = said(program, command, "--progress", "none")
    assert not any(re.match(r"\[\d+/|\{", line) for line in lines)


@each_command
def test_the_live_line_of_a_terminal_leaves_no_trace(program, command):
    text = on_a_terminal(program, command)
    live = re.findall(r"\r\033\[K(\[\d+/\d+\][^\r\n]*)", text)
    assert live and all(len(line) < 60 for line in live)
    left = [line.split("\r\033[K")[-1] for line in text.split("\r\n")]
    assert not any(line.startswith("[") for line in left), left
    assert "\033[" not in text.replace("\033[K", "")  # NO_COLOR


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_drawing_leaves_no_half_of_a_set(program, number):
    with program.start("data", "generate", "--dataset", "ml-20m", "--out", "half.csv") as process:
        assert process.stderr.readline().startswith("[0/2] drawing")
        process.send_signal(number)
        process.communicate(timeout=60)
    assert process.returncode == -number
    assert not list(program.folder.glob("half*"))
